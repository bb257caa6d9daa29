// Turns the form of an expression into a key of a map, and joins expressions that have the same form.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "analysis/actions.hpp"

namespace upsweep {

// Appends the bytes of a number to a key of a map.
inline void put(std::string& key, int number) {
  for (int shift = 0; shift < 32; shift += 8) key += static_cast<char>(number >> shift & 0xff);
}
// Appends the form of an expression to a key of a map. The form does not include the indices of the
// expression.
inline void put_shape(std::string& key, const Expression& x) {
  for (const int number : {static_cast<int>(x.form), x.buffer, x.region, 2 * x.earlier + x.old, x.parts})
    put(key, number);
  for (const Expression& o : x.operands) {
    key += '(';
    put_shape(key, o);
  }
  key += ')';
}

// Appends the indices of `from` to the indices of `to`. Both expressions must have the same form.
inline void append(Expression& to, const Expression& from) {
  const auto join = [](std::vector<int>& a, const std::vector<int>& b) {
    a.insert(a.end(), b.begin(), b.end());
  };
  join(to.indices, from.indices);
  join(to.counts, from.counts);
  join(to.strides, from.strides);
  join(to.lanes, from.lanes);
  join(to.takers, from.takers);
  if (from.form == Expression::Form::constant && from.value != to.value && to.more_values.size() < 3 &&
      std::ranges::find(to.more_values, from.value) == to.more_values.end())
    to.more_values.push_back(from.value);
  for (std::size_t i = 0; i < to.operands.size(); i++) append(to.operands[i], from.operands[i]);
}

}  // namespace upsweep
