// The columns of the 32 banks. The views of memory, lanes x banks and warps use the same columns, so that a
// bank, its cells and its lanes are above each other.
#pragma once
#include "analysis/shared_request.hpp"
#include "scene/paint.hpp"

namespace upsweep {

struct BankColumns {
  explicit BankColumns(const Painter& p);
  // Places the columns closer together, so that they end at `right`.
  void end_at(float right);

  float x(int bank) const { return left + pitch * static_cast<float>(bank); }
  // Returns the box of `banks` neighbouring columns without the gap at its right end.
  Box box(int bank, float y, float height, int banks = 1) const {
    return {x(bank), y, pitch * static_cast<float>(banks) - gap, height};
  }
  // Returns the box of some bytes. A column is 4 bytes wide.
  Box box_of_bytes(std::int64_t byte, float y, float height, int bytes) const {
    return {left + pitch * static_cast<float>(byte % (4 * bank_count)) / 4, y,
            pitch * static_cast<float>(bytes) / 4 - gap, height};
  }
  float centre(int bank) const { return x(bank) + (pitch - gap) / 2; }

  float left, pitch, gap;
};

// Draws the bank numbers at the painter's top, each with a target. A bank in which several words of the
// request meet has the colour of conflicts.
void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover);

}  // namespace upsweep
