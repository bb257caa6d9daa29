#include "scene/views/image_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {

std::string number_text(long double number) {
  constexpr long double most = 1e15L;
  if (std::abs(number) < most && std::trunc(number) == number)
    return grouped(static_cast<std::int64_t>(number));
  return fmt::format("{:.7g}", static_cast<double>(number));
}

Colour corner_colour(char letter, const Theme& t) {
  return letter == 'D' ? t.good : letter == 'A' ? t.broadcast : t.conflict;
}

void BoxSums::draw(Painter& p, const Box& room, float scale, bool is_done) const {
  const Theme& t = p.theme;
  const int channels = table_.shape().channels;
  const int rows = channels > 1 ? 9 : 8;  // with the heading and the last sentence
  const float pitch = std::clamp(room.h / static_cast<float>(rows), 14 * scale, 18 * scale);
  const float size = 12 * scale, large = 13 * scale, labels = 96 * scale;
  const float column = channels > 1 ? (room.w - labels) / 3 : 110 * scale;
  float y = room.y + 7 * scale;
  const auto fits = [&] { return y + size / 2 <= room.y + room.h; };
  Corners<long double> four[3];
  std::size_t longest = 1;  // the number of characters of the longest cell
  for (int k = 0; k < channels; ++k) {
    four[k] = table_.corners_of(box_, k);
    for (const long double cell : {four[k].a, four[k].b, four[k].c, four[k].d})
      longest = std::max(longest, number_text(cell).size());
  }
  const float fitting = (column - 6) / (advance('0', Face::mono) * static_cast<float>(longest));
  const float number_size = std::clamp(fitting, 9.0f, size);
  const auto numbers = [&](auto number, Colour colour, Face face) {
    for (int k = 0; k < channels; ++k)
      p.text({room.x + labels + column * static_cast<float>(k + 1), y},
             cut(number(k), number_size, face, column - 6), colour, number_size, face, Align::right);
    y += pitch;
  };
  p.text({room.x, y},
         cut(is_done ? "Four reads give the sum of any box" : "Four reads of the finished table", large,
             Face::bold, room.w),
         t.text, large, Face::bold);
  y += pitch + 2;
  if (channels > 1) numbers([](int k) { return std::string(channel_names[k]); }, t.faint_text, Face::regular);
  const struct {
    char letter;
    const char *sign, *area;
    long double Corners<long double>::*cell;
  } terms[] = {{'D', "", "all", &Corners<long double>::d},
               {'B', "−", "above", &Corners<long double>::b},
               {'C', "−", "left", &Corners<long double>::c},
               {'A', "+", "both", &Corners<long double>::a}};
  for (const auto& term : terms) {
    if (!fits()) return;
    p.text({room.x, y}, term.sign, t.text, large, Face::mono);
    const Point at{room.x + 22 * scale, y};
    p.disc(at, 7 * scale, corner_colour(term.letter, t));
    p.text(at, std::string(1, term.letter), t.on_now, 10 * scale, Face::bold, Align::centre);
    p.text({room.x + 34 * scale, y}, term.area, t.faint_text, size);
    numbers([&](int k) { return number_text(four[k].*term.cell); }, t.text, Face::mono);
  }
  if (!fits()) return;
  p.line({room.x, y - pitch / 2}, {room.x + labels + column * static_cast<float>(channels), y - pitch / 2},
         t.line);
  p.text({room.x, y}, "= sum", t.now, size, Face::bold);
  numbers([&](int k) { return number_text(table_.sum(box_, k)); }, t.now, Face::mono);
  if (!fits()) return;
  const auto pixels = static_cast<double>(box_.pixels());
  p.text({room.x, y}, cut(fmt::format("mean of {}", grouped(box_.pixels())), size, Face::regular, labels),
         t.now, size);
  numbers([&](int k) { return fmt::format("{:.5g}", static_cast<double>(table_.sum(box_, k)) / pixels); },
          t.now, Face::mono);
  if (!fits()) return;
  p.text({room.x, y}, cut("B and C both contain A. So A is added back.", size, Face::regular, room.w),
         t.faint_text, size);
}

void draw_slider(Painter& p, const Box& room, float scale, const char* name, const std::string& value,
                 const SliderId& slider, const Id& hover) {
  const Theme& t = p.theme;
  const float y = room.y + 7 * scale, size = 13 * scale;
  p.text({room.x, y}, name, t.text, size, Face::bold);
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
  if (e.wrong == 0 && whole) return {"No cell has an error: whole numbers are not rounded."};
  if (e.wrong == 0) return {"No cell has an error: no sum had to be rounded."};
  if (whole)
    return {fmt::format("{} wrapped around: the sums are too large for the type.",
                        counted(e.wrong, "cell has", "cells have")),
            "A box is still right if its own sum fits. Subtracting the mean keeps the table small."};
  const PictureShape& shape = table.shape();
  const int pixel = static_cast<int>(e.worst / static_cast<std::size_t>(shape.channels));
  std::vector<std::string> all = {fmt::format(
      "{} rounded. The largest error is {}, in row {}, column {}.", counted(e.wrong, "cell is", "cells are"),
      figures_text(e.largest), grouped(pixel / shape.columns), grouped(pixel % shape.columns))};
  if (e.if_centred > 0 || table.is_float32())
    all.push_back(
        fmt::format("With the mean subtracted first, the largest error would be {}. Integers have no error.",
                    figures_text(e.if_centred)));
  return all;
}

// Says who drew a frame, and how long that took.
std::string frame_sentence(const LensFrame& frame) {
  const std::string time = time_text(frame.seconds);
  return frame.gpu.empty() ? fmt::format("Drawn by the CPU in {}, without the table.", time)
                           : fmt::format("Drawn by {} in {}, with the table.", frame.gpu, time);
}

}  // namespace

std::vector<std::string> result_sentences(const RecordedTable& table, const ImageLook& look,
                                          const LensFrame* frame) {
  const PictureShape& shape = table.shape();
  const char* each = shape.channels > 1 ? "for each channel " : "";
  if (look.made == Made::errors) return error_sentences(table);
  if (look.made == Made::depth_of_field) {
    std::vector<std::string> all;
    if (frame && !frame->gpu_error.empty()) all.push_back(frame->gpu_error);
    if (frame && frame->picture.rows > 0) all.push_back(frame_sentence(*frame));
    all.emplace_back("A pixel far from the focus gets a wide box. Each box reads at most 4 cells.");
    all.emplace_back("Ctrl I saves the picture.");
    if (!table.lens()->is_recorded)
      all.push_back(fmt::format("This is the small scene of {} × {} pixels, not the picture of the run.",
                                table.lens()->columns, table.lens()->rows));
    return all;
  }
  const std::int64_t width = box_width(look, shape);
  return {fmt::format(
              "Each pixel reads at most 4 cells {}at every width. Without the table it would read up to {}.",
              each, counted(width * width, "pixel")),
          "At the upper and left border, cells outside the table are 0 and are not read. Ctrl I saves the "
          "picture."};
}

}  // namespace upsweep
