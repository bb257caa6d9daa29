// Defines a request: everything that a user can change in the window, as one value. A field without a value
// leaves its part of the state unchanged. Session::apply() carries the request out. Undo, files and tests use
// lists of requests.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

struct Request {
  template <class T>
  using Maybe = std::optional<T>;

  // The fields up to `open` describe the run.
  Maybe<std::string> algorithm{};
  Maybe<std::int64_t> n{};
  Maybe<int> columns{}, block{}, grid{};
  Maybe<Scalar> type{};
  Maybe<Operator> op{};
  Maybe<std::string> expression{}, identity{};  // the user's operator if op is Operator::own; else empty
  std::map<std::string, std::string> choices{};
  Maybe<int> without_barrier{};  // the line of the removed barrier; 0 if no barrier is removed
  Maybe<DataSource> data{};
  Maybe<MachineChoice> machine{};
  // The name of a file with a recording, or of a recording that comes with the program. The window shows this
  // recording instead of a run. An empty name shows a run. A name that ends in .json opens a file of measured
  // times.
  Maybe<std::string> open{};

  // The shown place in the recording. Steps, blocks, requests and elements count from 0, lines from 1.
  Maybe<int> step{}, at_block{};
  Maybe<int> request{};                         // the chosen request of the step; -1 for none
  Maybe<std::int64_t> time{};                   // see Place::time
  Maybe<int> finding{};                         // see Place::finding
  Maybe<int> first_element{}, element_count{};  // the zoom of the tree, see visible_columns()
  // The settings of the view "Image", see ImageLook. `made` is one of made_names.
  Maybe<std::string> made{};
  Maybe<int> box_width{}, pixel{}, first_row{}, first_column{}, column_count{};
  Maybe<float> focus{};
  Maybe<int> first_line{};   // the first visible line of the source; 0 to follow the step
  Maybe<bool> half_warps{};  // see Place::half_warps
  Maybe<bool> answer{};      // whether the window shows the mistake of this broken kernel
  Maybe<bool> playing{};
  Maybe<double> speed{};  // steps per second

  // The parts of the window that are shown, and how they look.
  Maybe<std::string> view{};                  // the name of the large view; empty to show all views
  Maybe<std::array<int, home_count>> tabs{};  // see Looks
  Maybe<bool> timing_large{}, counters{};
  Maybe<int> motion{};  // whether values move from step to step, see Looks
  Maybe<int> timing{};  // the measured times beside the views: 1 shown, 0 hidden, -1 shown if there is room
  Maybe<std::string> chart{};                            // one of timing_chart_names
  Maybe<std::map<std::string, std::string>> compared{};  // the choices of the compared variant
  // `comparing` is true if two runs are shown side by side. `change` is a request as JSON. This request has
  // the fields in which the changed run differs from the baseline. `change` is empty if no field differs.
  Maybe<bool> comparing{};
  Maybe<std::string> change{};
  Maybe<bool> asking{};  // whether the window asks questions about the run
  Maybe<bool> dark{}, contrast{};
  Maybe<std::string> language{};  // the name of a TextLanguage
  Maybe<bool> presentation{}, help{};
  Maybe<float> text_scale{};          // see Looks
  Maybe<std::array<int, 2>> added{};  // see Looks
  Maybe<bool> pen{}, black{};         // possible only in a presentation
  Maybe<int> notes{};                 // see Looks
  Maybe<int> help_page{};             // 0 is the page of keys; the pages after it are the glossary
  Maybe<float> column{}, source{};    // the positions of the splitters, see Looks
  Maybe<std::array<float, 4>> rows{};

  bool operator==(const Request&) const = default;
};

// Calls f(name, field...) for every field, in the order above. `name` is the field's name in JSON. `field...`
// are the values of this field in the given requests.
template <class F, class... R>
void for_each_field_of(F f, R&... r) {
  f("algorithm", r.algorithm...);
  f("n", r.n...);
  f("columns", r.columns...);
  f("block", r.block...);
  f("grid", r.grid...);
  f("type", r.type...);
  f("op", r.op...);
  f("expression", r.expression...);
  f("identity", r.identity...);
  f("choices", r.choices...);
  f("without_barrier", r.without_barrier...);
  f("data", r.data...);
  f("machine", r.machine...);
  f("open", r.open...);
  f("step", r.step...);
  f("at_block", r.at_block...);
  f("request", r.request...);
  f("time", r.time...);
  f("finding", r.finding...);
  f("first_element", r.first_element...);
  f("element_count", r.element_count...);
  f("made", r.made...);
  f("box_width", r.box_width...);
  f("pixel", r.pixel...);
  f("first_row", r.first_row...);
  f("first_column", r.first_column...);
  f("column_count", r.column_count...);
  f("focus", r.focus...);
  f("first_line", r.first_line...);
  f("half_warps", r.half_warps...);
  f("answer", r.answer...);
  f("playing", r.playing...);
  f("speed", r.speed...);
  f("view", r.view...);
  f("tabs", r.tabs...);
  f("timing_large", r.timing_large...);
  f("counters", r.counters...);
  f("motion", r.motion...);
  f("timing", r.timing...);
  f("chart", r.chart...);
  f("compared", r.compared...);
  f("comparing", r.comparing...);
  f("change", r.change...);
  f("asking", r.asking...);
  f("dark", r.dark...);
  f("contrast", r.contrast...);
  f("language", r.language...);
  f("presentation", r.presentation...);
  f("help", r.help...);
  f("text_scale", r.text_scale...);
  f("added", r.added...);
  f("pen", r.pen...);
  f("black", r.black...);
  f("notes", r.notes...);
  f("help_page", r.help_page...);
  f("column", r.column...);
  f("source", r.source...);
  f("rows", r.rows...);
}
template <class R, class F>
void for_each_field(R& r, F f) {
  for_each_field_of(f, r);
}

// Returns a request with only the fields of `after` that differ from `before`.
Request difference(const Request& before, const Request& after);
// Returns the names of the fields that have a value.
std::vector<std::string> fields_of(const Request& r);

// Returns one line of JSON: an object with the fields that have a value. The field "choices" contains the
// chosen option of each choice. Instead of "choices", read_request() also accepts the fields "layout",
// "load_pattern" and "variants", because other JSON of this program has these fields.
std::string to_json(const Request& r);
// Throws RequestError if the text is not a JSON object with the fields of a request, or if a field is unknown
// or has the wrong type. Session::apply() checks whether the values make sense.
Request read_request(const std::string& json);
// Reads a JSON list of requests. Throws RequestError in the same cases as read_request().
std::vector<Request> read_requests(const std::string& json);

}  // namespace upsweep
