#include "ui/top_bar.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "catalogue/data.hpp"
#include "scene/names.hpp"
#include "ui/imgui_compat.hpp"

namespace upsweep {
namespace {

ImU32 packed(Colour c) { return IM_COL32(c.r, c.g, c.b, c.a); }

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  Number x{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return x;
}

struct Row {
  std::string name, note;
  bool selected = false;
};

const char* note_of(Scalar s) {
  switch (s) {
    case Scalar::int32: return "4 bytes, wraps around";
    case Scalar::uint32: return "4 bytes, wraps around";
    case Scalar::float32: return "4 bytes, 24-bit precision";
    case Scalar::float64: return "8 bytes: half a warp per wavefront";
  }
  return "";
}

const char* note_of(Operator o) {
  switch (o) {
    case Operator::sum: return "a + b";
    case Operator::product: return "a × b";
    case Operator::min: return "the smaller";
    case Operator::max: return "the larger";
    case Operator::affine: return "x → a·x + b, one after the other: order matters";
  }
  return "";
}

}  // namespace

// One frame of the bar: the pen moves from left to right.
class TopBarFrame {
 public:
  TopBarFrame(TopBar& bar, Session& session, const Toolkit& toolkit, const TopBar::Look& look,
              std::span<const Chord> keys)
      : bar_(bar), session_(session), toolkit_(toolkit), look_(look), t_(look.theme), keys_(keys) {}

  void draw() {
    bar_.tip_.clear();
    bar_.places_.clear();
    bar_.has_keyboard_ = false;
    was_typing_ = std::exchange(bar_.typing_, false);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({px(look_.width), px(look_.height)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("bar", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    toolkit_.push(Toolkit::Font::plain);
    fields();
    right_side();
    ImGui::PopFont();
    ImGui::End();
    bar_.opening_ = Field::none;
  }

 private:
  float px(float dp) const { return std::round(dp * look_.scale); }
  ImVec2 at(float x, float y) const { return {px(x), px(y)}; }

  float width_of(std::string_view text, Toolkit::Font font) const {
    toolkit_.push(font);
    const float w = ImGui::CalcTextSize(text.data(), text.data() + text.size()).x / look_.scale;
    ImGui::PopFont();
    return w;
  }
  void text(float x, float y, std::string_view words, Colour colour, Toolkit::Font font) const {
    toolkit_.push(font);
    ImGui::GetWindowDrawList()->AddText(at(x, y), packed(colour), words.data(), words.data() + words.size());
    ImGui::PopFont();
  }
  void ground(float x, float y, float w, float h) const {
    ImGui::GetWindowDrawList()->AddRectFilled(at(x, y), at(x + w, y + h), packed(t_.now_soft), px(6));
  }
  // Notes where the item just made stands.
  void place(std::string name) const {
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    bar_.places_.push_back({std::move(name), {a.x, a.y, b.x - a.x, b.y - a.y}});
  }
  void tip(std::string words, Action action, int argument) const {
    const std::string_view key = key_of(action, argument);
    if (ImGui::IsItemHovered() && !words.empty())
      bar_.tip_ = key.empty() ? words : fmt::format("{}   {}", words, key);
  }
  void tip(std::string words, Field field) const {
    tip(std::move(words), Action::field, static_cast<int>(field));
  }
  // How often a key was pressed since the last frame.
  int times(int key) const { return static_cast<int>(std::count(keys_.begin(), keys_.end(), Chord{key, 0})); }
  bool pressed(int key) const { return times(key) > 0; }

  // A field that opens a list: its small name over its value, or a large value alone. True while the list is
  // open; end it with end_list().
  bool begin_list(Field field, const char* name, const std::string& value, std::string what,
                  bool large = false) {
    const auto font = large ? Toolkit::Font::title : Toolkit::Font::plain;
    const float value_width = width_of(value, font), arrow = 14;
    const float w = std::max(large ? 0 : width_of(name, Toolkit::Font::small), value_width + arrow) + 16;
    ImGui::SetCursorScreenPos(at(x_, 6));
    const bool clicked = ImGui::InvisibleButton(name, at(w, 44));
    place(name);
    if (ImGui::IsItemHovered() || ImGui::IsPopupOpen(name)) ground(x_, 6, w, 44);
    tip(std::move(what), field);
    if (!large) text(x_ + 8, 10, name, t_.faint_text, Toolkit::Font::small);
    text(x_ + 8, large ? 17 : 27, value, t_.text, font);
    const ImVec2 c = at(x_ + 8 + value_width + 9, large ? 29 : 36);
    const float d = px(3.5f);
    ImGui::GetWindowDrawList()->AddTriangleFilled({c.x - d, c.y - d * 0.6f}, {c.x + d, c.y - d * 0.6f},
                                                  {c.x, c.y + d * 0.7f}, packed(t_.faint_text));
    const float left = x_;
    x_ += w + (large ? 16 : 0) + gap_;
    return open_list(name, clicked || (bar_.opening_ == field && field != Field::none), left);
  }

  bool open_list(const char* name, bool open, float left) {
    if (open) {
      ImGui::OpenPopup(name);
      bar_.marked_ = -1;
    }
    ImGui::SetNextWindowPos(at(left, 52), ImGuiCond_Always);
    if (!ImGui::BeginPopup(name)) return false;
    bar_.has_keyboard_ = true;
    row_ = 0;
    if (pressed(GLFW_KEY_ESCAPE)) ImGui::CloseCurrentPopup();
    return true;
  }
  void end_list() { ImGui::EndPopup(); }

  // Rows of a list, a name and a faint note each. The row that was chosen by mouse or keys, or -1.
  int rows(const std::vector<Row>& all, bool by_keys = true) {
    float names = 0, notes = 0;
    for (const Row& r : all) {
      names = std::max(names, width_of(r.name, Toolkit::Font::plain));
      notes = std::max(notes, width_of(r.note, Toolkit::Font::small));
    }
    const int count = static_cast<int>(all.size());
    if (by_keys) {
      const auto selected =
          std::find_if(all.begin(), all.end(), [](const Row& r) { return r.selected; }) - all.begin();
      if (bar_.marked_ < 0) bar_.marked_ = static_cast<int>(selected) % count;
      const int move = times(GLFW_KEY_DOWN) - times(GLFW_KEY_UP);
      bar_.marked_ = std::clamp(bar_.marked_ + move, 0, count - 1);
    }
    int chosen = -1;
    for (int i = 0; i < count; ++i) {
      const Row& r = all[static_cast<std::size_t>(i)];
      const ImVec2 pos = ImGui::GetCursorScreenPos();
      const float w = names + (notes > 0 ? 20 + notes : 0) + 28, h = 26;
      ImGui::PushID(row_++);
      const bool clicked = ImGui::InvisibleButton("row", at(w, h));
      place(r.name);
      if (ImGui::IsItemHovered() || (by_keys && bar_.marked_ == i))
        ImGui::GetWindowDrawList()->AddRectFilled(pos, {pos.x + px(w), pos.y + px(h)}, packed(t_.now_soft),
                                                  px(4));
      ImGui::PopID();
      ImGui::SetCursorScreenPos({pos.x, pos.y + px(h)});
      const float x = pos.x / look_.scale, y = pos.y / look_.scale;
      if (r.selected)
        ImGui::GetWindowDrawList()->AddCircleFilled({pos.x + px(8), pos.y + px(h / 2)}, px(3),
                                                    packed(t_.now));
      text(x + 20, y + 5, r.name, t_.text, r.selected ? Toolkit::Font::bold : Toolkit::Font::plain);
      text(x + 20 + names + 20, y + 7, r.note, t_.faint_text, Toolkit::Font::small);
      if (clicked || (by_keys && bar_.marked_ == i && pressed(GLFW_KEY_ENTER))) chosen = i;
    }
    ImGui::SetCursorScreenPos(ImGui::GetCursorScreenPos());
    if (chosen >= 0) ImGui::CloseCurrentPopup();
    return chosen;
  }

  // A line that takes text; true when it has been entered.
  bool input(const char* id, std::string& value, float width, const char* hint, bool focus) {
    if (focus) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(px(width));
    const bool entered = ImGui::InputTextWithHint(
        id, hint, &value, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool ended = ImGui::IsItemActive() && (pressed(GLFW_KEY_ENTER) || pressed(GLFW_KEY_ESCAPE));
    if (ended) compat::release_keyboard();
    if (ImGui::IsItemActive() && !ended) bar_.typing_ = bar_.has_keyboard_ = true;
    return entered || (ended && pressed(GLFW_KEY_ENTER));
  }
  void heading(const char* words) {
    ImGui::Dummy(at(1, 2));
    toolkit_.push(Toolkit::Font::small);
    ImGui::TextDisabled("%s", words);
    ImGui::PopFont();
  }

  void fields() {
    gap_ = std::clamp((look_.width - 1240) / 36, 0.0f, 16.0f);
    text(24, 16, "Upsweep", t_.text, Toolkit::Font::large);
    x_ = 24 + width_of("Upsweep", Toolkit::Font::large) + 16;
    algorithm();
    elements();
    block();
    type();
    op();
    if (session_.algorithm().layouts) layout();
    if (session_.algorithm().load_patterns) load_pattern();
    data();
  }

  void algorithm() {
    const Algorithm& a = session_.algorithm();
    if (!begin_list(Field::algorithm, "algorithm", a.title, a.idea, true)) return;
    std::vector<Row> all;
    for (const Algorithm& each : algorithms()) all.push_back({each.title, each.gives, each.name == a.name});
    if (const int chosen = rows(all); chosen >= 0)
      session_.set_algorithm(algorithms()[static_cast<std::size_t>(chosen)].name);
    end_list();
  }

  void elements() {
    constexpr float box = 46, button = 18;
    text(x_ + 8, 10, "n", t_.faint_text, Toolkit::Font::small);
    ImGui::SetCursorScreenPos(at(x_, 24));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, at(8, 2));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, packed({0, 0, 0, 0}));
    const bool entered = input("##n", bar_.n_text_, box, "", bar_.opening_ == Field::n);
    place("n");
    tip("Elements to reduce or scan; Enter takes what you typed", Field::n);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const int n = session_.settings().n;
    if (entered || ImGui::IsItemDeactivatedAfterEdit()) {
      if (const auto wanted = parsed<int>(bar_.n_text_)) session_.set_n(*wanted);
      else
        session_.complain(
            fmt::format("n is a whole number of elements, such as 64; \"{}\" is not one.", bar_.n_text_));
    }
    if (!ImGui::IsItemActive()) bar_.n_text_ = std::to_string(session_.settings().n);
    x_ += box;
    if (small_button("−", "half as many elements", button)) session_.set_n(std::max(1, n / 2));
    if (small_button("+", "twice as many elements", button)) session_.set_n(n * 2);
    x_ += 4 + gap_;
  }

  bool small_button(const char* sign, const char* what, float w) {
    ImGui::SetCursorScreenPos(at(x_, 25));
    const bool clicked = ImGui::InvisibleButton(sign, at(w, 20));
    if (ImGui::IsItemHovered()) ground(x_, 25, w, 20);
    if (ImGui::IsItemHovered()) bar_.tip_ = capitalised(what);
    text(x_ + (w - width_of(sign, Toolkit::Font::plain)) / 2, 27, sign, t_.faint_text, Toolkit::Font::plain);
    x_ += w;
    return clicked;
  }

  void block() {
    const int block = session_.settings().block;
    if (!begin_list(Field::block, "block", counted(block, "thread"), "Threads in the block")) return;
    std::vector<Row> all;
    std::vector<int> sizes;
    for (int size = 32; size <= 1024; size *= 2) {
      const int warps = size / 32;
      all.push_back({grouped(size), counted(warps, "warp"), size == block});
      sizes.push_back(size);
    }
    if (const int chosen = rows(all); chosen >= 0)
      session_.set_block(sizes[static_cast<std::size_t>(chosen)]);
    end_list();
  }

  void type() {
    const Scalar type = session_.settings().type;
    if (!begin_list(Field::type, "type", std::string(name(type)), "Type of the elements")) return;
    std::vector<Row> all;
    for (int i = 0; i < static_cast<int>(std::size(scalar_names)); ++i)
      all.push_back(
          {std::string(scalar_names[i]), note_of(static_cast<Scalar>(i)), static_cast<Scalar>(i) == type});
    if (const int chosen = rows(all); chosen >= 0) session_.set_type(static_cast<Scalar>(chosen));
    end_list();
  }

  void op() {
    const Operator op = session_.settings().op;
    if (!begin_list(Field::op, "operator", std::string(name(op)), "How two elements become one")) return;
    std::vector<Row> all;
    for (int i = 0; i < static_cast<int>(std::size(operator_names)); ++i)
      all.push_back({std::string(operator_names[i]), note_of(static_cast<Operator>(i)),
                     static_cast<Operator>(i) == op});
    if (const int chosen = rows(all); chosen >= 0) session_.set_operator(static_cast<Operator>(chosen));
    end_list();
  }

  void layout() {
    const std::string& layout = session_.settings().layout;
    const bool named =
        std::find(std::begin(layout_names), std::end(layout_names), layout) != std::end(layout_names);
    const std::string shown = named ? layout : layout.size() > 14 ? layout.substr(0, 13) + "…" : layout;
    if (!begin_list(Field::layout, "padding", shown,
                    fmt::format("Element i lies in cell {}", layout_formula(layout)))) {
      bar_.formula_text_ = named ? "" : layout;
      return;
    }
    std::vector<Row> all;
    for (std::string_view each : layout_names)
      all.push_back({std::string(each), layout_formula(each), each == layout});
    if (const int chosen = rows(all, !was_typing_); chosen >= 0)
      session_.set_layout(std::string(layout_names[static_cast<std::size_t>(chosen)]));
    heading("or a formula in i: the cell that element i lies in");
    if (input("##formula", bar_.formula_text_, 240, "i + (i >> 5)", false) && !bar_.formula_text_.empty()) {
      session_.set_layout(bar_.formula_text_);
      ImGui::CloseCurrentPopup();
    }
    end_list();
  }

  void load_pattern() {
    const std::string& pattern = session_.settings().load_pattern;
    if (!begin_list(Field::load_pattern, "load", pattern, "Which two elements a thread loads")) return;
    const std::vector<Row> all = {{"halves", "t and t + half of n", pattern == "halves"},
                                  {"neighbours", "2t and 2t + 1", pattern == "neighbours"}};
    if (const int chosen = rows(all); chosen >= 0)
      session_.set_load_pattern(std::string(load_pattern_names[static_cast<std::size_t>(chosen)]));
    end_list();
  }

  void data() {
    const DataSource& now = session_.data();
    if (!begin_list(Field::data, "data", label(now, session_.settings().n), "The numbers that go in")) {
      bar_.seed_text_ = std::to_string(now.seed);
      if (now.kind == DataSource::Kind::typed) bar_.numbers_text_ = now.text;
      return;
    }
    heading("random, from a seed");
    const bool entered = input("##seed", bar_.seed_text_, 120, "3", false);
    ImGui::SameLine();
    const bool next = ImGui::Button("another seed");
    if (entered || next) {
      const auto seed = parsed<std::uint64_t>(bar_.seed_text_);
      if (seed) session_.set_data({DataSource::Kind::seed, next ? *seed + 1 : *seed, {}});
      else
        session_.complain(
            fmt::format("A seed is a whole number from 0, such as 3; \"{}\" is not one.", bar_.seed_text_));
      if (seed) bar_.seed_text_ = std::to_string(session_.data().seed);
      if (entered) ImGui::CloseCurrentPopup();
    }
    heading("preset");
    std::vector<Row> all;
    for (const Preset& p : presets())
      all.push_back({p.name, p.what, now.kind == DataSource::Kind::preset && now.text == p.name});
    if (const int chosen = rows(all, !was_typing_); chosen >= 0)
      session_.set_data(
          {DataSource::Kind::preset, now.seed, presets()[static_cast<std::size_t>(chosen)].name});
    heading(session_.settings().op == Operator::affine
                ? "or your own: two numbers per element, a and b of a·x + b"
                : "or your own numbers; they decide n");
    if (input("##numbers", bar_.numbers_text_, 320, "3 1 7 0 4 1 6 3", false) &&
        !bar_.numbers_text_.empty()) {
      session_.set_data({DataSource::Kind::typed, now.seed, bar_.numbers_text_});
      ImGui::CloseCurrentPopup();
    }
    end_list();
  }

  void right_side() {
    const Trace& trace = session_.recording().trace;
    const bool gpu = trace.machine == "gpu";
    std::string state = gpu ? trace.device + " · recorded just now"
                        : session_.machine() == MachineChoice::emulated ? "emulator"
                                                                        : "emulator · no GPU found";
    if (trace.dropped > 0)
      state = fmt::format("{} · {} dropped", trace.device,
                          counted(static_cast<std::int64_t>(trace.dropped), "record"));
    if (session_.recording_under_way()) state = "recording…";
    const float edge = look_.width - 24, w = width_of(state, Toolkit::Font::small) + 18, x = edge - w;
    ImGui::SetCursorScreenPos(at(x - 8, 6));
    const bool clicked = ImGui::InvisibleButton("machine", at(w + 16, 22));
    place("machine");
    if (ImGui::IsItemHovered() || ImGui::IsPopupOpen("machine")) ground(x - 8, 6, w + 16, 22);
    tip("The machine that ran the kernel", Action::next_machine, 0);
    const Colour dot = session_.recording_under_way() ? t_.now : gpu ? t_.good : t_.ghost_text;
    ImGui::GetWindowDrawList()->AddCircleFilled(at(x + 4, 17), px(4), packed(dot));
    text(x + 18, 10, state, t_.faint_text, Toolkit::Font::small);
    if (open_list("machine", clicked, std::max(0.0f, edge - 420))) machines();

    float right = edge;
    key_button("Help", "F1", Action::help, right);
    key_button("Theme", "T", Action::theme, right);
    key_button("Present", "P", Action::present, right);
  }

  // "Theme T", placed from the right edge leftwards.
  void key_button(const char* word, const char* key, Action action, float& right) {
    const float word_width = width_of(word, Toolkit::Font::small),
                w = word_width + 5 + width_of(key, Toolkit::Font::small);
    const float x = right - w;
    ImGui::SetCursorScreenPos(at(x - 6, 29));
    const bool clicked = ImGui::InvisibleButton(word, at(w + 12, 22));
    if (ImGui::IsItemHovered()) ground(x - 6, 29, w + 12, 22);
    text(x, 33, word, t_.faint_text, Toolkit::Font::small);
    text(x + word_width + 5, 33, key, t_.text, Toolkit::Font::small);
    if (clicked) perform(session_, {action, 0});
    right = x - 18;
  }

  void machines() {
    const MachineChoice now = session_.machine();
    const std::vector<Row> all = {
        {"automatic", "a GPU where there is one, else the emulator", now == MachineChoice::automatic},
        {"GPU", "the kernel compiled with its recorder on, on real hardware", now == MachineChoice::gpu},
        {"emulator", "the same text compiled for the processor, one fiber per thread",
         now == MachineChoice::emulated}};
    if (const int chosen = rows(all); chosen >= 0) session_.set_machine(static_cast<MachineChoice>(chosen));
    if (bar_.findings_.empty()) bar_.findings_ = examine_machine();
    heading("this computer");
    toolkit_.push(Toolkit::Font::small);
    ImGui::PushTextWrapPos(px(420));
    for (const Finding& f : bar_.findings_) {
      ImGui::TextUnformatted(fmt::format("{} {}", f.found ? "✓" : "–", f.what).c_str());
      if (!f.detail.empty()) ImGui::TextDisabled("    %s", f.detail.c_str());
      if (!f.consequence.empty()) ImGui::TextDisabled("    %s", f.consequence.c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    end_list();
  }

  TopBar& bar_;
  Session& session_;
  const Toolkit& toolkit_;
  const TopBar::Look& look_;
  const Theme& t_;
  std::span<const Chord> keys_;
  float x_ = 0, gap_ = 0;
  int row_ = 0;
  bool was_typing_ = false;  // in the frame before
};

void TopBar::draw(Session& session, const Toolkit& toolkit, const Look& look, std::span<const Chord> keys) {
  TopBarFrame(*this, session, toolkit, look, keys).draw();
}

}  // namespace upsweep
