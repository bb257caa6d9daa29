// The choices that a user can make for an algorithm: padding layout, load pattern, inclusive or exclusive,
// and choices that only this kernel has. The same code handles all of them.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/settings.hpp"

namespace upsweep {

// An option of a choice. If it lists types or operators, it is allowed only with the listed ones.
struct Option {
  std::string name;  // a word, or a whole number
  std::vector<Scalar> types{};
  std::vector<Operator> operators{};
  std::string note{};  // the text beside the name in a list
  bool timed = true;   // `bench --all` also measures this option, and not only the default
  bool allows(const Settings& s) const;
};

// The kernel's text has constants for choices that only this kernel has. If the options are words, the text
// has a bool constant with the name of each option. If the options are numbers, the text has one int constant
// with the name of the choice.
struct Choice {
  // The text that a user may type instead of an option: a formula in i, a formula in x, or a whole number.
  enum class Typed { nothing, layout, predicate, number };

  std::string name;             // the name in Settings::choices and on the command line
  std::vector<Option> options;  // the first is always allowed
  std::string label{};          // the label of the choice in the window
  std::string about{};          // what the choice decides
  Typed typed = Typed::nothing;
  std::string typed_note{}, example{};  // what typed text means, and an example of it
  std::size_t usual = 0;                // the index of the default option

  const std::string& usual_option() const { return options[usual].name; }
  bool is_number() const;
  // Returns the name of an option as the window shows it. Underscores become spaces, except in layouts.
  std::string shown(const std::string& option) const;
  const Option* option(std::string_view wanted) const;  // or nullptr
};

inline constexpr std::string_view layout_names[] = {"none", "pad32", "pad16", "pad32x2", "pad_macro"};
inline constexpr std::string_view load_pattern_names[] = {"halves", "neighbours"};

// The choices that several algorithms have, in the order in which they are shown. A kernel file names them in
// the plural or in the singular: "layouts", "load patterns", "predicate" and "capacity".
std::span<const Choice> common_choices();

// Returns the formula of a layout, such as "i + (i >> 5)" for pad32. If the user typed a formula, returns it
// unchanged.
std::string layout_formula(std::string_view layout);

// Returns the words that name the typed text of a choice in a list: "a formula in i". Returns an empty text
// if nothing may be typed.
std::string_view typed_words(Choice::Typed typed);

// Returns a name with spaces instead of underscores: "block scan" for block_scan.
std::string spaced(std::string name);

}  // namespace upsweep
