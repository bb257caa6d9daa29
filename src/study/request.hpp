// Everything that a person can ask the window for, as one value: part of a state, or all of it. What is not
// named stays as it is. Session::apply() takes it; undo, lessons, files and tests are lists of such values.
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

  // What runs.
  Maybe<std::string> algorithm{};
  Maybe<std::int64_t> n{};
  Maybe<int> columns{}, block{}, grid{};
  Maybe<Scalar> type{};
  Maybe<Operator> op{};
  std::map<std::string, std::string> choices{};
  Maybe<int> without_barrier{};  // a line of the kernel's text, 0 for none
  Maybe<DataSource> data{};
  Maybe<MachineChoice> machine{};
  // A recording in a file or shipped with the program, shown instead of a run; empty: a run. The name of
  // times, which ends in .json, shows them.
  Maybe<std::string> open{};

  // Where the reader stands; all count from 0.
  Maybe<int> step{}, at_block{};
  Maybe<int> request{};                         // of the step, -1 for none
  Maybe<int> first_element{}, element_count{};  // the tree's columns; count 0 for all
  Maybe<int> first_line{};                      // the source's first visible line, 0: it follows the step
  Maybe<bool> playing{};
  Maybe<double> speed{};  // steps per second

  // What is shown, and how.
  Maybe<std::string> view{};                  // the large one; empty: all
  Maybe<std::array<int, home_count>> tabs{};  // see Looks
  Maybe<bool> timing_large{}, counters{};
  Maybe<int> timing{};         // the times beside the views: 1 there, 0 not, -1 if there is room
  Maybe<std::string> chart{};  // of timing_chart_names
  Maybe<std::map<std::string, std::string>> compared{};  // the choices that the settings are compared with
  Maybe<bool> dark{}, presentation{}, help{};
  Maybe<float> column{}, source{};  // where the splitters stand, see Looks
  Maybe<std::array<float, 4>> rows{};

  bool operator==(const Request&) const = default;
};

// Calls f(name, field) for every field, in the order above; the name is the field's in JSON.
template <class R, class F>
void for_each_field(R& r, F f) {
  f("algorithm", r.algorithm);
  f("n", r.n);
  f("columns", r.columns);
  f("block", r.block);
  f("grid", r.grid);
  f("type", r.type);
  f("op", r.op);
  f("choices", r.choices);
  f("without_barrier", r.without_barrier);
  f("data", r.data);
  f("machine", r.machine);
  f("open", r.open);
  f("step", r.step);
  f("at_block", r.at_block);
  f("request", r.request);
  f("first_element", r.first_element);
  f("element_count", r.element_count);
  f("first_line", r.first_line);
  f("playing", r.playing);
  f("speed", r.speed);
  f("view", r.view);
  f("tabs", r.tabs);
  f("timing_large", r.timing_large);
  f("counters", r.counters);
  f("timing", r.timing);
  f("chart", r.chart);
  f("compared", r.compared);
  f("dark", r.dark);
  f("presentation", r.presentation);
  f("help", r.help);
  f("column", r.column);
  f("source", r.source);
  f("rows", r.rows);
}

// What `after` names otherwise than `before`.
Request difference(const Request& before, const Request& after);
// The names of the fields that a request has.
std::vector<std::string> fields_of(const Request& r);

// One line of JSON, an object with the fields that the request has. `choices` holds every choice by its name;
// when it is read, layout, load_pattern and variants may stand beside it as in all other JSON of this
// program.
std::string to_json(const Request& r);
// Throws RequestError with a sentence for text that is no such object, and for a field that is unknown or of
// another type. Whether its values make sense, Session::apply() says.
Request read_request(const std::string& json);
// The same for a list of requests.
std::vector<Request> read_requests(const std::string& json);

}  // namespace upsweep
