// Draws the numbers from which the sum of a box is computed: the four cells of the summed-area table. Also
// describes the picture that is computed from the sums of boxes.
#pragma once
#include <string>
#include <vector>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

inline constexpr const char* channel_names[] = {tr_noop("red"), tr_noop("green"), tr_noop("blue")};

// Returns a number as text. Whole numbers have grouped thousands, and other numbers have seven significant
// digits.
std::string number_text(long double number);

// Returns the colour of a corner's letter: A, B, C or D.
Colour corner_colour(char letter, const Theme& theme);

// The sizes in dp of the three forms of BoxSums at the scale 1: a column, a narrow column, and lines.
struct SumsSize {
  // The size of the column. If the height is only `least_height`, the mean is left out.
  float width, height, least_height;
  float narrow_width, narrow_height;  // the narrow column
  float line_width, line_height;      // the size of all lines, without the mean below
  int lines;                          // the number of lines: one for each channel
};

// Draws the recorded numbers of the cells D, B, C and A with their signs, and the sum and the mean that are
// computed from these numbers. A picture with three channels has three numbers for each cell.
class BoxSums {
 public:
  BoxSums(const RecordedTable& table, const AreaBox& box);
  // Returns the sizes for the longest numbers of the table. The sizes do not depend on the box, so that
  // nothing else moves when the box moves.
  static SumsSize size(const RecordedTable& table);
  // Draws the cells one below another. `narrow` leaves out most words. `is_done` is true if the table
  // is complete in the shown step.
  void draw_column(Painter& p, const Box& room, float scale, bool is_done, bool narrow) const;
  // Draws the cells as an equation in one line. A picture with several channels has one line for each
  // channel.
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

// Draws a slider with its name and value above. The knob is at slider.place.
void draw_slider(Painter& p, const Box& room, float scale, const char* name, const std::string& value,
                 const SliderId& slider, const Id& hover);

// Returns sentences about the picture that is computed from boxes, for example the number of cells that the
// picture reads. `frame` is the picture with depth of field that the window shows, or null.
std::vector<std::string> result_sentences(const RecordedTable& table, const ImageLook& look,
                                          const LensFrame* frame = nullptr);

}  // namespace upsweep
