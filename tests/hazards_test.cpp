// Hazard analysis: what orders what, on recordings written by hand; and on recorded runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/hazards.hpp"

namespace upsweep {
namespace {

using ByLane = std::function<int(int lane)>;

constexpr std::uint32_t all = ~0u;
constexpr std::uint32_t one(int lane) { return 1u << lane; }
int own(int lane) { return lane; }
ByLane at(int cell) {
  return [=](int) { return cell; };
}

// A recording, request by request, in the order of issue, of any block and warp. Elements are int32.
class Script {
 public:
  // Global memory: in (64 elements), out (64 elements), flags (16 words), sums (64 elements).
  explicit Script(int blocks = 1, int threads = 64, int cells = 128) {
    t.settings.type = Scalar::int32;
    t.settings.block = threads;
    t.grids[0].kernel = "test";
    t.grids[0].blocks = blocks;
    t.grids[0].threads = threads;
    SharedShape& shape = t.grids[0].shared;
    shape.elements = shape.cells_per_buffer = cells;
    for (int i = 0; i < cells; ++i) shape.cell.push_back(static_cast<std::uint32_t>(i));
    shape.more = {{"flag", Cells::words, static_cast<std::uint32_t>(cells) * 4, 4}};
    shape.bytes = static_cast<std::uint32_t>(cells) * 4 + 16;
    t.buffers = {{"in", Cells::elements, 64}, {"out", Cells::elements, 64}, {"flags", Cells::words, 16},
                 {"sums", Cells::elements, 64}};
    t.steps = {{Phase::load, 0}};
    t.grids[0].steps = 1;
  }
  int child(int parent, std::uint32_t block, int warp, int lane, ChildLaunch how, int line) {
    Grid g = t.grids[0];
    g.parent = parent;
    g.depth = t.grids[static_cast<std::size_t>(parent)].depth + 1;
    g.first_step = static_cast<std::uint32_t>(t.steps.size());
    t.steps.push_back({Phase::reduce, 0});
    const int index = static_cast<int>(t.grids.size());
    grid(parent);
    push(Kind::launch, block, warp, one(lane), line, at(index), {}, 0, 0, static_cast<int>(how));
    t.grids.push_back(g);
    launches.emplace_back(t.events.size() - 1, index);
    grid(index);
    return index;
  }
  int launch() {
    t.grids.push_back(t.grids[0]);
    t.grids.back().first_step = static_cast<std::uint32_t>(t.steps.size());
    t.steps.push_back({Phase::reduce, 0});
    grid(static_cast<int>(t.grids.size()) - 1);
    return static_cast<int>(t.grids.size()) - 1;
  }
  void grid(int g) { grid_ = g; }

  void write(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell, const ByLane& value = own) {
    push(Kind::shared_store, block, warp, mask, line, cell, value);
  }
  void read(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell) {
    push(Kind::shared_load, block, warp, mask, line, cell, {});
  }
  enum Buffer { in, out, flags, sums };
  void store(Buffer b, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell,
             const ByLane& value = own, int how = 0) {
    push(Kind::global_store, block, warp, mask, line, cell, value, b, how);
  }
  void load(Buffer b, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell, int value = 0,
            int how = 0) {
    push(Kind::global_load, block, warp, mask, line, cell, at(value), b, how);
  }
  void atomic(Buffer b, std::uint32_t block, int warp, int lane, int line, int cell, int before, int after) {
    push(Kind::global_atomic, block, warp, one(lane), line, at(cell), at(before), b, 0, static_cast<int>(Atomic::add), after);
  }
  void barrier(std::uint32_t block, int warp, int line, std::uint32_t mask = all) {
    push(Kind::barrier, block, warp, mask, line, {}, {});
  }
  void barriers(std::uint32_t block, int line) {
    for (int w = 0; w < t.grids[static_cast<std::size_t>(grid_)].warps(); ++w) barrier(block, w, line);
  }
  void syncwarp(std::uint32_t block, int warp, std::uint32_t mask, int line) {
    push(Kind::warp_barrier, block, warp, mask, line, {}, {});
  }
  void fence(std::uint32_t block, int warp, std::uint32_t mask, int line, Scope scope = Scope::device) {
    push(Kind::fence, block, warp, mask, line, {}, {}, 0, 0, static_cast<int>(scope));
  }
  void shuffle(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& from) {
    push(Kind::shuffle, block, warp, mask, line, [&](int l) { return from(l); }, {});
    for (std::size_t i = 0; i < t.lanes.size(); ++i)
      if (i >= t.events.back().first) t.lanes[i].address /= 4;
  }
  // In canonical order.
  Trace trace() {
    std::vector<std::uint32_t> order(t.events.size()), place(t.events.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      const Event &x = t.events[a], &y = t.events[b];
      return std::tuple(x.grid, x.block, x.step, x.warp) < std::tuple(y.grid, y.block, y.step, y.warp);
    });
    Trace sorted = t;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.events[i] = t.events[order[i]];
      place[order[i]] = static_cast<std::uint32_t>(i);
    }
    for (const auto& [event, g] : launches) sorted.grids[static_cast<std::size_t>(g)].parent_event = place[event];
    return sorted;
  }
  Trace t;

 private:
  void push(Kind kind, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& address,
            const ByLane& value, int buffer = 0, int flags = 0, int detail = 0, int after = 0) {
    Event e{};
    e.kind = kind;
    e.width = 4;
    e.buffer = static_cast<std::uint8_t>(buffer);
    e.detail = static_cast<std::uint8_t>(detail);
    e.flags = static_cast<std::uint8_t>(flags);
    e.parts = is_atomic(kind) ? 2 : 1;
    e.warp = static_cast<std::uint16_t>(warp);
    e.line = static_cast<std::uint16_t>(line);
    e.grid = static_cast<std::uint16_t>(grid_);
    e.block = block;
    e.step = t.grids[static_cast<std::size_t>(grid_)].first_step;
    e.mask = mask;
    e.first = static_cast<std::uint32_t>(t.lanes.size());
    e.time = static_cast<std::uint32_t>(t.events.size()) * 3;
    if (has_lanes(kind))
      for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::int64_t a = kind == Kind::launch ? address(lane) : address ? address(lane) * 4 : 0;
        t.lanes.push_back({a, 0, 0});
        t.values.push_back({value ? static_cast<std::uint32_t>(value(lane)) : 0, 0, 0, 0});
        if (is_atomic(kind)) {
          t.lanes.push_back({a, 0, 0});
          t.values.push_back({static_cast<std::uint32_t>(after), 0, 0, 0});
        }
      }
    t.events.push_back(e);
  }
  int grid_ = 0;
  std::vector<std::pair<std::size_t, int>> launches;  // event, grid
};

// "shared race 12 10", a line each; with "(since Volta)" where lockstep hides it.
std::string found(const Hazards& h) {
  std::string text;
  for (const HazardFinding& f : h.findings)
    text += std::string(name(f.kind)) + " " + std::to_string(f.party.line) +
            (f.other.line ? " " + std::to_string(f.other.line) : "") + (f.lockstep ? "" : " (since Volta)") + "\n";
  return text;
}
std::string found(Script& s) { return found(hazards(s.trace())); }

ByLane shifted(int by) {
  return [=](int lane) { return (lane + by) % 64; };
}

TEST(Races, ABarrierOrdersWhatABlockDoes) {
  for (const bool with_barrier : {true, false}) {
    Script s;
    for (int w = 0; w < 2; ++w) s.write(0, w, all, 10, [=](int l) { return 32 * w + l; });
    if (with_barrier) s.barriers(0, 11);
    for (int w = 0; w < 2; ++w) s.read(0, w, all, 12, [=](int l) { return (32 * w + l + 32) % 64; });
    EXPECT_EQ(found(s), with_barrier ? "" : "shared race 12 10\n");
  }
}

TEST(Races, AReadBeforeAStoreNeedsABarrierToo) {
  for (const bool with_barrier : {true, false}) {
    Script s;
    for (int w = 0; w < 2; ++w) s.write(0, w, all, 9, [=](int l) { return 32 * w + l; });
    s.barriers(0, 10);
    for (int w = 0; w < 2; ++w) s.read(0, w, all, 12, at(5));
    if (with_barrier) s.barriers(0, 13);
    s.write(0, 0, one(5), 14, at(5));
    EXPECT_EQ(found(s), with_barrier ? "" : "shared race 14 12\n");
  }
}

TEST(Races, WithinAWarpLockstepOrdersWhatIndependentLanesDoNot) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.read(0, 0, all, 11, shifted(1));
  s.write(0, 0, all, 12, own);
  const Hazards h = hazards(s.trace());
  EXPECT_EQ(found(h), "shared race 11 10 (since Volta)\nuninitialised read 11\nshared race 12 11 (since Volta)\n");
  EXPECT_NE(h.findings[0].advice.find("__syncwarp()"), std::string::npos) << h.findings[0].advice;

  Script synchronised;
  synchronised.write(0, 0, all, 10, own);
  synchronised.syncwarp(0, 0, all, 11);
  synchronised.read(0, 0, all, 12, [](int l) { return (l + 1) % 32; });
  synchronised.syncwarp(0, 0, all, 13);
  synchronised.write(0, 0, all, 14, own);
  EXPECT_EQ(found(synchronised), "");
}

TEST(Races, AWarpBarrierOrdersTheLanesOfItsMaskAlone) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.syncwarp(0, 0, 0xffff, 11);
  s.read(0, 0, one(0), 12, at(15));
  s.read(0, 0, one(1), 13, at(16));
  EXPECT_EQ(found(s), "shared race 13 10 (since Volta)\n");
}

TEST(Races, WarpBarriersOfDifferentLanesAddUp) {
  Script s;
  s.write(0, 0, one(9), 10, at(9));
  s.syncwarp(0, 0, one(9) | one(4), 11);
  s.syncwarp(0, 0, one(4) | one(2), 12);
  s.read(0, 0, one(2), 13, at(9));
  EXPECT_EQ(found(s), "");
}

TEST(Races, AShuffleOrdersNoMemory) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.shuffle(0, 0, all, 11, [](int l) { return l ^ 1; });
  s.read(0, 0, all, 12, [](int l) { return l ^ 1; });
  EXPECT_EQ(found(s), "shared race 12 10 (since Volta)\n");
}

TEST(Races, LanesOfOneRequestCollideUnderEitherModel) {
  Script s;
  s.write(0, 0, all, 10, at(3));
  EXPECT_EQ(found(s), "shared race 10 10\n");
  Script same_value;
  same_value.write(0, 0, all, 10, at(3), at(7));
  EXPECT_EQ(found(same_value), "");
}

TEST(Races, AllReadersCountNotOnlyTheLast) {
  Script s(1, 96);
  s.write(0, 0, one(0), 8, at(3));
  s.barriers(0, 9);
  s.read(0, 1, all, 10, at(3));
  s.read(0, 2, all, 11, at(3));
  s.read(0, 0, one(0), 12, at(3));
  s.write(0, 0, one(0), 13, at(3));
  EXPECT_EQ(found(s), "shared race 13 11\nshared race 13 10\n");
}

TEST(Races, BlocksShareGlobalMemoryInNoOrder) {
  Script s(2);
  s.store(Script::out, 0, 0, all, 10, own);
  s.load(Script::out, 1, 0, one(3), 11, at(4));
  EXPECT_EQ(found(s), "global race 11 10\n");
  Script launched(2);
  launched.store(Script::out, 0, 0, all, 10, own);
  launched.launch();
  launched.load(Script::out, 1, 0, one(3), 11, at(4));
  EXPECT_EQ(found(launched), "");
}

enum Leave { nothing, first_fence, second_fence, device_scope, volatile_flag };
class Publication : public testing::TestWithParam<Leave> {};

// A block's threads write; thread 0 raises a flag that thread 0 of another block waits for.
TEST_P(Publication, NeedsFencesOnBothSidesAndAFlag) {
  const Leave left_out = GetParam();
  const Scope scope = left_out == device_scope ? Scope::block : Scope::device;
  const int how = left_out == volatile_flag ? 0 : is_volatile;
  Script s(2);
  for (int w = 0; w < 2; ++w) s.store(Script::sums, 0, w, all, 10, [=](int l) { return 32 * w + l; });
  s.barriers(0, 11);
  if (left_out != first_fence) s.fence(0, 0, one(0), 12, scope);
  s.load(Script::flags, 1, 0, one(0), 20, at(2), 0, how);
  s.store(Script::flags, 0, 0, one(0), 13, at(2), at(1), how);
  s.load(Script::flags, 1, 0, one(0), 20, at(2), 1, how);
  if (left_out != second_fence) s.fence(1, 0, one(0), 21, scope);
  s.barriers(1, 22);
  for (int w = 0; w < 2; ++w) s.load(Script::sums, 1, w, all, 23, [=](int l) { return 63 - 32 * w - l; });
  std::string expected = left_out == nothing ? "" : "global race 23 10\n";
  if (left_out == volatile_flag) expected = "global race 13 20\nglobal race 20 13\n" + expected;
  const std::string text = found(s);
  if (left_out == volatile_flag) {
    EXPECT_NE(text.find("global race 13 20\n"), std::string::npos) << text;
    EXPECT_NE(text.find("global race 23 10\n"), std::string::npos) << text;
  } else {
    EXPECT_EQ(text, expected);
  }
}
INSTANTIATE_TEST_SUITE_P(, Publication, testing::Values(nothing, first_fence, second_fence, device_scope, volatile_flag));

TEST(Races, EveryThreadsFenceBeforeTheBarrierPublishesToo) {
  for (const bool with_fence : {true, false}) {
    Script s(2);
    for (int w = 0; w < 2; ++w) {
      s.store(Script::sums, 0, w, all, 10, [=](int l) { return 32 * w + l; });
      if (with_fence || w == 0) s.fence(0, w, all, 11);
    }
    s.barriers(0, 12);
    s.store(Script::flags, 0, 0, one(0), 13, at(2), at(1), is_volatile);
    s.load(Script::flags, 1, 1, one(3), 20, at(2), 1, is_volatile);
    s.fence(1, 1, one(3), 21);
    s.load(Script::sums, 1, 1, one(3), 22, at(40));
    EXPECT_EQ(found(s), with_fence ? "" : "global race 22 10\n");
  }
}

TEST(Races, WhoSawAnotherValueOfTheFlagKnowsNothing) {
  Script s(2);
  s.store(Script::sums, 0, 0, one(0), 10, at(0));
  s.fence(0, 0, one(0), 11);
  s.store(Script::flags, 0, 0, one(0), 12, at(0), at(1), is_volatile);
  s.load(Script::flags, 1, 0, one(0), 20, at(0), 0, is_volatile);
  s.fence(1, 0, one(0), 21);
  s.load(Script::sums, 1, 0, one(0), 22, at(0));
  EXPECT_EQ(found(s), "global race 22 10\n");
}

// Each block adds its sum and counts; who counts last reads them all. On a GPU an atomic is noted after it happened, so
// the notes may have another order than the atomics.
TEST(Races, TheLastBlockKnowsAllOthers) {
  for (const bool overtaken : {false, true})
    for (const bool with_fence : {true, false}) {
      Script s(3, 32);
      s.t.machine = overtaken ? "gpu" : "emulated";
      for (std::uint32_t b = 0; b < 3; ++b) {
        s.store(Script::sums, b, 0, one(0), 10, at(static_cast<int>(b)));
        if (with_fence) s.fence(b, 0, one(0), 11);
      }
      s.atomic(Script::flags, 0, 0, 0, 12, 0, 0, 1);
      if (overtaken) {
        s.atomic(Script::flags, 2, 0, 0, 12, 0, 2, 3);
        s.fence(2, 0, one(0), 13);
        s.atomic(Script::flags, 1, 0, 0, 12, 0, 1, 2);
      } else {
        s.atomic(Script::flags, 1, 0, 0, 12, 0, 1, 2);
        s.atomic(Script::flags, 2, 0, 0, 12, 0, 2, 3);
        s.fence(2, 0, one(0), 13);
      }
      s.barriers(2, 14);
      s.load(Script::sums, 2, 0, 7, 15, own);
      EXPECT_EQ(found(s), with_fence ? "" : "global race 15 10\n") << overtaken;
    }
}

TEST(Races, BlocksOutOfFocusPassOnWhatTheyWereTold) {
  Script s(3, 32);
  s.t.runs = {{.grid = 0, .block = 0}, {.grid = 0, .block = 1, .in_focus = false}, {.grid = 0, .block = 2}};
  s.store(Script::sums, 0, 0, one(0), 10, at(0));
  s.fence(0, 0, one(0), 11);
  s.store(Script::flags, 0, 0, one(0), 12, at(0), at(1), is_volatile);
  s.load(Script::flags, 1, 0, one(0), 20, at(0), 1, is_volatile);
  s.fence(1, 0, one(0), 21);
  s.store(Script::flags, 1, 0, one(0), 22, at(1), at(1), is_volatile);
  s.load(Script::flags, 2, 0, one(0), 20, at(1), 1, is_volatile);
  s.fence(2, 0, one(0), 21);
  s.load(Script::sums, 2, 0, one(0), 23, at(0));
  EXPECT_EQ(found(s), "");
}

TEST(Races, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  Script s(2);
  s.atomic(Script::flags, 0, 0, 0, 10, 0, 0, 1);
  s.atomic(Script::flags, 1, 0, 0, 10, 0, 1, 2);
  EXPECT_EQ(found(s), "");
  s.load(Script::flags, 1, 1, one(0), 11, at(0), 2);
  EXPECT_EQ(found(s), "global race 11 10\n");
}

TEST(Races, ChildrenSeeWhatTheirLaunchSays) {
  for (const ChildLaunch how : {ChildLaunch::tail, ChildLaunch::fire_and_forget}) {
    const bool tail = how == ChildLaunch::tail;
    Script s;
    s.store(Script::out, 0, 0, one(0), 10, at(0));
    s.store(Script::out, 0, 1, one(0), 11, at(1));
    const int child = s.child(0, 0, 0, 0, how, 12);
    s.load(Script::out, 0, 0, one(0), 20, at(0));
    s.load(Script::out, 0, 0, one(0), 21, at(1));
    EXPECT_EQ(found(s), tail ? "" : "global race 21 11\n");
    if (tail) continue;
    // The parent does not wait.
    s.store(Script::out, 0, 0, one(5), 22, at(5));
    s.grid(0);
    s.load(Script::out, 0, 0, one(0), 13, at(5));
    EXPECT_EQ(found(s), "global race 21 11\nglobal race 13 22\n");
    // A later tail launch does, for both.
    s.child(0, 0, 0, 0, ChildLaunch::tail, 14);
    s.load(Script::out, 0, 0, one(0), 30, at(5));
    s.load(Script::out, 0, 0, one(0), 31, at(1));
    EXPECT_EQ(found(s), "global race 21 11\nglobal race 13 22\n");
    EXPECT_EQ(child, 1);
  }
}

TEST(Barriers, MustBeReachedByAllThreadsAtOnePlace) {
  Script left;
  left.barrier(0, 0, 10);
  left.read(0, 1, one(0), 5, at(0));
  left.write(0, 0, one(0), 11, at(0));
  EXPECT_EQ(found(left), "uninitialised read 5\ndivergent barrier 10\nshared race 11 5\n");
  Script elsewhere;
  elsewhere.barrier(0, 0, 10, 0xffff);
  elsewhere.barrier(0, 0, 20, 0xffff0000);
  elsewhere.barrier(0, 1, 10);
  elsewhere.write(0, 0, one(0), 21, at(0));
  EXPECT_EQ(found(elsewhere), "divergent barrier 10 20\n");
  EXPECT_EQ(hazards(elsewhere.trace()).findings[0].what,
            "Thread 0 waits at the barrier in line 10, thread 16 at the one in line 20.");
}

TEST(Shuffles, TakeFromLanesThatTakePart) {
  Script s;
  s.shuffle(0, 0, 0xff, 10, [](int l) { return l ^ 1; });
  EXPECT_EQ(found(s), "");
  s.shuffle(0, 0, 0xff, 11, [](int l) { return l ^ 8; });
  EXPECT_EQ(found(s), "absent lane 11\n");
}

TEST(Reads, OfWhatNobodyWrote) {
  Script s(2);
  s.write(0, 0, one(0), 10, at(0));
  s.read(0, 0, one(0), 11, at(1));
  s.load(Script::in, 0, 0, one(0), 12, at(1));
  s.load(Script::flags, 0, 0, one(0), 13, at(1));
  s.load(Script::sums, 0, 0, one(0), 14, at(1));
  s.read(1, 0, one(0), 15, at(0));  // another block's memory is its own
  const Hazards h = hazards(s.trace());
  EXPECT_EQ(found(h), "uninitialised read 11\nuninitialised read 14\nuninitialised read 15\n");
  EXPECT_EQ(h.findings[1].what, "Thread 0 of block 0 reads sums[1], to which nothing was written before.");
}

TEST(Reads, OfScratchAreNotJudgedWhereStoresAreNotRecorded) {
  Script s(2);
  s.t.runs = {{.grid = 0, .block = 0}, {.grid = 0, .block = 1, .in_focus = false}};
  s.load(Script::sums, 0, 0, one(0), 14, at(1));
  EXPECT_EQ(found(s), "");
}

TEST(Bounds, NameThreadCellAndMemory) {
  Script s;
  s.store(Script::out, 0, 1, all, 10, [](int l) { return 32 + l + 1; }, own, is_outside);
  const Hazards h = hazards(s.trace());
  ASSERT_EQ(h.findings.size(), 1u);
  EXPECT_EQ(h.findings[0].kind, Hazard::out_of_bounds);
  EXPECT_EQ(h.findings[0].what, "Thread 63 writes out[64], beyond its 64 cells.");
  EXPECT_EQ(h.findings[0].count, 1u);
}

TEST(Findings, FoldByKindAndLinesAndKeepTheWidestExample) {
  Script s(1, 64);
  s.write(0, 0, all, 10, own);
  s.read(0, 0, one(1), 12, at(2));
  for (int l = 0; l < 5; ++l) s.read(0, 1, one(l), 12, at(l));
  const Hazards h = hazards(s.trace());
  ASSERT_EQ(h.findings.size(), 1u);
  EXPECT_EQ(h.findings[0].count, 6u);
  EXPECT_TRUE(h.findings[0].lockstep);
  EXPECT_EQ(h.findings[0].address, "shared[0]");
  EXPECT_EQ(h.findings[0].what,
            "Thread 0 writes shared[0] in line 10, thread 32 reads it in line 12, and nothing says which comes first.");
  Hazards twice = h;
  add(twice, h);
  ASSERT_EQ(twice.findings.size(), 1u);
  EXPECT_EQ(twice.findings[0].count, 12u);
}

}  // namespace
}  // namespace upsweep
