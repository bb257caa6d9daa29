// Where 32 banks stand: memory, lanes x banks and warps share their columns, so that a bank, its cells and
// its lanes stand above each other.
#pragma once
#include "analysis/shared_request.hpp"
#include "scene/paint.hpp"

namespace upsweep {

struct BankColumns {
  explicit BankColumns(const Painter& p);
  // Sets the columns closer, to end at `right`.
  void end_at(float right);

  float x(int bank) const { return left + pitch * static_cast<float>(bank); }
  // The box of `banks` neighbouring columns, with the gap at its right end left out.
  Box box(int bank, float y, float height, int banks = 1) const {
    return {x(bank), y, pitch * static_cast<float>(banks) - gap, height};
  }
  // The box of some bytes: a column is 4 of them wide.
  Box box_of_bytes(std::int64_t byte, float y, float height, int bytes) const {
    return {left + pitch * static_cast<float>(byte % (4 * bank_count)) / 4, y,
            pitch * static_cast<float>(bytes) / 4 - gap, height};
  }
  float centre(int bank) const { return x(bank) + (pitch - gap) / 2; }

  float left, pitch, gap;
};

// The line of bank numbers at the painter's top, those in which the request's words meet in the conflict's
// colour. Each is a target.
void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover);

}  // namespace upsweep
