#include "words/because_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "analysis/block_index.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "trace/requests.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns how far apart the words of the active lanes are.
std::string distance_text(const Because& b) {
  if (!b.stride_words) return tr("The distances between the lanes' words are not equal.");
  const std::string words = grouped(std::abs(*b.stride_words));
  if (!b.padded) return tr("Neighbouring active lanes access words that are {} apart.", words);
  return tr(
      "Neighbouring active lanes access elements that are {} apart; with padding, their words are {} apart.",
      grouped(std::abs(*b.stride_elements)), words);
}

// Returns how many banks hold the words. If the words are evenly spaced, the text also contains the reason.
std::string banks_of_words(const Because& b) {
  const std::string words = counted(b.words, "word");
  if (b.wavefronts == 1)
    return tr("The lanes access {}, each in a different bank, so 1 wavefront serves all lanes.",
              b.words < b.active ? counted(b.words, "different word") : words);
  const std::string in_turn =
      tr("Bank {} holds {} of these words, and serves one word in each wavefront: {}.", b.fullest_bank,
         b.most_words, counted(b.wavefronts, "wavefront"));
  if (b.stride_words && b.width == 4) {
    const auto divisor = std::gcd(*b.stride_words, std::int64_t{b.model.banks});
    return tr(
        "The distance {distance} and the {banks} banks have the greatest common divisor {divisor}, so the "
        "{words} are in only {banks} / {divisor} = {used_banks}. {why}",
        fmt::arg("distance", grouped(std::abs(*b.stride_words))), fmt::arg("banks", b.model.banks),
        fmt::arg("divisor", divisor), fmt::arg("words", words),
        fmt::arg("used_banks", counted(b.banks, "bank")), fmt::arg("why", in_turn));
  }
  return tr("The lanes access {} in {}. {}", counted(b.words, "different word"), counted(b.banks, "bank"),
            in_turn);
}

// Returns whether the active lanes have consecutive numbers.
template <class Lanes>
bool are_adjacent(const Lanes& lanes) {
  const auto active = [](const auto& lane) { return lane.active; };
  const auto first = std::find_if(lanes.begin(), lanes.end(), active);
  return std::none_of(std::find_if_not(first, lanes.end(), active), lanes.end(), active);
}

template <class Lanes>
std::string neighbours(const Lanes& lanes) {
  return are_adjacent(lanes) ? tr("neighbouring lanes") : tr("neighbouring active lanes");
}

std::string contention_text(int lanes) {
  return lanes > 1 ? tr("Up to {} change one address, one after the other.", counted(lanes, "lane"))
                   : tr("No two lanes change one address.");
}

std::string shared_neighbours_text(const Because& b) {
  if (!b.stride_words || b.words < 2) return {};
  const std::int64_t apart = std::abs(*b.stride_words);
  if (b.wavefronts > b.groups)
    return b.banks == b.model.banks
               ? ""
               : tr("{neighbouring_lanes} are {words} apart, so the words are in only {banks}.",
                    fmt::arg("neighbouring_lanes", capitalised(neighbours(b.lanes))),
                    fmt::arg("words", counted(apart, "word")), fmt::arg("banks", counted(b.banks, "bank")));
  if (!b.padded || b.width != 4) return {};
  const std::int64_t before = std::abs(*b.stride_elements);
  if (b.active * std::gcd(before, std::int64_t{b.model.banks}) <= b.model.banks) return {};
  return tr(
      "With padding, {neighbouring_lanes} are {words} apart, not {words_before}, so each word is in a "
      "different bank.",
      fmt::arg("neighbouring_lanes", neighbours(b.lanes)), fmt::arg("words", counted(apart, "word")),
      fmt::arg("words_before", grouped(before)));
}

// Returns how many lanes one sector serves at most, if the lanes' accesses are `apart` bytes apart.
std::string share_of_sector(std::int64_t apart) {
  if (apart >= sector_bytes) return tr("each sector of 32 bytes serves only 1 lane");
  return tr("a sector of 32 bytes serves at most {} lanes", (sector_bytes + apart - 1) / apart);
}

std::string global_neighbours_text(const BecauseGlobal& b) {
  if (b.sectors <= b.fewest || !b.stride_bytes) return {};
  const std::int64_t apart = std::abs(*b.stride_bytes);
  if (apart == b.width) return tr("The lanes' bytes begin in the middle of a sector.");
  return tr("{neighbouring_lanes} are {bytes} apart, so {a_sector_serves_few_lanes}.",
            fmt::arg("neighbouring_lanes", capitalised(neighbours(b.lanes))),
            fmt::arg("bytes", counted(apart, "byte")),
            fmt::arg("a_sector_serves_few_lanes", share_of_sector(apart)));
}

std::string thread_of_crossing(const Trace& trace, std::uint32_t event, int lane) {
  const Event& e = trace.events[event];
  return tr("thread ") + thread_text(trace.grids[e.grid], thread_of(e, lane));
}

}  // namespace

std::string reason_text(const Because& b) {
  if (b.words == 0) return tr("No active lane's address is inside shared memory.");
  if (b.contention > 0) return contention_text(b.contention);
  if (b.groups > 1)
    return tr("{reason}, so shared memory serves the lanes in {count} groups, one after another. {conflicts}",
              fmt::arg("reason", b.model == BankModel()
                                     ? tr("Each active lane accesses {}", counted(b.width / 4, "word"))
                                     : tr("{} banks serve half a warp", b.model.banks)),
              fmt::arg("count", b.groups),
              fmt::arg("conflicts",
                       b.wavefronts == b.groups
                           ? tr("No group has a bank conflict: {}.", counted(b.wavefronts, "wavefront"))
                           : tr("Bank conflicts within the groups add {}: {}.", b.wavefronts - b.groups,
                                counted(b.wavefronts, "wavefront"))));
  if (b.active == 1) return tr("Only 1 lane is active, so the request takes 1 wavefront.");
  if (b.words == 1)
    return tr("All {} active lanes access one word, so 1 wavefront serves all lanes.", b.active);
  return distance_text(b) + " " + banks_of_words(b);
}

std::string reason_text(const BecauseGlobal& b) {
  if (b.bytes == 0) return tr("No active lane's address is inside the buffer.");
  if (b.contention > 0) return contention_text(b.contention);
  const std::string sectors = counted(b.sectors, "sector");
  if (b.active == 1) return tr("Only 1 lane is active, so the request moves {}.", sectors);
  if (b.bytes == b.width)
    return tr("All active lanes access the same {}, so {} serves all lanes.", counted(b.width, "byte"),
              sectors);
  const std::string cost =
      b.sectors > b.fewest
          ? tr("The lanes need {bytes}, which {fewer_sectors} could hold, but the request "
               "moves {sectors}.",
               fmt::arg("bytes", counted(b.bytes, "byte")),
               fmt::arg("fewer_sectors", counted(b.fewest, "sector")), fmt::arg("sectors", sectors))
          : tr("The lanes need {}, and the request moves {}, the fewest possible.", counted(b.bytes, "byte"),
               sectors);
  if (!b.stride_bytes) return tr("The distances between the lanes' addresses are not equal. ") + cost;
  const std::int64_t apart = std::abs(*b.stride_bytes);
  if (apart != b.width)
    return tr("Neighbouring active lanes access addresses that are {} apart, so {}. {}",
              counted(apart, "byte"), share_of_sector(apart), cost);
  return tr("Neighbouring active lanes access neighbouring bytes{}. {}",
            b.sectors > b.fewest ? tr(", but the first byte is in the middle of a sector") : "", cost);
}

std::string neighbours_text(const Recording& recording, const Place& place) {
  const StepIndex& step = recording.step(place.block, place.step);
  const int chosen = chosen_event(recording, place);
  const auto is_chosen = [&](int event) { return chosen < 0 || event == chosen; };
  if (const int event = request_event(recording, place);
      event >= 0 && is_chosen(event) && !place.half_warps) {
    std::string text = shared_neighbours_text(because(recording, event));
    if (!text.empty() || step.shared_totals.excess > 0) return text;
  }
  const int event = global_event(recording, place);
  if (event < 0 || !is_chosen(event)) return {};
  return global_neighbours_text(because_global(recording.trace, event));
}

std::string lanes_used_text(int active) {
  if (active == 32) return tr("All 32 lanes are active: 100 %.");
  return tr(
      "{count} of 32 lanes {are} active: {share} %. A warp issues an instruction once, whether 1 lane or all "
      "32 lanes are active.",
      fmt::arg("count", active), fmt::arg("are", active == 1 ? tr("is") : tr("are")),
      fmt::arg("share", fmt::format("{:.3g}", active / 0.32)));
}

std::string barrier_text(const Recording& recording, const BarrierUse& use) {
  const Trace& trace = recording.trace;
  if (!use.read && !use.overwrite && !use.rewrite)
    return tr("The barrier in line {} protects no value in this step: no thread uses another thread's cells.",
              use.line);
  const Crossing& c = use.read ? *use.read : use.overwrite ? *use.overwrite : *use.rewrite;
  const Event& before = trace.events[c.before];
  std::string cell, values;
  if (is_shared(before.kind)) {
    const SharedShape& shape = trace.grids[before.grid].shared;
    const std::vector<CellPlace> places = cell_places(shape, trace.element_bytes());
    if (const int place = cell_at(places, c.address); place >= 0) {
      const CellPlace& at = places[static_cast<std::size_t>(place)];
      cell = at.element >= 0 ? cell_name(shape, at) : tr("cell {}", place);
      const Cell old = recording.block(static_cast<int>(before.grid), static_cast<int>(before.block))
                           .cell_at(trace, static_cast<std::size_t>(place), c.before);
      const Value& now = trace.values[c.before_value];
      if (use.read && old.known && old.value != now)
        values = tr(": {} instead of {}", exact_value(trace, old.value, at.cells),
                    exact_value(trace, now, at.cells));
    }
  } else {
    cell = global_name(trace, before.buffer, c.address / cell_bytes(before));
  }
  if (cell.empty()) cell = tr("a cell");
  const std::string first = thread_of_crossing(trace, c.before, c.before_lane),
                    second = thread_of_crossing(trace, c.after, c.after_lane);
  std::string text =
      use.read ? tr("Without the barrier in line {}, {} could read {} before {} has written it{}.", use.line,
                    second, cell, first, values)
      : use.overwrite
          ? tr("Without the barrier in line {}, {} could overwrite {} before {} has read it.", use.line,
               second, cell, first)
          : tr("Without the barrier in line {}, {} could write {} before {} has written it. Then the older "
               "value would replace the newer value.",
               use.line, second, cell, first);
  std::string kept = use.reads > 0 ? counted(use.reads, "read") : "";
  const std::int64_t stores = use.overwrites > 0 || use.reads > 0 ? use.overwrites : use.rewrites;
  if (stores > 0) kept += (kept.empty() ? "" : tr(" and ")) + counted(stores, "store");
  if (use.reads + stores > 1) text += tr(" The barrier protects {} in all.", kept);
  if (use.within_warps) text += tr(" Each pair of threads is in one warp, so __syncwarp() would be enough.");
  return text;
}

}  // namespace upsweep
