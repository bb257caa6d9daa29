#include "words/step_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/coalescing.hpp"
#include "analysis/memory.hpp"
#include "analysis/rounds.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {

std::string repeated_reads_text(const Recording& recording, const Place& place, std::int64_t sectors) {
  const std::int64_t different =
      different_sectors(recording.trace, recording.step(place.block, place.step).global);
  if (different == 0 || sectors < 2 * different) return {};
  if (different == 1) return tr("The block reads one sector {}.", counted(sectors, "time"));
  return tr("The block reads only {}, each {:.1f} times on average.", counted(different, "different sector"),
            static_cast<double>(sectors) / static_cast<double>(different));
}

std::string loads_text(const Recording& recording, const Place& place) {
  const LoadsUnderWay loads = loads_under_way(recording.trace, place.block, place.step);
  if (loads.most < 2) return {};
  const bool wide = loads.bytes > recording.trace.element_bytes();
  const std::string size = wide ? tr(" of {} bytes", loads.bytes) : "";
  return loads.all ? tr("Each thread issues {} loads{} before it uses any of the loaded values.",
                        grouped(loads.most), size)
                   : tr("A thread issues up to {} loads{} before it uses any of the loaded values.",
                        grouped(loads.most), size);
}

std::string request_lanes_text(const Recording& recording, const Place& place) {
  const int event = chosen_event(recording, place);
  if (event < 0) return {};
  const Event& e = recording.trace.events[static_cast<std::size_t>(event)];
  const int present = std::clamp(recording.trace.grids[e.grid].threads - 32 * e.warp, 0, 32);
  const int lanes = std::popcount(e.mask);
  return tr("Request {request} of {all} is in line {line}: {active} of {lanes} of warp {warp} {take_part}.",
            fmt::arg("request", grouped(place.request + 1)),
            fmt::arg("all", grouped(std::ssize(recording.step(place.block, place.step).requests))),
            fmt::arg("line", e.line), fmt::arg("active", lanes), fmt::arg("lanes", counted(present, "lane")),
            fmt::arg("warp", e.warp), fmt::arg("take_part", lanes == 1 ? tr("takes part") : tr("take part")));
}

std::string rounds_text(const Recording& recording, const Place& place) {
  const Rounds rounds = longest_rounds(recording.trace, place.block, place.step);
  if (rounds.count < 2 || 2 * rounds.last > rounds.first) return {};
  const Grid& grid = recording.trace.grid_of(static_cast<std::uint32_t>(place.step));
  return tr(
      "Line {} runs in {} iterations: {} of {} work in the first iteration, and {} in the last iteration.",
      rounds.line, grouped(rounds.count), grouped(rounds.first), counted(grid.threads, "lane"),
      grouped(rounds.last));
}

}  // namespace upsweep
