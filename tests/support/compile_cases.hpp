// Makes settings that together use every option, type and operator of an algorithm.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "catalogue/ladder.hpp"
#include "machine/gpu/gpu_program.hpp"

namespace upsweep {

inline std::string describe(const Settings& s) {
  std::string text = fmt::format("{} n={} block={} {} {} {} {}", s.algorithm, s.n, s.block, name(s.type),
                                 name(s.op), s.choice("layout"), s.choice("load_pattern"));
  for (const auto& [variant, choice] : s.choices) text += fmt::format(" {}={}", variant, choice);
  return text;
}

inline bool allowed(const Settings& s, const Algorithm& a) {
  if (!a.allows(s.op) || !a.allows(s.type)) return false;
  if (a.has_messages() && element_bytes(s) > most_message_element) return false;
  for (const Choice& v : a.choices)
    for (const Option& c : v.options)
      if (c.name == chosen(a, s, v.name) && !c.allows(s)) return false;
  return true;
}

// Returns settings with a block that the algorithm accepts and the first option of every choice.
inline Settings first_settings(const Algorithm& a) {
  Settings s;
  s.algorithm = a.name;
  s.block = std::max(64, a.least_threads);
  fit_kind(a, s);
  return s;
}

// Returns settings for all valid combinations of an algorithm's options.
//
// To keep the list short, not every predicate and capacity is combined with every combination of the other
// options. Instead, each of these combinations occurs only twice, with different predicates and capacities.
// If there are more than three choices, the same applies to layouts and load patterns.
inline std::vector<Settings> every_choice(const Algorithm& a) {
  std::vector<Settings> all = {first_settings(a)};
  std::vector<const Choice*> rotating;
  for (const Choice& v : a.choices) {
    if (v.name == method_choice) continue;
    const bool is_shared = v.typed == Choice::Typed::predicate || v.typed == Choice::Typed::number;
    if (is_shared || (with_field(v.name) && a.choices.size() > 3)) {
      rotating.push_back(&v);
      continue;
    }
    std::vector<Settings> more;
    for (const Settings& s : all)
      for (const Option& c : v.options) {
        Settings t = s;
        t.choices[v.name] = c.name;
        if (!c.types.empty()) t.type = c.types.front();
        if (!c.operators.empty()) t.op = c.operators.front();
        more.push_back(t);
      }
    all = more;
  }
  if (!rotating.empty()) {
    const std::vector<Settings> own = std::exchange(all, {});
    for (std::size_t round = 0; round < 2; ++round)
      for (std::size_t i = 0; i < own.size(); ++i) {
        Settings s = own[i];
        for (const Choice* v : rotating) s.choose(v->name, v->options[(i + round) % v->options.size()].name);
        all.push_back(s);
      }
  }
  std::erase_if(all, [&](const Settings& s) { return !allowed(s, a); });
  return all;
}

// Returns the settings of every_choice() and settings for each pair of a layout and a load pattern.
inline std::vector<Settings> every_variant(const Algorithm& a) {
  std::vector<Settings> all = every_choice(a);
  const Settings first = all.front();
  for (const std::string_view layout : layout_names)
    for (const std::string_view pattern : load_pattern_names) {
      Settings s = first;
      s.choose("layout", layout);
      s.choose("load_pattern", pattern);
      if ((a.choice("layout") || layout == first.choice("layout")) &&
          (a.choice("load_pattern") || pattern == first.choice("load_pattern")) && s != first)
        all.push_back(s);
    }
  return all;
}

// Returns settings for every type and operator that the algorithm allows.
inline std::vector<Settings> every_type(const Algorithm& a) {
  std::vector<Settings> all;
  for (std::size_t type = 0; type < std::size(scalar_names); ++type)
    for (std::size_t op = 0; op < std::size(operator_names); ++op) {
      Settings s = first_settings(a);
      s.type = static_cast<Scalar>(type);
      s.op = static_cast<Operator>(op);
      if (allowed(s, a)) all.push_back(s);
    }
  return all;
}

}  // namespace upsweep
