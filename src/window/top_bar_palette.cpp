// Draws the palette: one text field that finds actions, lessons, views, algorithms, comparisons and
// recordings.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "base/language.hpp"
#include "panels/palette.hpp"
#include "window/top_bar_frame.hpp"

namespace upsweep {

void TopBarFrame::find() {
  constexpr std::size_t most = 14;
  constexpr float width = 460;
  if (!open_list("palette", state.opening == Field::find, (look.width - width) / 2)) {
    bar_.palette_is_open_ = false;
    return;
  }
  const bool begins = !std::exchange(bar_.palette_is_open_, true);
  if (begins) bar_.palette_text_.clear();
  const std::string before = bar_.palette_text_;
  const bool entered = input("##palette", bar_.palette_text_, width - 24,
                             tr("an action, algorithm, view or recording"), begins);
  ImGui::Dummy(at(width - 24, 4));
  const std::vector<PaletteEntry> found =
      found_in_palette(palette(session_, *bar_.recent), bar_.palette_text_, most);
  if (bar_.palette_text_ != before) state.marked = 0;
  std::vector<Row> all;
  for (const PaletteEntry& e : found) all.push_back({e.name, e.note});
  if (all.empty()) paragraph(tr("Nothing has this name."), width - 24, theme.faint_text);
  else if (int chosen = rows(all); chosen >= 0 || entered) {
    chosen = chosen >= 0 ? chosen : std::max(0, state.marked);
    const PaletteEntry& e = found[static_cast<std::size_t>(chosen)];
    close_list();
    if (e.command) bar_.command_ = e.command;
    else session_.apply(e.request);
  }
  end_list();
}

}  // namespace upsweep
