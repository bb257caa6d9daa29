#include "trace/format_1.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace upsweep {
namespace {

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns the whole number directly after a phrase in the text. Returns nullopt if there is no such number.
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == text.npos) return {};
  std::int64_t x = 0;
  std::size_t i = at + phrase.size();
  const std::size_t first = i;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && i - first < 12; ++i)
    x = 10 * x + (text[i] - '0');
  return i == first ? std::nullopt : std::optional(x);
}

std::uint32_t small_number(std::string_view text, std::string_view phrase) {
  const std::int64_t x = number_behind(text, phrase).value_or(0);
  return x > 1 << 20 ? 0 : static_cast<std::uint32_t>(x);
}

// Returns the threads that are named in "thread 5", "threads 0 to 31" or "threads 0, 1, 2, 7 and 4 more".
std::vector<std::uint32_t> threads_in(std::string_view text) {
  std::vector<std::uint32_t> threads;
  if (const auto one = number_behind(text, "thread ")) return {small_number(text, "thread ")};
  const std::size_t at = text.find("threads ");
  if (at == text.npos) return {};
  text.remove_prefix(at + 8);
  threads.push_back(small_number(text, ""));
  if (const auto last = number_behind(text.substr(0, text.find(" wait")), " to ")) {
    for (std::uint32_t t = threads[0] + 1; t <= *last && t < 1024; ++t) threads.push_back(t);
    return threads;
  }
  for (std::size_t comma; (comma = text.find(", ")) != text.npos && number_behind(text.substr(comma), ", ") &&
                          text[comma + 2] >= '0' && text[comma + 2] <= '9';) {
    text.remove_prefix(comma + 2);
    threads.push_back(small_number(text, ""));
  }
  return threads;
}

StoppedThreads one_thread(std::string_view text, Wait wait, std::string_view line) {
  return {wait, small_number(text, line), 0, small_number(text, "of block "), threads_in(text)};
}

// Reads the places of the waiting threads from a text such as "Deadlock: nothing ... any more. In block 0,
// threads 1 to 63 wait at the barrier of line 79. ..."
void read_places(std::string_view text, Stopped& stopped) {
  constexpr std::string_view begin = " In block ";
  for (std::size_t at = text.find(begin); at != text.npos;) {
    const std::size_t next = text.find(begin, at + 1);
    const std::string_view place = text.substr(at, next == text.npos ? next : next - at);
    const auto has = [&](std::string_view phrase) { return place.find(phrase) != place.npos; };
    const Wait wait = has(" the barrier ")        ? Wait::barrier
                      : has(" the warp barrier ") ? Wait::warp_barrier
                      : has(" the loop ")         ? Wait::loop
                                                  : Wait::statement;
    stopped.places.push_back(
        {wait, small_number(place, " of line "), 0, small_number(place, begin), threads_in(place)});
    at = next;
  }
}

Stopped read_stop(std::string_view text) {
  Stopped stopped;
  if (text.empty()) return stopped;
  const auto has = [&](std::string_view phrase) { return text.find(phrase) != text.npos; };
  if (has(" has gone round this loop ")) {
    stopped.kind = Stop::endless_loop;
    stopped.places = {one_thread(text, Wait::none, "Line ")};
    stopped.rounds = static_cast<std::uint64_t>(number_behind(text, " this loop ").value_or(0));
  } else if (has(" elements at once ")) {
    stopped.kind = Stop::misaligned;
    stopped.places = {one_thread(text, Wait::none, "Line ")};
    stopped.elements = small_number(text, " accesses ");
    stopped.first_element = number_behind(text, " from number ").value_or(0);
  } else if (text.starts_with("Deadlock: ")) {
    stopped.kind = Stop::deadlock;
    if (has(" waits for what nobody will write")) {
      stopped.places = {one_thread(text, Wait::value, "in line ")};
    } else if (has(" waits for lanes of its warp")) {
      stopped.places = {one_thread(text, Wait::lanes, "in line ")};
      if (const std::size_t other = text.find(", but "); other != text.npos) {
        stopped.places.push_back(one_thread(text.substr(other),
                                            has(" at the barrier of the block") ? Wait::barrier : Wait::lanes,
                                            "in line "));
        stopped.places[1].block = stopped.places[0].block;
      }
    } else {
      read_places(text, stopped);
    }
  } else {
    stopped.kind = Stop::unknown;
  }
  return stopped;
}

// Returns the name of the first region of a kernel's shared memory: the first variable that is declared
// without arguments, as in `Shared<T> temp;`.
std::string shared_name(const std::string& text, const std::string& kernel) {
  std::size_t at = text.find(" " + kernel + "(");
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
  return {};
}

// Format 1 has no details (Event::detail) in its totals. Copies the details from the recorded events of the
// same line and kind.
void fill_in_details(Trace& trace) {
  std::map<std::pair<std::uint16_t, Kind>, std::uint8_t> details;
  for (const Event& e : trace.events)
    if (e.detail != 0) details[{e.line, e.kind}] = e.detail;
  for (Count& c : trace.counts)
    if (const auto found = details.find({c.line, c.kind}); found != details.end()) c.detail = found->second;
}

}  // namespace

void read_as_codes(const std::string& stopped, const std::string& versions, Trace& trace) {
  trace.stopped = read_stop(stopped);
  unsigned major = 0, minor = 0, nvrtc_major = 0, nvrtc_minor = 0;
  if (std::sscanf(versions.c_str(), "driver for CUDA %4u.%2u, NVRTC %4u.%2u", &major, &minor, &nvrtc_major,
                  &nvrtc_minor) == 4) {
    trace.driver = 1000 * major + 10 * minor;
    trace.nvrtc = 1000 * nvrtc_major + 10 * nvrtc_minor;
  }
  for (Grid& g : trace.grids)
    if (g.shared.elements > 0) g.shared.name = shared_name(trace.text, g.kernel);
  fill_in_details(trace);
}

}  // namespace upsweep
