// Input data: seeded, typed, from a file, or a preset; and the oracle that says what must come out.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Small numbers that can be read from the last row: digits for sum, min and max; factors whose product stays
// in range; small affine maps.
std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed);

struct Preset {
  const char* name;
  const char* what;  // one sentence
};
// ones, ramp, alternating, sausage: see presets.
std::span<const Preset> presets();
std::vector<Value> preset_data(const Settings& s, std::string_view name);

// Numbers separated by white space, commas or semicolons; two per element for affine. `where` names the
// source in errors. Throws RequestError for text where numbers belong, NaN, infinity, a number out of the
// type's range, or none at all.
std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where);
// The same from a file; throws RequestError if it cannot be read.
std::vector<Value> read_data(const std::string& path, const Settings& s);

// a (+) b, in the type's own arithmetic (integers wrap); for affine: first a, then b.
Value apply(const Settings& s, const Value& a, const Value& b);

// What the algorithm must give, computed sequentially, floats in double (exact for the digits of
// seeded_data).
std::vector<Value> oracle(const Settings& s, const std::vector<Value>& input);
// Empty if `output` is right, else a sentence naming the first wrong element. Integers must be equal; floats
// may differ by the rounding that the operation count allows: |error| <= gamma_k * sum |x_j|, gamma_k = k u /
// (1 - k u), k the operations that go into an element (Higham 2002, 4.2).
std::string check(const Settings& s, const std::vector<Value>& input, const std::vector<Value>& output);

}  // namespace upsweep
