// Defines the choices that a user can make for an algorithm: padding layout, load pattern, inclusive or
// exclusive, and choices that only one kernel has. The same code handles all these choices.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/settings.hpp"

namespace upsweep {

// An option of a choice. If the option lists types or operators, the option is allowed only with these types
// or operators.
struct Option {
  std::string name;  // a word, or a whole number
  std::vector<Scalar> types{};
  std::vector<Operator> operators{};
  std::string note{};  // a note that lists show next to the name
  bool timed = true;   // true if `bench --all` also measures this option when it is not the default
  bool allows(const Settings& s) const;
};

// A setting of a kernel: the user chooses one of several options.
//
// If only one kernel has the choice, the kernel's text may use constants that say which option is chosen. If
// the options are words, each option is a bool constant with the option's name. If the options are numbers,
// the choice is one int constant with the choice's name.
struct Choice {
  // The text that a user may type instead of an option: a formula in i, a formula in x, or a whole number.
  enum class Typed { nothing, layout, predicate, number };

  std::string name;             // the name in Settings::choices and on the command line
  std::vector<Option> options;  // the first option is always allowed
  std::string label{};          // the label of the choice in the window
  std::string about{};          // an explanation of the choice
  Typed typed = Typed::nothing;
  std::string typed_note{}, example{};  // an explanation of the text that a user may type, and an example
  std::size_t usual = 0;                // the index of the default option

  const std::string& usual_option() const { return options[usual].name; }
  bool is_number() const;
  // Returns the name of an option as the window shows it. Underscores become spaces, except in the names of
  // data layouts.
  std::string shown(const std::string& option) const;
  const Option* option(std::string_view wanted) const;  // null if the choice has no such option
};

inline constexpr std::string_view layout_names[] = {"none", "pad32", "pad16", "pad32x2", "pad_macro"};
inline constexpr std::string_view load_pattern_names[] = {"halves", "neighbours"};

// The choices that several algorithms have, in the order in which they are shown. In a kernel file, these
// choices have the names "layouts", "load patterns", "predicate" and "capacity".
std::span<const Choice> common_choices();

// Returns the formula of a layout, such as "i + (i >> 5)" for pad32. If the user typed a formula, returns it
// unchanged.
std::string layout_formula(std::string_view layout);

// Returns words that describe the text that a user may type, such as "a formula in i". Returns an empty text
// if users may not type text.
std::string_view typed_words(Choice::Typed typed);

// Returns a name with spaces instead of underscores: "block scan" for block_scan.
std::string spaced(std::string name);

}  // namespace upsweep
