// Chooses the colours for a picture that may have only a few colours.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

// A colour as 0xRRGGBB, and the number of pixels with this colour.
struct ColourCount {
  std::uint32_t colour = 0;
  std::uint32_t pixels = 0;
};

struct SmallPalette {
  std::vector<std::uint32_t> colours;  // each colour is 0xRRGGBB
  std::vector<std::uint8_t> nearest;   // for each input colour, the index of its replacement in `colours`
};

// Returns a palette of at most `most` colours. `most` is from 1 to 256. All colours in `colours` must be
// different. If `colours` has at most `most` colours, the palette contains every colour. Otherwise, the
// palette contains the most frequent colours. The other colours are grouped by the algorithm median cut.
SmallPalette palette_of(std::span<const ColourCount> colours, int most);

// Gives a number to each different colour of a picture, in the order in which the colours occur.
class ColourTable {
 public:
  ColourTable();
  // Counts one more pixel with this colour, and returns the number of the colour.
  std::uint32_t add(std::uint32_t colour);
  std::span<const ColourCount> colours() const { return colours_; }

 private:
  std::uint32_t find(std::uint32_t colour) const;
  void grow();

  std::vector<ColourCount> colours_;
  // A hash table. A slot contains a colour's number plus 1, or 0 if the slot is empty. The number of slots is
  // a power of two.
  std::vector<std::uint32_t> slots_;
  std::uint32_t last_ = 0;  // the number of the colour that was added last
};

}  // namespace upsweep
