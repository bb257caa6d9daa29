// Draws the view "Keys" in columns. The upper part has one column for each key before the pass. The lower
// part has one column for each key after the pass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/language.hpp"
#include "scene/views/key_picture.hpp"

namespace upsweep {

namespace {
constexpr float names_width = 64, widest_column = 56, chip_gap = 2, track_pitch = 8, least_arrows = 24;
}  // namespace

KeyColumns::KeyColumns(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box)
    : KeyPen(p, in, pass), box_(box), equal_lines_(lines_of_equal_keys()) {
  left_ = box_.x + names_width;
  pitch_ = std::min(widest_column,
                    (box_.w - names_width) / static_cast<float>(std::max<std::int64_t>(1, pass_.size)));
  // The row of keys is always drawn. Other rows are added in the order of their importance while there is
  // enough room.
  std::vector<Row> rows = {Row::key};
  if (has_values()) rows.push_back(Row::value);
  if (pass_.bits > 0) rows.push_back(Row::digit);
  float left = box_.h - least_arrows;
  for (const Row row : rows) left -= height(row) * (row == Row::digit ? 1 : 2);
  if (left < 0 || std::ssize(pass_.before) < pass_.size || !texts_fit()) return;
  for (const Row row : {Row::scan, Row::place, Row::index, Row::zero}) {
    const float needed = height(row) * (row == Row::index ? 2 : 1);
    if (!has(row) || left < needed) continue;
    left -= needed;
    rows.push_back(row);
  }
  // Lines join equal keys. If there is not enough room for all lines, no lines are drawn.
  if (track_pitch * static_cast<float>(KeyPen::tracks(equal_lines_)) > left) equal_lines_.clear();
  const float lines = track_pitch * static_cast<float>(KeyPen::tracks(equal_lines_));
  std::sort(rows.begin(), rows.end());
  float y = box_.y;
  for (const Row row : rows) {
    before_.push_back({row, y});
    y += height(row);
  }
  from_ = y;
  y = to_ = std::min(box_.y + box_.h - lines, y + 150) -
            (height(Row::key) + (has_values() ? height(Row::value) : 0) +
             (before_.front().row == Row::index ? height(Row::index) : 0));
  for (const Row row : {Row::key, Row::value, Row::index})
    if (std::ranges::find(rows, row) != rows.end()) {
      after_.push_back({row, y});
      y += height(row);
    }
  tracks_ = y;
}

bool KeyColumns::has(Row row) const {
  if (row == Row::zero || row == Row::scan) return pass_.kind == KeyPass::Kind::split;
  return row != Row::value || has_values();
}

float KeyColumns::height(Row row) { return row == Row::key || row == Row::value ? 17.0f : 13.0f; }

const char* KeyColumns::name(Row row) const {
  switch (row) {
    case Row::index: return tr("place");
    case Row::key: return tr("key");
    case Row::value: return tr("value");
    case Row::digit: return pass_.bits == 1 ? tr("bit") : tr("digit");
    case Row::zero: return tr("zero?");
    case Row::scan: return pass_.scan.empty() || pass_.scan_finished ? tr("scan") : tr("partial sums");
    case Row::place: return tr("goes to");
  }
  return "";
}

// Finds the largest text size at which all keys and values fit into their columns. Returns false if no size
// fits.
bool KeyColumns::texts_fit() {
  for (const float size : {12.0f, 11.0f, 10.0f, 9.0f}) {
    const auto fits = [&](const std::string& text) {
      return text_width(text, size, Face::mono) + chip_gap + 4 <= pitch_;
    };
    const std::int64_t last = std::max(pass_.from.first, pass_.to.first) + pass_.size;
    size_ = size;
    if (fits(std::to_string(last)) && std::ranges::all_of(pass_.before, [&](const KeyPass::Key& k) {
          return fits(key_text(k)) && fits(value_text(k));
        }))
      return true;
  }
  size_ = 0;
  return false;
}

std::string KeyColumns::text(Row row, const KeyPass::Key& k) const {
  const auto i = static_cast<std::size_t>(k.index);
  const auto number = [&](const std::vector<std::optional<std::uint32_t>>& all) {
    return i < all.size() && all[i] ? std::to_string(*all[i]) : std::string();
  };
  switch (row) {
    case Row::index: return std::to_string(k.index);
    case Row::key: return k.known ? key_text(k) : "";
    case Row::value: return value_text(k);
    case Row::digit: return k.known && k.element != Moves::none ? std::to_string(pass_.digit(order(k))) : "";
    case Row::zero: return number(pass_.flags);
    case Row::scan: return number(pass_.scan);
    case Row::place: return shows_place(k) ? std::to_string(pass_.to.first + k.place) : "";
  }
  return {};
}

void KeyColumns::draw() {
  for (const auto* rows : {&before_, &after_})
    for (const Placed& row : *rows)
      p_.text({box_.x, row.y + height(row.row) / 2}, name(row.row), p_.theme.faint_text, 10);
  if (!equal_lines_.empty())
    p_.text({box_.x, tracks_ + track_pitch / 2}, cut(tr("equal"), 10, Face::regular, names_width - 4),
            p_.theme.faint_text, 10);
  for_each_arrow([&](const KeyPass::Key& k) {
    arrow({x(k.index), from_ + 1}, {x(k.place), to_ - 1}, Course::down, k);
  });
  for (const Placed& row : before_)
    for (const KeyPass::Key& k : pass_.before) cell(row, k, false);
  for (const Placed& row : after_)
    for (const KeyPass::Key& k : pass_.after) cell(row, k, true);
  for (const KeyPass::Key& k : pass_.before)
    if (const Id id = id_of(k); !is_nothing(id))
      p_.target({x(k.index) - pitch_ / 2, box_.y, pitch_, from_ - box_.y}, id);
  for (const KeyPass::Key& k : pass_.after)
    if (const Id id = id_of(k); !is_nothing(id) && k.arrived)
      p_.target({x(k.index) - pitch_ / 2, to_, pitch_, tracks_ - to_}, id);
  draw_equal_lines(equal_lines_, [&](std::int64_t index, int track) {
    return Point{x(index), tracks_ + track_pitch * (static_cast<float>(track) + 0.5f)};
  });
}

void KeyColumns::cell(const Placed& row, const KeyPass::Key& k, bool after) {
  const Theme& t = p_.theme;
  const float h = height(row.row), middle = row.y + h / 2;
  const Point at{x(k.index), middle};
  if (row.row == Row::key || row.row == Row::value) {
    const Box box{at.x - pitch_ / 2 + chip_gap / 2, row.y + 1, pitch_ - chip_gap, h - 2};
    if (!k.known || (after && !k.arrived)) return p_.rect(box, {.stroke = t.line, .width = 1, .radius = 4});
    const bool is_key = row.row == Row::key;
    chip(box, text(row.row, k), k, is_key ? std::optional(colour(k, after)) : std::nullopt, size_);
    if (is_key && is_pointed(k))
      p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2}, {.stroke = t.text, .width = 2, .radius = 5});
    return;
  }
  std::string words = text(row.row, k);
  if (row.row == Row::index) words = std::to_string((after ? pass_.to : pass_.from).first + k.index);
  const bool coloured = row.row == Row::digit || (row.row == Row::zero && words == "1");
  p_.text(at, words,
          coloured                ? colour(k)
          : row.row == Row::index ? t.faint_text
                                  : t.text,
          std::min(size_, 11.0f), row.row == Row::digit ? Face::bold : Face::regular, Align::centre);
}

}  // namespace upsweep
