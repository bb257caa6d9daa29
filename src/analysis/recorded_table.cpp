#include "analysis/recorded_table.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/table_error.hpp"
#include "base/bands.hpp"
#include "picture/small_scene.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr int lens_side = 512, lens_rows = 384;

std::vector<double> channel_of(std::span<const double> all, std::size_t channel, std::size_t channels) {
  std::vector<double> numbers;
  numbers.reserve(all.size() / channels);
  for (std::size_t i = channel; i < all.size(); i += channels) numbers.push_back(all[i]);
  return numbers;
}

// Converts a share from 0 to 1 into a number from 0 to 255. Returns 0 for smaller shares and for NaN, and 255
// for larger shares.
std::uint8_t byte_of(double share) {
  return !(share > 0) ? 0 : share >= 1 ? 255 : static_cast<std::uint8_t>(share * 255 + 0.5);
}

// Returns numbers as an 8-bit picture. `low` becomes black and `high` white.
Picture shown(const PictureShape& shape, std::span<const double> numbers, double low, double high) {
  Picture picture = black_picture(shape.rows, shape.columns, shape.channels);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    picture.values[i] = high > low ? byte_of((numbers[i] - low) / (high - low)) : 0;
  return picture;
}

// Returns the whole number of this type whose lowest bits are `bits`.
long double number_of_bits(std::uint64_t bits, Scalar type) {
  switch (type) {
    case Scalar::int32: return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    case Scalar::uint32: return static_cast<std::uint32_t>(bits);
    default: return static_cast<long double>(static_cast<std::int64_t>(bits));
  }
}

LensScene made_lens(SmallScene scene, int channels, bool is_recorded) {
  const int rows = scene.colour.rows, columns = scene.colour.columns;
  return {DepthOfField(with_channels(scene.colour, channels), std::move(scene.depth)), rows, columns,
          is_recorded};
}

const std::shared_ptr<const LensScene>& own_lens() {
  static const auto made =
      std::make_shared<const LensScene>(made_lens(small_scene(lens_rows, lens_side), 3, false));
  return made;
}

// Returns the scene for depth of field, see RecordedTable::lens().
std::shared_ptr<const LensScene> lens_of(const PictureShape& shape, const std::vector<double>& numbers) {
  if (shape.pixels() <= std::int64_t{lens_side} * lens_side) {
    SmallScene scene = small_scene(shape.rows, shape.columns);
    const std::vector<std::uint8_t> values = with_channels(scene.colour, shape.channels).values;
    if (std::equal(values.begin(), values.end(), numbers.begin(), numbers.end()))
      return std::make_shared<const LensScene>(made_lens(std::move(scene), shape.channels, true));
  }
  return own_lens();
}

}  // namespace

RecordedTable::RecordedTable(const Trace& trace, const PictureShape& shape)
    : shape_(shape), type_(trace.settings.type) {
  picture_.reserve(shape.numbers());
  for (const Value& v : trace.input) picture_.push_back(static_cast<double>(scalar(v, type_)));
  for (const Value& v : trace.output) {
    if (is_real(type_)) real_.push_back(static_cast<double>(scalar(v, type_)));
    else whole_.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(scalar(v, type_))));
  }
  find_scale();
  find_errors();
  lens_ = lens_of(shape_, picture_);
  find_written(trace);
}

void RecordedTable::find_scale() {
  const auto [low, high] = std::minmax_element(picture_.begin(), picture_.end());
  const bool is_8_bit = *low >= 0 && *high <= 255 && *high >= 64;
  if (!is_8_bit) {
    black_ = *low;
    white_ = *high > *low ? *high : *low + 1;
  }
  shown_picture_ = shown(shape_, picture_, black_, white_);
}

void RecordedTable::find_errors() {
  const auto channels = static_cast<std::size_t>(shape_.channels);
  std::vector<double> table = real_;
  for (const std::uint64_t bits : whole_) table.push_back(static_cast<double>(number_of_bits(bits, type_)));
  const auto [low, high] = std::minmax_element(table.begin(), table.end());
  shown_table_ = shown(shape_, table, std::min(0., *low), *high);
  errors_.cells.resize(table.size());
  for (std::size_t k = 0; k < channels; ++k) {
    const std::vector<double> numbers = channel_of(picture_, k, channels);
    const std::vector<double> errors = errors_of(channel_of(table, k, channels), numbers, shape_.columns);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      errors_.cells[channels * i + k] = errors[i];
      errors_.wrong += errors[i] != 0;
    }
    if (type_ == Scalar::float32)
      errors_.if_centred = std::max(
          errors_.if_centred, largest_error(table_errors(numbers, shape_.columns, TableNumbers::centred)));
  }
  const auto worst = std::max_element(errors_.cells.begin(), errors_.cells.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  errors_.largest = std::abs(*worst);
  errors_.worst = static_cast<std::size_t>(worst - errors_.cells.begin());
}

// Finds the buffer to which each launch writes the picture's numbers, and the order of the numbers in this
// buffer. Each launch with the phase `transpose` exchanges the rows and columns of the numbers. If there are
// several channels, scratch memory holds all numbers of one channel, then all numbers of the next channel.
void RecordedTable::find_written(const Trace& trace) {
  written_.resize(trace.grids.size());
  for (const Event& e : trace.events) {
    if (e.kind != Kind::global_store || e.buffer >= trace.buffers.size()) continue;
    const GlobalBuffer& b = trace.buffers[e.buffer];
    if (b.cells == Cells::elements && b.count == static_cast<std::int64_t>(shape_.numbers()))
      written_[e.grid].buffer = e.buffer;
  }
  bool transposed = false;
  for (std::size_t g = 0; g < written_.size(); ++g) {
    if (has_phase(trace, static_cast<int>(g), Phase::transpose)) transposed = !transposed;
    written_[g].transposed = transposed;
    written_[g].in_planes = shape_.channels > 1 && written_[g].buffer >= trace.roles().first_scratch();
  }
}

long double RecordedTable::cell(int row, int column, int channel) const {
  const std::size_t at = shape_.at(row, column, channel);
  return is_real(type_) ? real_[at] : number_of_bits(whole_[at], type_);
}

Corners<long double> RecordedTable::corners_of(const AreaBox& box, int channel) const {
  return corners(box, [&](int row, int column) { return cell(row, column, channel); });
}

long double RecordedTable::sum(const AreaBox& box, int channel) const {
  if (is_real(type_)) return corners_of(box, channel).sum();
  const auto bits = [&](int row, int column) { return whole_[shape_.at(row, column, channel)]; };
  return number_of_bits(corners(box, bits).sum(), type_);
}

std::uint8_t RecordedTable::mean(const AreaBox& box, int channel) const {
  const double mean = static_cast<double>(sum(box, channel)) / static_cast<double>(box.pixels());
  return byte_of((mean - black_) / (white_ - black_));
}

Picture RecordedTable::box_means(int width) const {
  Picture picture = black_picture(shape_.rows, shape_.columns, shape_.channels);
  const int reach = width / 2;
  in_bands(shape_.rows, [&](int begin, int end) {
    std::uint8_t* to = &picture.values[picture.at(begin, 0)];
    for (int row = begin; row < end; ++row)
      for (int column = 0; column < shape_.columns; ++column) {
        const AreaBox box = box_around(row, column, reach, shape_.rows, shape_.columns);
        for (int k = 0; k < shape_.channels; ++k) *to++ = mean(box, k);
      }
  });
  return picture;
}

}  // namespace upsweep
