// Returns the boxes of all parts of the window, for automated tests.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "window/frame.hpp"

namespace upsweep {

std::vector<ScreenPlace> Frame::places() const {
  std::vector<ScreenPlace> all = layout_[Part::top_bar].h > 0 ? bar_.places() : std::vector<ScreenPlace>{};
  const auto add = [&](std::string name, const Box& b) {
    all.push_back({std::move(name), {b.x * scale_, b.y * scale_, b.w * scale_, b.h * scale_}});
  };
  for (const Button& b : cards_.buttons)
    if (b.command.action == Action::open_card)
      add(fmt::format("card {}", b.command.argument + 1),
          {b.box.x, b.box.y + top_bar_height, b.box.w, b.box.h});
  if (session_.looks.cards) return all;  // the start page covers all other parts
  for (std::size_t slot = changed_slots; slot < slots && session_.compares(); ++slot)
    if (box_of(slot).w > 0)
      add(std::string("changed ") + views()[static_cast<std::size_t>(view_in(slot))].name, box_of(slot));
  for (const Button& b : comparison_.buttons) add("button " + b.tip, b.box);
  for (std::size_t slot = 0; slot < large_slot; ++slot) {
    add(std::string("view ") + views()[static_cast<std::size_t>(view_in(slot))].name, box_of(slot));
    if (box_of(slot).w <= 0) continue;
    for (const Scene::Target& target : drawn_[slot].scene.targets) {
      const Box there{box_of(slot).x + target.box.x, box_of(slot).y + target.box.y, target.box.w,
                      target.box.h};
      if (is<CountersId>(target.id)) add("counters", there);
      if (is<TimesId>(target.id)) add("tab timing", there);
      if (const auto* other = as<ViewId>(target.id))
        add(std::string("tab ") + views()[static_cast<std::size_t>(other->view)].name, there);
    }
  }
  if (layout_.large_view >= 0) add("view large", layout_.large);
  for (const Button& b : purpose_.buttons)
    add("line about the algorithm", {b.box.x, layout_[Part::purpose].y + b.box.y, b.box.w, b.box.h});
  for (std::size_t i = 0; i < layout_.added.size(); ++i)
    if (layout_.added_views[i] >= 0) add(fmt::format("view large {}", i + 2), layout_.added[i]);
  for (const Button& b : question_.buttons)
    add("button " + b.tip, {b.box.x + layout_.question.x, b.box.y + layout_.question.y, b.box.w, b.box.h});
  for (const Button& b : lesson_.panel.buttons)
    add("button " + b.tip, {b.box.x + layout_.lesson.x, b.box.y + layout_.lesson.y, b.box.w, b.box.h});
  for (const Button& b : caption_.buttons) add("button " + b.tip, b.box);
  for (const auto& [name, box] : timing_.places()) add(name, box);
  const Box& t = layout_[Part::transport];
  for (const Button& b : transport_.buttons)
    add("button " + b.tip, {b.box.x + t.x, b.box.y + t.y, b.box.w, b.box.h});
  const Box& status = layout_[Part::status];
  for (const Button& b : status_.buttons)
    add("button " + b.tip, {b.box.x + status.x, b.box.y + status.y, b.box.w, b.box.h});
  return all;
}

}  // namespace upsweep
