// Defines the settings of a run: the algorithm, the number of elements, and the algorithm's options. Every
// trace has its settings.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// Files store these values as numbers, so the order must not change.
enum class Scalar { int32, uint32, float32, float64, float16, int64 };
enum class Operator { sum, product, min, max, affine, own };  // `own`: typed by the user, see Settings

inline constexpr std::string_view scalar_names[] = {"int32",   "uint32",  "float32",
                                                    "float64", "float16", "int64"};
// The names of all operators except `own`, which has an expression instead of a name.
inline constexpr std::string_view operator_names[] = {"sum", "product", "min", "max", "affine"};

inline std::string_view name(Scalar s) { return scalar_names[static_cast<int>(s)]; }
inline std::string_view name(Operator o) {
  return o == Operator::own ? "own" : operator_names[static_cast<int>(o)];
}

// Returns the bytes of one scalar: 2, 4 or 8.
inline int scalar_bytes(Scalar s) {
  return s == Scalar::float16 ? 2 : s == Scalar::float64 || s == Scalar::int64 ? 8 : 4;
}
// Returns whether the type is for real numbers. Operations on real numbers round their results; operations on
// whole numbers wrap around if the result is too large.
inline bool is_real(Scalar s) { return s == Scalar::float16 || s == Scalar::float32 || s == Scalar::float64; }

// A choice that is older than the map Settings::choices. Files and JSON store the option of such a choice in
// a separate field. Settings::choices has no entry for the usual option, so that equal settings have equal
// maps.
struct ChoiceWithField {
  std::string_view name, usual;
};
inline constexpr ChoiceWithField choices_with_field[] = {{"layout", "none"}, {"load_pattern", "halves"}};
inline const ChoiceWithField* with_field(std::string_view choice) {
  for (const ChoiceWithField& c : choices_with_field)
    if (c.name == choice) return &c;
  return nullptr;
}

struct Settings {
  std::string algorithm = "scan_blelloch";
  int n = 64;      // the number of elements
  int block = 32;  // the number of threads in a block
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  // Maps the name of each choice to its option: `layout`, `load_pattern`, `gives`, and the kernel's own
  // choices (see Algorithm::choices). A choice without an entry has its first option.
  std::map<std::string, std::string> choices{};
  int grid = 16;            // the largest number of blocks, for kernels whose threads loop over the array
  int without_barrier = 0;  // the line of a block or warp barrier that is taken out; 0 for none
  // The number of elements in a row of two-dimensional data. This number must divide n. If this number is 0,
  // columns_of() chooses another number.
  int columns = 0;
  // Only for Operator::own: `expression` is the operator as a C expression in a and b, in the form that
  // OwnOperator prints. `identity` is the operator's identity as a number.
  std::string expression{}, identity{};

  // Returns the option of a choice. If `choices` has no entry for this choice, returns the usual option from
  // choices_with_field, or an empty text for other choices.
  std::string choice(const std::string& name) const {
    if (const auto found = choices.find(name); found != choices.end()) return found->second;
    const ChoiceWithField* field = with_field(name);
    return field ? std::string(field->usual) : std::string();
  }
  void choose(const std::string& name, std::string_view option) {
    const ChoiceWithField* field = with_field(name);
    if (field && field->usual == option) choices.erase(name);
    else choices[name] = option;
  }
  // Returns the choices that have no separate field. Files and JSON call these choices variants.
  std::map<std::string, std::string> variants() const {
    std::map<std::string, std::string> rest = choices;
    for (const ChoiceWithField& c : choices_with_field) rest.erase(std::string(c.name));
    return rest;
  }

  bool operator==(const Settings&) const = default;
};

// Returns the operator as text: its name, or the expression that the user typed.
inline std::string operator_text(const Settings& s) {
  return s.op == Operator::own ? s.expression : std::string(name(s.op));
}

// Returns the number of scalars in one element: 2 for an affine map x -> a*x + b, which is a pair (a, b), and
// 1 for all other elements.
inline int scalars_per_element(Operator o) { return o == Operator::affine ? 2 : 1; }
// Returns the bytes of one element: 2, 4, 8 or 16.
inline int element_bytes(const Settings& s) { return scalar_bytes(s.type) * scalars_per_element(s.op); }

}  // namespace upsweep
