// The table of the view Keys: one row for each key, before the pass at the left and after it at the right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scene/views/key_picture.hpp"
#include "trace/value.hpp"

namespace upsweep {

namespace {
constexpr float table_gap = 8, lane_width = 9, least_way = 80, most_way = 400, least_bit = 7;
constexpr int most_rails = 5;
}  // namespace

KeyTable::KeyTable(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box)
    : KeyPen(p, in, pass), box_(box) {
  lay_out();
}

void KeyTable::draw() {
  headers();
  for (const bool arrived : {false, true})
    for (const KeyPass::Key& k : pass_.before)
      if (k.place >= 0 && k.arrived == arrived && !is_pointed(k)) arrow(k);
  for (const KeyPass::Key& k : pass_.before)
    if (k.place >= 0 && is_pointed(k)) arrow(k);
  for (const KeyPass::Key& k : pass_.before) row(k);
  for (const KeyPass::Key& k : pass_.after) chips(k, right_, true);
  rails();
}

// --- layout

bool KeyTable::has_values() const {
  const auto has = [](const KeyPass::Key& k) { return k.value.has_value(); };
  return std::any_of(pass_.before.begin(), pass_.before.end(), has);
}

std::string KeyTable::key_text(const KeyPass::Key& k) const { return short_text(k.key, trace().settings, 8); }
std::string KeyTable::value_text(const KeyPass::Key& k) const {
  return k.value ? short_text(*k.value, trace().settings, Cells::words, 8) : "";
}

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
  const float side = index_width_ + key_width_ + value,
              lanes = lane_width * static_cast<float>(find_rails()) + (rails_.empty() ? 0.0f : 24.0f);
  const float goes = 48, scan = pass_.kind == KeyPass::Kind::split ? 48.0f : 0.0f;
  const int bits = shown_bits();
  const float gaps = 3 * static_cast<float>((bits - 1) / 8);
  // Leaves out the columns of the scan, and then the bits, if there is no room for them.
  const float left = box_.w - 2 * side - lanes - goes - least_way - 2 * table_gap - 12;
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
  const float way = std::min(most_way, box_.x + box_.w - lanes - side - from_ - table_gap);
  to_ = from_ + way;
  right_.key = to_ + 4;
  right_.value = right_.key + key_width_ + 3;
  right_.end = right_.key + key_width_ + value;
  right_.index = right_.end + table_gap;
}

// Finds the keys that are equal, and gives each group a column. Returns the number of columns.
int KeyTable::find_rails() {
  std::map<std::uint32_t, std::vector<const KeyPass::Key*>> groups;
  for (const KeyPass::Key& k : pass_.after)
    if (k.known && k.element != Moves::none) groups[order(k)].push_back(&k);
  std::vector<Rail> all;
  for (const auto& [bits, keys] : groups) {
    if (keys.size() < 2) continue;
    Rail rail;
    for (const KeyPass::Key* k : keys) {
      rail.in_order = rail.in_order && (rail.at.empty() || keys[rail.at.size() - 1]->element < k->element);
      rail.at.push_back(k->index);
    }
    all.push_back(std::move(rail));
  }
  std::sort(all.begin(), all.end(), [](const Rail& a, const Rail& b) { return a.at < b.at; });
  std::vector<std::int64_t> ends;  // by column
  for (Rail& rail : all) {
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](std::int64_t end) { return end < rail.at[0]; });
    rail.lane = static_cast<int>(free - ends.begin());
    if (rail.lane == most_rails) continue;
    if (free == ends.end()) ends.push_back(0);
    ends[static_cast<std::size_t>(rail.lane)] = rail.at.back();
    rails_.push_back(std::move(rail));
  }
  return static_cast<int>(ends.size());
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
    head(side->key, key_width_, "key");
    if (value_width_ > 0) head(side->value, value_width_, "value");
  }
  if (bit_width_ > 0) {
    const bool raw = trace().settings.type == Scalar::uint32;
    p_.text(
        {bits_, y},
        cut(first_fitting({fmt::format("{} {} to 0", raw ? "bits" : "order bits", shown_bits() - 1), "bits"},
                          10, Face::regular, goes_ - bits_ - 4),
            10, Face::regular, (scan_ > 0 ? flags_ : goes_) - bits_ - 4),
        faint, 10);
  }
  if (scan_ > 0) {
    head(flags_, 46, "zero?");
    head(scan_, 46, "scan");
  }
  head(goes_, 46, "goes to");
  if (!rails_.empty())
    p_.text({right_.index + index_width_, y},
            cut("equal", 10, Face::regular, box_.x + box_.w - right_.index - index_width_), faint, 10);
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
  if (k.place >= 0)
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
    // Bits below the digit have been sorted by before.
    const Colour c = decides ? t.on_now : pass_.bits > 0 && bit < pass_.low_bit ? t.text : t.faint_text;
    p_.text({x + bit_width_ / 2, at}, (order(k) >> bit & 1) != 0 ? "1" : "0", c, size,
            decides ? Face::bold : Face::mono, Align::centre);
  }
}

// Draws a key and its value, or an empty box for a key that has not arrived.
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
  const Colour c = colour(k, after);
  const Id id = id_of(k);
  p_.rect(box, {.fill = mix(t.background, c, 0.16f), .stroke = c, .width = 1, .radius = 4}, id);
  p_.text({box.x + box.w / 2, at}, key_text(k), t.text, size_, Face::mono, Align::centre);
  if (k.value) {
    p_.rect(value, {.fill = t.panel, .stroke = t.cell_stroke, .width = 1, .radius = 4}, id);
    p_.text({value.x + value.w / 2, at}, value_text(k), t.text, size_, Face::mono, Align::centre);
  }
  if (is_pointed(k))
    p_.rect({box.x - 1, box.y - 1, side.end - side.key + 2, box.h + 2},
            {.stroke = t.text, .width = 2, .radius = 5});
  if (!is_nothing(id))
    p_.target({side.key, at - pitch_ / 2, (after ? side.end : from_) - side.key, pitch_}, id);
}

void KeyTable::arrow(const KeyPass::Key& k) {
  const Theme& t = p_.theme;
  const bool now =
      k.event < trace().events.size() && static_cast<int>(trace().events[k.event].step) == in_.cursor.step;
  ArrowStyle style{colour(k), now ? 2.0f : 1.5f, 3};
  if (!k.arrived) style = {mix(t.background, style.colour, 0.3f), 1, 3};
  if (is_pointed(k)) style = {t.text, 2.5f, 4};
  draw_arrow(p_, {from_, y(k.index)}, {to_, y(k.place)}, Course::across, style, id_of(k));
}

// Joins equal keys by a line with a dot for each key. The line has the colour of an agreement if these keys
// have the order of the input.
void KeyTable::rails() {
  const Theme& t = p_.theme;
  const auto has_arrived = [&](std::int64_t index) {
    return pass_.after[static_cast<std::size_t>(index)].arrived;
  };
  for (const Rail& rail : rails_) {
    if (!std::all_of(rail.at.begin(), rail.at.end(), has_arrived)) continue;
    const float x = right_.index + index_width_ + lane_width * (static_cast<float>(rail.lane) + 0.5f);
    const Colour c = rail.in_order ? t.good : t.conflict;
    p_.line({x, y(rail.at.front())}, {x, y(rail.at.back())}, c, 2);
    for (const std::int64_t i : rail.at) p_.disc({x, y(i)}, 3, c);
  }
}

}  // namespace upsweep
