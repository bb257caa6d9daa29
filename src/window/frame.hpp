// Draws one frame of the window: reads keys and mouse, changes the session, and draws all parts. A frame can
// also be drawn without a display.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lessons/player.hpp"
#include "panels/cards_panel.hpp"
#include "panels/chrome.hpp"
#include "panels/exports.hpp"
#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "panels/lesson_panel.hpp"
#include "panels/presentation.hpp"
#include "panels/timing_panel.hpp"
#include "render/render.hpp"
#include "study/session.hpp"
#include "study/worker.hpp"
#include "window/export_work.hpp"
#include "window/toolkit.hpp"
#include "window/top_bar.hpp"

namespace upsweep {

class PictureClipboard;

// Returns the number of framebuffer pixels per logical pixel. If `asked` is above 0, returns `asked`.
// Otherwise, the result depends on the display's scale `content_scale`. If `content_scale` is at most 1 and
// the framebuffer has at least 2,000 rows, returns 2. Otherwise, returns `content_scale`, but at least 1.
float display_scale(float asked, float content_scale, int pixel_height);

// Returns the number of framebuffer pixels per logical pixel for larger or smaller text: scale * text_scale.
// The window must keep at least 800 x 500 logical pixels, because the panels need this size. If larger text
// would leave the window fewer logical pixels, returns a smaller number.
float scaled_text(float scale, float text_scale, int width, int height);

class Frame {
 public:
  // If `window` is null, the frame is off-screen, and GLFW is not used. Requires that OpenGL is loaded.
  //
  // The file with the name `progress` stores the learner's progress. If the name is empty, the progress is
  // not stored.
  Frame(Session& session, GLFWwindow* window, const std::string& progress = {});
  ~Frame();

  struct Outcome {
    bool quit = false;
    // True if the user has used a key or the mouse. In this case, ImGui needs another frame.
    bool heard = false;
    // The number of seconds until the next frame is needed, even if no event comes. The number is negative if
    // the next frame can wait for an event.
    double again_in = -1;
  };
  // Draws a frame of width x height pixels into the current framebuffer. `seconds` is the time since the
  // previous frame.
  Outcome draw(int width, int height, float scale, double seconds, std::span<const Chord> keys);

  // Returns the latest frame as a scene, without tooltips and help. A line with the name of the run replaces
  // the top bar.
  Scene scene() const;

  LessonPlayer& player() { return player_; }
  RecentFiles& recent_files() { return recent_; }
  // Returns a description of the thing that has the keyboard's focus. Returns an empty text if no thing has
  // the focus.
  std::string focused() const;
  // Returns the box of the thing that has the keyboard's focus, in framebuffer pixels. Returns an empty box
  // if no thing has the focus.
  Box focus_box() const;
  // Shows the state that a text describes. If the text cannot be read, the banner says why.
  void show_text(std::string_view text);
  // Waits until the pictures of the start page are ready, but at most this many seconds.
  void wait_for_cards(double seconds);
  // Returns true while an animation moves values from one step to the next.
  bool moves() const { return moved_.has_value(); }
  // Returns true if an open list or a text field has the keyboard.
  bool has_keyboard() const { return bar_.has_keyboard(); }
  // Returns the boxes of parts, fields and list rows, in framebuffer pixels. Automated tests use these boxes.
  std::vector<ScreenPlace> places() const;

 private:
  // All data that a view's picture depends on.
  struct Key {
    int view = -1;
    std::shared_ptr<const Recording> recording;
    const Hazards* hazards = nullptr;  // the hazards of the recording; null until the search has ended
    Cursor cursor;                     // `cursor.hover` has only the part that the view shows, see View::sees
    const Theme* theme = nullptr;
    bool presented = false;
    float width = 0, height = 0, enlarged = 1;
    std::vector<int> alternatives;
    bool times = false, button = false, pressed = false, waits = false;
    std::string failure;
    std::shared_ptr<const LineCounters> counters;
    std::shared_ptr<const LensFrame> lens_frame;
    // The other run of a comparison, and the shown pair of steps, if the picture depends on both runs.
    // Otherwise null and -1.
    std::shared_ptr<const Recording> beside;
    int pair = -1;
    bool operator==(const Key&) const = default;
  };
  static Around around_of(const Key& key) {
    return {key.alternatives, key.times, key.button, key.pressed, key.waits, key.failure};
  }
  struct Drawn {
    Key key;
    Scene scene;
    std::uint64_t number = 0;  // identifies this drawing, see Renderer::draw()
  };
  const Theme& theme() const { return theme_of(session_.looks.dark, session_.looks.contrast); }
  // A slot is a place where a view is drawn. There is one slot for each Home (a fixed place of the window),
  // then one slot for the large view, and two slots for the views that a presentation adds.
  //
  // The slots from `changed_slots` on are for the changed run of a comparison, in the same order.
  static constexpr std::size_t large_slot = home_count, added_slots = large_slot + 1,
                               changed_slots = added_slots + 2, slots = 2 * changed_slots;
  static bool is_changed(std::size_t slot) { return slot >= changed_slots; }
  // Returns true if the slot shows the pairs of steps of both runs, instead of the view "Profile".
  bool shows_pairs(std::size_t slot) const {
    return slot == static_cast<std::size_t>(Home::profile) && session_.compares();
  }
  // Returns the recording that a slot shows.
  std::shared_ptr<const Recording> recording_in(std::size_t slot) const {
    return is_changed(slot) ? session_.changed() : session_.shared_recording();
  }
  int view_in(std::size_t slot) const;
  // Returns the view that the previous frame drew in a slot. Returns null if the slot was empty.
  const View* drawn_in(std::size_t slot) const;
  // Deletes drawings of recordings that are no longer shown, because a drawing keeps its recording in memory.
  void forget_other_recordings();
  // If the language has changed since the previous frame, draws all parts again.
  void follow_language();
  Hand hand_in(std::size_t slot) const;
  const Box& box_of(std::size_t slot) const {
    if (is_changed(slot)) {
      slot -= changed_slots;
      return slot < large_slot    ? layout_.changed[slot]
             : slot == large_slot ? layout_.changed_large
                                  : layout_.changed_added[slot - added_slots];
    }
    return slot < large_slot    ? layout_[static_cast<Home>(slot)]
           : slot == large_slot ? layout_.large
                                : layout_.added[slot - added_slots];
  }
  // If two runs are compared and the slot's picture depends on both, returns the recording of the other run.
  // Otherwise, returns null.
  std::shared_ptr<const Recording> beside(std::size_t slot) const;
  void draw_slot(std::size_t slot);
  // Calls f(view, input) for the view in a slot. The input is the same as in draw_slot().
  void with_input(std::size_t slot, const std::function<void(const ViewInput&)>& f) const;
  // Begins the motion from one step to the next, or ends the running motion.
  void follow_steps(double seconds);
  void add_motion_in(std::size_t slot);
  void draw_pairs(std::size_t slot);
  // A slot that contains a point, and the position of the point in the slot.
  struct Under {
    std::size_t slot;
    Point at;
  };
  std::optional<Under> under(Point p) const;
  void hover(const Id& id, std::size_t slot);
  void click();
  Point within(const Box& box) const { return {mouse_.x - box.x, mouse_.y - box.y}; }

  bool take_keys(std::span<const Chord> keys);
  bool take_reply_key(const Chord& chord);
  // The functions for lessons and for the start page, see frame_lessons.cpp.
  void follow_lessons();
  Handouts handouts() const;  // returns the parts of the lesson that the list Export can save
  bool press_in_lessons(const Command& command);
  void show_or_hide_lessons();
  bool go_on_in_lesson();
  bool press_to_share(const Command& command);
  // The boxes of a panel that the keyboard can reach, in logical pixels of the window.
  struct FocusArea {
    std::string name;
    std::vector<Box> boxes;
  };
  std::vector<FocusArea> focus_areas() const;
  void focus_on(const std::string& area, const Box& box);
  void focus_next_area(int by);
  bool take_focus_key(const Chord& chord);
  bool take_field_key(const Chord& chord);
  Scene focus_ring() const;
  void copy(const std::function<std::string()>& make);
  void paste();
  bool take_lesson_key(const Chord& chord);
  bool scroll_lesson(float ticks);
  void lay_out();
  void point();
  void press(const Command& command);
  // Calls save(folder), which writes a file and returns a sentence that names the file. Shows this sentence
  // or, if save() throws, the error.
  template <class F>
  void save(F save);
  void grab();
  void carry();
  void turn_wheel(float ticks);
  void scrub();
  float tree_column_width();
  void drag_in_view();
  // The functions for exports, see frame_export.cpp.
  const View& exported_view() const;
  StepPictures exported_pictures() const;
  PicturePaper paper_for(Export what, float width, float height) const;
  std::string shown_algorithm() const;
  std::string export_name(Export what) const;
  int shown_step() const;
  std::string command_text() const;
  void export_as(Export what);
  ExportTarget target_of(Export what, const PicturePaper& paper) const;
  template <class F>
  void begin_export(F make);
  void continue_export();
  void finish_export(Saved saved);
  void cancel_export();
  // The functions for presentations, see frame_presentation.cpp.
  void follow_presentation(double seconds, bool moved);
  double presentation_changes_in() const;
  void draw_presentation();
  bool leave_presentation();
  std::vector<Stroke>* strokes();
  void begin_stroke();
  void go_on_with_stroke();
  void draw_views();
  // Calls f(scene, x, y, number) for every scene of the window, from the lowest to the topmost. See
  // Renderer::draw().
  void for_each_scene(const std::function<void(const Scene&, float, float, std::uint64_t)>& f) const;
  void draw_overlays();
  void draw_tip();
  const Lines& view_tip();

  Session& session_;
  LearnerProgress progress_;
  LessonPlayer player_;
  RecentFiles recent_;
  std::string focus_area_;  // the name of the panel with the keyboard's focus; empty for none
  Box focus_box_;
  Renderer renderer_;
  Toolkit toolkit_;
  TopBar bar_;
  std::vector<Drawn> drawn_;  // one drawing for each slot
  TextLanguage drawn_language_ = language();
  std::uint64_t drawings_ = 0;

  // The current frame. Before lay_out(), these members still describe the previous frame. The mouse is
  // handled before lay_out(), because the user still sees the previous frame.

  // The size in logical pixels, the framebuffer pixels per logical pixel, and ViewInput::enlarged.
  float width_ = 0, height_ = 0, scale_ = 1, enlarged_ = 1;
  PreferredHeights preferred_heights_;
  WindowLayout layout_;
  TimingPanel timing_;
  Panel purpose_, transport_, status_, view_keys_, sentence_, help_, comparison_, caption_, question_, cards_;
  LessonPanel lesson_;
  float lesson_scroll_ = 0;  // the distance in logical pixels by which the lesson's text is moved up
  // The lesson that was open when the user hid the lessons. Empty if no lesson was open.
  std::string hidden_lesson_;
  int scrolled_step_ = -1;  // the lesson's step for which lesson_scroll_ is valid
  // The lesson and the card that the user has chosen with the arrow keys; -1 for none.
  int chosen_lesson_ = 0, chosen_card_ = -1;
  Score counted_;  // the part of the session's score that is already in the learner's file
  using CardWorker = Worker<int, std::vector<CardPicture>>;
  std::vector<CardPicture> card_pictures_;
  bool asked_for_cards_ = false;
  Point mouse_{-1, -1};
  std::string tip_;  // the tooltip of a button or of the top bar
  struct KnownTip {
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const LineCounters> counters;
    Cursor cursor;
    bool operator==(const KnownTip&) const = default;
  } known_tip_;
  Lines view_tip_;  // the tooltip for known_tip_
  bool quit_ = false;

  // The state of the window that is kept between frames. `hold_` says what the user drags with the pressed
  // mouse button.
  enum class Hold { nothing, splitter, steps, columns, own, timing, ink, click } hold_ = Hold::nothing;
  Splitter splitter_;
  Point pressed_at_, last_at_;
  Id pressed_id_;
  std::size_t pressed_slot_ = 0;
  std::size_t hovered_slot_ = 0;   // the slot that contains the thing under the mouse
  std::size_t exported_slot_ = 0;  // the slot that was under the mouse most recently
  // After this number of frames, the window is exported in the format window_export_. 0 means that no export
  // waits.
  int frames_to_window_ = 0;
  Export window_export_ = Export::window_png;
  std::unique_ptr<Exporter> exporter_;  // null until the first export
  bool export_runs_ = false;            // true from the start of an export until the window shows the result
  std::chrono::steady_clock::time_point export_began_;
  std::unique_ptr<PictureClipboard> clipboard_;  // null until the first picture is copied
  // The step of the previous frame. If this frame shows the next step, values move from the previous frame's
  // step to this frame's step.
  struct Step {
    std::shared_ptr<const Recording> recording;
    int step = 0, block = 0;
    bool operator==(const Step&) const = default;
  } step_;
  std::optional<float> moved_;  // the finished fraction of the motion; empty if nothing moves
  Scene moving_;                // the moving shapes, which are drawn over the views
  // For each slot, the number of a drawing, and the motion that belongs to this drawing.
  std::vector<std::pair<std::uint64_t, Motion>> motions_;
  // The strokes that the user has drawn over one picture of a presentation. If the same picture is shown
  // again, the strokes are shown again, too.
  struct Ink {
    std::shared_ptr<const Recording> recording, changed;
    Cursor cursor;  // the cursor without `hover`
    WindowLayout layout;
    std::vector<Stroke> strokes;
  };
  std::vector<Ink> ink_;
  bool presents_ = false;      // true if the previous frame showed a presentation
  bool is_pointing_ = false;   // true if the mouse has moved since the presentation began
  double unused_ = 0;          // the seconds since the user last used the controls of a presentation
  Point pixel_mouse_{-1, -1};  // the position of the mouse in framebuffer pixels
  double still_ = 0;           // the seconds since the mouse last moved
  // True if a key was pressed after the last movement of the mouse. In this case, no tooltip is shown.
  bool tip_is_off_ = false;
  std::unique_ptr<CardWorker> card_worker_;  // null until the start page is shown
};

}  // namespace upsweep
