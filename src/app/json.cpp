#include "app/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "analysis/memory.hpp"
#include "app/output.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "study/recording.hpp"
#include "trace/settings_json.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

Json json_of(const SharedTotals& t) {
  return {{"requests", t.requests}, {"wavefronts", t.wavefronts}, {"excess", t.excess}};
}

Json json_of(const GlobalTotals& t) {
  return {{"requests", t.requests}, {"sectors", t.sectors}, {"ideal_sectors", t.ideal_sectors}};
}

Json json_of(const LaneTotals& t) { return {{"requests", t.requests}, {"lanes", t.lanes}}; }

Json json_of(std::optional<double> x) { return x ? Json(*x) : Json(nullptr); }

Json json_of(const Totals& t) {
  return {{"shared_load", json_of(t.shared_load)},
          {"shared_store", json_of(t.shared_store)},
          {"global_load", json_of(t.global_load)},
          {"global_store", json_of(t.global_store)},
          {"shared_atomic", json_of(t.shared_atomic)},
          {"global_atomic", json_of(t.global_atomic)},
          {"shuffle", json_of(t.shuffle)},
          {"vote", json_of(t.vote)},
          {"barriers", t.barriers},
          {"warp_barriers", t.warp_barriers},
          {"fences", t.fences},
          {"launches", t.launch.lanes},
          {"issued_lanes", t.issued_lanes()},
          {"used_lanes", t.used_lanes()},
          {"operations", t.operations}};
}

// Returns [rows, columns] if the output is two-dimensional, else null. For a summed-area table, `columns` is
// the number of pixels in a row.
Json output_shape(const Trace& trace, const Result& result) {
  const GlobalBuffer& out = trace.buffers[static_cast<std::size_t>(trace.roles().first_output())];
  const Settings& s = trace.settings;
  if (result == Result::summed_area_table) return {s.n / data_columns(s), data_columns(s)};
  return out.columns > 0 ? Json{out.count / out.columns, out.columns} : Json(nullptr);
}

Json json_of(const Dim3& d) { return {d.x, d.y, d.z}; }

Json json_of(const Grid& g) {
  return {{"kernel", g.kernel},
          {"blocks", g.blocks},
          {"threads", g.threads},
          {"shared_bytes", g.shared.bytes},
          {"first_step", g.first_step},
          {"parent", g.parent < 0 ? Json(nullptr) : Json(g.parent)},
          {"depth", g.depth},
          {"grid_dim", json_of(g.grid_dim())},
          {"block_dim", json_of(g.block_dim())}};
}

// Returns a step as JSON. `number` is the name of the kernel's variable that numbers the steps. `number` is
// empty if the kernel passes a stride instead.
Json json_of(const Step& step, std::string_view number, const StepFacts& facts, std::size_t index, int grid) {
  Json json{{"index", index},
            {"grid", grid},
            {"phase", name(step.phase)},
            {"stride", number.empty() && step.stride > 0 ? Json(step.stride) : Json(nullptr)},
            {"active_lanes", facts.active_lanes},
            {"lost_lanes", facts.lost_lanes},
            {"working_warps", facts.working_warps},
            {"diverged_warps", facts.diverged_warps},
            {"lane_utilisation", json_of(facts.lane_utilisation())},
            {"max_degree", facts.max_degree},
            {"max_contention", facts.max_contention}};
  // `number` is a name from a user's kernel, so another field may have the same name. In this case, the other
  // field keeps its value, and the step's number is left out.
  if (!number.empty()) json.emplace(std::string(number), step.stride);
  json.update(json_of(facts.totals));
  return json;
}

Json json_of(const LineFacts& line, const std::string& file) {
  const SharedTotals &load = line.totals.shared_load, &store = line.totals.shared_store;
  return {{"file", file},
          {"line", line.line},
          {"requests", load.requests + store.requests},
          {"wavefronts", load.wavefronts + store.wavefronts},
          {"excess", load.excess + store.excess},
          {"active_lanes", line.active_lanes},
          {"max_degree", line.max_degree}};
}

// Returns an integer exactly, and any other number with the fewest digits that still give the same bits.
// Infinities and NaN become strings, because JSON has no numbers for them.
Json json_of_scalar(const Value& v, const Settings& s, int k) {
  const long double x = scalar(v, s.type, k);
  if (!is_real(s.type)) return static_cast<std::int64_t>(x);
  Value alone{};
  set_scalar(alone, s.type, 0, x);
  Settings plain = s;
  plain.op = Operator::sum;  // so that an element is one number, not a pair
  const std::string text = exact_text(alone, plain);
  return std::isfinite(x) ? Json(std::strtod(text.c_str(), nullptr)) : Json(text);
}

Json json_of(const Value& v, const Settings& s) {
  if (scalars_per_element(s.op) == 1) return json_of_scalar(v, s, 0);
  return Json::array({json_of_scalar(v, s, 0), json_of_scalar(v, s, 1)});
}

Json json_of(const Value& v, const Settings& s, Cells cells) {
  if (cells == Cells::words || cells == Cells::counts) return v[0];
  return cells == Cells::numbers ? json_of_scalar(v, s, 0) : json_of(v, s);
}

// Returns the length of the list "output". For a selection, only the kept elements are in the list. For a
// summed-area table, each pixel is one element of the list.
std::size_t rows_of(const Trace& trace, const Result& result) {
  const std::size_t rows = defined_outputs(trace, result);
  return result == Result::summed_area_table ? rows / static_cast<std::size_t>(channels(trace.settings))
                                             : rows;
}

// Returns an element, a pixel [r, g, b] or a pair [key, value]. `shown` are the settings for printing
// elements.
Json json_of_row(const Trace& trace, const Result& result, const Settings& shown, std::size_t i) {
  const auto each = static_cast<std::size_t>(channels(trace.settings));
  if (result == Result::summed_area_table && each > 1) {
    Json pixel = Json::array();
    for (std::size_t c = 0; c < each; ++c) pixel.push_back(json_of(trace.output[i * each + c], shown));
    return pixel;
  }
  const Cells cells = trace.buffers[static_cast<std::size_t>(trace.roles().first_output())].cells;
  const Json element = json_of(trace.output[i], shown, cells);
  const bool pairs =
      result == Result::sorting && !trace.more_outputs.empty() && i < trace.more_outputs[0].size();
  return pairs ? Json::array({element, trace.more_outputs[0][i][0]}) : element;
}

// Returns all outputs except the first output. Each key of the JSON object is the name of an output, such as
// "kept". Returns an empty object for sorting, because the list "output" then also contains the second
// output.
Json more_of(const Trace& trace, const Result& result) {
  Json all = Json::object();
  if (result == Result::sorting) return all;
  for (std::size_t k = 0; k < std::min(result.more_names.size(), trace.more_outputs.size()); ++k) {
    Json words = Json::array();
    for (const Value& v : trace.more_outputs[k]) words.push_back(v[0]);
    const bool is_one = result.more_names[k] != "fits";
    all[std::string(result.more_names[k])] = is_one && !words.empty() ? words[0] : words;
  }
  return all;
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

// Returns a value as text, with `by` at the beginning of every line except the first.
std::string indented(const Json& json, std::string_view by) {
  std::string text;
  for (const char c : dumped(json)) {
    text += c;
    if (c == '\n') text += by;
  }
  return text;
}

// Prints the text and clears it if it is long. The text of a long recording can need gigabytes, so it is
// printed in pieces.
void print_if_long(std::string& text) {
  constexpr std::size_t is_long = 1 << 20;
  if (text.size() < is_long) return;
  print(text);
  text.clear();
}

// Adds a list to the outermost object. The list's members become text one by one, because a list of Json
// objects would take ten times the memory of the text.
template <class MemberOf>
void append_list(std::string& text, std::size_t count, MemberOf member) {
  text += '[';
  for (std::size_t i = 0; i < count; ++i) {
    text.append(i > 0 ? "," : "").append("\n    ").append(indented(member(i), "    "));
    print_if_long(text);
  }
  text += count > 0 ? "\n  ]" : "]";
}

}  // namespace

Json settings_of(const Trace& trace) {
  Json all = settings_json(as_shown(trace.settings));
  if (trace.settings.without_barrier == 0) all["without_barrier"] = nullptr;
  all["machine"] = name(trace.machine);
  return all;
}

Json step_json(const Recording& r, int index) {
  const auto i = static_cast<std::size_t>(index);
  const Step& step = r.trace.steps[i];
  return json_of(step, number_name(r.trace.text, step.phase), r.facts.steps[i], i,
                 grid_index(r.trace, index));
}

Json totals_json(const Recording& r) { return json_of(r.facts.totals); }

void print_json(const Recording& r, const Message& verdict) {
  const Trace& trace = r.trace;
  const Settings& s = trace.settings;
  const Result& result = result_of(trace);
  const Settings shown = output_settings(result, s);
  Json lines = Json::array();
  for (const LineFacts& line : r.facts.lines)
    if (line.totals.shared_load.requests + line.totals.shared_store.requests > 0)
      lines.push_back(json_of(line, trace.file));
  const auto known = [](const auto& number) { return number ? Json(*number) : Json(nullptr); };
  const auto or_null = [](double expected) { return expected < 0 ? Json(nullptr) : Json(expected); };
  Json all = settings_of(trace);
  all.update({{"device", trace.device},
              {"dropped", trace.dropped},
              {"stopped", trace.stopped ? Json(in_words(trace.stopped)) : Json(nullptr)},
              {"grids", nullptr},
              {"totals", totals_json(r)},
              {"work",
               {{"operations", r.work.operations},
                {"expected_operations", or_null(r.expected_operations)},
                {"steps", r.work.steps},
                {"expected_steps", or_null(r.expected_steps)},
                {"span", known(r.work.span)},
                {"expected_span", or_null(r.expected_span)},
                {"peak", known(r.work.peak)},
                {"average", known(r.work.average())}}},
              {"steps", nullptr},
              {"lines", lines},
              {"output", nullptr},
              {"shape", output_shape(trace, result)}});
  all.update(more_of(trace, result));
  all.update({{"mean", known(r.mean)},
              {"mistake", verdict ? Json(in_words(verdict)) : Json(nullptr)},
              {"wrong", json_of(r.wrong, trace)}});
  std::string text;
  const char* separator = "{";
  for (const auto& [key, value] : all.items()) {
    text += fmt::format("{}\n  \"{}\": ", std::exchange(separator, ","), key);
    if (key == "grids") {
      append_list(text, trace.grids.size(), [&](std::size_t i) { return json_of(trace.grids[i]); });
    } else if (key == "steps") {
      append_list(text, trace.steps.size(), [&](std::size_t i) { return step_json(r, static_cast<int>(i)); });
    } else if (key == "output") {
      append_list(text, rows_of(trace, result),
                  [&](std::size_t i) { return json_of_row(trace, result, shown, i); });
    } else {
      text += indented(value, "  ");
    }
  }
  print(text + "\n}\n");
}

Json json_of(const std::optional<WrongResult>& wrong, const Trace& trace) {
  if (!wrong) return nullptr;
  const Settings s = output_settings(result_of(trace), trace.settings);
  const bool known = wrong->departure && wrong->departure->line > 0;
  return {{"index", wrong->index},
          {"got", wrong->written ? json_of(wrong->got, s) : Json()},
          {"expected", json_of(wrong->expected, s)},
          {"step", known ? Json(wrong->departure->step) : Json()},
          {"line", known ? Json(wrong->departure->line) : Json()}};
}

std::string text_of(const Json& json) { return dumped(json) + "\n"; }

}  // namespace upsweep
