#include "ui/top_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "catalogue/data.hpp"
#include "scene/names.hpp"
#include "trace/stamp.hpp"
#include "ui/shipped.hpp"

namespace upsweep {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  Number x{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return x;
}

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

// "recorded on NVIDIA H200, 21 November 2026".
std::string recorded(const std::string& device, const std::string& date) {
  return "recorded on " + device + (date.empty() ? "" : ", " + day_of(date));
}

}  // namespace

// One frame of the bar, from left to right.
class TopBarFrame : BarPen {
 public:
  TopBarFrame(TopBar& bar, BarState& remembered, Session& session, const Toolkit& tools,
              const BarLook& bar_look, std::span<const Chord> pressed_keys)
      : BarPen(remembered, tools, bar_look, pressed_keys), bar_(bar), session_(session) {}

  void draw() {
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
    ImGui::PopFont();
    ImGui::End();
    state.opening = Field::none;
  }

 private:
  void fields() {
    gap = std::clamp((look.width - 1240) / 36, 0.0f, 16.0f);
    text(24, 16, "Upsweep", theme.text, Toolkit::Font::large);
    x = 24 + width_of("Upsweep", Toolkit::Font::large) + 16;
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
    text(x + 8, 10, "n", theme.faint_text, Toolkit::Font::small);
    ImGui::SetCursorScreenPos(at(x, 24));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, at(8, 2));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, packed({0, 0, 0, 0}));
    const bool entered = input("##n", bar_.n_text_, box, "", state.opening == Field::n);
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
    x += box;
    if (small_button("−", "half as many elements", button)) session_.set_n(std::max(1, n / 2));
    if (small_button("+", "twice as many elements", button)) session_.set_n(n * 2);
    x += 4 + gap;
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
    if (const int chosen = rows(all, !was_typing); chosen >= 0)
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
    if (const int chosen = rows(all, !was_typing); chosen >= 0)
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
    const bool gpu = trace.machine == "gpu", opened = session_.shows_opened();
    std::string said = gpu ? trace.device + " · recorded just now"
                       : session_.machine() == MachineChoice::emulated ? "emulator"
                                                                       : "emulator · no GPU found";
    if (opened) said = recorded(trace.device, trace.date);
    if (trace.dropped > 0)
      said = fmt::format("{} · {} dropped", trace.device,
                         counted(static_cast<std::int64_t>(trace.dropped), "record"));
    if (session_.recording_under_way()) said = "recording…";
    const float edge = look.width - 24, w = width_of(said, Toolkit::Font::small) + 18, x = edge - w;
    ImGui::SetCursorScreenPos(at(x - 8, 6));
    const bool clicked = ImGui::InvisibleButton("machine", at(w + 16, 22));
    place("machine");
    if (ImGui::IsItemHovered() || ImGui::IsPopupOpen("machine")) ground(x - 8, 6, w + 16, 22);
    tip("The machine that ran the kernel", Action::next_machine, 0);
    const Colour dot = session_.recording_under_way() ? theme.now : gpu ? theme.good : theme.ghost_text;
    ImGui::GetWindowDrawList()->AddCircleFilled(at(x + 4, 17), px(4), packed(dot));
    text(x + 18, 10, said, theme.faint_text, Toolkit::Font::small);
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
    text(x, 33, word, theme.faint_text, Toolkit::Font::small);
    text(x + word_width + 5, 33, key, theme.text, Toolkit::Font::small);
    if (clicked) perform(session_, {action, 0});
    right = x - 18;
  }

  // Where a kernel can run, then what ran elsewhere: the recording that was opened, and those that come with
  // the program.
  void machines() {
    const Opened& opened = session_.opened();
    const bool here = !session_.shows_opened();
    const MachineChoice now = session_.machine();
    std::vector<Row> all = {
        {"automatic", "a GPU where there is one, else the emulator", here && now == MachineChoice::automatic},
        {"GPU", "the kernel compiled with its recorder on, on real hardware",
         here && now == MachineChoice::gpu},
        {"emulator", "the same text compiled for the processor, one fiber per thread",
         here && now == MachineChoice::emulated}};
    const std::size_t choices = all.size();
    if (opened) {
      const Trace& t = opened.recording->trace;
      all.push_back({opened.name, recorded(t.device, t.date), !here});
    }
    for (const Shipped& each : shipped_recordings())
      if (each.name != opened.name)
        all.push_back({each.name,
                       fmt::format("n = {}, {}", grouped(each.settings.n), recorded(each.device, each.date)),
                       false});
    if (const int chosen = rows(all); chosen >= 0) {
      const auto which = static_cast<std::size_t>(chosen);
      if (which < choices) session_.set_machine(static_cast<MachineChoice>(chosen));
      else if (opened && which == choices) session_.show_opened();
      else session_.open(all[which].name);
    }
    if (bar_.findings_.empty()) bar_.findings_ = examine_machine();
    heading("this computer");
    toolkit.push(Toolkit::Font::small);
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
};

void TopBar::draw(Session& session, const Toolkit& toolkit, const BarLook& look,
                  std::span<const Chord> keys) {
  TopBarFrame(*this, state_, session, toolkit, look, keys).draw();
}

}  // namespace upsweep
