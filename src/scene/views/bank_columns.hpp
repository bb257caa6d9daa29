// Places and labels one column for each bank. The views "Shared memory", "Lanes x banks" and "Warps" use the
// same columns, so that a bank has the same horizontal position in all three views.
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
  // Returns columns for a presentation. The first `shown` columns fill the whole width of the picture. The
  // other columns are not drawn.
  static BankColumns presented(const Painter& p, int banks, int shown);

  float x(int bank) const { return left + pitch * static_cast<float>(bank); }
  // Returns the box of `banks` neighbouring columns, without the gap after the last column.
  Box box(int bank, float y, float height, int banks = 1) const {
    return {x(bank), y, pitch * static_cast<float>(banks) - gap, height};
  }
  // Returns the box for a piece of memory that begins at the address `byte` and has `bytes` bytes. A column
  // stands for 4 bytes. A gap separates the box from the next piece. The gap is `gap` dp wide, but at most a
  // quarter of the width of the piece.
  Box box_of_bytes(std::int64_t byte, float y, float height, int bytes) const {
    const float whole = pitch * static_cast<float>(bytes) / 4;
    return {left + pitch * static_cast<float>(byte % (4 * count)) / 4, y, whole - std::min(gap, whole / 4),
            height};
  }
  float centre(int bank) const { return x(bank) + (pitch - gap) / 2; }

  int count;
  int shown;  // the number of columns that are drawn; further columns have no contents
  float left, pitch, gap;
};

// The number of rows (32 words each) of the launch with the most shared memory. unpadded_rows() does not
// count padding. padded_rows() counts the usual padding even if this run has no padding. So rows keep their
// places when the reader adds padding.
//
// In a comparison of two runs, the result is the larger number of the two runs.
int unpadded_rows(const Recording& recording);
int padded_rows(const Recording& recording);
int unpadded_rows(const ViewInput& in);
int padded_rows(const ViewInput& in);

// Returns the number of columns that the run's shared memory needs. Usually returns `banks`. If every launch
// has fewer words, returns the largest number of words, rounded up to a power of two, but at least 8.
int columns_in_use(const Recording& recording, int banks);

// Returns the width in dp that the views "Shared memory", "Lanes x banks" and "Warps" reserve at the right of
// the columns. "Shared memory" draws a small picture of the whole memory there. "Lanes x banks" draws a small
// picture of all wavefronts there. Returns 0 if the memory has few rows or the picture is narrow.
float room_beside_banks(const Recording& recording, float width);
float room_beside_banks(const ViewInput& in);

// Marks the upper right corner of a box, so that readers see a conflict even without colours.
void notch(Painter& p, const Box& box, Colour colour);
// Marks a cell whose value differs from the other run. Draws two dashes at the lower edge of the cell, where
// the dashes do not touch the value.
void two_dashes(Painter& p, const Box& box, Colour colour);

// Draws the numbers of the banks at the painter's top. The numbers react to the mouse. If columns are narrow,
// draws only every 2nd or 4th number. A number has the colour of conflicts if the request needs several words
// of the bank.
void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover);

// For each bank with a conflict, draws the number of wavefronts that this bank needs. The number is above the
// bank's number and above all rows, so that the number keeps its place when the reader adds padding. If
// `brief` is true, the label at the left is shorter.
void bank_degrees(Painter& p, const BankColumns& banks, const SharedRequest& request, bool brief);

// Draws a dashed line that stands for rows that are left out.
void dashed_gap(Painter& p, const BankColumns& banks, float y);

}  // namespace upsweep
