// Draws the right side of the top bar: the machine of the shown run, the list of machines, and buttons with
// their keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"
#include "panels/exports.hpp"
#include "study/shipped.hpp"
#include "trace/provenance.hpp"
#include "window/top_bar_frame.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns a text such as "recorded on NVIDIA H200, 21 November 2026".
std::string recorded(const std::string& device, const std::string& date) {
  return tr("recorded on ") + device + (date.empty() ? "" : tr(", ") + day_of(date));
}

// Returns the short name of a kind of machine.
const char* shown_machine(MachineKind kind) {
  return kind == MachineKind::gpu ? tr("GPU") : kind == MachineKind::opengl ? tr("OpenGL") : tr("emulator");
}

}  // namespace

void TopBarFrame::right_side() {
  const Trace& trace = session_.recording().trace;
  const bool gpu = trace.machine != MachineKind::emulated, opened = session_.shows_opened();
  std::string said = gpu ? trace.device + tr(" · recorded just now")
                     : session_.machine() == MachineChoice::emulated ? tr("emulator")
                                                                     : tr("emulator · no GPU found");
  if (opened) said = recorded(trace.device, trace.date);
  if (trace.dropped > 0)
    said = tr("{} · {} dropped", trace.device, counted(static_cast<std::int64_t>(trace.dropped), "record"));
  const auto progress = session_.progress();
  if (progress) said = tr("recording {:.0f} %", std::floor(100 * progress->share));
  else if (crowded() && trace.dropped == 0 && !opened) said = shown_machine(trace.machine);
  // In a very narrow window, draws only the coloured dot, because the text beside the dot would cover the
  // fields.
  float edge = look.width - 24;
  if (edge - width_of(said, Toolkit::Font::small) - 18 < bar_.names_end_) said.clear(), edge += 16;
  const float w = width_of(said, Toolkit::Font::small) + 18, x = edge - w;
  const float left = std::max(x - 8, bar_.fields_end_ - gap), right = edge + 8;
  ImGui::SetCursorScreenPos(at(left, 6));
  const bool clicked = ImGui::InvisibleButton("machine", at(right - left, 22));
  place("machine");
  if (ImGui::IsItemHovered() || ImGui::IsPopupOpen("machine")) ground(left, 6, right - left, 22);
  tip(tr("The machine that ran the kernel"), Action::next_machine, 0);
  const Colour dot = progress ? theme.now : gpu ? theme.good : theme.ghost_text;
  ImGui::GetWindowDrawList()->AddCircleFilled(at(x + 4, 17), px(4), packed(dot));
  text(x + 18, 10, said, theme.faint_text, Toolkit::Font::small);
  if (open_list("machine", clicked, look.width - 8, true)) machines();

  buttons(edge);
}

void TopBarFrame::buttons(float right) {
  struct Button {
    const char *word, *key;
    Action action;
  };
  const Button all[] = {{tr("Help"), "F1", Action::help},       {tr("Theme"), "T", Action::theme},
                        {tr("Present"), "P", Action::present},  {tr("Ask"), "Q", Action::ask},
                        {tr("Lessons"), "F2", Action::lessons}, {tr("Export"), "Ctrl S", Action::export_as}};
  const auto width = [&](const char* word, const char* key) { return key_button_width(word, key) + 18; };
  const float room = right - bar_.fields_end_ - 12, more = width(tr("More"), "");
  float used = 0;
  for (const Button& b : all) used += width(b.word, b.key);
  std::size_t shown = std::size(all);
  while (shown > 0 && used + (shown < std::size(all) ? more : 0) > room) {
    --shown;
    used -= width(all[shown].word, all[shown].key);
  }
  const Button* clicked = nullptr;
  for (std::size_t i = 0; i < shown; ++i)
    if (key_button(all[i].word, all[i].key, right)) clicked = &all[i];
  const bool opens = shown < std::size(all) && key_button(tr("More"), "", right);
  bool in_list = false;  // whether the click was in the list "More"
  if (open_list("more", opens, look.width - 8, true)) {
    std::vector<Row> left_out;
    for (std::size_t i = shown; i < std::size(all); ++i) left_out.push_back({all[i].word, all[i].key});
    if (const int chosen = left_out.empty() ? -1 : rows(left_out); chosen >= 0)
      clicked = &all[shown + static_cast<std::size_t>(chosen)], in_list = true;
    end_list();
  }
  const bool saves = clicked && clicked->action == Action::export_as;
  if (clicked && clicked->action == Action::lessons) bar_.command_ = Command{Action::lessons, 0};
  else if (clicked && !saves) perform(session_, {clicked->action, 0});
  // If the user chose Export in the list "More", the list of exports opens only in the next frame. Otherwise,
  // the same press of Enter would also choose a row of the list of exports.
  if (saves && in_list) bar_.open(Field::save);
  else if (open_list("export", saves || state.opening == Field::save, look.width - 8, true)) exports();
}

void TopBarFrame::exports() {
  std::vector<Row> all;
  for (const ExportRow& r : export_rows(bar_.exported, bar_.handouts)) all.push_back({r.name, r.note});
  if (const int chosen = rows(all); chosen >= 0) {
    bar_.command_ = Command{Action::export_as, chosen};
    close_list();
  }
  end_list();
}

float TopBarFrame::key_button_width(const char* word, const char* key) const {
  return width_of(word, Toolkit::Font::small) + (*key ? 5 + width_of(key, Toolkit::Font::small) : 0);
}

bool TopBarFrame::key_button(const char* word, const char* key, float& right) {
  const float word_width = width_of(word, Toolkit::Font::small), w = key_button_width(word, key);
  const float x = right - w;
  ImGui::SetCursorScreenPos(at(x - 6, 29));
  const bool clicked = ImGui::InvisibleButton(word, at(w + 12, 22));
  place(fmt::format("button {}", word));
  if (ImGui::IsItemHovered()) ground(x - 6, 29, w + 12, 22);
  text(x, 33, word, theme.faint_text, Toolkit::Font::small);
  text(x + word_width + 5, 33, key, theme.text, Toolkit::Font::small);
  right = x - 18;
  return clicked;
}

void TopBarFrame::machines() {
  const Opened& opened = session_.opened();
  const bool here = !session_.shows_opened();
  const MachineChoice now = session_.machine();
  std::vector<Row> all;
  if (session_.algorithm().language == Language::glsl)
    all = {{tr("OpenGL"), tr("fragment shaders draw each pass, and also record its events"), here}};
  else
    all = {{tr("automatic"), tr("a GPU if there is one, else the emulator"),
            here && now == MachineChoice::automatic},
           {tr("GPU"), tr("the kernel runs on real hardware, compiled with a recorder"),
            here && now == MachineChoice::gpu},
           {tr("emulator"), tr("the same kernel compiled for the CPU, one fiber per thread"),
            here && now == MachineChoice::emulated}};
  const std::size_t choices = all.size();
  if (opened) {
    const Trace& t = opened.recording->trace;
    all.push_back({opened.name, recorded(t.device, t.date), !here});
  }
  std::vector<Shipped> shipped(shipped_recordings().begin(), shipped_recordings().end());
  std::stable_partition(shipped.begin(), shipped.end(),
                        [](const Shipped& each) { return !each.settings.algorithm.starts_with("bug_"); });
  for (const Shipped& each : shipped)
    if (each.name != opened.name)
      all.push_back({each.name,
                     fmt::format("{}, n = {}, {}", tr(each.title), grouped(each.settings.n),
                                 recorded(each.device, each.date)),
                     false});
  if (all.size() > choices) all[choices].heading = tr("recordings");
  if (const int chosen = rows(all); chosen >= 0) {
    const auto which = static_cast<std::size_t>(chosen);
    // For a CUDA kernel, row i sets the MachineChoice i. For shaders, the only machine is "OpenGL" in row 0,
    // which sets MachineChoice::automatic.
    if (which < choices) session_.set_machine(static_cast<MachineChoice>(chosen));
    else if (opened && which == choices) session_.show_opened();
    else session_.open(all[which].name);
  }
  if (bar_.findings_.empty()) bar_.findings_ = examine_machine();
  heading(tr("this computer"));
  toolkit.push(Toolkit::Font::small);
  ImGui::PushTextWrapPos(std::max(px(420), ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x));
  // The texts that are already shown. A text that contains one of these texts is left out.
  std::set<std::string> said;
  const auto once = [&](const Message& message) {
    const std::string text = in_words(message);
    const auto contained = [&](const std::string& other) { return text.find(other) != text.npos; };
    if (text.empty() || std::ranges::any_of(said, contained)) return;
    said.insert(text);
    ImGui::TextDisabled("    %s", text.c_str());
  };
  for (const Finding& f : bar_.findings_) {
    ImGui::TextUnformatted(fmt::format("{} {}", f.found ? "✓" : "–", in_words(f.what)).c_str());
    once(f.detail);
    once(f.consequence);
  }
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  end_list();
}

}  // namespace upsweep
