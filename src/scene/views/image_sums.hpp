// Writes the sum of a box: the four cells of the summed-area table, and the sum that follows from them. Also
// describes the picture that is made from such sums: what it costs and what it shows.
#pragma once
#include <string>
#include <vector>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

inline constexpr const char* channel_names[] = {tr_noop("red"), tr_noop("green"), tr_noop("blue")};

// Returns a whole number with grouped thousands, and any other number with seven significant digits.
std::string number_text(long double number);

// The colour of a corner's letter: A, B, C or D.
Colour corner_colour(char letter, const Theme& theme);

// The sizes in dp of the forms of BoxSums, if `scale` is 1.
struct SumsSize {
  float width, height, least_height;  // the column; with the least height, the mean is left out
  float narrow_width, narrow_height;  // the narrow column
  float line_width, line_height;      // the line, or the lines of all channels without the mean
  int lines;
};

// Writes the recorded cells D, B, C and A with their signs, and the sum and the mean that follow from them. A
// picture with three channels has three numbers instead of one.
class BoxSums {
 public:
  BoxSums(const RecordedTable& table, const AreaBox& box);
  // Returns the sizes for the longest numbers of the table. They do not depend on the box, so that nothing
  // moves when the box moves.
  static SumsSize size(const RecordedTable& table);
  // Writes the cells one below the other. `narrow` leaves out the words. `is_done` says whether the step that
  // is shown has the complete table.
  void draw_column(Painter& p, const Box& room, float scale, bool is_done, bool narrow) const;
  // Writes the cells as one equation in a line, or in a line for each channel.
  void draw_line(Painter& p, const Box& room, float scale) const;

 private:
  struct Term {
    char letter;
    const char *sign, *area;
    long double Corners<long double>::*cell;
  };
  static const Term terms[4];
  static void draw_letter(Painter& p, Point at, const Term& term, float scale);
  std::string mean(int channel) const;

  const RecordedTable& table_;
  AreaBox box_;
  Corners<long double> four_[3];
};

// Draws a slider at the top of a room, with its name and value above it. The knob is at slider.place.
void draw_slider(Painter& p, const Box& room, float scale, const char* name, const std::string& value,
                 const SliderId& slider, const Id& hover);

// Returns sentences about the picture that is made from boxes: how many cells of the table it reads, how its
// error can be reduced, and so on. `frame` is the picture with depth of field that the window shows, if any.
std::vector<std::string> result_sentences(const RecordedTable& table, const ImageLook& look,
                                          const LensFrame* frame = nullptr);

}  // namespace upsweep
