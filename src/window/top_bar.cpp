#include "window/top_bar.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/language.hpp"
#include "catalogue/data.hpp"
#include "window/top_bar_frame.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

std::optional<std::uint64_t> seed_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::uint64_t x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return x;
}

const char* note_of(Scalar s) {
  switch (s) {
    case Scalar::int32: return tr("4 bytes, wraps around");
    case Scalar::uint32: return tr("4 bytes, wraps around");
    case Scalar::float16: return tr("2 bytes, 11-bit precision: two elements per word");
    case Scalar::int64: return tr("8 bytes, wraps around");
    case Scalar::float32: return tr("4 bytes, 24-bit precision");
    case Scalar::float64: return tr("8 bytes: half a warp per wavefront");
  }
  return "";
}

const char* note_of(Operator o) {
  switch (o) {
    case Operator::sum: return "a + b";
    case Operator::product: return "a × b";
    case Operator::min: return tr("the smaller");
    case Operator::max: return tr("the larger");
    case Operator::affine: return tr("x → a·x + b, one map after the other; the order matters");
    case Operator::own: break;
  }
  return "";
}

// Returns the rows of a list: one row for each Scalar or for each Operator.
template <class E>
std::vector<Row> rows_of(std::span<const std::string_view> names, E now) {
  std::vector<Row> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto each = static_cast<E>(i);
    all.push_back({std::string(names[i]), note_of(each), each == now});
  }
  return all;
}

}  // namespace

void TopBarFrame::draw() {
  // Opens a field only after the mouse button is released. Otherwise, the same click would count as a click
  // outside of the field, and would take the keyboard from the field.
  const Field later = ImGui::IsMouseDown(0) ? std::exchange(state.opening, Field::none) : Field::none;
  const Field opening = state.opening;  // this frame may change state.opening
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({px(look.width), px(look.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("bar", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar();
  toolkit.push(Toolkit::Font::plain);
  fields();
  right_side();
  find();
  ImGui::PopFont();
  ImGui::End();
  if (state.opening == opening) state.opening = later;
}

void TopBarFrame::fields() {
  gap = std::clamp((look.width - 1240) / 36, 0.0f, 16.0f);
  // If the fields need the room, the program's name is not shown.
  x = 24 + width_of("Upsweep", Toolkit::Font::large) + 16;
  if (room_for_title() >= 2 * least_title_width) text(24, 16, "Upsweep", theme.text, Toolkit::Font::large);
  else x = 16;
  algorithm();
  const float title_end = x;
  elements();
  block();
  if (session_.algorithm().uses_grid) grid();
  type();
  if (chooses_operator(session_.algorithm())) op();
  // A copy, because a click in one of the lists may change the session.
  const std::vector<Choice> choices = session_.algorithm().choices;
  const Choice* padding = padding_of(session_.algorithm());
  // The key V opens the list of the first choice that is neither padding nor load_pattern.
  Field own = Field::variant;
  for (const Choice& c : choices) {
    const Field field = padding && c.name == padding->name ? Field::layout
                        : c.name == "load_pattern"         ? Field::load_pattern
                                                           : std::exchange(own, Field::none);
    choice(c, field);
  }
  bar_.names_end_ = x + width_of(tr("data"), Toolkit::Font::small) + 12;
  data();
  bar_.fields_end_ = x;
  bar_.after_title_ = x - title_end;
}

float TopBarFrame::room_for_title() const {
  return look.width - x - bar_.after_title_ - gap - key_button_width(tr("More"), "") - 100;
}

void TopBarFrame::elements() {
  constexpr float button = 18, margin = 8;
  const float digits = ImGui::CalcTextSize(bar_.n_text_.c_str()).x / look.scale;
  const float box = std::max(46.0f, std::ceil(digits) + 2 * margin + 2);
  text(x + margin, 10, "n", theme.faint_text, Toolkit::Font::small);
  ImGui::SetCursorScreenPos(at(x, 24));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, at(8, 2));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, packed({0, 0, 0, 0}));
  const bool entered = input("##n", bar_.n_text_, box, "", state.opening == Field::n);
  place("n");
  if (ImGui::IsItemActive()) state.open = Field::n;
  tip(tr("Number of elements, such as 1,000 or 2^20; then press Enter"), Field::n);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const int n = session_.settings().n;
  if (entered || ImGui::IsItemDeactivatedAfterEdit()) {
    if (const auto wanted = element_count(bar_.n_text_)) session_.set_n(*wanted);
    else
      session_.complain(
          tr("\"{}\" is not a number of elements: enter a whole number, such as 64 or 2^20.", bar_.n_text_));
  }
  if (!ImGui::IsItemActive()) bar_.n_text_ = grouped(session_.settings().n);
  x += box;
  if (small_button("−", tr("half as many elements"), button)) session_.set_n(std::max(1, n / 2));
  if (small_button("+", tr("twice as many elements"), button)) session_.set_n(std::int64_t{2} * n);
  x += 4 + gap;
}

void TopBarFrame::block() {
  const int block = session_.settings().block;
  if (!begin_list(Field::block, tr("block"), counted(block, "thread"), tr("Threads in a block"))) return;
  std::vector<Row> all;
  std::vector<int> sizes;
  const Algorithm& a = session_.algorithm();
  for (int size = 32; size <= 1024; size *= 2) {
    if (size < a.least_threads || size > a.most_threads) continue;
    const int warps = size / 32;
    all.push_back({grouped(size), counted(warps, "warp"), size == block});
    sizes.push_back(size);
  }
  if (const int chosen = rows(all); chosen >= 0) session_.set_block(sizes[static_cast<std::size_t>(chosen)]);
  end_list();
}

void TopBarFrame::grid() {
  const int grid = session_.settings().grid;
  if (!begin_list(Field::grid, tr("grid"), fmt::format("≤ {}", counted(grid, "block")),
                  tr("Maximum number of blocks; their threads loop over the array")))
    return;
  std::vector<Row> all;
  std::vector<int> sizes;
  for (const int size : {1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 1024}) {
    all.push_back(
        {grouped(size), counted(std::int64_t{size} * session_.settings().block, "thread"), size == grid});
    sizes.push_back(size);
  }
  if (const int chosen = rows(all); chosen >= 0) session_.set_grid(sizes[static_cast<std::size_t>(chosen)]);
  end_list();
}

void TopBarFrame::choice(const Choice& c, Field field) {
  const Algorithm& a = session_.algorithm();
  const std::string now(chosen(a, session_.settings(), c.name));
  const Option* named = c.option(now);
  const std::string shown = named ? c.shown(now) : now.size() > 14 ? now.substr(0, 13) + "…" : now;
  std::string& typed = bar_.formula_texts_[c.name];
  const bool nothing = c.typed == Choice::Typed::nothing;
  if (!begin_list(field, tr(c.label.c_str()), shown,
                  nothing
                      ? tr(c.about)
                      : tr(c.about) + std::string(named && !named->note.empty() ? tr(named->note) : now))) {
    typed = named ? "" : now;
    return;
  }
  std::vector<Row> all;
  for (const Option& o : c.options) {
    std::string note(tr(o.note));
    for (const Scalar type : o.types)
      note += (note.empty() ? tr("only ") : ", ") + std::string(upsweep::name(type));
    for (const Operator op : o.operators)
      note += (note.empty() ? tr("only ") : " · ") + std::string(upsweep::name(op));
    all.push_back({c.shown(o.name), note, o.name == now});
  }
  // Keys choose an option only while the input below the options is empty. If the current option is a text
  // that the user typed earlier, the input contains this text. In this case, keys choose an option only after
  // an arrow key was pressed.
  const bool arrows = times(GLFW_KEY_UP) + times(GLFW_KEY_DOWN) > 0 || state.marked >= 0;
  const bool by_keys = nothing || ((named ? typed.empty() : typed == now && arrows) &&
                                   ImGui::GetIO().InputQueueCharacters.empty());
  const int taken = rows(all, by_keys);
  if (taken >= 0) session_.set_choice(c.name, c.options[static_cast<std::size_t>(taken)].name);
  if (!nothing) {
    heading(tr(c.typed_note.c_str()));
    const bool opened = ImGui::IsWindowAppearing();
    if (input("##formula", typed, 240, c.example.c_str(), opened) && !typed.empty() && taken < 0) {
      session_.set_choice(c.name, typed);
      close_list();
    }
  }
  end_list();
}

void TopBarFrame::type() {
  const Scalar type = session_.settings().type;
  if (!begin_list(Field::type, tr("type"), std::string(name(type)), tr("Type of the elements"))) return;
  if (const int chosen = rows(rows_of(scalar_names, type)); chosen >= 0)
    session_.set_type(static_cast<Scalar>(chosen));
  end_list();
}

void TopBarFrame::op() {
  const Settings& s = session_.settings();
  const Operator op = s.op;
  const std::string text = operator_text(s), shown = text.size() > 18 ? text.substr(0, 17) + "…" : text;
  std::string &expression = bar_.formula_texts_[tr("operator")],
              &identity = bar_.formula_texts_[tr("identity")];
  if (!begin_list(Field::op, tr("operator"), shown, tr("The operator that combines two elements"))) {
    expression = s.expression;
    identity = s.identity;
    bar_.writing_ = false;
    return;
  }
  // Typed text goes into the expression. While the expression is empty, the arrow keys choose an operator.
  if (const int chosen = rows(rows_of(operator_names, op), expression.empty()); chosen >= 0)
    session_.set_operator(static_cast<Operator>(chosen));
  heading(tr("or your own operator on a and b, with its identity"));
  const bool entered = input("##operator", expression, 240, tr("for example a + b - a*b"),
                             !std::exchange(bar_.writing_, true));
  ImGui::SameLine();
  if ((input("##identity", identity, 90, tr("0 if empty"), false) || entered) && !expression.empty()) {
    session_.set_own_operator(expression, identity.empty() ? "0" : identity);
    ImGui::CloseCurrentPopup();
  }
  end_list();
}

void TopBarFrame::data() {
  const DataSource& now = session_.data();
  if (!begin_list(Field::data, tr("data"), label(now, session_.settings().n), tr("The input numbers"))) {
    bar_.seed_text_ = std::to_string(now.seed);
    if (now.kind == DataSource::Kind::typed) bar_.numbers_text_ = now.text;
    return;
  }
  heading(tr("random, from a seed"));
  const bool entered = input("##seed", bar_.seed_text_, 120, "3", false);
  ImGui::SameLine();
  const bool next = ImGui::Button(tr("another seed"));
  if (entered || next) {
    const auto seed = seed_of(bar_.seed_text_);
    if (seed) session_.set_data({DataSource::Kind::seed, next ? *seed + 1 : *seed, {}});
    else
      session_.complain(tr("\"{}\" is not a seed: enter a whole number from 0, such as 3.", bar_.seed_text_));
    if (seed) bar_.seed_text_ = std::to_string(session_.data().seed);
    if (entered) close_list();
  }
  heading(tr("preset"));
  std::vector<Row> all;
  std::vector<std::string> names;
  for (const Preset& p : presets()) {
    if (!is_for(p, session_.settings())) continue;
    all.push_back(
        {p.name, std::string(tr(p.what)), now.kind == DataSource::Kind::preset && now.text == p.name});
    names.emplace_back(p.name);
  }
  all.push_back({tr("small scene"), tr("A picture: four spheres on a chequered floor."),
                 now.kind == DataSource::Kind::scene});
  if (const auto chosen = static_cast<std::size_t>(rows(all, !was_typing)); chosen < names.size())
    session_.set_data({DataSource::Kind::preset, now.seed, names[chosen]});
  else if (chosen < all.size()) session_.set_data({DataSource::Kind::scene, now.seed, {}});
  heading(session_.settings().op == Operator::affine
              ? tr("or your own numbers: two for each element, a and b of a·x + b")
              : tr("or your own numbers, which decide n"));
  if (input("##numbers", bar_.numbers_text_, 320, "3 1 7 0 4 1 6 3", false) && !bar_.numbers_text_.empty()) {
    session_.set_data({DataSource::Kind::typed, now.seed, bar_.numbers_text_});
    close_list();
  }
  end_list();
}

void TopBar::draw(Session& session, const Toolkit& toolkit, const BarLook& look,
                  std::span<const Chord> keys) {
  TopBarFrame(*this, state_, session, toolkit, look, keys).draw();
}

}  // namespace upsweep
