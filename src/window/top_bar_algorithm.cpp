// Draws the list of algorithms in the top bar, and beside this list the list of instructive comparisons.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/compare_presets.hpp"
#include "study/puzzle.hpp"
#include "study/shipped.hpp"
#include "window/top_bar_frame.hpp"

namespace upsweep {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

void TopBarFrame::algorithm() {
  const Algorithm& a = session_.algorithm();
  const float widest = std::max(least_title_width, std::min(room_for_title(), look.width * 0.2f));
  std::string title = shown_title(a);
  while (width_of(title, Toolkit::Font::title) > widest) {
    const std::size_t space = title.rfind(' ');
    if (space == title.npos) break;  // keeps the last word, even if the word is too wide
    title.erase(title.find_last_not_of(" ,", space) + 1);
    title += "…";
  }
  const std::string name = a.ladder.empty() ? a.name : a.ladder;
  if (!begin_list(Field::algorithm, tr("algorithm"), title, fmt::format("{}", fmt::join(about(a), " ")),
                  true)) {
    bar_.filtering_ = false;
    bar_.filter_text_.clear();
    return;
  }
  const std::string before = bar_.filter_text_;
  const bool entered =
      input("##filter", bar_.filter_text_, 260, tr("find"), !std::exchange(bar_.filtering_, true));
  ImGui::Dummy(at(1, 4));
  std::vector<ListColumn> groups;
  std::vector<const Algorithm*> listed;
  constexpr std::string_view headings[] = {tr_noop("Reductions"), tr_noop("Scans"), tr_noop("Applications"),
                                           tr_noop("Broken on purpose: find the bug")};
  for (std::size_t f = 0; f < std::size(families); ++f) {
    ListColumn column{std::string(tr(headings[f])), {}};
    for (const Algorithm& each : algorithms()) {
      if (each.family != families[f] || !is_listed(each) ||
          !matches(shown_title(each) + " " + each.name + (is_hidden(each) ? "" : " " + each.idea)))
        continue;
      column.rows.push_back({shown_title(each), {}, each.name == name});
      listed.push_back(&each);
    }
    if (!column.rows.empty()) groups.push_back(std::move(column));
  }
  std::vector<const ComparePreset*> presets;
  ListColumn compared{tr("Two runs side by side   Tab"), {}};
  for (const ComparePreset* p : possible_presets()) {
    if (!matches(fmt::format("{} {}", tr(p->title), tr(p->about)))) continue;
    compared.rows.push_back({std::string(tr(p->title)), {}, false});
    presets.push_back(p);
  }
  if (!presets.empty()) groups.push_back(std::move(compared));
  if (bar_.filter_text_ != before) state.marked = bar_.filter_text_.empty() ? -1 : best_of(listed);
  int looked_at = -1;
  const int chosen = columns(groups, entered || (!was_typing && pressed(GLFW_KEY_ENTER)), looked_at);
  const auto preset_at = [&](int row) {
    const int at = row - static_cast<int>(listed.size());
    return at >= 0 ? presets[static_cast<std::size_t>(at)] : nullptr;
  };
  if (looked_at < 0) paragraph(tr("No algorithm matches."), 400, theme.faint_text);
  else if (const ComparePreset* p = preset_at(looked_at)) describe(*p);
  else describe(*listed[static_cast<std::size_t>(looked_at)]);
  if (chosen >= 0) {
    if (const ComparePreset* p = preset_at(chosen)) session_.compare(p->baseline, p->change);
    else session_.set_algorithm(listed[static_cast<std::size_t>(chosen)]->name);
  }
  end_list();
}

bool TopBarFrame::is_hidden(const Algorithm& a) const {
  return a.is_broken() && !(session_.shows_answer() && a.name == session_.algorithm().name);
}

std::string TopBarFrame::shown_title(const Algorithm& a) const {
  return is_hidden(a) ? puzzle_title(a) : tr(a.title);
}

std::vector<std::string> TopBarFrame::about(const Algorithm& a) const {
  return is_hidden(a) ? std::vector{puzzle_text(a)} : std::vector{tr(a.idea), tr("Watch: ") + tr(a.watch)};
}

int TopBarFrame::best_of(const std::vector<const Algorithm*>& listed) const {
  const std::string wanted = lower(bar_.filter_text_);
  const auto worth = [&](const Algorithm* a) {
    const std::string name = lower(a->name), title = lower(shown_title(*a));
    return name == wanted || title == wanted                                    ? 3
           : name.starts_with(wanted) || title.starts_with(wanted)              ? 2
           : name.find(wanted) != name.npos || title.find(wanted) != title.npos ? 1
                                                                                : 0;
  };
  const auto best = std::max_element(listed.begin(), listed.end(),
                                     [&](const auto* a, const auto* b) { return worth(a) < worth(b); });
  return static_cast<int>(best - listed.begin());
}

bool TopBarFrame::matches(const std::string& text) const {
  const std::string wanted = lower(bar_.filter_text_), there = lower(text);
  for (std::size_t from = 0; from < wanted.size();) {
    const std::size_t to = std::min(wanted.find(' ', from), wanted.size());
    if (there.find(wanted.substr(from, to - from)) == there.npos) return false;
    from = to + 1;
  }
  return true;
}

float TopBarFrame::room_for_description() const {
  return std::min(760.0f, look.width - ImGui::GetCursorScreenPos().x / look.scale - 32);
}

void TopBarFrame::describe(const ComparePreset& p) {
  const float width = room_for_description(), top = ImGui::GetCursorPosY();
  ImGui::Dummy(at(1, 2));
  paragraph(tr("{}, side by side", tr(p.title)), width, theme.text);
  paragraph(std::string(tr(p.about)), width, theme.text);
  keep_height(width, top);
}

void TopBarFrame::describe(const Algorithm& a) {
  const float width = room_for_description(), top = ImGui::GetCursorPosY();
  ImGui::Dummy(at(1, 2));
  for (const std::string& text : about(a)) paragraph(text, width, theme.text);
  std::string names = tr(a.gives) + (is_hidden(a) ? "" : " · " + a.name);
  const auto all = shipped_recordings();
  if (const auto recorded = std::ranges::find_if(
          all, [&](const Shipped& each) { return is_same_ladder(a, each.settings.algorithm); });
      recorded != all.end())
    names += tr(" · recorded on {}: see the list of machines", recorded->device);
  paragraph(names, width, theme.faint_text);
  keep_height(width, top);
}

// Gives all descriptions the same height, so that the size of the list does not change.
void TopBarFrame::keep_height(float width, float top) {
  const float used = (ImGui::GetCursorPosY() - top) / look.scale;
  constexpr float kept = 104;
  if (used < kept) ImGui::Dummy(at(width, kept - used));
}

}  // namespace upsweep
