#include "machine/emulator/apart.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>

#include "machine/emulator/aside.hpp"

namespace upsweep {
namespace {

// Data that the CPU threads share while they run one launch.
struct BlocksTogether {
  std::vector<BlockApart>& blocks;
  const ApartOptions& options;
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> given_up = false, talks = false;
};

// Runs a block from its beginning to its end. Returns false if the block does not end, because the block
// waits for other blocks, communicates with other blocks or starts child grids. Also returns false if the run
// is no longer needed.
bool run_alone(Aside& aside) {
  for (int idle = 0; !aside.ended();) {
    const std::uint64_t progress = aside.progress();
    aside.go_on(true);
    idle = aside.progress() == progress ? idle + 1 : 0;
    if (aside.talks() || aside.has_children() || idle > most_idle || !aside.wanted()) return false;
  }
  return aside.end();
}

// Runs blocks of the launch on this CPU thread, one after another, until every block has begun or the run is
// no longer needed.
void work(BlocksTogether& all, Aside& aside, BlockPool& pool, std::size_t threads) noexcept {
  try {
    auto block = pool.take(threads);
    for (std::size_t i; (i = all.next++) < all.blocks.size() && aside.wanted();) {
      aside.begin(*block, i, all.blocks[i]);
      if (!run_alone(aside)) {
        if (aside.talks()) all.talks = true;
        all.given_up = true;
      }
      show_progress(all.options, ++all.finished);
    }
    pool.give_back(std::move(block));
  } catch (...) { all.given_up = true; }  // all blocks run again, in turns, and then throw this error again
}

}  // namespace

bool fits_beside(std::size_t blocks, std::size_t threads) {
  constexpr std::size_t most_blocks = 16, least_blocks = 4, most_threads = 8 * 1024;
  return blocks < most_blocks && (blocks < least_blocks || threads <= most_threads);
}

ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      GlobalBuffers& memory) {
  const KeptBuffers before(memory, options.buffers);
  const auto block_threads = static_cast<std::size_t>(launch.grid.threads);
  std::vector<BlockApart> blocks(static_cast<std::size_t>(launch.grid.blocks));
  BlocksTogether all{blocks, options};
  const std::size_t count = runner_count(blocks.size(), block_threads, pools.size());
  Asides asides;
  for (std::size_t i = 0; i < count; ++i)
    asides.push_back(std::make_unique<Aside>(launch, options, all.given_up));
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < count; ++i)
        threads.emplace_back([&, i] { work(all, *asides[i], pools[i], block_threads); });
    } catch (const std::exception&) {}  // the computer cannot start more threads
    work(all, *asides[0], pools[0], block_threads);
  }
  ApartResult r = result(launch, asides, !all.given_up, blocks, options.focus, memory, before);
  if (all.talks) r.influence = Influence::talk;
  return r;
}

}  // namespace upsweep
