// What a person asked for: one algorithm, its size and its variants. Carried by every trace.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

enum class Scalar { int32, uint32, float32, float64, float16, int64 };  // as files number them
enum class Operator { sum, product, min, max, affine };

inline constexpr std::string_view scalar_names[] = {"int32",   "uint32",  "float32",
                                                    "float64", "float16", "int64"};
inline constexpr std::string_view operator_names[] = {"sum", "product", "min", "max", "affine"};

inline std::string_view name(Scalar s) { return scalar_names[static_cast<int>(s)]; }
inline std::string_view name(Operator o) { return operator_names[static_cast<int>(o)]; }

// Bytes of one scalar: 2, 4 or 8.
inline int scalar_bytes(Scalar s) {
  return s == Scalar::float16 ? 2 : s == Scalar::float64 || s == Scalar::int64 ? 8 : 4;
}
// Whether it is a real number, which operations round; whole numbers wrap.
inline bool is_real(Scalar s) { return s == Scalar::float16 || s == Scalar::float32 || s == Scalar::float64; }

struct Settings {
  std::string algorithm = "scan_blelloch";
  int n = 64;      // elements
  int block = 32;  // threads
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  std::string layout = "none";          // none, pad32, pad16, pad32x2, pad_macro, or a formula in i
  std::string load_pattern = "halves";  // halves or neighbours

  int grid = 16;  // most blocks of kernels whose threads stride over the whole array
  // The algorithm's own variants, each by name (see Algorithm::variants); one that is not named has its first
  // choice.
  std::map<std::string, std::string> variants{};
  int without_barrier = 0;  // the line of a block or warp barrier that is taken out; 0 for none
  // Of two-dimensional data: the elements in a row, a divisor of n. 0: as columns_of() chooses.
  int columns = 0;

  bool operator==(const Settings&) const = default;
};

// Scalars in one element: affine maps x -> a*x + b are pairs (a, b), everything else is one number.
inline int scalars_per_element(Operator o) { return o == Operator::affine ? 2 : 1; }
// Bytes of one element, which is also the width of one access: 2, 4, 8 or 16.
inline int element_bytes(const Settings& s) { return scalar_bytes(s.type) * scalars_per_element(s.op); }

}  // namespace upsweep
