// A simple model that answers questions from the raw events of a trace.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "questions/question.hpp"

namespace upsweep {

struct QuestionModel {
  using Numbers = std::vector<std::int64_t>;
  const Trace& t;
  const Question& q;

  int grid() const {
    int g = 0;
    for (std::size_t i = 0; i < t.grids.size(); ++i)
      if (static_cast<int>(t.grids[i].first_step) <= q.step) g = static_cast<int>(i);
    return g;
  }
  template <class F>
  void each_event(F f) const {
    for (const Event& e : t.events)
      if (e.grid == grid() && static_cast<int>(e.block) == q.about.block) f(e);
  }
  template <class F>
  void each_event_of_step(F f) const {
    each_event([&](const Event& e) {
      if (static_cast<int>(e.step) == q.step) f(e);
    });
  }
  static bool works(const Event& e) {
    return e.kind != Kind::barrier && e.kind != Kind::warp_barrier && e.kind != Kind::fence;
  }
  static Numbers numbers(const std::set<std::int64_t>& s) { return {s.begin(), s.end()}; }

  // Returns the byte addresses in the question's event. The key is the lane.
  std::map<int, std::int64_t> addresses() const {
    const Event& e = t.events[static_cast<std::size_t>(q.about.event)];
    std::map<int, std::int64_t> all;
    std::size_t at = e.first;
    for (int lane = 0; lane < 32; ++lane)
      if ((e.mask >> lane & 1u) != 0) {
        all[lane] = t.lanes[at].address;
        at += e.parts;
      }
    return all;
  }

  int wavefronts() const {
    const Event& e = t.events[static_cast<std::size_t>(q.about.event)];
    const std::map<int, std::int64_t> all = addresses();
    int group = e.width <= 4 ? 32 : 128 / e.width;
    if (e.kind == Kind::shared_load && e.width > 4)
      for (const int other : {1, 2}) {
        bool pairs = true;
        for (const auto& [lane, address] : all)
          if (all.contains(lane ^ other) && all.at(lane ^ other) != address) pairs = false;
        if (pairs) {
          group *= 2;
          break;
        }
      }
    int sum = 0;
    for (int first = 0; first < 32; first += group) {
      std::map<std::int64_t, std::set<std::int64_t>> words;  // the key is the bank
      for (const auto& [lane, address] : all)
        if (lane >= first && lane < first + group)
          for (int byte = 0; byte < e.width; byte += 4)
            words[(address + byte) / 4 % 32].insert((address + byte) / 4);
      std::size_t most = 0;
      for (const auto& [bank, in_bank] : words) most = std::max(most, in_bank.size());
      sum += static_cast<int>(most);
    }
    return sum;
  }

  // Returns the lanes that have not exited before the question's step. The key is the warp.
  std::map<int, std::uint32_t> alive() const {
    std::map<int, std::uint32_t> masks;
    const Grid& g = t.grids[static_cast<std::size_t>(grid())];
    std::uint32_t last_barrier = 0;
    bool has_barrier = false;
    each_event([&](const Event& e) {
      if (e.kind == Kind::barrier) has_barrier = true, last_barrier = std::max(last_barrier, e.step);
    });
    for (int w = 0; w < g.warps(); ++w) {
      const int lanes = std::min(32, g.threads - 32 * w);
      const std::uint32_t full = lanes == 32 ? ~0u : (1u << lanes) - 1;
      masks[w] = has_barrier ? 0 : full;
    }
    each_event([&](const Event& e) {
      if (static_cast<int>(e.step) >= q.step) masks[e.warp] |= e.mask;
      if (e.kind == Kind::barrier && e.step == last_barrier && static_cast<int>(last_barrier) < q.step)
        masks[e.warp] |= e.mask;
    });
    return masks;
  }

  std::optional<Reply> answer() const {
    std::set<std::int64_t> set;
    const auto event = [&]() -> const Event& { return t.events[static_cast<std::size_t>(q.about.event)]; };
    switch (q.kind) {
      case QuestionKind::value: {
        Reply reply;
        each_event_of_step([&](const Event& e) {
          if (e.kind != Kind::shared_store || e.buffer != 0) return;
          std::size_t at = e.first;
          for (int lane = 0; lane < 32; ++lane)
            if ((e.mask >> lane & 1u) != 0)
              for (int part = 0; part < e.parts; ++part, ++at)
                if (e.warp == q.about.warp && lane == q.about.lane && e.line == q.about.line &&
                    &e == &event() && cell_of(t.lanes[at].address) == q.about.cell)
                  reply.value = t.values[at];
        });
        return reply;
      }
      case QuestionKind::written:
        each_event_of_step([&](const Event& e) {
          if (e.kind != Kind::shared_store || e.buffer != 0) return;
          const std::size_t count = static_cast<std::size_t>(__builtin_popcount(e.mask)) * e.parts;
          for (std::size_t k = e.first; k < e.first + count; ++k)
            set.insert(element_of_cell(cell_of(t.lanes[k].address)));
        });
        return Reply{numbers(set)};
      case QuestionKind::active:
        each_event_of_step([&](const Event& e) {
          if (e.warp != q.about.warp || e.line != q.about.line || !works(e)) return;
          for (int lane = 0; lane < 32; ++lane)
            if ((e.mask >> lane & 1u) != 0) set.insert(lane);
        });
        return Reply{numbers(set)};
      case QuestionKind::bank: return Reply{{addresses().at(q.about.lane) / 4 % 32}};
      case QuestionKind::colliding: {
        const auto all = addresses();
        const std::int64_t own = all.at(q.about.lane) / 4;
        for (const auto& [lane, address] : all)
          if (address / 4 != own && address / 4 % 32 == own % 32) set.insert(lane);
        return Reply{numbers(set)};
      }
      case QuestionKind::wavefronts: return Reply{{wavefronts()}};
      case QuestionKind::diverged: {
        const auto live = alive();
        each_event_of_step([&](const Event& e) {
          if (works(e) && (e.mask & live.at(e.warp)) != live.at(e.warp)) set.insert(e.warp);
        });
        return Reply{numbers(set)};
      }
      case QuestionKind::waiting: {
        std::set<std::int64_t> busy;
        each_event_of_step([&](const Event& e) {
          if (e.kind == Kind::barrier) set.insert(e.warp);
          if (works(e)) busy.insert(e.warp);
        });
        for (const std::int64_t warp : busy) set.erase(warp);
        return Reply{numbers(set)};
      }
      case QuestionKind::next_line: {
        std::optional<std::int64_t> line;
        each_event_of_step([&](const Event& e) {
          if (e.warp == q.about.warp && !line) line = e.line;
        });
        return Reply{{line.value_or(-1)}};
      }
      default: return {};
    }
  }

  // Returns the index of the cell at this address. The cells of region 0 have no gaps, so the address
  // determines the cell.
  int cell_of(std::int64_t address) const { return static_cast<int>(address / element_bytes(t.settings)); }
  std::int64_t element_of_cell(int cell) const {
    const SharedShape& shape = t.grids[static_cast<std::size_t>(grid())].shared;
    const int in_buffer = cell % shape.cells_per_buffer;
    for (std::size_t i = 0; i < shape.cell.size(); ++i)
      if (static_cast<int>(shape.cell[i]) == in_buffer) return static_cast<std::int64_t>(i);
    return -1;
  }

  // Returns how many wavefronts the question's request needs on a device with 16 banks. Such a device serves
  // the two halves of a warp one after the other.
  int half_warp_wavefronts() const {
    std::map<std::pair<int, std::int64_t>, std::set<std::int64_t>> words;  // the key is the half and the bank
    for (const auto& [lane, address] : addresses()) words[{lane / 16, address / 4 % 16}].insert(address / 4);
    std::size_t most[2] = {};
    for (const auto& [key, in_bank] : words) most[key.first] = std::max(most[key.first], in_bank.size());
    return static_cast<int>(most[0] + most[1]);
  }

  // For each misconception, returns the reply of a reader who has this misconception. The key is the number
  // of the misconception.
  std::map<int, Reply> believed() const {
    std::map<int, Reply> all;
    switch (q.kind) {
      case QuestionKind::bank: all[2] = {{addresses().at(q.about.lane) / 4 % 16}}; break;
      case QuestionKind::active: all[9] = {q.places}; break;
      case QuestionKind::waiting: all[12] = {}; break;
      case QuestionKind::diverged: {
        all[9] = {};
        std::map<int, std::uint32_t> work;
        for (const auto& [warp, mask] : alive()) work[warp] = 0;
        each_event_of_step([&](const Event& e) {
          if (works(e)) work[e.warp] |= e.mask;
        });
        std::set<std::int64_t> partial;
        for (const auto& [warp, mask] : work)
          if (mask != ~0u) partial.insert(warp);
        all[8] = {numbers(partial)};
        break;
      }
      case QuestionKind::wavefronts: {
        const Event& e = t.events[static_cast<std::size_t>(q.about.event)];
        if (e.width > 4) break;
        std::map<std::int64_t, int> lanes;
        int most = 0;
        for (const auto& [lane, address] : addresses()) most = std::max(most, ++lanes[address / 4 % 32]);
        all[1] = {{most}};
        all[2] = {{half_warp_wavefronts()}};
        if (wavefronts() > 1) all[4] = {{wavefronts() - 1}};
        break;
      }
      case QuestionKind::colliding: {
        std::set<std::int64_t> set, half;
        const auto at = addresses();
        const std::int64_t own = at.at(q.about.lane) / 4;
        for (const auto& [lane, address] : at) {
          const std::int64_t word = address / 4;
          if (lane != q.about.lane && word % 32 == own % 32) set.insert(lane);
          if (lane / 16 == q.about.lane / 16 && word != own && word % 16 == own % 16) half.insert(lane);
        }
        all[1] = {numbers(set)};
        all[2] = {numbers(half)};
        break;
      }
      default: break;
    }
    return all;
  }
};

}  // namespace upsweep
