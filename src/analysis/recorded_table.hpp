// Keeps the picture that a run read, and the summed-area table that the run wrote.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/box_sum.hpp"
#include "analysis/depth_of_field.hpp"
#include "picture/picture.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The shape of a picture of numbers. The numbers of a pixel are neighbours in memory.
struct PictureShape {
  int rows = 0, columns = 0, channels = 1;
  std::size_t at(int row, int column, int channel = 0) const {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
            static_cast<std::size_t>(column)) *
               static_cast<std::size_t>(channels) +
           static_cast<std::size_t>(channel);
  }
  std::int64_t pixels() const { return std::int64_t{rows} * columns; }
  std::size_t numbers() const { return at(rows, 0); }
  bool operator==(const PictureShape&) const = default;
};

// The errors of a recorded table. The exact table is computed in float64.
struct TableErrors {
  std::vector<double> cells;  // the recorded cell minus the exact cell, in the order of the table
  double largest = 0;         // the largest absolute error
  std::size_t worst = 0;      // the index of the first cell with the largest error
  std::int64_t wrong = 0;     // the number of cells with an error
  // The largest error that a float32 table would have if the mean were subtracted first. Upsweep computes
  // this error, because the recorded kernel does not subtract the mean. 0 for other types.
  double if_centred = 0;
};

// A picture with depths, and the table of the picture.
struct LensScene {
  DepthOfField field;
  int rows = 0, columns = 0;
  bool is_recorded = false;  // whether the run read this picture
};

class RecordedTable {
 public:
  // Requires that the input and the output both have shape.numbers() elements, and that each element is one
  // number.
  RecordedTable(const Trace& trace, const PictureShape& shape);

  const PictureShape& shape() const { return shape_; }
  bool is_rounded() const { return is_real(type_); }  // whether operations of this type round their results
  bool is_float32() const { return type_ == Scalar::float32; }
  // number() returns a number of the picture. cell() returns a recorded cell of the table.
  double number(int row, int column, int channel) const { return picture_[shape_.at(row, column, channel)]; }
  long double cell(int row, int column, int channel) const;
  // Returns the four recorded cells with which the sum of a box is computed, see Corners.
  Corners<long double> corners_of(const AreaBox& box, int channel) const;
  // Returns the sum of a box, computed from the four cells of corners_of(). Sums of whole numbers wrap around
  // as in the recorded type.
  long double sum(const AreaBox& box, int channel) const;

  // The number that is drawn black, and the number that is drawn white. If all numbers of the picture are
  // from 0 to 255 and at least one number is 64 or more, black is 0 and white is 255. Otherwise, black is the
  // smallest number and white is the largest number.
  double black() const { return black_; }
  double white() const { return white_; }
  // Returns the mean of a box as a brightness from 0 to 255. The mean is computed from four recorded cells.
  std::uint8_t mean(const AreaBox& box, int channel) const;

  // The picture and the table as 8-bit pictures. In the picture of the table, the largest number is white.
  const Picture& picture() const { return shown_picture_; }
  const Picture& table() const { return shown_table_; }
  // Returns the picture in which each pixel is the mean of the box around the pixel. A box has `width` rows
  // and `width` columns, and is cut at the borders. `width` must be odd. The time does not depend on the
  // width.
  Picture box_means(int width) const;

  const TableErrors& errors() const { return errors_; }
  // Returns the scene that is drawn with depth of field. If the run's picture is the built-in scene and has
  // at most 512 x 512 pixels, returns the run's picture. Otherwise, returns the built-in scene with 512
  // columns.
  const std::shared_ptr<const LensScene>& lens() const { return lens_; }

  // The buffer to which a launch writes the picture's numbers, and the order of the numbers in this buffer.
  struct Written {
    int buffer = -1;          // an index into Trace::buffers; -1 if the launch does not write these numbers
    bool transposed = false;  // the numbers are stored column by column, not row by row
    // All numbers of channel 0 come first, then all numbers of channel 1, and so on.
    bool in_planes = false;
  };
  // `grid` is an index into Trace::grids.
  const Written& written_by(int grid) const { return written_[static_cast<std::size_t>(grid)]; }

 private:
  void find_scale();
  void find_errors();
  void find_written(const Trace& trace);

  PictureShape shape_;
  Scalar type_;
  std::vector<double> picture_;
  std::vector<std::uint64_t> whole_;  // the table for whole numbers; otherwise empty
  std::vector<double> real_;          // the table for real numbers; otherwise empty
  double black_ = 0, white_ = 255;
  Picture shown_picture_, shown_table_;
  TableErrors errors_;
  std::shared_ptr<const LensScene> lens_;
  std::vector<Written> written_;
};

}  // namespace upsweep
