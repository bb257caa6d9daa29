#include "scene/views/bank_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"

namespace upsweep {

BankColumns::BankColumns(const Painter& p, float beside, int banks) : count(banks), shown(banks) {
  left = p.margin + (p.width < 640 ? 64.0f : p.width < 1000 ? 80.0f : 96.0f);
  pitch = (p.width - p.margin - beside - left) / static_cast<float>(count);
  // In wide columns, the pitch is a multiple of 0.5 dp, so that the columns have sharp edges.
  if (pitch > 12) pitch = std::floor(pitch * 2) / 2;
  gap = pitch < 14 ? 1.0f : pitch < 24 ? 2.0f : 3.0f;
}

namespace {

int rows_of(std::int64_t bytes) {
  constexpr std::int64_t row = 4 * bank_count;
  return static_cast<int>(std::max<std::int64_t>(1, (bytes + row - 1) / row));
}

int unpadded_rows(const Trace& trace, const SharedShape& shape) {
  const std::int64_t padding = std::int64_t{shape.buffers} * (shape.cells_per_buffer - shape.elements) *
                               cell_bytes(shape.cells, trace.element_bytes());
  return rows_of(shape.bytes - std::clamp<std::int64_t>(padding, 0, shape.bytes));
}

}  // namespace

int unpadded_rows(const Recording& recording) {
  int most = 1;
  for (const Grid& g : recording.trace.grids) most = std::max(most, unpadded_rows(recording.trace, g.shared));
  return most;
}

BankColumns BankColumns::presented(const Painter& p, int banks, int shown) {
  BankColumns c(p, 0, banks);
  c.shown = shown;
  c.left = p.margin + 36;
  c.pitch = (p.width - p.margin - c.left) / static_cast<float>(shown);
  c.gap = c.pitch < 14 ? 1.0f : c.pitch < 24 ? 2.0f : c.pitch < 48 ? 3.0f : 5.0f;
  return c;
}

int columns_in_use(const Recording& recording, int banks) {
  std::int64_t words = 0;
  for (const Grid& g : recording.trace.grids)
    words = std::max(words, (static_cast<std::int64_t>(g.shared.bytes) + 3) / 4);
  int columns = 8;
  while (columns < banks && columns < words) columns *= 2;
  return std::min(columns, banks);
}

int padded_rows(const Recording& recording) {
  // Reserves room for the usual paddings, which add at most one word after every 16 words.
  constexpr int words_between = 16;
  int most = 1;
  for (const Grid& g : recording.trace.grids) {
    const int rows = unpadded_rows(recording.trace, g.shared);
    most = std::max({most, rows_of(g.shared.bytes), rows + (rows + words_between - 1) / words_between});
  }
  return most;
}

int unpadded_rows(const ViewInput& in) {
  return std::max(unpadded_rows(in.recording), in.beside ? unpadded_rows(in.beside->recording) : 0);
}
int padded_rows(const ViewInput& in) {
  return std::max(padded_rows(in.recording), in.beside ? padded_rows(in.beside->recording) : 0);
}

float room_beside_banks(const Recording& recording, float width) {
  constexpr int few_rows = 6;
  return padded_rows(recording) <= few_rows || width < 900 ? 0 : std::min(224.0f, width * 0.17f) + 24;
}
float room_beside_banks(const ViewInput& in) {
  return std::max(room_beside_banks(in.recording, in.width),
                  in.beside ? room_beside_banks(in.beside->recording, in.width) : 0.0f);
}

void notch(Painter& p, const Box& box, Colour colour) {
  const float side = std::min({8.0f, box.w * 0.4f, box.h * 0.5f});
  if (side < 2) return;
  const float right = box.x + box.w;
  p.triangle({right - side, box.y}, {right, box.y}, {right, box.y + side}, colour);
}

void two_dashes(Painter& p, const Box& box, Colour colour) {
  const float length = std::min(8.0f, box.w * 0.28f), gap = length / 2, middle = box.x + box.w / 2;
  for (const float x : {middle - gap / 2 - length, middle + gap / 2})
    p.rect({x, box.y + box.h - 3, length, 2}, colour);
}

void bank_degrees(Painter& p, const BankColumns& banks, const SharedRequest& request, bool brief) {
  const float y = p.top + 6;
  for (int b = 0; b < banks.shown; b++)
    if (request.words[b] > 1) {
      const std::string text = fmt::format("{}{}", request.words[b], banks.pitch >= 26 ? " ×" : "");
      p.text({banks.centre(b), y}, text, p.theme.conflict, banks.pitch < 16 ? 9.0f : 11.0f, Face::bold,
             Align::centre);
    }
  if (request.cost.excess() > 0) {
    const float size = p.width < 640 ? 10.0f : 11.0f, room = banks.left - 12;
    p.text({banks.left - 12, y},
           first_fitting({brief ? tr("wavefr.") : tr("wavefronts"), tr("wavefr."), ""}, size, Face::regular,
                         room),
           p.theme.conflict, size, Face::regular, Align::right);
  }
}

void dashed_gap(Painter& p, const BankColumns& banks, float y) {
  for (float x = banks.left; x < banks.x(banks.shown) - banks.gap; x += 8)
    p.line({x, y}, {x + 3, y}, p.theme.faint_text, 1);
}

void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover) {
  const Theme& t = p.theme;
  const bool large = banks.pitch >= 40;
  const float size = banks.pitch < 16 ? 9.0f : large ? 14.0f : 10.5f, y = p.top + 6;
  const int every = banks.pitch < 9 ? 4 : banks.pitch < 15 ? 2 : 1;
  p.text({banks.left - 12, y}, tr("bank"), t.faint_text, size, Face::regular, Align::right);
  for (int bank = 0; bank < banks.shown; bank++) {
    const bool conflict = request.words[bank] > 1;
    const bool lit = hover == Id(BankId{bank});
    if (lit) p.rect(banks.box(bank, y - 8, 16), {.stroke = t.text, .width = 1, .radius = 3});
    if (bank % every == 0)
      p.text({banks.centre(bank), y}, std::to_string(bank),
             conflict ? t.conflict
             : lit    ? t.text
                      : t.faint_text,
             size, conflict || lit ? Face::bold : Face::regular, Align::centre);
    p.target({banks.x(bank), y - 8, banks.pitch, 16}, BankId{bank});
  }
}

}  // namespace upsweep
