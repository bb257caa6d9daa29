// Copies the state as text, saves recordings with the shown place, saves results, and updates the list of
// recent files.
#include <fmt/format.h>
#include <imgui.h>

#include "base/error.hpp"
#include "base/language.hpp"
#include "panels/saved_files.hpp"
#include "study/state_text.hpp"
#include "window/frame.hpp"
#include "words/in_words.hpp"

namespace upsweep {

template <class F>
void Frame::save(F save) {
  try {
    session_.tell(save(save_folder()));
  } catch (const std::exception& e) { session_.complain(in_words(e)); }
}

// Copies the text that make() returns, and shows a message. If make() throws, the message says why there is
// no text.
void Frame::copy(const std::function<std::string()>& make) {
  try {
    const std::string text = make();
    ImGui::SetClipboardText(text.c_str());
    session_.tell(tr("Copied: {}", text));
  } catch (const std::exception& e) { session_.complain(in_words(e)); }
}

void Frame::show_text(std::string_view text) {
  try {
    const Request state = read_state_text(text);
    if (session_.apply(state) == Answer::refused) return;  // the lesson stays open
    session_.looks.cards = false;
    player_.close();  // shows the usual views
    session_.looks.lesson = false;
    session_.apply({.view = state.view, .asking = state.asking, .added = state.added});
  } catch (const std::exception& e) { session_.complain(in_words(e)); }
}

void Frame::paste() {
  const char* text = ImGui::GetClipboardText();
  if (!text || !is_state_text(text))
    return session_.complain(tr("The clipboard has no text of Upsweep: copy a text with Ctrl C in Upsweep."));
  show_text(text);
}

// Performs an action that saves, copies or opens something, or that gives the focus to another panel. Returns
// false for other actions.
bool Frame::press_to_share(const Command& command) {
  switch (command.action) {
    case Action::next_panel: focus_next_area(command.argument == 0 ? 1 : -1); return true;
    case Action::copy_state: export_as(Export::state); return true;
    case Action::paste_state: paste(); return true;
    case Action::open_recent:
      if (command.argument >= 0 && command.argument < std::ssize(recent_.names())) {
        session_.looks.cards = false;
        session_.open(std::string(recent_.names()[static_cast<std::size_t>(command.argument)]));
      }
      return true;
    case Action::save_chart:
      save([&](const auto& folder) {
        return save_chart(session_.timing, session_.chosen_times(), theme(), folder);
      });
      return true;
    case Action::save_picture:
      save([&](const auto& folder) {
        return save_made_picture(session_.recording(), session_.cursor().image, folder);
      });
      return true;
    case Action::save_output:
      save([&](const auto& folder) { return save_output(session_.recording().trace, folder); });
      return true;
    default: return false;
  }
}

}  // namespace upsweep
