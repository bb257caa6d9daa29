// What an algorithm leaves open: padding layout, load pattern, inclusive or exclusive, and the choices of its
// own text. All of them are declared, checked, listed, drawn, typed and stored in the same way.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/settings.hpp"

namespace upsweep {

// If types or operators are named, the option can only be taken with one of them.
struct Option {
  std::string name;  // a word, or a whole number
  std::vector<Scalar> types{};
  std::vector<Operator> operators{};
  std::string note{};  // what a list says beside the name
  bool timed = true;   // whether `bench --all` measures it beside the default
  bool allows(const Settings& s) const;
};

// In a kernel's text each word of its own choices is a bool constant; a choice of numbers is an int constant
// of its own name.
struct Choice {
  std::string name;             // as Settings::choices and the command line have it
  std::vector<Option> options;  // the first is the default, and always allowed
  std::string label{};          // of its field in the window
  std::string about{};          // what it decides
  std::string formula{};        // what a formula in i says that may be typed as an option; empty: none may
  bool is_number() const;
  // How the window names an option: words instead of underscores, but layouts as they are typed.
  std::string shown(const std::string& option) const;
  const Option* option(std::string_view wanted) const;  // or nullptr
};

inline constexpr std::string_view layout_names[] = {"none", "pad32", "pad16", "pad32x2", "pad_macro"};
inline constexpr std::string_view load_pattern_names[] = {"halves", "neighbours"};

// Those that several algorithms have, in the order in which they are shown: a kernel file names them by their
// plural, "layouts" and "load patterns".
std::span<const Choice> common_choices();

// The formula of a layout: "i + (i >> 5)" for pad32; a typed formula is its own.
std::string layout_formula(std::string_view layout);

// "block scan" for block_scan.
std::string spaced(std::string name);

}  // namespace upsweep
