// Draws the view "Keys" as a table. The left part has one row for each key before the pass. The right part
// has one row for each key after the pass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "scene/views/key_picture.hpp"
#include "trace/value.hpp"

namespace upsweep {

namespace {
constexpr float table_gap = 8, track_width = 9, least_way = 80, most_way = 400, least_bit = 7;
}  // namespace

KeyTable::KeyTable(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box)
    : KeyPen(p, in, pass), box_(box) {
  lay_out();
}

void KeyTable::draw() {
  headers();
  for_each_arrow([&](const KeyPass::Key& k) {
    arrow({from_, y(k.index)}, {to_, y(k.place)}, Course::across, k);
  });
  for (const KeyPass::Key& k : pass_.before) row(k);
  for (const KeyPass::Key& k : pass_.after) chips(k, right_, true);
  draw_equal_lines(equal_lines_, [&](std::int64_t index, int track) {
    return Point{right_.index + index_width_ + track_width * (static_cast<float>(track) + 0.5f), y(index)};
  });
}

// --- layout

void KeyTable::lay_out() {
  const auto rows = static_cast<float>(std::max<std::int64_t>(1, pass_.size));
  pitch_ = std::floor(std::min(30.0f, (box_.h - header_) / rows));
  top_ = box_.y + header_;
  if (pitch_ < 13) return;
  size_ = std::clamp(pitch_ - 5, 9.0f, 13.0f);
  for (const KeyPass::Key& k : pass_.before) {
    key_width_ = std::max(key_width_, text_width(key_text(k), size_, Face::mono) + 12);
    value_width_ = std::max(value_width_, text_width(value_text(k), size_, Face::mono) + 8);
  }
  key_width_ = std::max(key_width_, 34.0f);
  value_width_ = has_values() ? std::max(value_width_, 36.0f) : 0.0f;
  const std::int64_t last = std::max(pass_.from.first, pass_.to.first) + pass_.size - 1;
  index_width_ = text_width(std::to_string(last), 10, Face::regular) + table_gap;
  const float value = value_width_ > 0 ? value_width_ + 3 : 0.0f;
  equal_lines_ = lines_of_equal_keys();
  const float side = index_width_ + key_width_ + value,
              tracks = track_width * static_cast<float>(KeyPen::tracks(equal_lines_)) +
                       (equal_lines_.empty() ? 0.0f : 24.0f);
  const float goes = 48, scan = pass_.kind == KeyPass::Kind::split ? 48.0f : 0.0f;
  const int bits = shown_bits();
  const float gaps = 3 * static_cast<float>((bits - 1) / 8);
  // If there is not enough room for all columns, leaves out the columns of the scan first, and then the bits.
  const float left = box_.w - 2 * side - tracks - goes - least_way - 2 * table_gap - 12;
  const auto bit_room = [&](float others) {
    return std::min(15.0f, (left - others - table_gap - gaps) / static_cast<float>(bits));
  };
  const bool scanned = scan > 0 && bit_room(2 * scan) >= least_bit;
  bit_width_ = bit_room(scanned ? 2 * scan : 0);
  if (bit_width_ < least_bit) bit_width_ = 0;
  if (left < 0) return;
  left_.index = box_.x;
  left_.key = left_.index + index_width_;
  left_.value = left_.key + key_width_ + 3;
  left_.end = left_.key + key_width_ + value;
  float x = left_.end + table_gap;
  if (bit_width_ > 0) {
    bits_ = x;
    x += bit_width_ * static_cast<float>(bits) + gaps + table_gap;
  }
  if (scanned) {
    flags_ = x;
    scan_ = x + scan;
    x += 2 * scan;
  }
  goes_ = x;
  from_ = x + goes;
  const float way = std::min(most_way, box_.x + box_.w - tracks - side - from_ - table_gap);
  to_ = from_ + way;
  right_.key = to_ + 4;
  right_.value = right_.key + key_width_ + 3;
  right_.end = right_.key + key_width_ + value;
  right_.index = right_.end + table_gap;
}

float KeyTable::bit_x(int bit) const {
  const int place = shown_bits() - 1 - bit, bytes = (shown_bits() - 1) / 8 - bit / 8;
  return bits_ + bit_width_ * static_cast<float>(place) + 3 * static_cast<float>(bytes);
}

// --- drawing

void KeyTable::headers() {
  const Colour faint = p_.theme.faint_text;
  const float y = box_.y + header_ / 2 - 2;
  const auto head = [&](float x, float w, const char* words) {
    p_.text({x + w / 2, y}, cut(words, 10, Face::regular, w), faint, 10, Face::regular, Align::centre);
  };
  for (const Side* side : {&left_, &right_}) {
    head(side->key, key_width_, tr("key"));
    if (value_width_ > 0) head(side->value, value_width_, tr("value"));
  }
  if (bit_width_ > 0) {
    const bool raw = trace().settings.type == Scalar::uint32;
    p_.text({bits_, y},
            cut(first_fitting(
                    {tr("{} {} to 0", raw ? tr("bits") : tr("order bits"), shown_bits() - 1), tr("bits")}, 10,
                    Face::regular, goes_ - bits_ - 4),
                10, Face::regular, (scan_ > 0 ? flags_ : goes_) - bits_ - 4),
            faint, 10);
  }
  if (scan_ > 0) {
    head(flags_, 46, tr("zero?"));
    // An unfinished scan contains only partial sums, not the new places of the keys.
    if (pass_.scan.empty() || pass_.scan_finished) head(scan_, 46, tr("scan"));
    else head(scan_ - 10, 60, tr("partial sums"));
  }
  head(goes_, 46, tr("goes to"));
  if (!equal_lines_.empty())
    p_.text({right_.index + index_width_, y},
            cut(tr("equal"), 10, Face::regular, box_.x + box_.w - right_.index - index_width_), faint, 10);
}

void KeyTable::row(const KeyPass::Key& k) {
  const Theme& t = p_.theme;
  const float at = y(k.index);
  chips(k, left_, false);
  if (!k.known) return;
  if (bit_width_ > 0 && k.element != Moves::none) bits_of(k, at);
  const auto i = static_cast<std::size_t>(k.index);
  const auto number = [&](float x, const std::optional<std::uint32_t>& n, Colour c) {
    if (n) p_.text({x + 23, at}, std::to_string(*n), c, size_, Face::mono, Align::centre);
  };
  if (scan_ > 0 && i < pass_.flags.size())
    number(flags_, pass_.flags[i], pass_.flags[i] == 1u ? colour(k) : t.faint_text);
  if (scan_ > 0 && i < pass_.scan.size()) number(scan_, pass_.scan[i], t.text);
  if (shows_place(k))
    p_.text({goes_ + 23, at}, std::to_string(pass_.to.first + k.place), k.arrived ? t.text : t.ghost_text,
            size_, Face::bold, Align::centre);
}

void KeyTable::bits_of(const KeyPass::Key& k, float at) {
  const Theme& t = p_.theme;
  const float size = std::min(size_, bit_width_ < 9 ? 10.0f : 12.0f), high = std::min(pitch_ - 3, 18.0f);
  for (int bit = shown_bits() - 1; bit >= 0; --bit) {
    const bool decides = bit >= pass_.low_bit && bit < pass_.low_bit + pass_.bits;
    const float x = bit_x(bit);
    if (decides || bit_width_ >= 12) {
      const Box b{x + 0.5f, at - high / 2, bit_width_ - 1, high};
      p_.rect(b, decides ? RectStyle{.fill = colour(k), .radius = 2}
                         : RectStyle{.stroke = t.cell_stroke, .width = 1, .radius = 2});
    }
    // Bits below the digit have the normal text colour, because earlier passes have sorted the keys by these
    // bits.
    const Colour c = decides ? t.on_now : pass_.bits > 0 && bit < pass_.low_bit ? t.text : t.faint_text;
    p_.text({x + bit_width_ / 2, at}, (order(k) >> bit & 1) != 0 ? "1" : "0", c, size,
            decides ? Face::bold : Face::mono, Align::centre);
  }
}

// Draws a key and its value. If the key is unknown or has not arrived, draws an empty box.
void KeyTable::chips(const KeyPass::Key& k, const Side& side, bool after) {
  const Theme& t = p_.theme;
  const float at = y(k.index), high = std::min(pitch_ - 3, 24.0f);
  const bool shown = k.known && (!after || k.arrived);
  const Box box{side.key, at - high / 2, key_width_, high};
  const std::int64_t index = (after ? pass_.to : pass_.from).first + k.index;
  p_.text({side.index + (after ? 0 : index_width_ - table_gap), at}, std::to_string(index), t.faint_text, 10,
          Face::regular, after ? Align::left : Align::right);
  const Box value{side.value, box.y, value_width_, high};
  if (!shown) {
    p_.rect(box, {.stroke = t.line, .width = 1, .radius = 4});
    if (value_width_ > 0) p_.rect(value, {.stroke = t.line, .width = 1, .radius = 4});
    return;
  }
  const Id id = id_of(k);
  chip(box, key_text(k), k, colour(k, after), size_);
  if (k.value) chip(value, value_text(k), k, {}, size_);
  if (is_pointed(k))
    p_.rect({box.x - 1, box.y - 1, side.end - side.key + 2, box.h + 2},
            {.stroke = t.text, .width = 2, .radius = 5});
  if (!is_nothing(id))
    p_.target({side.key, at - pitch_ / 2, (after ? side.end : from_) - side.key, pitch_}, id);
}

}  // namespace upsweep
