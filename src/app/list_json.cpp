// The JSON of `upsweep list --json`: describes all algorithms, and the recordings that come with the program.
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "app/json.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"

namespace upsweep {
namespace {

Json json_of(const Choice& c) {
  Json options = Json::array();
  for (const Option& o : c.options) {
    Json option{{"name", o.name}};
    for (const Scalar type : o.types) option["types"].push_back(name(type));
    for (const Operator op : o.operators) option["operators"].push_back(name(op));
    options.push_back(std::move(option));
  }
  return {{"name", c.name}, {"choices", options}, {"default", c.usual_option()}};
}

// Returns the names of a choice's options. The list is empty if the algorithm does not have the choice.
Json options_of(const Algorithm& a, std::string_view choice) {
  Json names = Json::array();
  if (const Choice* c = a.choice(choice))
    for (const Option& o : c->options) names.push_back(o.name);
  return names;
}

// Returns the presets that make sense for an algorithm. A preset has "types" or "operators" if it makes sense
// only for some of the algorithm's types or operators.
Json presets_of(const Algorithm& a) {
  Json all = Json::array();
  for (const Preset& p : presets()) {
    // with_types and with_operators are the types and operators for which the preset makes sense.
    std::set<std::size_t> types, operators, with_types, with_operators;
    for (std::size_t type = 0; type < std::size(scalar_names); ++type)
      for (std::size_t op = 0; op < std::size(operator_names); ++op) {
        const Settings s{
            .algorithm = a.name, .type = static_cast<Scalar>(type), .op = static_cast<Operator>(op)};
        if (!a.allows(s.type) || !a.allows(s.op)) continue;
        types.insert(type);
        operators.insert(op);
        if (!is_for(p, s)) continue;
        with_types.insert(type);
        with_operators.insert(op);
      }
    if (with_types.empty()) continue;
    Json one{{"name", p.name}, {"what", p.what}};
    if (with_types != types)
      for (const std::size_t type : with_types) one["types"].push_back(scalar_names[type]);
    if (with_operators != operators)
      for (const std::size_t op : with_operators) one["operators"].push_back(operator_names[op]);
    all.push_back(std::move(one));
  }
  return all;
}

// Returns the allowed range of n and of the block size.
Json sizes(const Algorithm& a) {
  const bool bounded = !a.many_blocks && a.elements_per_thread;
  return {{"largest_n", bounded ? largest_in_block(a) : a.largest.value_or(INT32_MAX)},
          {"blocks", a.many_blocks ? "any" : "one"},
          {"elements_per_thread", a.elements_per_thread ? Json(a.elements_per_thread->text()) : Json()},
          {"threads",
           {{"least", a.least_threads}, {"most", a.most_threads}, {"power_of_two", a.power_of_two_threads}}},
          {"grid", a.uses_grid}};
}

// Returns the JSON object with which `upsweep list --json` describes an algorithm.
Json description_of(const Algorithm& a) {
  Json operators = Json::array(), types = Json::array(), variants = Json::array(), flaws = Json::array();
  for (std::size_t op = 0; op < std::size(operator_names); ++op)
    if (a.allows(static_cast<Operator>(op))) operators.push_back(operator_names[op]);
  for (std::size_t type = 0; type < std::size(scalar_names); ++type)
    if (a.allows(static_cast<Scalar>(type))) types.push_back(scalar_names[type]);
  for (const Choice& c : a.choices)
    if (!with_field(c.name)) variants.push_back(json_of(c));
  for (const Flaw& f : a.flaws)
    flaws.push_back({{"kind", f.kind},
                     {"line", f.line > 0 ? Json(f.line) : Json()},
                     {"option", f.option.empty() ? Json() : Json(f.option)}});
  Json all{{"name", a.name},
           {"family", a.family},
           {"title", a.title},
           {"file", a.file},
           {"gives", a.gives},
           {"idea", a.idea},
           {"steps", a.steps},
           {"operations", a.operations},
           {"span", a.span.empty() ? Json(nullptr) : Json(a.span)},
           {"watch", a.watch},
           {"source", a.source},
           {"operators", operators},
           {"types", types},
           {"sizes", sizes(a)},
           {"commutative", a.commutative},
           {"layouts", options_of(a, "layout")},
           {"load_patterns", options_of(a, "load_pattern")},
           {"variants", variants},
           {"presets", presets_of(a)}};
  if (!a.flaws.empty()) all["flaws"] = flaws;
  return all;
}

}  // namespace

Json json_of(std::span<const Algorithm> algorithms) {
  Json list = Json::array();
  for (const Algorithm& a : algorithms) {
    if (!is_listed(a)) continue;
    list.push_back(description_of(a));
    for (const Algorithm* rung : rungs_of(a.ladder, algorithms)) {
      Json step = description_of(*rung);
      step["name"] = a.ladder;
      step["method"] = rung->rung;
      step["mends"] = rung->mends.empty() ? Json() : Json(rung->mends);
      list.back()["rungs"].push_back(std::move(step));
    }
  }
  return list;
}

Json json_of(std::span<const Shipped> recordings) {
  Json list = Json::array();
  for (const Shipped& s : recordings)
    list.push_back({{"name", s.name},
                    {"algorithm", s.settings.algorithm},
                    {"n", s.settings.n},
                    {"block", s.settings.block},
                    {"device", s.device},
                    {"date", s.date},
                    {"bytes", s.bytes}});
  return list;
}

}  // namespace upsweep
