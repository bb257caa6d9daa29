// One column for each bank. The views memory, lanes x banks, and warps use the same columns, so that a bank
// has the same horizontal position in all three.
#pragma once
#include <algorithm>

#include "analysis/recording.hpp"
#include "analysis/shared_request.hpp"
#include "scene/paint.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

struct BankColumns {
  // `beside` is the width in dp that stays free at the right of the columns, see room_beside_banks().
  explicit BankColumns(const Painter& p, float beside = 0, int banks = bank_count);
  // The columns for an audience: as wide as possible. Only the first `shown` columns get room.
  static BankColumns presented(const Painter& p, int banks, int shown);

  float x(int bank) const { return left + pitch * static_cast<float>(bank); }
  // Returns the box of `banks` neighbouring columns. The gap after the last column is not part of the box.
  Box box(int bank, float y, float height, int banks = 1) const {
    return {x(bank), y, pitch * static_cast<float>(banks) - gap, height};
  }
  // Returns the box of `bytes` bytes from the byte `byte` on. A column is 4 bytes wide, and all rows begin at
  // the left. The gap after a narrow box is smaller.
  Box box_of_bytes(std::int64_t byte, float y, float height, int bytes) const {
    const float whole = pitch * static_cast<float>(bytes) / 4;
    return {left + pitch * static_cast<float>(byte % (4 * count)) / 4, y, whole - std::min(gap, whole / 4),
            height};
  }
  float centre(int bank) const { return x(bank) + (pitch - gap) / 2; }

  int count;
  int shown;  // the columns that are drawn; the others have no contents
  float left, pitch, gap;
};

// unpadded_rows() returns how many rows of 32 words the largest shared memory of a launch takes without
// padding. padded_rows() adds the rows that padding needs, whether this run has padding or not. So pictures
// keep their heights, and rows keep their places, when padding is added. For a comparison, both functions
// return the larger number of the two runs.
int unpadded_rows(const Recording& recording);
int padded_rows(const Recording& recording);
int unpadded_rows(const ViewInput& in);
int padded_rows(const ViewInput& in);

// Returns how many columns the run's shared memory needs: `banks`, or a smaller power of two from 8 on if the
// largest shared memory of a launch has so few words.
int columns_in_use(const Recording& recording, int banks);

// Returns the width in dp that the views memory, lanes x banks, and warps reserve at the right of the
// columns. There the memory view draws a small picture of the whole memory, and lanes x banks a small picture
// of all wavefronts. Returns 0 if the memory has few rows or the picture is narrow.
float room_beside_banks(const Recording& recording, float width);
float room_beside_banks(const ViewInput& in);

// Marks the upper right corner of a box, so that readers see a conflict even without the colour.
void notch(Painter& p, const Box& box, Colour colour);

// Draws the numbers of the banks at the painter's top, and a target for each bank. Narrow columns get only
// every 2nd or 4th number. A number has the colour of conflicts if the request needs several words of this
// bank.
void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover);

// Draws, above the number of each bank with a conflict, how many wavefronts this bank needs. These numbers
// are above the rows, because there they keep their places when padding is added. `brief` shortens the label
// at the left.
void bank_degrees(Painter& p, const BankColumns& banks, const SharedRequest& request, bool brief);

// Draws a dashed line in the place of rows that are left out.
void dashed_gap(Painter& p, const BankColumns& banks, float y);

}  // namespace upsweep
