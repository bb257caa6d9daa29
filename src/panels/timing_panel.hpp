// The timing half of the window: a header, one or two charts, and whether it matters, in one box.
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

// A chart of the timing half; rows[i] is the row of the shown timings that the scene's targets call i.
struct TimingPicture {
  Scene scene;
  std::vector<int> rows;
};
TimingPicture timing_picture(const TimingDesk& desk, const Chosen& chosen, TimingChart chart,
                             const Theme& theme, float width, float height);

// Whether a box of the timing half has room for what it compares.
bool has_room_to_compare(const Box& box);

class TimingPanel {
 public:
  // Lays out and draws what has changed since the last frame; an empty box shows nothing. `mouse` is a point
  // of the window, outside of it where it does not point.
  void lay_out(Session& session, const Theme& theme, const Box& box, bool large, Point mouse);
  // Calls f(scene, x, y, number) for every scene of the panel and where its upper left corner stands, bottom
  // first. Two scenes of one number are the same; 0: it may be any.
  template <class F>
  void for_each_scene(F f) const {
    if (box_.w <= 0 || box_.h <= 0) return;
    for (const Placed& p : charts_) f(p.picture.scene, p.box.x, p.box.y, p.number);
    f(header_.scene, box_.x, box_.y, 0);
    if (comparison_) f(comparison_panel_.scene, comparison_box_.x, comparison_box_.y, 0);
  }

  // Of a point of the window.
  const Button* button(Point p) const;
  int row(Point p) const;  // of the shown timings; -1 for none
  // The numbers of the row that the mouse is over.
  std::vector<std::string> tip(const Session& session) const;

  const Box& box() const { return box_; }
  // Where buttons and measured points stand.
  std::vector<std::pair<std::string, Box>> places() const;

 private:
  struct Placed {
    TimingChart chart;
    Box box;
    TimingPicture picture;
    std::uint64_t number;  // of the drawing
  };
  // All that the charts show: they are drawn anew where it has changed.
  struct Shown {
    std::shared_ptr<const Timings> timings;
    std::optional<Chosen> chosen;
    TimingChart chart = TimingChart::sweep;
    int hover = -1;
    std::size_t pins = 0;
    Box box;
    bool dark = false;
    std::optional<BlockCost> now_cost, twin_cost;
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
  std::string missing_;  // why the chosen kernel has no times here
};

}  // namespace upsweep
