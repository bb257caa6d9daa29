// The sums of boxes in words and numbers: four cells of a summed-area table, the sum that they give, and what
// a picture made of such sums costs or shows.
#pragma once
#include <string>
#include <vector>

#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

inline constexpr const char* channel_names[] = {"red", "green", "blue"};

// Returns a whole number with grouped thousands, and any other number with seven significant digits.
std::string number_text(long double number);

// The colour of a corner's letter: A, B, C or D.
Colour corner_colour(char letter, const Theme& theme);

// Writes the recorded cells D, B, C and A one below the other, with signs, and the sum and the mean below
// them. A picture with three channels has three columns of numbers.
class BoxSums {
 public:
  BoxSums(const RecordedTable& table, const AreaBox& box) : table_(table), box_(box) {}
  // The width and the height in dp that the sums need if `scale` is 1.
  static float width(int channels) { return channels > 1 ? 330.0f : 260.0f; }
  static constexpr float height = 150;
  // `is_done` says whether the step that is shown has the complete table.
  void draw(Painter& p, const Box& room, float scale, bool is_done) const;

 private:
  const RecordedTable& table_;
  AreaBox box_;
};

// Draws a slider at the top of a room, with its name and value above it. The knob is at slider.place.
void draw_slider(Painter& p, const Box& room, float scale, const char* name, const std::string& value,
                 const SliderId& slider, const Id& hover);

// Returns sentences about the picture that is made from boxes: how many cells of the table it reads, how its
// error can be reduced, and so on. `frame` is the picture with depth of field that the window shows, if any.
std::vector<std::string> result_sentences(const RecordedTable& table, const ImageLook& look,
                                          const LensFrame* frame = nullptr);

}  // namespace upsweep
