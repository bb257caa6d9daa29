#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/banks.hpp"
#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/request_source.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "words/because_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

enum class Of { shared, global, branch, barrier };
constexpr std::string_view kinds[] = {"shared", "global", "branch", "barrier"};

// Returns the request that --request chooses among `all`, as an index into Trace::events. Returns `usual` if
// the option is not given. `what` names a request in the error message, such as "shared request".
int chosen_of(const std::optional<std::string>& typed, const std::vector<int>& all, int usual, int step,
              std::string_view what) {
  if (!typed) return usual;
  const long long number = whole_number("--request", *typed);
  if (number < 1 || number > std::ssize(all))
    throw RequestError(tr("There is no {request} {number}: step {step} has the {request}s 1 to {last}.",
                          fmt::arg("request", what), fmt::arg("number", grouped(number)),
                          fmt::arg("step", grouped(step + 1)), fmt::arg("last", grouped(std::ssize(all)))));
  return all[static_cast<std::size_t>(number - 1)];
}

[[noreturn]] void refuse(int step, int block, std::string_view what) {
  throw RequestError(
      tr("Step {} has no {} in block {}: choose another step.", grouped(step + 1), what, grouped(block)));
}

// Returns the shared request that --request chooses, or else the shared request with the most wavefronts, as
// an index into Trace::events.
int chosen_shared_request(const std::optional<std::string>& typed, const Recording& r, int block, int step) {
  const std::vector<int> all = shared_requests(r.trace, block, step);
  if (all.empty()) refuse(step, block, tr("loads or stores of shared memory"));
  return chosen_of(typed, all, request_event(r, {.step = step, .block = block}), step, tr("shared request"));
}

// Returns the step with the shared request that takes the most wavefronts. If several steps have such a
// request, returns the first of these steps.
int costliest_step(const Recording& r, const std::optional<std::string>& at_block) {
  int costliest = -1, most = 0;
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const int event = request_event(r, {.step = step, .block = chosen_block(at_block, r, step)});
    if (event < 0) continue;
    const int wavefronts = bank_cost(r.trace, r.trace.events[static_cast<std::size_t>(event)]).wavefronts;
    if (wavefronts > most) most = wavefronts, costliest = step;
  }
  if (costliest < 0)
    throw RequestError(
        tr("This run of {} has no loads or stores of shared memory in block {}: choose another algorithm.",
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
  table.row({tr("lane"), tr("thread"), "", tr("index"), tr("word"), tr("bank")});
  for (int lane = 0; lane < 32; ++lane) {
    const LaneAccess& a = b.lanes[static_cast<std::size_t>(lane)];
    if (!a.active) {
      table.row({fmt::to_string(lane), grouped(thread_of(e, lane)), tr("masked off"), "", "", ""});
      continue;
    }
    table.row({fmt::to_string(lane), grouped(thread_of(e, lane)), tr("active"),
               a.element ? grouped(*a.element) : "", grouped(a.word), fmt::to_string(a.bank)});
  }
  return tr(
      "Step {}, request {} of {} to shared memory: line {}, {} of warp {} in block {}.\n    {}\n\n{}\n{}\n",
      grouped(e.step + 1), grouped(b.number), grouped(b.of), e.line,
      is_load(e.kind) ? tr("a load") : tr("a store"), e.warp, grouped(e.block),
      source_line(trace.text, e.line), table.text(), reason_text(b));
}

// --- requests to global memory

Json json_of(const BecauseGlobal& b, const Event& e, const Trace& trace) {
  Json lanes = Json::array();
  for (std::size_t lane = 0; lane < b.lanes.size(); ++lane) {
    const LaneBytes& a = b.lanes[lane];
    const auto if_active = [&](auto x) { return a.active ? Json(x) : Json(nullptr); };
    lanes.push_back({{"lane", lane},
                     {"active", a.active},
                     {"index", if_active(a.element)},
                     {"first_byte", if_active(a.byte)},
                     {"sector", if_active(a.sector)}});
  }
  return {{"line", e.line},
          {"text", source_line(trace.text, e.line)},
          {"warp", e.warp},
          {"lanes", std::move(lanes)},
          {"stride_bytes", b.stride_bytes ? Json(*b.stride_bytes) : Json(nullptr)},
          {"sectors", b.sectors},
          {"fewest_sectors", b.fewest},
          {"reason", reason_text(b)}};
}

std::string text_of(const BecauseGlobal& b, const Event& e, const Trace& trace) {
  Table table("RRLRRR");
  table.row({tr("lane"), tr("thread"), "", tr("index"), tr("bytes"), tr("sector")});
  for (int lane = 0; lane < 32; ++lane) {
    const LaneBytes& a = b.lanes[static_cast<std::size_t>(lane)];
    const std::string number = fmt::to_string(lane), thread = grouped(thread_of(e, lane));
    if (a.active)
      table.row({number, thread, tr("active"), grouped(a.element),
                 fmt::format("{}-{}", grouped(a.byte), grouped(a.byte + b.width - 1)), grouped(a.sector)});
    else table.row({number, thread, tr("masked off"), "", "", ""});
  }
  return tr("Step {}, a request to global memory: line {}, warp {} in block {}.\n    {}\n\n{}\n{}\n",
            grouped(e.step + 1), e.line, e.warp, grouped(e.block), source_line(trace.text, e.line),
            table.text(), reason_text(b));
}

// --- the lanes of a branch

// Returns a text about the lanes that make a request, and about the conditions that select these lanes.
std::string lanes_of_branch(const Event& e, const Trace& trace, const RequestSource& source, bool as_json) {
  const std::string reason = lanes_used_text(std::popcount(e.mask));
  if (as_json) {
    Json conditions = Json::array(), lanes = Json::array();
    for (const RequestSource::Condition& c : source.conditions)
      conditions.push_back({{"line", c.line}, {"condition", c.text}});
    for (int lane = 0; lane < 32; ++lane)
      lanes.push_back({{"lane", lane}, {"active", (e.mask >> lane & 1u) != 0}});
    return upsweep::text_of(Json{{"line", e.line},
                                 {"text", source_line(trace.text, e.line)},
                                 {"warp", e.warp},
                                 {"conditions", source.is_complete ? conditions : Json(nullptr)},
                                 {"lanes", std::move(lanes)},
                                 {"active_lanes", std::popcount(e.mask)},
                                 {"reason", reason}});
  }
  std::string text = tr("Step {}, line {} in warp {} of block {}.\n    {}\n\n", grouped(e.step + 1), e.line,
                        e.warp, grouped(e.block), source_line(trace.text, e.line));
  for (const RequestSource::Condition& c : source.conditions)
    text += tr("line {}: {}{}\n", c.line, c.text, c.meaning.empty() ? "" : tr(", which is ") + c.meaning);
  std::vector<int> active;
  for (int lane = 0; lane < 32; ++lane)
    if ((e.mask >> lane & 1u) != 0) active.push_back(lane);
  return text +
         tr("Active: {} {}.\n{}\n", active.size() == 1 ? tr("lane") : tr("lanes"), ranges(active), reason);
}

// --- barriers

std::string barrier_of_step(const Recording& r, int block, int step, bool as_json) {
  const auto use = barrier_use(r, block, step);
  if (!use) refuse(step, block, tr("barrier"));
  const std::string line = source_line(r.trace.text, use->line), reason = barrier_text(r, *use);
  if (!as_json)
    return tr("Step {} of block {} ends with the barrier in line {}.\n    {}\n\n{}\n", grouped(step + 1),
              grouped(block), use->line, line, reason);
  return upsweep::text_of(Json{{"line", use->line},
                               {"text", line},
                               {"reads", use->reads},
                               {"overwrites", use->overwrites},
                               {"rewrites", use->rewrites},
                               {"within_warps", use->within_warps},
                               {"reason", reason}});
}

}  // namespace

void BecauseCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--at-block", at_block);
  parser.add_option("--request", request);
  parser.add_option("--kind", kind);
  parser.add_flag("--json", json);
}

void BecauseCommand::run() const {
  const Of of = static_cast<Of>(one_of("--kind", kind, kinds));
  const Recording r = recording_of(options);
  const int index = step || of != Of::shared ? chosen_step(step, r) : costliest_step(r, at_block);
  const int block = chosen_block(at_block, r, index);
  const auto event = [&](int i) -> const Event& { return r.trace.events[static_cast<std::size_t>(i)]; };
  if (of == Of::barrier) return print(barrier_of_step(r, block, index, json));
  if (of == Of::branch) {
    const std::vector<int> all = requests(r.trace, block, index);
    if (all.empty()) refuse(index, block, tr("requests"));
    const int chosen = chosen_of(request, all, all.front(), index, tr("request"));
    return print(lanes_of_branch(event(chosen), r.trace, request_source(r.trace, chosen), json));
  }
  if (of == Of::global) {
    const std::vector<int>& all = r.step(block, index).global;
    if (all.empty()) refuse(index, block, tr("requests to global memory"));
    const int usual = std::max(all.front(), global_event(r, {.step = index, .block = block}));
    const BecauseGlobal b =
        because_global(r.trace, chosen_of(request, all, usual, index, tr("global request")));
    return print(json ? text_of(json_of(b, event(b.event), r.trace)) : text_of(b, event(b.event), r.trace));
  }
  const Because b = because(r, chosen_shared_request(request, r, block, index));
  const Event& e = event(b.event);
  print(json ? text_of(json_of(b, e, r.trace)) : text_of(b, e, r.trace));
}

}  // namespace upsweep
