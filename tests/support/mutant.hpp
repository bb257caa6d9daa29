// Changes recordings at random. Most of the changed recordings make no sense.
#pragma once
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trace/rows.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : random_(seed) {}

  std::size_t any(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
  // Returns a small number, a power of two, a negative power of two, a power of two minus 1, or any number.
  std::uint64_t number() {
    switch (any(6)) {
      case 0: return any(4);
      case 1: return any(70);
      case 2: return std::uint64_t{1} << any(64);
      case 3: return (std::uint64_t{1} << any(64)) - 1;
      case 4: return 0 - (std::uint64_t{1} << any(64));
      default: return random_();
    }
  }
  template <class List>
  auto& one_of(List& list) {
    return list[any(list.size())];
  }

  // Flips a bit in `bytes`, or removes, repeats or overwrites a part of `bytes`.
  void change(std::string& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = any(bytes.size()), length = 1 + any(std::min<std::size_t>(64, bytes.size() - at));
    switch (any(8)) {
      case 0: bytes.erase(at, length); break;
      case 1: bytes.insert(at, bytes.substr(any(bytes.size()), length)); break;
      case 2: bytes.replace(at, length, bytes.substr(any(bytes.size()), length)); break;
      case 3: {
        const std::uint64_t x = number();
        const std::size_t width = std::min(std::size_t{1} << any(4), bytes.size() - at);
        bytes.replace(at, width, reinterpret_cast<const char*>(&x), width);
        break;
      }
      default: bytes[at] = static_cast<char>(bytes[at] ^ 1 << any(8));
    }
  }

  // Changes one part of the trace `t`. New texts are taken from `other`.
  void change(Trace& t, const Trace& other) {
    switch (any(17)) {
      case 16: return clock(t);
      case 0: return settings(t, other);
      case 1: return text(t.text, other.text);
      case 2:
      case 3: return grid(t);
      case 4: return rows(t.steps, [&](Step& s) { step(s); });
      case 5: return rows(t.buffers, [&](GlobalBuffer& b) { buffer(b); });
      case 6: return rows(t.snapshots, [&](Snapshot& s) { snapshot(s); });
      case 7: return rows(t.runs, [&](BlockRun& r) { field(r); });
      case 8: return rows(t.counts, [&](Count& c) { field(c); });
      case 9: return stop(t.stopped);
      case 10: return values(t);
      case 11:
      case 12: return rows(t.lanes, [&](Lane& l) { lane(l, t.lanes); });
      default: return rows(t.events, [&](Event& e) { event(e, t.events); });
    }
  }

 private:
  template <class T>
  void set(T& x) {
    if constexpr (std::is_same_v<T, bool>) x = !x;
    else if constexpr (std::is_enum_v<T>) x = static_cast<T>(any(4) ? any(16) : any(256));
    else if (any(2)) x = static_cast<T>(number());
    else x = static_cast<T>(static_cast<std::uint64_t>(x) + any(7) - 3);
  }
  template <class... T>
  void set_one(T&... x) {
    std::size_t k = any(sizeof...(T));
    (void)((k-- == 0 && (set(x), true)) || ...);
  }
  // Sets one random field of a row to a random number. The function fields() lists the fields of each type of
  // row.
  template <class Row>
  void field(Row& row) {
    std::size_t count = 0;
    fields(static_cast<const Row*>(nullptr), [&](const char*, auto, bool) { ++count; });
    std::size_t k = any(count);
    fields(static_cast<const Row*>(nullptr), [&](const char*, auto member, bool) {
      if (k-- == 0) set(row.*member);
    });
  }
  // Changes a row with f, or changes the number or order of the rows.
  template <class Row, class F>
  void rows(std::vector<Row>& all, F f) {
    if (all.empty()) {
      all.resize(1);
      return f(all[0]);
    }
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(any(all.size()));
    switch (any(24)) {
      case 0: all.erase(at); break;
      case 1: all.insert(at, Row(*at)); break;
      case 2: std::swap(*at, one_of(all)); break;
      case 3: all.resize(any(all.size())); break;
      case 4: all.insert(at, 1 + any(300), Row(*at)); break;
      case 5: *at = Row(one_of(all)); break;
      default: f(*at);
    }
  }

  // Changes one number of the clock, or replaces the clock by another clock.
  void clock(Trace& t) {
    if (any(2)) return rows(t.clock, [&](std::uint32_t& at) { set(at); });
    t.clock.resize(t.events.size());
    const std::uint64_t tick = number();
    for (std::size_t i = 0; i < t.events.size(); ++i)
      t.clock[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(
          std::uint64_t{t.events[i].time} * std::min<std::uint64_t>(tick, UINT32_MAX), UINT32_MAX));
  }

  void event(Event& e, const std::vector<Event>& all) {
    if (const std::size_t k = any(8); k == 0) set(e.first);
    else if (k == 1) e.kind = one_of(all).kind;
    else if (k == 2) e.mask = one_of(all).mask;
    else field(e);
  }
  void lane(Lane& l, const std::vector<Lane>& all) {
    if (any(3) == 0) l.address = one_of(all).address;
    else set_one(l.address, l.left, l.right);
  }
  void step(Step& s) {
    static constexpr const char* names[] = {"", "up_sweep", "of_its_own", "Not a name",
                                            "a_name_longer_than_23_chars"};
    if (any(2)) set(s.stride);
    else s.phase = Phase(std::string_view(names[any(std::size(names))]));
  }
  void buffer(GlobalBuffer& b) {
    if (any(8) == 0) b.name.assign(any(3) * 100, '\x1b');
    else set_one(b.cells, b.count, b.columns);
  }
  void snapshot(Snapshot& s) {
    if (any(3)) set_one(s.block, s.step);
    else s.bytes.resize(any(2) ? s.bytes.size() + 1 : any(2000));
  }
  void shared(SharedShape& s) {
    if (any(3) == 0)
      return rows(s.more, [&](SharedRegion& r) { set_one(r.cells, r.first, r.count, r.columns, r.pitch); });
    if (any(8) == 0 && !s.cell.empty()) return set(one_of(s.cell));
    set_one(s.elements, s.buffers, s.cells_per_buffer, s.bytes, s.columns);
    if (any(4) == 0) s.cell.resize(static_cast<std::size_t>(std::clamp(s.elements, 0, 1 << 20)));
    if (any(4) == 0)
      s.bytes = static_cast<std::uint32_t>(s.buffers) * static_cast<std::uint32_t>(s.cells_per_buffer) * 16;
  }
  void grid(Trace& t) {
    rows(t.grids, [&](Grid& g) {
      if (any(2)) return shared(g.shared);
      if (any(8) == 0) g.kernel = any(2) ? "" : std::string(300, 'k');
      set_one(g.blocks, g.threads, g.first_step, g.steps, g.parent, g.parent_event, g.depth,
              g.blocks_across.y, g.blocks_across.z, g.threads_across.y, g.threads_across.z);
    });
  }
  void settings(Trace& t, const Trace& other) {
    Settings& s = t.settings;
    switch (any(4)) {
      case 0: s.algorithm = other.settings.algorithm; break;
      case 1: s.choices = other.settings.choices; break;
      case 2: s.choices["layout"] = any(2) ? "i / (i - 3)" : "((((i << 63) * i"; break;
      default: set_one(s.n, s.block, s.type, s.op, s.grid, s.without_barrier, s.columns);
    }
  }
  void stop(Stopped& s) {
    rows(s.places, [&](StoppedThreads& p) {
      if (any(3) == 0) return rows(p.threads, [&](std::uint32_t& x) { set(x); });
      set_one(p.wait, p.line, p.grid, p.block);
    });
    if (any(2)) set_one(s.kind, s.rounds, s.elements, s.first_element);
  }
  void values(Trace& t) {
    std::vector<Value>* const all[] = {&t.values, &t.input, &t.output};
    rows(*all[any(3)], [&](Value& v) { set(one_of(v)); });
  }
  // Changes a character, a line, a number or the opening comment in the kernel's text.
  void text(std::string& text, const std::string& other) {
    if (text.empty() || any(6) == 0) {
      text = other.substr(0, other.find("\n\n")) + text.substr(std::min(text.size(), text.find("\n\n")));
      return;
    }
    std::size_t at = any(std::min<std::size_t>(text.size(), any(2) ? 2000 : text.size()));
    if (any(3) == 0) return change(text);
    if (any(2)) {
      at = text.find_first_of("0123456789", at);
      if (at != text.npos) text.replace(at, 1, std::to_string(static_cast<std::int64_t>(number())));
      return;
    }
    const std::size_t begin = text.rfind('\n', at) + 1, length = text.find('\n', at) - begin;
    if (any(2)) text.erase(begin, length);
    else text.insert(any(text.size()), text.substr(begin, length));
  }

  std::mt19937_64 random_;
};

}  // namespace upsweep
