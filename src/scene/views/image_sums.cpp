#include "scene/views/image_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/language.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

constexpr float number_size = 12;  // the em of numbers
// float32 stores every whole number up to this number exactly.
constexpr std::int64_t exact_in_float32 = std::int64_t{1} << std::numeric_limits<float>::digits;
// Widths and heights in dp at the scale 1. `narrow_…` is for the narrow column. `line_…` is for the equation
// in one line.
//
// A term of the equation contains a sign, a letter and a number. `line_term` is the width of a term without
// the number.
constexpr float narrow_labels = 34, narrow_pitch = 15;
constexpr float line_names = 42, line_term = 40, line_equals = 16, line_pitch = 17;

}  // namespace

std::string number_text(long double number) {
  constexpr long double most = 1e15L;
  if (std::abs(number) < most && std::trunc(number) == number)
    return grouped(static_cast<std::int64_t>(number));
  return fmt::format("{:.7g}", static_cast<double>(number));
}

Colour corner_colour(char letter, const Theme& t) {
  return letter == 'D' ? t.good : letter == 'A' ? t.broadcast : t.conflict;
}

const BoxSums::Term BoxSums::terms[4] = {{'D', "", tr_noop("all"), &Corners<long double>::d},
                                         {'B', "−", tr_noop("above"), &Corners<long double>::b},
                                         {'C', "−", tr_noop("left"), &Corners<long double>::c},
                                         {'A', "+", tr_noop("both"), &Corners<long double>::a}};

BoxSums::BoxSums(const RecordedTable& table, const AreaBox& box) : table_(table), box_(box) {
  for (int k = 0; k < table.shape().channels; ++k) four_[k] = table.corners_of(box, k);
}

SumsSize BoxSums::size(const RecordedTable& table) {
  const PictureShape& shape = table.shape();
  std::size_t longest = 5;
  if (shape.pixels() > 0)
    for (int k = 0; k < shape.channels; ++k)
      longest = std::max(longest, number_text(table.cell(shape.rows - 1, shape.columns - 1, k)).size());
  const auto channels = static_cast<float>(shape.channels);
  const float number = number_size * advance('0', Face::mono) * static_cast<float>(longest);
  const bool several = shape.channels > 1;
  return {.width = several ? 330.0f : 260.0f,
          .height = 150,
          .least_height = 96,
          .narrow_width = narrow_labels + channels * (number + 6),
          .narrow_height = narrow_pitch * (several ? 7.0f : 6.0f) + 4,
          .line_width = (several ? line_names : 0) + 4 * (line_term + number) + line_equals + number,
          .line_height = line_pitch * channels,
          .lines = shape.channels};
}

std::string BoxSums::mean(int channel) const {
  return fmt::format("{:.5g}",
                     static_cast<double>(table_.sum(box_, channel)) / static_cast<double>(box_.pixels()));
}

void BoxSums::draw_letter(Painter& p, Point at, const Term& term, float scale) {
  p.disc(at, 7 * scale, corner_colour(term.letter, p.theme));
  p.text(at, std::string(1, term.letter), p.theme.on_now, 10 * scale, Face::bold, Align::centre);
}

void BoxSums::draw_column(Painter& p, const Box& room, float scale, bool is_done, bool narrow) const {
  const Theme& t = p.theme;
  const int channels = table_.shape().channels;
  // The number of lines of text, including the heading and the last sentence.
  const int rows = (channels > 1 ? 9 : 8) - (narrow ? 2 : 0);
  const float pitch = std::clamp(room.h / static_cast<float>(rows), 14 * scale, 18 * scale);
  const float size = number_size * scale, large = 13 * scale, labels = (narrow ? narrow_labels : 96) * scale;
  const float column =
      channels > 1 || narrow ? (room.w - labels) / static_cast<float>(channels) : 110 * scale;
  float y = room.y + 7 * scale;
  const auto fits = [&] { return y + size / 2 <= room.y + room.h; };
  std::size_t longest = 1;  // the number of characters of the longest number
  for (int k = 0; k < channels; ++k)
    for (const Term& term : terms) longest = std::max(longest, number_text(four_[k].*term.cell).size());
  const float fitting = (column - 6) / (advance('0', Face::mono) * static_cast<float>(longest));
  const float shown_size = std::clamp(fitting, 9.0f, size);
  // With one channel, a narrow column names the areas if there is room between the letter and the number.
  float name_width = 0;
  for (const Term& term : terms)
    name_width = std::max(name_width, text_width(tr(term.area), size, Face::regular));
  const float number_width = shown_size * advance('0', Face::mono) * static_cast<float>(longest);
  const bool has_names =
      !narrow || (channels == 1 && room.w >= narrow_labels * scale + name_width + 8 * scale + number_width);
  const auto numbers = [&](auto number, Colour colour, Face face) {
    for (int k = 0; k < channels; ++k)
      p.text({room.x + labels + column * static_cast<float>(k + 1), y},
             cut(number(k), shown_size, face, column - 6), colour, shown_size, face, Align::right);
    y += pitch;
  };
  if (!narrow) {
    p.text({room.x, y},
           cut(is_done ? tr("Four reads give the sum of any box") : tr("Four reads of the finished table"),
               large, Face::bold, room.w),
           t.text, large, Face::bold);
    y += pitch + 2;
  }
  if (channels > 1)
    numbers([](int k) { return std::string(tr(channel_names[k])); }, t.faint_text, Face::regular);
  for (const Term& term : terms) {
    if (!fits()) return;
    p.text({room.x, y}, term.sign, t.text, large, Face::mono);
    draw_letter(p, {room.x + 22 * scale, y}, term, scale);
    if (has_names) p.text({room.x + narrow_labels * scale, y}, tr(term.area), t.faint_text, size);
    numbers([&](int k) { return number_text(four_[k].*term.cell); }, t.text, Face::mono);
  }
  if (!fits()) return;
  p.line({room.x, y - pitch / 2}, {room.x + labels + column * static_cast<float>(channels), y - pitch / 2},
         t.line);
  p.text({room.x, y}, narrow ? "=" : tr("= sum"), t.now, size, Face::bold);
  numbers([&](int k) { return number_text(table_.sum(box_, k)); }, t.now, Face::mono);
  if (!fits()) return;
  p.text({room.x, y},
         narrow ? tr("mean") : cut(tr("mean of {}", grouped(box_.pixels())), size, Face::regular, labels),
         t.now, narrow ? 10 * scale : size);
  numbers([&](int k) { return mean(k); }, t.now, Face::mono);
  if (narrow || !fits()) return;
  p.text({room.x, y}, cut(tr("B and C both contain A. So A is added back."), size, Face::regular, room.w),
         t.faint_text, size);
}

void BoxSums::draw_line(Painter& p, const Box& room, float scale) const {
  const Theme& t = p.theme;
  const int channels = table_.shape().channels;
  const float size = number_size * scale, pitch = line_pitch * scale,
              names = channels > 1 ? line_names * scale : 0;
  // Five numbers share the remaining width: the four terms and the sum.
  const float room_of_number = (room.w - names - (4 * line_term + line_equals) * scale) / 5;
  const auto number = [&](const std::string& text, float x, float y, Colour colour) {
    const float fitting = room_of_number / text_width(text, 1, Face::mono);
    const float shown_size = std::clamp(fitting, 9.0f, size);
    p.text({x, y}, cut(text, shown_size, Face::mono, room_of_number), colour, shown_size, Face::mono);
  };
  float y = room.y + pitch / 2;
  for (int k = 0; k < channels; ++k, y += pitch) {
    float x = room.x;
    if (channels > 1) p.text({x, y}, tr(channel_names[k]), t.faint_text, size);
    x += names;
    for (const Term& term : terms) {
      p.text({x, y}, term.sign, t.text, size, Face::mono);
      draw_letter(p, {x + 19 * scale, y}, term, scale);
      number(number_text(four_[k].*term.cell), x + 30 * scale, y, t.text);
      x += line_term * scale + room_of_number;
    }
    p.text({x, y}, "=", t.now, size, Face::bold);
    number(number_text(table_.sum(box_, k)), x + line_equals * scale, y, t.now);
  }
  // If there is enough room, writes a remark and the mean below.
  const auto fits = [&] { return y + size / 2 <= room.y + room.h; };
  const std::string why = tr("B and C both contain A. So A is added back.");
  if (fits() && text_width(why, size, Face::regular) <= room.w) {
    p.text({room.x, y}, why, t.faint_text, size);
    y += pitch;
  }
  if (!fits()) return;
  std::string means;
  for (int k = 0; k < channels; ++k) means += (k > 0 ? ", " : "") + mean(k);
  const std::string text = tr("mean of {}: {}", grouped(box_.pixels()), means);
  p.text({room.x, y}, cut(text, size, Face::regular, room.w), t.now, size);
}

void draw_slider(Painter& p, const Box& room, float scale, const char* name, const std::string& value,
                 const SliderId& slider, const Id& hover) {
  const Theme& t = p.theme;
  const float y = room.y + 7 * scale, size = 13 * scale;
  const float left_for_name = room.w - text_width(value, size, Face::regular) - 8 * scale;
  p.text({room.x, y}, cut(name, size, Face::bold, left_for_name), t.text, size, Face::bold);
  p.text({room.x + room.w, y}, value, t.text, size, Face::regular, Align::right);
  constexpr float thick = 4, knob = 7, reach = 11;
  const float track = y + 17 * scale, left = room.x + knob, w = room.w - 2 * knob;
  const float at = w * static_cast<float>(slider.place) / slider_end;
  p.rect({left, track - thick / 2, w, thick}, t.line, thick / 2);
  p.rect({left, track - thick / 2, at, thick}, t.now, thick / 2);
  p.disc({left + at, track}, is<SliderId>(hover) ? knob + 1 : knob, t.now);
  p.target({left, track - reach, w, 2 * reach}, SliderId{slider.view, slider.slider});
}

namespace {

std::vector<std::string> error_sentences(const RecordedTable& table) {
  const TableErrors& e = table.errors();
  const bool whole = !table.is_rounded();
  if (e.wrong == 0 && whole) return {tr("No cell has an error: whole numbers are not rounded.")};
  if (e.wrong == 0) {
    std::vector<std::string> all = {tr("No cell has an error: no sum had to be rounded.")};
    if (table.is_float32())
      all.push_back(tr("float32 stores every whole number up to {} exactly. Larger sums are often rounded.",
                       grouped(exact_in_float32)));
    return all;
  }
  if (whole)
    return {tr("{cells_have} wrapped around: the sums are too large for the type.",
               fmt::arg("cells_have", counted(e.wrong, "cell has", "cells have"))),
            tr("The sum of a box is still correct if this sum fits into the type. The sums stay small if the "
               "mean is subtracted first.")};
  const PictureShape& shape = table.shape();
  const int pixel = static_cast<int>(e.worst / static_cast<std::size_t>(shape.channels));
  std::vector<std::string> all = {
      tr("{cells_are} rounded. The largest error is {error}, in row {row}, column {column}.",
         fmt::arg("cells_are", counted(e.wrong, "cell is", "cells are")),
         fmt::arg("error", figures_text(e.largest)), fmt::arg("row", grouped(pixel / shape.columns)),
         fmt::arg("column", grouped(pixel % shape.columns)))};
  if (e.if_centred > 0 || table.is_float32())
    all.push_back(
        tr("If the mean were subtracted first, the largest error would be {}. Sums of integers are "
           "not rounded.",
           figures_text(e.if_centred)));
  return all;
}

// Returns a sentence that says if the CPU or a GPU drew the frame, and how long the drawing took.
std::string frame_sentence(const LensFrame& frame) {
  const std::string time = time_text(frame.seconds);
  return frame.gpu.empty() ? tr("Drawn by the CPU in {}, without the time for the table.", time)
                           : tr("Drawn by {} in {}, including the time for the table.", frame.gpu, time);
}

}  // namespace

std::vector<std::string> result_sentences(const RecordedTable& table, const ImageLook& look,
                                          const LensFrame* frame) {
  const PictureShape& shape = table.shape();
  const char* each = shape.channels > 1 ? tr("for each channel ") : "";
  if (look.made == Made::errors) return error_sentences(table);
  if (look.made == Made::depth_of_field) {
    std::vector<std::string> all;
    if (!table.lens()->is_recorded)
      all.push_back(tr("The run's picture has no depths. So this is the built-in scene of {} × {} pixels.",
                       table.lens()->columns, table.lens()->rows));
    if (frame && !frame->gpu_error.empty()) all.push_back(frame->gpu_error);
    if (frame && frame->picture.rows > 0) all.push_back(frame_sentence(*frame));
    all.emplace_back(tr("A pixel far from the focus gets a wide box. Each box reads at most 4 cells."));
    all.emplace_back(tr("Ctrl I saves the picture."));
    return all;
  }
  const std::int64_t width = box_width(look, shape);
  return {tr("Each pixel reads at most 4 cells {}at every width. Without the table, each pixel would read up "
             "to {}.",
             each, counted(width * width, "pixel")),
          tr("At the upper and left border, cells outside the table are 0 and are not read. Ctrl I saves the "
             "picture.")};
}

}  // namespace upsweep
