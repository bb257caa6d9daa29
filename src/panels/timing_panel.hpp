// Draws the part of the window that shows measured times: a header, one or two charts, and a comparison of
// two variants.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panels/timing_header.hpp"
#include "scene/charts/charts.hpp"
#include "study/session.hpp"

namespace upsweep {

// A chart of times. The point with the TimeId i in the scene shows the row rows[i] of the shown timings.
struct TimingPicture {
  Scene scene;
  std::vector<int> rows;
};
TimingPicture timing_picture(const TimingModel& model, const Chosen& chosen, TimingChart chart,
                             const Theme& theme, float width, float height);

// Returns true if the box of the times has enough room for the comparison.
bool has_room_to_compare(const Box& box);

class TimingPanel {
 public:
  // Lays out the panel, and draws the parts that have changed since the previous frame. If the box is empty,
  // draws nothing. `mouse` is in the coordinates of the window, and may be outside of the box.
  void lay_out(Session& session, const Theme& theme, const Box& box, bool large, Point mouse);
  // Calls f(scene, x, y, number) for every scene of the panel, from the lowest to the topmost. (x, y) is the
  // upper left corner of the scene. Two scenes with the same number are equal, unless the number is 0. A
  // scene with the number 0 must always be drawn again.
  template <class F>
  void for_each_scene(F f) const {
    if (box_.w <= 0 || box_.h <= 0) return;
    for (const Placed& p : charts_) f(p.picture.scene, p.box.x, p.box.y, p.number);
    f(header_.scene, box_.x, box_.y, 0);
    if (comparison_) f(comparison_panel_.scene, comparison_box_.x, comparison_box_.y, 0);
  }

  // Returns the button at a point of the window. Returns null if there is no button.
  const Button* button(Point p) const;
  int row(Point p) const;  // returns the index of a row in the shown timings, or -1
  // Returns the numbers of the row under the mouse as lines of a tooltip.
  std::vector<std::string> tip(const Session& session) const;

  const Box& box() const { return box_; }
  // Returns the names and boxes of buttons and measured points.
  std::vector<std::pair<std::string, Box>> places() const;

 private:
  struct Placed {
    TimingChart chart;
    Box box;
    TimingPicture picture;
    std::uint64_t number;  // identifies this drawing, see Renderer::draw()
  };
  // All data that the charts depend on. The charts are drawn again if any of this data changes.
  struct Shown {
    std::shared_ptr<const Timings> timings;
    std::optional<Chosen> chosen;
    TimingChart chart = TimingChart::sweep;
    int hover = -1;
    std::size_t pins = 0;
    Box box;
    const Theme* theme = nullptr;
    std::optional<SharedCost> now_cost, compared_cost;
    bool half_warps = false;
    bool operator==(const Shown&) const = default;
  };
  void place(const Session& session, const Theme& theme);
  void compare(const Session& session, const Chosen& chosen);

  Box box_, comparison_box_;
  Panel header_, comparison_panel_;
  std::optional<Comparison> comparison_;
  std::vector<Placed> charts_;
  std::uint64_t drawings_ = 0;
  Shown shown_;
  std::string missing_;  // the reason why the chosen kernel has no times here
};

}  // namespace upsweep
