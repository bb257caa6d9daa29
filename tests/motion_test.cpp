// Tests values that move from one step to the next: where each value comes from, and that each motion ends
// with the picture that is drawn without motion.
#include "scene/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "analysis/cell_moves.hpp"
#include "analysis/memory.hpp"
#include "support/drawn_views.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace motion_test {

constexpr std::size_t no_limit = 1 << 20;
using Reads = std::set<std::pair<int, Value>>;  // cells of shared memory and the values that were read

// Returns the reads on which each stored cell depends. Follows the values forward, event by event, from the
// beginning of the step. cell_moves(), which is tested here, follows the values backward from the stores.
std::map<int, Reads> reads_by_stored_cell(const Trace& t, int block, int step) {
  const auto places = cell_places(t.grid_of(static_cast<std::uint32_t>(step)).shared, t.element_bytes());
  const EventRange range = step_events(t, block, step);
  std::map<std::tuple<std::uint32_t, int, int>, Reads> made;  // the key is the event, the lane and the part
  const auto of = [&](Origin o, int lane) {
    if (o == 0) return Reads();
    const auto found = made.find({origin_event(o), lane, origin_part(o)});
    return found == made.end() ? Reads() : found->second;
  };
  std::map<int, Reads> stored;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = t.events[i];
    const auto event = static_cast<std::uint32_t>(i);
    std::map<int, int> part;  // the key is the lane
    if (e.kind == Kind::shared_atomic) {
      for_each_cell(e, [&](int lane, std::uint32_t entry, std::uint32_t) {
        stored[cell_at(places, t.lanes[entry].address)] = of(t.lanes[entry].left, lane);
      });
      continue;
    }
    if (!has_lanes(e.kind) || is_atomic(e.kind)) continue;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const Lane& l = t.lanes[entry];
      Reads& reads = made[{event, lane, part[lane]++}];
      if (e.kind == Kind::shared_load) {
        if (const int cell = cell_at(places, l.address); cell >= 0) reads.insert({cell, t.values[entry]});
      } else if (e.kind == Kind::operation) {
        reads = of(l.left, lane);
        reads.merge(of(l.right, lane));
      } else if (e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add) {
        reads = of(l.left, static_cast<int>(l.address));
      } else if (e.kind == Kind::shared_store) {
        stored[cell_at(places, l.address)] = of(l.left, lane);
      }
    });
  }
  stored.erase(-1);
  for (auto& [cell, reads] : stored) std::erase_if(reads, [&](const auto& r) { return r.first == cell; });
  std::erase_if(stored, [](const auto& s) { return s.second.empty(); });
  return stored;
}

TEST(CellMoves, FollowTheRecordedOriginsOfEveryKernel) {
  std::size_t found = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    const Recording r = record(a.name, 96);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      std::map<int, Reads> moves;
      for (const CellMove& m : cell_moves(r.trace, 0, step, no_limit)) moves[m.to].insert({m.from, m.value});
      ASSERT_EQ(moves, reads_by_stored_cell(r.trace, 0, step)) << a.name << ", step " << step;
      found += moves.size();
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(CellMoves, AreLeftOutIfThereAreTooMany) {
  const Recording r = record("scan_double_buffer", 64);
  const std::size_t count = cell_moves(r.trace, 0, 1, no_limit).size();
  EXPECT_GT(count, 64u);
  EXPECT_EQ(cell_moves(r.trace, 0, 1, count).size(), count);
  EXPECT_TRUE(cell_moves(r.trace, 0, 1, count - 1).empty());
}

TEST(Motion, OfEveryViewStaysInsideThePictureAndEnds) {
  std::size_t moving = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    const Recording r = record(a.name, 64);
    for (const View& v : views()) {
      if (!v.motion) continue;
      for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
        const Cursor at = at_step(step);
        const Motion motion = motion_of(v, {r, at, dark_theme(), 1200, 300});
        EXPECT_LE(motion.size(), 8 * most_moving) << a.name << ' ' << v.name;
        for (const float time : {0.0f, 0.3f, 0.99f}) {
          Scene scene;
          add_motion(scene, motion, time, 0, 0);
          for (const Shape& shape : scene.shapes) {
            const Point p = std::visit(
                [](const auto& s) {
                  if constexpr (requires { s.box; }) return Point{s.box.x, s.box.y};
                  else if constexpr (requires { s.at; }) return s.at;
                  else return Point{-1, -1};
                },
                shape.what);
            ASSERT_TRUE(p.x >= 0 && p.x <= 1200 && p.y >= 0 && p.y <= 300) << a.name << ' ' << v.name;
          }
          moving += scene.shapes.size();
        }
        Scene end;
        add_motion(end, motion, 1, 0, 0);
        ASSERT_TRUE(end.shapes.empty()) << a.name << ' ' << v.name;
      }
    }
  }
  EXPECT_GT(moving, 10'000u);
}

// In step 5 of Blelloch's scan of 64 numbers, temp[7] = 54 goes to temp[15].
TEST(Motion, CarriesValuesFromTheCellsThatWereReadToTheCellsThatAreWritten) {
  const Recording r = record("scan_blelloch", 64);
  const Cursor at = at_step(4);
  const ViewInput in{r, at, dark_theme(), 1200, 200};
  const Scene still = draw_view(view("memory"), in);
  const auto box_of = [&](int cell) {
    for (const Scene::Target& t : still.targets)
      if (const auto* id = as<CellId>(t.id); id && id->cell == cell) return t.box;
    return Box();
  };
  const auto moves = cell_moves(r.trace, 0, 4, no_limit);
  ASSERT_EQ(moves.size(), 4u);
  const Motion motion = motion_of(view("memory"), in);
  for (const CellMove& m : moves) {
    const Box from = box_of(m.from), to = box_of(m.to);
    const auto carries = [&](const MovingShape& shape) {
      const auto* text = std::get_if<TextShape>(&shape.shape);
      return text && to.contains(text->at) &&
             from.contains({text->at.x + shape.by.x, text->at.y + shape.by.y}) &&
             text->text == exact_value(r.trace, m.value, Cells::elements);
    };
    EXPECT_EQ(std::ranges::count_if(motion, carries), 1) << m.from << " to " << m.to;
  }
}

// A written cell shows its old value above its new value if the cell is large enough.
TEST(Memory, ShowsTheOldValueOfAWrittenCell) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("memory", r, at_step(4), 1272, 200);
  const auto before = memory_at(r.trace, 0, 0, step_events(r.trace, 0, 4).first);
  int shown = 0;
  for (const CellMove& m : cell_moves(r.trace, 0, 4, no_limit)) {
    const std::string old =
        exact_value(r.trace, before[static_cast<std::size_t>(m.to)].value, Cells::elements);
    for (const Shape& s : scene.shapes)
      if (const auto* text = std::get_if<TextShape>(&s.what); text && text->size < 10 && text->text == old) {
        ++shown;
        break;
      }
  }
  EXPECT_EQ(shown, 4);
}

}  // namespace motion_test
}  // namespace upsweep
