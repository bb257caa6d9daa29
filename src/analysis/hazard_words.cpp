// Findings as sentences.
#include <fmt/format.h>

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

// What a kernel calls the beginning of its shared memory: the first view without arguments, `Shared<T>
// temp;`.
std::string shared_name(const Trace& trace, const Grid& grid) {
  const std::string& text = trace.text;
  std::size_t at = text.find(" " + grid.kernel + "(");
  while ((at = text.find("Shared<", at == text.npos ? 0 : at)) != text.npos) {
    std::size_t begin = text.find('>', at);
    if (begin == text.npos) break;
    ++begin;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > begin && end < text.size() && (text[end] == ';' || text[end] == ','))
      return text.substr(begin, end - begin);
    at = begin;
  }
  return "shared";
}

std::string address_text(const Trace& trace, const HazardNote& n) {
  if (n.cell == -1 && n.kind != Hazard::out_of_bounds) return {};
  if (!n.shared) {
    const auto buffer = static_cast<std::size_t>(n.buffer);
    return fmt::format("{}[{}]", buffer < trace.buffers.size() ? trace.buffers[buffer].name : "global",
                       n.cell);
  }
  const Grid& grid = trace.grids[n.party.grid];
  const SharedShape& shape = grid.shared;
  if (n.buffer > 0 && n.buffer <= static_cast<int>(shape.more.size()))
    return fmt::format("{}[{}]", shape.more[static_cast<std::size_t>(n.buffer - 1)].name, n.cell);
  const std::string name = shared_name(trace, grid);
  // Elements that a layout has moved are called by the index that the text hands to pad().
  if (shape.buffers == 1) {
    const auto found = std::find(shape.cell.begin(), shape.cell.end(), static_cast<std::uint32_t>(n.cell));
    const auto element = found - shape.cell.begin();
    if (found != shape.cell.end() && element != n.cell) return fmt::format("{}[pad({})]", name, element);
  }
  return fmt::format("{}[{}]", name, n.cell);
}

// "thread 3", "thread 3 of block 1", "thread 3 of block 1 of launch 2 (fold_half)".
std::string thread_text(const Trace& trace, const HazardParty& p, bool with_block, bool with_launch = false) {
  std::string text = fmt::format("thread {}", p.thread);
  if (with_block) text += fmt::format(" of block {}", p.block);
  if (with_launch) text += fmt::format(" of launch {} ({})", p.grid + 1, trace.grids[p.grid].kernel);
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string deed(const Trace& trace, const HazardParty& p, bool stores) {
  if (p.event != HazardParty::none && is_atomic(trace.events[p.event].kind)) return "changes";
  return stores ? "writes" : "reads";
}

std::string race_text(const Trace& trace, const HazardNote& n, const std::string& address) {
  const bool with_block = n.apart >= Apart::grid, with_launch = n.apart == Apart::grids;
  if (n.apart == Apart::request)
    return fmt::format("{} and {} write different values to {} at once.",
                       capitalised(thread_text(trace, n.other, with_block)),
                       thread_text(trace, n.party, with_block), address);
  return fmt::format("{} {} {} in line {}, {} {} it in line {}, and nothing says which comes first.",
                     capitalised(thread_text(trace, n.other, with_block)),
                     deed(trace, n.other, n.other_stores), address, n.other.line,
                     thread_text(trace, n.party, with_block, with_launch),
                     deed(trace, n.party, n.party_stores), n.party.line);
}

// Whether a word is accessed as a flag by either side.
bool has_atomic(const Trace& trace, const HazardNote& n) {
  return (n.party.event != HazardParty::none && is_atomic(trace.events[n.party.event].kind)) ||
         (n.other.event != HazardParty::none && is_atomic(trace.events[n.other.event].kind));
}

// Whether a loop has both lines in its body, as the text's braces say.
bool in_one_loop(const std::string& text, int line, int other) {
  const int first = std::min(line, other), last = std::max(line, other);
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
      if (loop && first == last && now == first) return true;  // a loop of one statement
      loop = false;
    } else if (c == '{') {
      open.push_back({std::exchange(loop, false), now});
    } else if (c == '}' && !open.empty()) {
      if (open.back().loop && open.back().line <= first && last <= now) return true;
      open.pop_back();
    } else if (is_word(c) && (i == 0 || !is_word(text[i - 1]))) {
      for (const std::string_view keyword : {"for", "while"})
        if (text.compare(i, keyword.size(), keyword) == 0 && !is_word(text[i + keyword.size()])) loop = true;
    }
  }
  return false;
}

// "between line 12 and line 14", "between line 14 and line 12 of the next round".
std::string between(const Trace& trace, const HazardNote& n) {
  const bool round = in_one_loop(trace.text, n.party.line, n.other.line) && n.party.step >= n.other.step;
  if (n.party.line == n.other.line)
    return fmt::format("between one round of line {} and the next", n.party.line);
  if (n.other.line > n.party.line && round)
    return fmt::format("between line {} and line {} of the next round", n.other.line, n.party.line);
  return fmt::format("between line {} and line {}", std::min(n.party.line, n.other.line),
                     std::max(n.party.line, n.other.line));
}

std::string race_advice(const Trace& trace, const HazardNote& n) {
  Apart apart = n.apart;
  // One statement, done once by each: there is no place for a barrier.
  if (apart <= Apart::block && n.party.line == n.other.line &&
      !in_one_loop(trace.text, n.party.line, n.party.line))
    apart = Apart::request;
  switch (apart) {
    case Apart::request:
      return "Let one thread alone write the cell, or let all of them combine their values atomically.";
    case Apart::warp:
      return fmt::format("Put a __syncwarp() {}: since Volta the lanes of a warp need not run together.",
                         between(trace, n));
    case Apart::block:
      return has_atomic(trace, n)
                 ? fmt::format("Put a __syncthreads() {}, or make both accesses atomic.", between(trace, n))
                 : fmt::format("Put a __syncthreads() {}.", between(trace, n));
    case Apart::grid:
      return "Blocks run in any order: give each block cells of its own, divide the work into two launches, "
             "or let a flag "
             "or a counter say when, with a __threadfence() on either side.";
    case Apart::grids:
      return "Neither grid waits for the other: use launch_tail() where a grid needs what its parent, or "
             "another child, "
             "has written.";
  }
  return {};
}

std::string bounds_text(const Trace& trace, const HazardNote& n) {
  const SharedShape& shape = trace.grids[n.party.grid].shared;
  std::int64_t count = 0;
  if (!n.shared) {
    if (static_cast<std::size_t>(n.buffer) < trace.buffers.size())
      count = trace.buffers[static_cast<std::size_t>(n.buffer)].count;
  } else if (n.buffer > 0 && n.buffer <= static_cast<int>(shape.more.size())) {
    count = shape.more[static_cast<std::size_t>(n.buffer - 1)].count;
  } else {
    count = std::int64_t{shape.buffers} * shape.cells_per_buffer;
  }
  return n.cell < 0 ? "which lies before its beginning"
                    : fmt::format("beyond its {} cell{}", count, count == 1 ? "" : "s");
}

}  // namespace

HazardFinding in_words(const Trace& trace, const HazardNote& n) {
  HazardFinding f;
  f.kind = n.kind;
  f.party = n.party;
  f.other = n.other;
  f.shared = n.shared;
  f.buffer = n.buffer;
  f.cell = n.cell;
  f.count = n.count;
  const bool with_block = trace.grids[n.party.grid].blocks > 1;
  const std::string who = n.party.thread < 0 ? "" : thread_text(trace, n.party, with_block);
  const std::string other = n.other.thread < 0 ? "" : thread_text(trace, n.other, false);
  const int line = n.party.line;
  switch (n.kind) {
    case Hazard::shared_race:
    case Hazard::global_race:
      f.address = address_text(trace, n);
      f.what = race_text(trace, n, f.address);
      f.advice = race_advice(trace, n);
      break;
    case Hazard::divergent_barrier:
      if (n.other.line != 0) {
        f.what = fmt::format("{} waits at the barrier in line {}, {} at the one in line {}.",
                             capitalised(who), line, other, n.other.line);
      } else {
        f.what =
            fmt::format("{} waits at the barrier in line {}; {} has left the kernel without reaching it.",
                        capitalised(who), line, other);
      }
      f.advice =
          "Move the barrier out of the branch or loop, so that every thread of the block comes to it equally "
          "often.";
      break;
    case Hazard::out_of_bounds:
      f.address = address_text(trace, n);
      f.what = fmt::format("{} {} {}, {}.", capitalised(who), deed(trace, n.party, n.party_stores), f.address,
                           bounds_text(trace, n));
      f.advice = fmt::format(
          "Guard line {} with a test of the very index it uses, or make the memory larger.", line);
      break;
    case Hazard::uninitialised_read:
      f.address = address_text(trace, n);
      f.what = fmt::format("{} {} {}, to which nothing was written before.", capitalised(who),
                           deed(trace, n.party, n.party_stores), f.address);
      f.advice = "Write every cell before it is read: the identity where there is no element.";
      break;
    case Hazard::absent_lane:
      f.what = fmt::format("{} takes a value from {}, which takes no part in the shuffle.", capitalised(who),
                           other);
      f.advice = "Let all lanes that the mask names, and all that are read, reach the shuffle together.";
      break;
    case Hazard::endless_loop:
      f.what = trace.stopped;
      f.advice = "Let every round change what the loop's condition asks for.";
      break;
    case Hazard::deadlock:
      f.what = trace.stopped;
      f.advice =
          "Let every thread reach what the others wait for, and let nobody wait for what comes after it.";
      break;
  }
  return f;
}

}  // namespace upsweep
