// Chooses the colours of a picture that can have only few colours.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace upsweep {

// A colour as 0xRRGGBB, and how many pixels have it.
struct ColourCount {
  std::uint32_t colour = 0;
  std::uint32_t pixels = 0;
};

struct SmallPalette {
  std::vector<std::uint32_t> colours;  // 0xRRGGBB
  std::vector<std::uint8_t> nearest;   // for each colour of the input, an index into `colours`
};

// Returns a palette of at most `most` colours (1 to 256) for different colours. If there are no more colours,
// the palette is exact. Otherwise frequent colours are exact, and the others are grouped by median cut.
SmallPalette palette_of(std::span<const ColourCount> colours, int most);

// Numbers the different colours of a picture in the order in which they are found.
class ColourTable {
 public:
  ColourTable();
  // Counts one more pixel of a colour, and returns the colour's number.
  std::uint32_t add(std::uint32_t colour);
  std::span<const ColourCount> colours() const { return colours_; }

 private:
  std::uint32_t find(std::uint32_t colour) const;
  void grow();

  std::vector<ColourCount> colours_;
  std::vector<std::uint32_t> slots_;  // a colour's number plus 1, or 0; a power of two
  std::uint32_t last_ = 0;            // the number of the colour that was added last
};

}  // namespace upsweep
