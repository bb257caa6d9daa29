// One frame of the window: keys and mouse in, the session changed, everything drawn. Knows no display.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "panels/chrome.hpp"
#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "panels/timing_panel.hpp"
#include "render/render.hpp"
#include "study/session.hpp"
#include "window/toolkit.hpp"
#include "window/top_bar.hpp"

namespace upsweep {

// Pixels per logical pixel: as asked for, else the display's own; very high displays that claim to be
// ordinary get 2.
float display_scale(float asked, float content_scale, int pixel_height);

class Frame {
 public:
  // `window` may be null: then nothing is pointed at. OpenGL must be loaded.
  Frame(Session& session, GLFWwindow* window);

  struct Outcome {
    bool quit = false;
    bool heard = false;  // a key or the mouse since the last frame: another is due, for ImGui to settle
    double again_in =
        -1;  // seconds until the next frame is due by itself; negative: not before something happens
  };
  // Draws a frame of that many pixels into the current framebuffer. `seconds` have passed since the last one.
  Outcome draw(int width, int height, float scale, double seconds, std::span<const Chord> keys);

  // Whether the keyboard belongs to an open list or a text field.
  bool has_keyboard() const { return bar_.has_keyboard(); }
  // Where parts, fields and list rows stand, in pixels, for automation.
  std::vector<ScreenPlace> places() const;

 private:
  // All that a view's picture depends on.
  struct Key {
    int view = -1;
    std::shared_ptr<const Recording> recording;
    const Hazards* hazards = nullptr;  // of the recording, once they are found
    Cursor cursor;                     // its hover: what the view sees of it
    bool dark = false;
    float width = 0, height = 0;
    std::vector<int> alternatives;
    bool times = false, button = false, pressed = false;
    std::shared_ptr<const LineCounters> counters;
    bool operator==(const Key&) const = default;
  };
  struct Drawn {
    Key key;
    Scene scene;
    std::uint64_t number = 0;  // of the drawing, for Renderer::draw()
  };
  const Theme& theme() const { return session_.looks.dark ? dark_theme() : light_theme(); }
  // A slot is a place where a view is drawn: one for each home, and one more for the large view.
  static constexpr std::size_t large_slot = home_count, slots = large_slot + 1;
  int view_in(std::size_t slot) const;
  // What was last drawn in a slot; null where nothing was.
  const View* drawn_in(std::size_t slot) const;
  // Drops drawings of other recordings, because each keeps its recording in memory.
  void forget_other_recordings();
  Hand hand_in(std::size_t slot) const;
  const Box& box_of(std::size_t slot) const {
    return slot < large_slot ? layout_[static_cast<Home>(slot)] : layout_.large;
  }
  void draw_slot(std::size_t slot);
  // The slot under a point and the point within it.
  struct Under {
    std::size_t slot;
    Point at;
  };
  std::optional<Under> under(Point p) const;
  Point within(const Box& box) const { return {mouse_.x - box.x, mouse_.y - box.y}; }

  bool take_keys(std::span<const Chord> keys);
  void lay_out();
  void point();
  void press(const Command& command);
  void save();  // the shown chart
  void grab();
  void carry();
  void turn_wheel(float ticks);
  void scrub();
  float tree_column_width();
  void draw_views();
  void draw_overlays();
  void draw_tip();
  const Lines& view_tip();

  Session& session_;
  Renderer renderer_;
  Toolkit toolkit_;
  TopBar bar_;
  std::vector<Drawn> drawn_;  // by slot
  std::uint64_t drawings_ = 0;

  // These describe this frame. Until lay_out() they describe the last frame, because the mouse points at what
  // is on the screen.
  float width_ = 0, height_ = 0, scale_ = 1;  // logical pixels; pixels per logical pixel
  Wishes wishes_;
  WindowLayout layout_;
  TimingPanel timing_;
  Panel transport_, status_, view_keys_, sentence_, help_;
  Point mouse_{-1, -1};
  std::string tip_;  // of a button
  struct KnownTip {
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const LineCounters> counters;
    Cursor cursor;
    bool operator==(const KnownTip&) const = default;
  } known_tip_;
  Lines view_tip_;  // the tip for known_tip_
  bool quit_ = false;

  // Between frames: what the held mouse button carries.
  enum class Hold { nothing, splitter, steps, columns, timing, click } hold_ = Hold::nothing;
  Splitter splitter_;
  Point pressed_at_, last_at_;
  Id pressed_id_;
  std::size_t pressed_slot_ = 0;
  double still_ = 0;  // seconds the mouse has rested
};

}  // namespace upsweep
