// The view "Launches" shows the grids of a run as a tree. Grids stand from left to right in the order of
// their starts. Child grids are below the grid that launched the children.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float least_labelled = 12;  // dp; a box with a smaller height has no text

class LaunchesPicture {
 public:
  explicit LaunchesPicture(const ViewInput& in)
      : p_(in), in_(in), trace_(in.recording.trace), grid_(grid_index(trace_, in.cursor.step)) {}

  ViewPicture draw() {
    const int count = static_cast<int>(trace_.grids.size());
    x_.resize(trace_.grids.size());
    children_.resize(trace_.grids.size());
    for (int g = 0; g < count; g++) {
      const int parent = grid(g).parent;
      if (parent >= 0 && parent < g) children_[static_cast<std::size_t>(parent)].push_back(g);
      depth_ = std::max(depth_, grid(g).depth);
    }
    for (int g = 0; g < count; g++)
      if (grid(g).parent < 0) place(g);
    p_.title(heading(count), readout());
    lay_out();
    for (int g = 0; g < count; g++) edges(g);
    for (int g = 0; g < count; g++) box(g);
    order();
    return std::move(p_).picture();
  }

 private:
  const Grid& grid(int g) const { return trace_.grids[static_cast<std::size_t>(g)]; }

  // Places the leaves (grids without child grids) side by side. Places each parent above the middle of its
  // child grids.
  void place(int g) {
    const auto& children = children_[static_cast<std::size_t>(g)];
    for (const int c : children) place(c);
    float& x = x_[static_cast<std::size_t>(g)];
    if (children.empty()) x = static_cast<float>(leaves_++);
    else
      x = (x_[static_cast<std::size_t>(children.front())] + x_[static_cast<std::size_t>(children.back())]) /
          2;
  }

  std::string heading(int count) const {
    if (count == 1) return tr("one launch, by the host");
    int host = 0;
    std::int64_t blocks = 0;
    for (const Grid& g : trace_.grids) {
      host += g.parent < 0;
      blocks += g.blocks;
    }
    std::string text = tr("{}, {} in all", counted(count, "launch", "launches"), counted(blocks, "block"));
    text += host == count ? tr(" · started by the host, one after the other")
                          : tr(" · {} started by the host, {} by other grids · {}", grouped(host),
                               grouped(count - host), counted(depth_ + 1, "level"));
    return text;
  }

  std::string started_by(int g) const {
    const Grid& it = grid(g);
    if (it.parent < 0) return tr("by the host");
    if (it.parent_event >= trace_.events.size()) return tr("by launch {}", it.parent + 1);
    const Event& e = trace_.events[it.parent_event];
    const bool tail = static_cast<ChildLaunch>(e.detail) == ChildLaunch::tail;
    return tr("by block {} of launch {}, line {}, {}", e.block, it.parent + 1, e.line,
              tail ? tr("to run after that launch") : tr("to run concurrently with that launch"));
  }

  std::string readout() const {
    const int g = hovered();
    if (!is_index(g, trace_.grids.size())) return {};
    return tr("launch {} of {} · {} · {}", g + 1, trace_.grids.size(), configuration_text(grid(g)),
              started_by(g));
  }

  void lay_out() {
    const float room = p_.width - 2 * p_.margin, high = p_.height - p_.top - 22;
    column_ = room / static_cast<float>(std::max(1, leaves_));
    if (leaves_ < 6) column_ = std::min(column_, 280.0f);
    left_ = p_.margin + (room - column_ * static_cast<float>(leaves_)) / 2;
    pitch_ = std::min(high / static_cast<float>(depth_ + 1), 96.0f);
    // If there is enough room, a box is high enough for one line of text.
    height_ = std::clamp(std::max(pitch_ * 0.56f, std::min(pitch_ - 6, 20.0f)), 8.0f, 44.0f);
    if (pitch_ >= least_labelled + 1) height_ = std::max(height_, least_labelled);
    width_ = std::clamp(column_ - 10, 6.0f, 230.0f);
    top_ = p_.top + 4 + std::max(0.0f, (high - pitch_ * static_cast<float>(depth_ + 1)) * 0.3f);
  }

  Box box_of(int g) const {
    const float centre = left_ + column_ * (x_[static_cast<std::size_t>(g)] + 0.5f);
    return {centre - width_ / 2, top_ + pitch_ * static_cast<float>(grid(g).depth) + (pitch_ - height_) / 2,
            width_, height_};
  }

  void edges(int g) {
    const Theme& t = p_.theme;
    const Box from = box_of(g);
    for (const int c : children_[static_cast<std::size_t>(g)]) {
      const Box to = box_of(c);
      const bool lit = c == grid_ || hovered() == c;
      const Colour colour = lit ? t.now : t.ghost_text;
      const Point a{from.x + from.w / 2, from.y + from.h}, b{to.x + to.w / 2, to.y - 1};
      p_.line(a, b, colour, lit ? 1.8f : 1.0f);
      if (height_ >= 16) p_.triangle(b, {b.x - 3.5f, b.y - 6}, {b.x + 3.5f, b.y - 6}, colour);
    }
    // Draws an arrow to the host's next launch.
    if (grid(g).parent >= 0) return;
    for (int next = g + 1; next < static_cast<int>(trace_.grids.size()); next++) {
      if (grid(next).parent >= 0) continue;
      const Box to = box_of(next);
      const float y = from.y + from.h / 2;
      if (to.x - from.x - from.w < 6) return;
      p_.line({from.x + from.w + 1, y}, {to.x - 2, y}, t.ghost_text, 1);
      p_.triangle({to.x - 1, y}, {to.x - 7, y - 3.5f}, {to.x - 7, y + 3.5f}, t.ghost_text);
      return;
    }
  }

  int hovered() const {
    const auto* hover = as<GridId>(in_.cursor.hover);
    return hover ? hover->grid : -1;
  }

  void box(int g) {
    const Theme& t = p_.theme;
    const Grid& it = grid(g);
    const Box b = box_of(g);
    const bool now = g == grid_, past = static_cast<int>(it.first_step) < in_.cursor.step;
    const GridId id{static_cast<int>(it.first_step), g};
    p_.rect(b,
            {.fill = now ? t.now : t.cell,
             .stroke = now    ? t.now
                       : past ? mix(t.background, t.now, 0.6f)
                              : t.cell_stroke,
             .width = past && !now ? 1.4f : 1.0f,
             .radius = std::min(6.0f, height_ / 4)},
            id);
    const Colour ink = now ? t.on_now : t.text;
    const float inner = b.w - (b.w < 40 ? 2 : 10);
    const auto put = [&](float y, float font, Face face, Colour colour,
                         std::initializer_list<std::string> ways) {
      const std::string words = first_fitting(ways, font, face, inner);
      if (text_width(words, font, face) <= inner)
        p_.text({b.x + b.w / 2, y}, words, colour, font, face, Align::centre);
    };
    const std::string number = std::to_string(g + 1), name = number + " · " + it.kernel,
                      configuration = fmt::format("{} × {}", grouped(it.blocks), it.threads),
                      size = fmt::format("{} × {}", grouped(it.blocks), counted(it.threads, "thread"));
    const float middle = b.y + b.h / 2;
    // All boxes of one kernel use the same form of text. So the text with the largest launch number must fit
    // into a box.
    const auto fits = [&](const std::string& words) { return text_width(words, 12, Face::bold) <= inner; };
    const bool together = fits(fmt::format("{} · {}", trace_.grids.size(), it.kernel)),
               apart = !together && fits(it.kernel);
    if (height_ >= 34) {
      put(middle - 8, 12, Face::bold, ink, {together ? name : apart ? it.kernel : number});
      const std::string which = apart ? number + " · " : "";
      put(middle + 9, 11, Face::regular, now ? t.on_now : t.faint_text,
          {which + size, which + configuration, configuration});
    } else if (height_ >= least_labelled) {
      put(middle, height_ >= 15 ? 11 : 10, Face::bold, ink,
          {name + " · " + size, name, it.kernel, number + " · " + configuration, configuration, number});
    }
    if (hovered() == g)
      p_.rect({b.x - 1, b.y - 1, b.w + 2, b.h + 2}, {.stroke = t.text, .width = 2, .radius = 6});
    p_.target({b.x - 2, b.y - 2, b.w + 4, b.h + 4}, id);
  }

  void order() {
    const std::string words =
        depth_ > 0 ? tr("order of starts → · child grids below their parent")
                   : tr("order of starts → · each launch begins when the previous launch has ended");
    p_.text({p_.margin, p_.height - 10}, cut(words, 11, Face::regular, p_.width - 2 * p_.margin),
            p_.theme.faint_text, 11);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const int grid_;
  std::vector<float> x_;  // the place of each grid, in units of columns
  std::vector<std::vector<int>> children_;
  int leaves_ = 0, depth_ = 0;
  float left_ = 0, top_ = 0, column_ = 0, pitch_ = 0, width_ = 0, height_ = 0;
};

ViewPicture draw_launches(const ViewInput& in) { return LaunchesPicture(in).draw(); }

bool has_launches(const Recording& r) { return r.trace.grids.size() > 1; }
bool computes_nothing(const Recording& r) { return r.work.operations == 0 && has_launches(r); }

Lines launches_tip(const Reading& at, const Id& id) {
  const Trace& trace = at.recording.trace;
  const auto* grid = as<GridId>(id);
  if (!grid || !is_index(grid->grid, trace.grids.size())) return {};
  const Grid& g = trace.grids[static_cast<std::size_t>(grid->grid)];
  TipLines tip;
  tip.add("{}", configuration_text(g));
  tip.add(tr("{} of {}, {}", counted(g.blocks, "block"), counted(g.threads, "thread"),
             counted(end_step(trace, grid->grid) - static_cast<int>(g.first_step), "step")));
  if (g.parent >= 0) tip.add(tr("started by launch {}, at nesting level {}", g.parent + 1, g.depth + 1));
  else tip.lines.emplace_back(tr("started by the host"));
  return std::move(tip.lines);
}

Click click_in_launches(const Reading&, const Id& id) {
  const auto* grid = as<GridId>(id);
  if (!grid || grid->step < 0) return {};
  return GoToStep{grid->step};
}

}  // namespace

extern const View launches_view{.name = "launches",
                                .title = tr_noop("Launches"),
                                .home = Home::tree,
                                .draw = draw_launches,
                                .tip = launches_tip,
                                .click = click_in_launches,
                                .has_something = has_launches,
                                .comes_first = computes_nothing,
                                .sees = sees_only<GridId>};

}  // namespace upsweep
