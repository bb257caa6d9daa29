// Completes a note: the element, the advice, and the lines between which a barrier belongs.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

void Loops::read() {
  const std::string& text = *text_;
  is_read_ = true;
  struct Open {
    bool loop;
    int line;
  };
  std::vector<Open> open;
  int now = 1, parentheses = 0;
  bool loop = false;  // a loop's head has been seen, and its body has not begun
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++now;
    } else if (c == '/' && text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '(') {
      ++parentheses;
    } else if (c == ')') {
      --parentheses;
    } else if (c == ';' && parentheses == 0) {
      if (loop) loops_.push_back({now, now});  // its body is one statement
      loop = false;
    } else if (c == '{') {
      open.push_back({std::exchange(loop, false), now});
    } else if (c == '}' && !open.empty()) {
      if (open.back().loop) loops_.push_back({open.back().line, now});
      open.pop_back();
    } else if (is_word(c) && (i == 0 || !is_word(text[i - 1]))) {
      for (const std::string_view keyword : {"for", "while"})
        if (text.compare(i, keyword.size(), keyword) == 0 && !is_word(text[i + keyword.size()])) loop = true;
    }
  }
}

bool Loops::hold(int line, int other) {
  if (!is_read_) read();
  const auto [first, last] = std::minmax(line, other);
  return std::any_of(loops_.begin(), loops_.end(), [first = first, last = last](const auto& loop) {
    return loop.first <= first && last <= loop.last;
  });
}

namespace {

LineInterval between(const HazardNote& n, Loops& loops) {
  const int line = n.party.line, other = n.other.line;
  if (line == other) return {line, line, true};
  if (other > line && n.party.step >= n.other.step && loops.hold(line, other)) return {other, line, true};
  return {std::min(line, other), std::max(line, other), false};
}

// Returns whether either side accesses the cell as a flag.
bool has_atomic(const Trace& trace, const HazardNote& n) {
  const auto is = [&](const HazardParty& p) {
    return p.event != HazardParty::none && is_atomic(trace.events[p.event].kind);
  };
  return is(n.party) || is(n.other);
}

Advice race_advice(const Trace& trace, const HazardNote& n, Loops& loops) {
  // Both sides are one statement that each thread executes once, so there is no place for a barrier.
  if (n.apart <= Apart::block && n.party.line == n.other.line && !loops.hold(n.party.line, n.party.line))
    return Advice::write_alone;
  switch (n.apart) {
    case Apart::request: return Advice::write_alone;
    case Apart::warp: return Advice::sync_warp;
    case Apart::block: return has_atomic(trace, n) ? Advice::sync_or_atomic : Advice::sync_block;
    case Apart::grid: return Advice::order_blocks;
    case Apart::grids: return Advice::order_grids;
  }
  return Advice::none;
}

Advice advice(const Trace& trace, const HazardNote& n, Loops& loops) {
  switch (n.kind) {
    case Hazard::shared_race:
    case Hazard::global_race: return race_advice(trace, n, loops);
    case Hazard::divergent_barrier: return Advice::move_barrier;
    case Hazard::out_of_bounds: return Advice::guard;
    case Hazard::uninitialised_read: return Advice::initialise;
    case Hazard::absent_lane: return Advice::shuffle_together;
    case Hazard::endless_loop: return Advice::end_loop;
    case Hazard::deadlock: return Advice::reach_all;
    case Hazard::misaligned: return Advice::align;
  }
  return Advice::none;
}

std::int64_t cells_there(const Trace& trace, const HazardNote& n) {
  const SharedShape& shape = trace.grids[n.party.grid].shared;
  const auto buffer = static_cast<std::size_t>(n.buffer);
  if (!n.shared) return buffer < trace.buffers.size() ? trace.buffers[buffer].count : 0;
  if (buffer > 0 && buffer <= shape.more.size()) return shape.more[buffer - 1].count;
  return std::int64_t{shape.buffers} * shape.cells_per_buffer;
}

// If a layout has moved an element, it is named by the index that the text passes to pad().
std::int64_t moved_element(const Trace& trace, const HazardNote& n) {
  const SharedShape& shape = trace.grids[n.party.grid].shared;
  if (!n.shared || n.buffer != 0 || shape.buffers != 1) return -1;
  const auto found = std::find(shape.cell.begin(), shape.cell.end(), static_cast<std::uint32_t>(n.cell));
  const auto element = found - shape.cell.begin();
  return found != shape.cell.end() && element != n.cell ? element : -1;
}

}  // namespace

HazardFinding finding_of(const Trace& trace, const HazardNote& n, Loops& loops) {
  HazardFinding f;
  static_cast<HazardNote&>(f) = n;
  f.has_cell = n.kind == Hazard::out_of_bounds || n.cell != -1;
  if (f.has_cell) f.element = moved_element(trace, n);
  if (n.kind == Hazard::out_of_bounds) f.cells = cells_there(trace, n);
  f.advice = advice(trace, n, loops);
  if (f.advice == Advice::sync_warp || f.advice == Advice::sync_block || f.advice == Advice::sync_or_atomic)
    f.interval = between(n, loops);
  return f;
}

}  // namespace upsweep
