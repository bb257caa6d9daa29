#include "window/bar_pen.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"

namespace upsweep {

BarPen::BarPen(BarState& s, const Toolkit& t, const BarLook& l, std::span<const Chord> k)
    : state(s), toolkit(t), look(l), theme(l.theme), keys(k) {
  state.tip.clear();
  state.places.clear();
  state.open = Field::none;
  state.has_keyboard = false;
  was_typing = std::exchange(state.typing, false);
}

float BarPen::width_of(std::string_view text, Toolkit::Font font) const {
  toolkit.push(font);
  const float w = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x / look.scale;
  ImGui::PopFont();
  return w;
}

void BarPen::text(float x, float y, std::string_view words, Colour colour, Toolkit::Font font) const {
  toolkit.push(font);
  ImGui::GetWindowDrawList()->AddText(at(x, y), packed(colour), words.data(), words.data() + words.size());
  ImGui::PopFont();
}

void BarPen::ground(float x, float y, float w, float h) const {
  ImGui::GetWindowDrawList()->AddRectFilled(at(x, y), at(x + w, y + h), packed(theme.now_soft), px(6));
}

void BarPen::place(std::string name) const {
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  state.places.push_back({std::move(name), {a.x, a.y, b.x - a.x, b.y - a.y}});
}

void BarPen::tip(std::string words, Action action, int argument) const {
  const std::string_view key = key_of(action, argument);
  if (ImGui::IsItemHovered() && !words.empty())
    state.tip = key.empty() ? words : fmt::format("{}   {}", words, key);
}

void BarPen::tip(std::string words, Field field) const {
  tip(std::move(words), Action::field, static_cast<int>(field));
}

bool BarPen::begin_list(Field field, const char* name, const std::string& value, std::string what,
                        bool large) {
  const auto font = large ? Toolkit::Font::title : Toolkit::Font::plain;
  const float value_width = width_of(value, font), arrow = 14;
  const float w = std::max(large ? 0 : width_of(name, Toolkit::Font::small), value_width + arrow) + 16;
  ImGui::SetCursorScreenPos(at(x, 6));
  const bool clicked = ImGui::InvisibleButton(name, at(w, 44));
  place(name);
  if (ImGui::IsItemHovered() || ImGui::IsPopupOpen(name)) ground(x, 6, w, 44);
  tip(std::move(what), field);
  if (!large) text(x + 8, 10, name, theme.faint_text, Toolkit::Font::small);
  text(x + 8, large ? 17 : 27, value, theme.text, font);
  const ImVec2 c = at(x + 8 + value_width + 9, large ? 29 : 36);
  const float d = px(3.5f);
  ImGui::GetWindowDrawList()->AddTriangleFilled({c.x - d, c.y - d * 0.6f}, {c.x + d, c.y - d * 0.6f},
                                                {c.x, c.y + d * 0.7f}, packed(theme.faint_text));
  const float left = x;
  x += w + (large ? 16 : 0) + gap;
  const bool is_open = open_list(name, clicked || (state.opening == field && field != Field::none), left);
  if (is_open) state.open = field;
  return is_open;
}

bool BarPen::open_list(const char* name, bool open, float edge, bool ends_there) {
  if (open) {
    ImGui::OpenPopup(name);
    state.marked = -1;
  }
  ImGui::SetNextWindowPos(at(edge, 52), ImGuiCond_Always, {ends_there ? 1.0f : 0.0f, 0});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {px(look.width), ImGui::GetIO().DisplaySize.y - px(60)});
  if (!ImGui::BeginPopup(name)) return false;
  state.has_keyboard = true;
  row_ = 0;
  if (pressed(GLFW_KEY_ESCAPE)) close_list();
  return true;
}

int BarPen::rows(const std::vector<Row>& all, bool by_keys) {
  float names = 0, notes = 0;
  for (const Row& r : all) {
    names = std::max(names, width_of(r.name, Toolkit::Font::plain));
    notes = std::max(notes, width_of(r.note, Toolkit::Font::small));
  }
  const int count = static_cast<int>(all.size());
  if (by_keys) {
    const auto selected =
        std::find_if(all.begin(), all.end(), [](const Row& r) { return r.selected; }) - all.begin();
    if (state.marked < 0) state.marked = static_cast<int>(selected) % count;
    const int move = times(GLFW_KEY_DOWN) - times(GLFW_KEY_UP);
    state.marked = std::clamp(state.marked + move, 0, count - 1);
  }
  int chosen = -1;
  for (int i = 0; i < count; ++i) {
    const Row& r = all[static_cast<std::size_t>(i)];
    if (r.heading) heading(r.heading);
    const ImVec2 pos = ImGui::GetCursorScreenPos();
    const float w = names + (notes > 0 ? 20 + notes : 0) + 28, h = 26;
    const bool marked = by_keys && state.marked == i, clicked = row(r, w, h, marked);
    ImGui::SetCursorScreenPos({pos.x, pos.y + px(h)});
    text(pos.x / look.scale + 20 + names + 20, pos.y / look.scale + 7, r.note, theme.faint_text,
         Toolkit::Font::small);
    if (clicked || (marked && pressed(GLFW_KEY_ENTER))) chosen = i;
  }
  if (chosen >= 0) close_list();
  return chosen;
}

bool BarPen::row(const Row& r, float w, float h, bool marked) {
  const ImVec2 pos = ImGui::GetCursorScreenPos();
  ImGui::PushID(row_++);
  const bool clicked = ImGui::InvisibleButton("row", at(w, h));
  place(r.name);
  if (ImGui::IsItemHovered() || marked)
    ImGui::GetWindowDrawList()->AddRectFilled(pos, {pos.x + px(w), pos.y + px(h)}, packed(theme.now_soft),
                                              px(4));
  ImGui::PopID();
  if (r.selected)
    ImGui::GetWindowDrawList()->AddCircleFilled({pos.x + px(8), pos.y + px(h / 2)}, px(3), packed(theme.now));
  text(pos.x / look.scale + 20, pos.y / look.scale + (h - 16) / 2, r.name, theme.text, Toolkit::Font::plain);
  return clicked;
}

namespace {

// Returns a limit for the widths of columns: the greatest limit with which all columns fit into `room`.
// Columns that are narrower than the limit leave room to the other columns.
float widest_column(const std::vector<float>& widths, float room, float between) {
  room -= between * static_cast<float>(widths.size());
  float widest = room / std::max(1.0f, static_cast<float>(widths.size()));
  for (std::size_t i = 0; i < widths.size(); ++i) {
    float narrow = 0;
    int wide = 0;
    for (const float w : widths)
      if (w <= widest) narrow += w;
      else ++wide;
    if (wide == 0) break;
    widest = (room - narrow) / static_cast<float>(wide);
  }
  return widest;
}

// Cuts the names of a column's rows to a width. If the beginnings of two names then look the same, shows the
// last words of the second name instead.
std::vector<std::string> cut_names(const std::vector<Row>& rows, float width) {
  std::vector<std::string> all;
  for (const Row& r : rows) {
    std::string shown = cut(r.name, plain_text, Face::regular, width);
    if (std::ranges::find(all, shown) != all.end())
      for (std::size_t space = r.name.find(' '); space != r.name.npos; space = r.name.find(' ', space + 1)) {
        const std::string end = "…" + r.name.substr(space);
        if (text_width(end, plain_text, Face::regular) > width || std::ranges::find(all, end) != all.end())
          continue;
        shown = end;
        break;
      }
    all.push_back(shown);
  }
  return all;
}

}  // namespace

int BarPen::columns(const std::vector<ListColumn>& all, bool enter, int& looked_at) {
  constexpr float h = 24, head = 26;
  int count = 0, selected = 0;
  for (const ListColumn& c : all)
    for (const Row& r : c.rows) {
      if (r.selected) selected = count;
      count++;
    }
  const int before = state.marked;
  if (state.marked < 0) state.marked = selected;
  // The keys Up and Down go to the previous and the next row, and from the end of a column to the next
  // column. Left and Right go to the same row of the neighbouring column, or to the last row of a shorter
  // column.
  state.marked += times(GLFW_KEY_DOWN) - times(GLFW_KEY_UP);
  for (int side = times(GLFW_KEY_RIGHT) - times(GLFW_KEY_LEFT); side != 0; side += side > 0 ? -1 : 1) {
    int first = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const int rows = static_cast<int>(all[c].rows.size());
      if (state.marked < first + rows) {
        if (side > 0 && c + 1 < all.size())
          state.marked =
              first + rows + std::min(state.marked - first, static_cast<int>(all[c + 1].rows.size()) - 1);
        if (side < 0 && c > 0) {
          const int left = static_cast<int>(all[c - 1].rows.size());
          state.marked = first - left + std::min(state.marked - first, left - 1);
        }
        break;
      }
      first += rows;
    }
  }
  state.marked = std::clamp(state.marked, 0, std::max(0, count - 1));

  const ImVec2 begin = ImGui::GetCursorScreenPos();
  int number = 0, chosen = -1;
  float x0 = begin.x, tallest = 0;
  looked_at = count > 0 ? state.marked : -1;
  std::vector<float> widths;
  for (const ListColumn& c : all) {
    widths.push_back(width_of(c.heading, Toolkit::Font::plain) + 28);
    for (const Row& r : c.rows)
      widths.back() = std::max(widths.back(), width_of(r.name, Toolkit::Font::plain) + 36);
  }
  constexpr float between = 8;
  const float widest = widest_column(widths, look.width - begin.x / look.scale - 16, between);
  auto width = widths.begin();
  for (const ListColumn& c : all) {
    const float w = std::min(*width++, widest);
    text(x0 / look.scale + 20, begin.y / look.scale + 4, cut(c.heading, small_text, Face::regular, w - 20),
         theme.faint_text, Toolkit::Font::small);
    float y = begin.y + px(head);
    const std::vector<std::string> names = cut_names(c.rows, w - 30);
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      ImGui::SetCursorScreenPos({x0, y});
      Row r = c.rows[i];
      r.name = names[i];
      const bool marked = number == state.marked;
      if (marked && state.marked != before) ImGui::SetScrollHereY();
      if (row(r, w, h, marked) || (marked && enter)) chosen = number;
      if (ImGui::IsItemHovered()) looked_at = number;
      y += px(h);
      number++;
    }
    tallest = std::max(tallest, y - begin.y);
    x0 += px(w + between);
  }
  ImGui::SetCursorScreenPos({begin.x, begin.y + tallest});
  ImGui::Dummy({x0 - begin.x, px(4)});
  if (chosen >= 0) close_list();
  return chosen;
}

void BarPen::paragraph(const std::string& words, float width, Colour colour) const {
  toolkit.push(Toolkit::Font::small);
  ImGui::PushStyleColor(ImGuiCol_Text, packed(colour));
  // Does not use ImGui's line breaks, because ImGui breaks lines only at spaces, and Chinese text has no
  // spaces.
  for (const std::string& line : wrapped(words, small_text, Face::regular, width))
    ImGui::TextUnformatted(line.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

bool BarPen::input(const char* id, std::string& value, float width, const char* hint, bool focus) {
  if (focus) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(px(width));
  const bool entered = ImGui::InputTextWithHint(
      id, hint, &value, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool ended =
      compat::loses_keys && ImGui::IsItemActive() && (pressed(GLFW_KEY_ENTER) || pressed(GLFW_KEY_ESCAPE));
  if (ended) compat::release_keyboard();
  if (ImGui::IsItemActive() && !ended) state.typing = state.has_keyboard = true;
  return entered || (ended && pressed(GLFW_KEY_ENTER));
}

void BarPen::heading(const char* words) {
  ImGui::Dummy(at(1, 2));
  toolkit.push(Toolkit::Font::small);
  ImGui::TextDisabled("%s", words);
  ImGui::PopFont();
}

bool BarPen::small_button(const char* sign, const char* what, float w) {
  ImGui::SetCursorScreenPos(at(x, 25));
  const bool clicked = ImGui::InvisibleButton(sign, at(w, 20));
  if (ImGui::IsItemHovered()) ground(x, 25, w, 20);
  if (ImGui::IsItemHovered()) state.tip = capitalised(what);
  text(x + (w - width_of(sign, Toolkit::Font::plain)) / 2, 27, sign, theme.faint_text, Toolkit::Font::plain);
  x += w;
  return clicked;
}

}  // namespace upsweep
