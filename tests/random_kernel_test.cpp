// Compares the analyses with slow and simple implementations, on random recordings.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/facts.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/tree.hpp"
#include "support/trace_builder.hpp"

namespace upsweep {
namespace random_kernel_test {

const auto same = [](int lane) { return lane; };

// Records a random kernel without races. In each step, some cells can be written. Only one warp accesses such
// a cell in this step. All warps can load the other cells.
//
// Each input is a single bit, and the operator is `or`. The kernel first stores each input to an element of
// the first buffer, so that the input has a node in the tree.
Trace random_kernel(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  const int block = 1 + below(100), elements = 1 + below(60), warps = (block + 31) / 32;
  const int gap = 1 + below(3);
  TraceBuilder b(block, elements, 1 + below(2), [=](int i) { return i * gap; });
  const int cells = b.trace.grids.front().shared.buffers * b.trace.grids.front().shared.cells_per_buffer;
  for (int k = 0, blocks = 1 + below(2); k < blocks; ++k) {
    b.block(k);
    std::vector<std::uint32_t> alive(warps);
    for (int w = 0; w < warps; ++w) alive[w] = block - 32 * w >= 32 ? ~0u : (1u << (block - 32 * w)) - 1;
    for (int s = 0; s < 5; ++s) {
      b.step(s == 0 ? Phase::load : Phase::scan, s);
      std::vector<int> owner(cells);
      std::vector<bool> written(cells);
      for (int c = 0; c < cells; ++c) {
        const bool first_buffer = c < b.trace.grids.front().shared.cells_per_buffer && c % gap == 0;
        owner[c] = below(warps);
        written[c] = below(2) == 0 && (s > 0 || first_buffer);
      }
      for (int w = 0; w < warps; ++w) {
        b.warp(w);
        std::vector<int> mine, readable;
        for (int c = 0; c < cells; ++c) {
          if (owner[c] == w && written[c]) mine.push_back(c);
          if (owner[c] == w || !written[c]) readable.push_back(c);
        }
        for (int action = below(4); action > 0; --action) {
          const std::uint32_t mask = alive[w] & (below(2) ? ~0u : static_cast<std::uint32_t>(random()));
          if (mask == 0) continue;
          b.line(1 + below(9));
          Origin value;
          if (s == 0 || readable.empty()) {
            value = b.read_input(mask, same, [&, k](int lane) { return 1 << ((lane + 7 * k) % 30); });
          } else {
            std::vector<int> from(32), and_from(32);
            for (int& c : from) c = readable[below(static_cast<int>(readable.size()))];
            for (int& c : and_from) c = readable[below(static_cast<int>(readable.size()))];
            value = b.load_cell(mask, [&](int lane) { return from[lane]; });
            if (below(2)) {
              const Origin other = b.load_cell(mask, [&](int lane) { return and_from[lane]; });
              value = b.combine(mask, value, other);
            }
          }
          if (!mine.empty()) {
            std::vector<int> to(32);
            for (int& c : to) c = mine[below(static_cast<int>(mine.size()))];
            // If several lanes would store to the same cell, only the first of them stores.
            std::uint32_t storing = 0;
            std::set<int> taken;
            for (int lane = 0; lane < 32; ++lane)
              if ((mask >> lane & 1) && taken.insert(to[lane]).second) storing |= 1u << lane;
            b.store_cell(
                storing, [&](int lane) { return to[lane]; }, value);
          }
          if (s == 4)
            b.write_output(
                mask, [=](int lane) { return 32 * w + lane; }, value);
        }
        if (s < 4 && alive[w]) b.barrier(alive[w]);
        if (s < 4 && below(6) == 0) alive[w] &= ~(1u << below(32));  // a thread returns
      }
    }
  }
  return b.trace;
}

TEST(RandomKernels, AreCoherentAndABentLoadIsNot) {
  std::mt19937 random(11);
  int bent = 0;
  for (int i = 0; i < 300; ++i) {
    Trace trace = random_kernel(random);
    ASSERT_EQ(incoherence(trace), std::nullopt) << i;
    // Finds the last load from a cell whose contents are known, and changes the loaded value.
    for (std::size_t e = trace.events.size(); e-- > 0;) {
      const Event& event = trace.events[e];
      if (event.kind != Kind::shared_load) continue;
      const std::uint32_t cell = trace.lanes[event.first].address / 4;
      if (!memory_at(trace, 0, static_cast<int>(event.block), e)[cell].known) continue;
      trace.values[event.first][0] ^= 0x40000000u;
      ASSERT_NE(incoherence(trace), std::nullopt) << i;
      ++bent;
      break;
    }
  }
  EXPECT_GT(bent, 200);
}

TEST(RandomKernels, MemoryIsTheStoresSoFar) {
  std::mt19937 random(12);
  for (int i = 0; i < 100; ++i) {
    const Trace trace = random_kernel(random);
    for (int block = 0; block < trace.grids.front().blocks; ++block) {
      const EventRange range = block_events(trace, 0, block);
      const std::size_t end = range.first + random() % (range.last - range.first + 1);
      // For each cell: the last value, and the index of the event that stored this value, plus 1.
      std::map<std::uint32_t, std::pair<Value, std::uint32_t>> stored;
      for (std::size_t e = range.first; e < end; ++e)
        if (trace.events[e].kind == Kind::shared_store)
          for_each_lane(trace.events[e], [&](int, std::uint32_t entry) {
            stored[trace.lanes[entry].address / 4] = {trace.values[entry], static_cast<std::uint32_t>(e + 1)};
          });
      const auto cells = memory_at(trace, 0, block, end);
      for (std::uint32_t c = 0; c < cells.size(); ++c) {
        ASSERT_EQ(cells[c].known, stored.count(c) > 0);
        if (!cells[c].known) continue;
        ASSERT_EQ(cells[c].value, stored[c].first);
        ASSERT_EQ(cells[c].writer, stored[c].second);
      }
    }
  }
}

// Because the operator is `or`, the bits of a node's value must be the union of the bits of the node's
// sources. A node without sources has the value of an input.
TEST(RandomKernels, NodesHoldWhatTheirSourcesHold) {
  std::mt19937 random(13);
  std::size_t with_sources = 0, two = 0;
  for (int i = 0; i < 300; ++i) {
    const Trace trace = random_kernel(random);
    for (int block = 0; block < trace.grids.front().blocks; ++block) {
      const Tree t = tree(trace, 0, block);
      for (int r = 0; r < static_cast<int>(t.rows.size()); ++r) {
        const TreeRow& row = t.rows[r];
        int last = -1;
        for (const TreeNode& node : row.nodes) {
          ASSERT_GT(node.element, last);
          last = node.element;
          ASSERT_LT(node.element, t.columns);
          ASSERT_EQ(trace.events[node.event].step, static_cast<std::uint32_t>(row.step));
          if (node.sources.empty()) continue;
          ++with_sources;
          two += node.sources.size() > 1;
          std::uint32_t all = 0;
          for (const auto& s : node.sources) {
            ASSERT_LE(s.row, r);
            all |= t.rows[s.row].nodes[s.node].value[0];
          }
          ASSERT_EQ(node.value[0], all) << "kernel " << i << " row " << r << " element " << node.element;
          if (node.sources.size() > 1) { ASSERT_TRUE(node.operation); }
        }
      }
    }
  }
  EXPECT_GT(with_sources, 1000u);
  EXPECT_GT(two, 200u);
}

TEST(RandomKernels, RowsHoldTheMemoryOfTheirStep) {
  std::mt19937 random(14);
  for (int i = 0; i < 100; ++i) {
    const Trace trace = random_kernel(random);
    for (const TreeRow& row : tree(trace).rows) {
      if (row.output) continue;
      const EventRange range = step_events(trace, 0, row.step);
      std::set<int> stored;
      for (const Cell& c : memory_at(trace, 0, 0, range.last))
        if (c.writer > range.first && c.element >= 0) stored.insert(c.element);
      std::set<int> nodes;
      for (const TreeNode& n : row.nodes) nodes.insert(n.element);
      ASSERT_EQ(nodes, stored);
    }
  }
}

TEST(RandomKernels, FactsAreTheirDefinitions) {
  std::mt19937 random(15);
  for (int i = 0; i < 200; ++i) {
    const Trace trace = random_kernel(random);
    const Facts f = facts(trace);
    Totals sum;
    for (int s = 0; s < static_cast<int>(trace.steps.size()); ++s) {
      std::int64_t wavefronts = 0, excess = 0, operations = 0, sectors = 0;
      int degree = 0, diverged = 0, lost = 0, working = 0;
      std::int64_t issued = 0, used = 0;
      std::set<std::tuple<int, int, int>> threads;
      std::set<int> lines;
      for (const Event& e : trace.events) {
        if (e.step != static_cast<std::uint32_t>(s) || e.kind == Kind::barrier) continue;
        lines.insert(e.line);
        if (has_lanes(e.kind)) issued += 32, used += std::popcount(e.mask);
        for_each_lane(e, [&](int lane, std::uint32_t) { threads.insert({e.block, e.warp, lane}); });
        if (e.kind == Kind::operation) operations += std::popcount(e.mask);
        if (is_global(e.kind)) sectors += sector_cost(trace, e).sectors;
        if (!is_shared(e.kind)) continue;
        const BankCost cost = bank_cost(trace, e);
        wavefronts += cost.wavefronts;
        excess += cost.excess();
        degree = std::max(degree, cost.degree);
      }
      for (int block = 0; block < trace.grids.front().blocks; ++block)
        for (const WarpLanes& w : warp_lanes(trace, block, s)) {
          diverged += w.diverged;
          working += std::count(w.lanes.begin(), w.lanes.end(), LaneState::working) > 0;
          lost += std::count(w.lanes.begin(), w.lanes.end(), LaneState::masked);
        }
      const StepFacts& step = f.steps[s];
      ASSERT_EQ(step.totals.shared_load.wavefronts + step.totals.shared_store.wavefronts, wavefronts);
      ASSERT_EQ(step.totals.shared_load.excess + step.totals.shared_store.excess, excess);
      ASSERT_EQ(step.totals.global_load.sectors + step.totals.global_store.sectors, sectors);
      ASSERT_EQ(step.totals.operations, operations);
      ASSERT_EQ(step.max_degree, degree);
      ASSERT_EQ(step.active_lanes, static_cast<int>(threads.size()));
      ASSERT_EQ(step.working_warps, working);
      ASSERT_EQ(step.totals.issued_lanes(), issued);
      ASSERT_EQ(step.totals.used_lanes(), used);
      ASSERT_EQ(step.lane_utilisation().has_value(), working > 0);
      if (working > 0) ASSERT_DOUBLE_EQ(*step.lane_utilisation(), step.active_lanes / (32.0 * working));
      ASSERT_EQ(step.diverged_warps, diverged);
      ASSERT_EQ(step.lost_lanes, lost);
      const auto by_line = line_facts(trace, s);
      ASSERT_EQ(by_line.size(), lines.size());
      std::int64_t line_wavefronts = 0;
      for (const LineFacts& l : by_line)
        line_wavefronts += l.totals.shared_load.wavefronts + l.totals.shared_store.wavefronts;
      ASSERT_EQ(line_wavefronts, wavefronts);
      sum.operations += operations;
      sum.shared_load.wavefronts += wavefronts;
    }
    ASSERT_EQ(f.totals.operations, sum.operations);
    ASSERT_EQ(f.totals.shared_load.wavefronts + f.totals.shared_store.wavefronts, sum.shared_load.wavefronts);
    std::int64_t requests = 0, by_lines = 0;
    for (const Event& e : trace.events) requests += is_shared(e.kind);
    for (const LineFacts& l : f.lines)
      by_lines += l.totals.shared_load.requests + l.totals.shared_store.requests;
    ASSERT_EQ(by_lines, requests);
  }
}

}  // namespace random_kernel_test
}  // namespace upsweep
