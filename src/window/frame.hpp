// Draws one frame of the window: reads keys and mouse, changes the session, and draws everything. It also
// works without a display.
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

// Returns the framebuffer pixels per logical pixel: `asked` if it is above 0, otherwise the display's own
// scale, but at least 1. If the display reports no scale above 1, returns 2 for a framebuffer of at least
// 2,000 rows.
float display_scale(float asked, float content_scale, int pixel_height);

// Returns the framebuffer pixels per logical pixel if the text is larger or smaller than usual. The window
// keeps at least 800 x 500 logical pixels, for which every panel is made.
float scaled_text(float scale, float text_scale, int width, int height);

class Frame {
 public:
  // If `window` is null, the frame is off-screen, and GLFW is not used. Requires that OpenGL is loaded. The
  // learner's progress is kept in the file `progress`. If the name is empty, nothing is kept.
  Frame(Session& session, GLFWwindow* window, const std::string& progress = {});
  ~Frame();

  struct Outcome {
    bool quit = false;
    // True if a key or the mouse was used. ImGui then needs another frame.
    bool heard = false;
    // The seconds after which another frame is needed, even without an event. Negative if none is needed.
    double again_in = -1;
  };
  // Draws a frame of width x height pixels into the current framebuffer. `seconds` have passed since the
  // previous frame.
  Outcome draw(int width, int height, float scale, double seconds, std::span<const Chord> keys);

  // Returns the last frame as a scene, without tips and help. A line that names the run replaces the top bar.
  Scene scene() const;

  LessonPlayer& player() { return player_; }
  RecentFiles& recent_files() { return recent_; }
  // Returns a description of the thing that has the keyboard's focus, or an empty text if nothing has the
  // focus.
  std::string focused() const;
  // Shows the state that a text describes. If the text cannot be read, the banner says why.
  void show_text(std::string_view text);
  // Waits for the pictures of the start page, at most this many seconds.
  void wait_for_cards(double seconds);
  // Returns whether values are moving from one step to the next.
  bool moves() const { return moved_.has_value(); }
  // Returns whether an open list or a text field has the keyboard.
  bool has_keyboard() const { return bar_.has_keyboard(); }
  // Returns the boxes of parts, fields and list rows in pixels, for automated tests.
  std::vector<ScreenPlace> places() const;

 private:
  // All data on which a view's picture depends.
  struct Key {
    int view = -1;
    std::shared_ptr<const Recording> recording;
    const Hazards* hazards = nullptr;  // the recording's hazards; null until the search has ended
    Cursor cursor;                     // `hover` contains only what the view shows, see View::sees
    const Theme* theme = nullptr;
    bool presented = false;
    float width = 0, height = 0;
    std::vector<int> alternatives;
    bool times = false, button = false, pressed = false, waits = false;
    std::string failure;
    std::shared_ptr<const LineCounters> counters;
    std::shared_ptr<const LensFrame> lens_frame;
    // For the bars of both runs: the other run and the shown pair.
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
    std::uint64_t number = 0;  // the number that identifies this drawing, see Renderer::draw()
  };
  const Theme& theme() const { return theme_of(session_.looks.dark, session_.looks.contrast); }
  // A slot is a place in which a view is drawn. Each Home has one slot, the large view has one more, and the
  // views that a presentation shows beside it have two more. The views of a comparison's changed run have the
  // slots from `changed_slots` on, in the same order.
  static constexpr std::size_t large_slot = home_count, added_slots = large_slot + 1,
                               changed_slots = added_slots + 2, slots = 2 * changed_slots;
  static bool is_changed(std::size_t slot) { return slot >= changed_slots; }
  // Returns whether the slot shows the bars of both runs instead of the view Profile.
  bool shows_pairs(std::size_t slot) const {
    return slot == static_cast<std::size_t>(Home::profile) && session_.compares();
  }
  // Returns the recording that a slot shows.
  std::shared_ptr<const Recording> recording_in(std::size_t slot) const {
    return is_changed(slot) ? session_.changed() : session_.shared_recording();
  }
  int view_in(std::size_t slot) const;
  // Returns the view that was drawn in a slot in the last frame, or null.
  const View* drawn_in(std::size_t slot) const;
  // Deletes drawings of recordings that are not shown any more, because a drawing keeps its recording in
  // memory.
  void forget_other_recordings();
  // If the program speaks another language than in the last frame, draws everything anew.
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
  // Returns the other run's recording if the slot's picture depends on it; otherwise null.
  std::shared_ptr<const Recording> beside(std::size_t slot) const;
  void draw_slot(std::size_t slot);
  // Calls f(view, input) for the view in a slot, with the input that draw_slot() gave it.
  void with_input(std::size_t slot, const std::function<void(const ViewInput&)>& f) const;
  // Begins the motion from one step to the next, or ends the motion that is under way.
  void follow_steps(double seconds);
  void add_motion_in(std::size_t slot);
  void draw_pairs(std::size_t slot);
  // The slot in which a point is, and the point's place in the slot.
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
  // Lessons and the start page, see frame_lessons.cpp.
  void follow_lessons();
  Handouts handouts() const;  // what the list Export can save of the lesson
  bool press_in_lessons(const Command& command);
  void show_or_hide_lessons();
  bool go_on_in_lesson();
  bool press_to_share(const Command& command);
  // The things of a panel that the keyboard can reach, in logical pixels of the window.
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
  // Calls save(folder), which writes a file and returns a sentence that names the file. Shows this sentence,
  // or an error.
  template <class F>
  void save(F save);
  void grab();
  void carry();
  void turn_wheel(float ticks);
  void scrub();
  float tree_column_width();
  void drag_in_view();
  // The export, see frame_export.cpp.
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
  // The presentation, see frame_presentation.cpp.
  void follow_presentation(double seconds, bool moved);
  double presentation_changes_in() const;
  void draw_presentation();
  bool leave_presentation();
  std::vector<Stroke>* strokes();
  void begin_stroke();
  void go_on_with_stroke();
  void draw_views();
  // Calls f(scene, x, y, number) for every scene of the window, lowest first, as Renderer::draw() takes them.
  void for_each_scene(const std::function<void(const Scene&, float, float, std::uint64_t)>& f) const;
  void draw_overlays();
  void draw_tip();
  const Lines& view_tip();

  Session& session_;
  LearnerProgress progress_;
  LessonPlayer player_;
  RecentFiles recent_;
  std::string focus_area_;  // the panel with the keyboard's focus, if there is one
  Box focus_box_;
  Renderer renderer_;
  Toolkit toolkit_;
  TopBar bar_;
  std::vector<Drawn> drawn_;  // one for each slot
  TextLanguage drawn_language_ = language();
  std::uint64_t drawings_ = 0;

  // The current frame. Before lay_out(), these members still describe the last frame. The mouse is handled
  // before lay_out(), because the user points at the frame that is on the screen.
  float width_ = 0, height_ = 0, scale_ = 1;  // in logical pixels; framebuffer pixels per logical pixel
  PreferredHeights preferred_heights_;
  WindowLayout layout_;
  TimingPanel timing_;
  Panel purpose_, transport_, status_, view_keys_, sentence_, help_, comparison_, caption_, question_, cards_;
  LessonPanel lesson_;
  float lesson_scroll_ = 0;    // how far the lesson's text is moved up, in dp
  std::string hidden_lesson_;  // the lesson that was open when the lessons were hidden; may be empty
  int scrolled_step_ = -1;     // the step that lesson_scroll_ belongs to
  int chosen_lesson_ = 0, chosen_card_ = -1;  // chosen with the arrow keys
  Score counted_;                             // the part of the session's score that is in the learner's file
  using CardWorker = Worker<int, std::vector<CardPicture>>;
  std::vector<CardPicture> card_pictures_;
  bool asked_for_cards_ = false;
  Point mouse_{-1, -1};
  std::string tip_;  // the tip of a button or of the bar
  struct KnownTip {
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const LineCounters> counters;
    Cursor cursor;
    bool operator==(const KnownTip&) const = default;
  } known_tip_;
  Lines view_tip_;  // the tip of the thing whose id is known_tip_
  bool quit_ = false;

  // The state of the window that lasts from frame to frame. `hold_` names the thing that the user drags with
  // the pressed mouse button.
  enum class Hold { nothing, splitter, steps, columns, own, timing, ink, click } hold_ = Hold::nothing;
  Splitter splitter_;
  Point pressed_at_, last_at_;
  Id pressed_id_;
  std::size_t pressed_slot_ = 0;
  std::size_t hovered_slot_ = 0;   // the slot of the thing under the mouse
  std::size_t exported_slot_ = 0;  // the slot over which the mouse last was
  // After this many frames, the window is exported in this format; 0 for never.
  int frames_to_window_ = 0;
  Export window_export_ = Export::window_png;
  std::unique_ptr<Exporter> exporter_;  // null until the first export
  bool export_runs_ = false;            // an export has begun, and its result is not shown yet
  std::chrono::steady_clock::time_point export_began_;
  std::unique_ptr<PictureClipboard> clipboard_;  // null until a picture is copied
  // The step that the last frame showed. If this frame shows the next step, values move from one to the
  // other.
  struct Step {
    std::shared_ptr<const Recording> recording;
    int step = 0, block = 0;
    bool operator==(const Step&) const = default;
  } step_;
  std::optional<float> moved_;  // the share of the motion that is over; nothing if nothing moves
  Scene moving_;                // shapes that are drawn over the views
  // By slot: the motion, and the number of the drawing to which it belongs.
  std::vector<std::pair<std::uint64_t, Motion>> motions_;
  // What the pen drew over one picture of a presentation. It is shown whenever this picture is shown.
  struct Ink {
    std::shared_ptr<const Recording> recording, changed;
    Cursor cursor;  // without `hover`
    WindowLayout layout;
    std::vector<Stroke> strokes;
  };
  std::vector<Ink> ink_;
  bool presents_ = false;      // the last frame showed a presentation
  bool is_pointing_ = false;   // the mouse has moved since the presentation began
  double unused_ = 0;          // seconds since the controls of a presentation were used
  Point pixel_mouse_{-1, -1};  // the mouse in framebuffer pixels
  double still_ = 0;           // seconds since the mouse last moved
  bool tip_is_off_ = false;    // a key was pressed after the last mouse movement, so no tip is shown
  std::unique_ptr<CardWorker> card_worker_;  // null until the start page is first shown
};

}  // namespace upsweep
