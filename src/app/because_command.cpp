#include <fmt/format.h>

#include "analysis/banks.hpp"
#include "analysis/because.hpp"
#include "analysis/shared_request.hpp"
#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "words/because_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns the shared request that --request chooses, or the one with the most wavefronts, as an index into
// Trace::events.
int chosen_shared_request(const std::optional<std::string>& typed, const Recording& r, int block, int step) {
  const std::vector<int> all = shared_requests(r.trace, block, step);
  if (all.empty())
    throw RequestError(
        fmt::format("Step {} has no loads or stores of shared memory in block {}: choose another step.",
                    grouped(step + 1), grouped(block)));
  if (!typed) return request_event(r, {.step = step, .block = block});
  const long long number = whole_number("--request", *typed);
  if (number < 1 || number > std::ssize(all))
    throw RequestError(fmt::format("There is no shared request {}: step {} has the shared requests 1 to {}.",
                                   grouped(number), grouped(step + 1), grouped(std::ssize(all))));
  return all[static_cast<std::size_t>(number - 1)];
}

// Returns the step whose costliest shared request takes the most wavefronts; the first one of these.
int costliest_step(const Recording& r, const std::optional<std::string>& at_block) {
  int costliest = -1, most = 0;
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const int event = request_event(r, {.step = step, .block = chosen_block(at_block, r, step)});
    if (event < 0) continue;
    const int wavefronts = bank_cost(r.trace, r.trace.events[static_cast<std::size_t>(event)]).wavefronts;
    if (wavefronts > most) most = wavefronts, costliest = step;
  }
  if (costliest < 0)
    throw RequestError(fmt::format(
        "This run of {} has no loads or stores of shared memory in block {}: choose another algorithm.",
        r.trace.settings.algorithm, at_block.value_or("0")));
  return costliest;
}

Json json_of(const Because& b, const Event& e, const Trace& trace) {
  Json lanes = Json::array();
  for (std::size_t lane = 0; lane < b.lanes.size(); ++lane) {
    const LaneAccess& a = b.lanes[lane];
    const auto if_active = [&](auto x) { return a.active ? Json(x) : Json(nullptr); };
    lanes.push_back({{"lane", lane},
                     {"active", a.active},
                     {"index", a.element ? Json(*a.element) : Json(nullptr)},
                     {"word", if_active(a.word)},
                     {"bank", if_active(a.bank)}});
  }
  return {{"line", e.line},
          {"text", source_line(trace.text, e.line)},
          {"warp", e.warp},
          {"request", b.number},
          {"requests", b.of},
          {"lanes", std::move(lanes)},
          {"stride_words", b.stride_words ? Json(*b.stride_words) : Json(nullptr)},
          {"banks_used", b.banks},
          {"wavefronts", b.wavefronts},
          {"reason", reason_text(b)}};
}

std::string text_of(const Because& b, const Event& e, const Trace& trace) {
  Table table("RRLRRR");
  table.row({"lane", "thread", "", "index", "word", "bank"});
  for (int lane = 0; lane < 32; ++lane) {
    const LaneAccess& a = b.lanes[static_cast<std::size_t>(lane)];
    if (!a.active) {
      table.row({fmt::to_string(lane), grouped(thread_of(e, lane)), "masked off", "", "", ""});
      continue;
    }
    table.row({fmt::to_string(lane), grouped(thread_of(e, lane)), "active",
               a.element ? grouped(*a.element) : "", grouped(a.word), fmt::to_string(a.bank)});
  }
  return fmt::format(
      "Step {}, request {} of {} to shared memory: line {}, {} of warp {} in block {}.\n    {}\n\n{}\n{}\n",
      grouped(e.step + 1), grouped(b.number), grouped(b.of), e.line, is_load(e.kind) ? "a load" : "a store",
      e.warp, grouped(e.block), source_line(trace.text, e.line), table.text(), reason_text(b));
}

}  // namespace

void BecauseCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--at-block", at_block);
  parser.add_option("--request", request);
  parser.add_flag("--json", json);
}

void BecauseCommand::run() const {
  const Recording r = recording_of(options);
  const int index = step ? chosen_step(step, r) : costliest_step(r, at_block);
  const int block = chosen_block(at_block, r, index);
  const Because b = because(r, chosen_shared_request(request, r, block, index));
  const Event& e = r.trace.events[static_cast<std::size_t>(b.event)];
  print(json ? text_of(json_of(b, e, r.trace)) : text_of(b, e, r.trace));
}

}  // namespace upsweep
