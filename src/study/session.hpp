// The state of the window: the wanted run, the shown recording, and the place in it. It contains no code for
// drawing.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"
#include "study/compared_facts.hpp"
#include "study/data_source.hpp"
#include "study/history.hpp"
#include "study/line_counting.hpp"
#include "study/recorder.hpp"
#include "study/request.hpp"
#include "study/room.hpp"
#include "study/timing_model.hpp"

namespace upsweep {

// The appearance of the window, without its contents.
struct Looks {
  bool dark = true;
  bool presentation = false;
  bool help = false;
  int help_page = 0;  // 0 for the keys; the following pages are the glossary
  int chosen = -1;    // index into views() of the view that fills the left area; -1 shows all views
  // For each home: the chosen view among its views. -1 leaves the choice to the program.
  std::array<int, home_count> tabs = [] {
    std::array<int, home_count> none{};
    none.fill(-1);
    return none;
  }();
  // The positions of the splitters, as fractions. layout.hpp keeps every part large enough to be legible.
  float column = 0.6625f;     // the left column's width
  float rows[4] = {};         // heights of the left column's views; all zero to fit their content
  float source = 0;           // the source view's height in the right column; 0 to fit the window
  bool timing_large = false;  // the times fill the left side
  int timing = -1;            // the times at the lower right: 1 shown, 0 hidden, -1 shown if there is room
  bool counters = false;      // the source shows what the hardware counted

  bool operator==(const Looks&) const = default;
};

// A recording that was read from a file. It is kept until another one is opened.
struct Opened {
  std::string name;  // the file's name
  std::shared_ptr<const Recording> recording;
  std::shared_ptr<const Algorithm> algorithm;  // see algorithm_of()
  explicit operator bool() const { return recording != nullptr; }
};

// A message above the views.
struct Banner {
  enum class Severity { notice, error } severity = Severity::notice;
  std::string text;  // one or more sentences; empty if there is no message
};

// The run that the user wants.
struct WantedRun {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool opened = false;                         // the opened recording is wanted, not a run
  std::map<std::string, std::string> choices;  // all options ever chosen; an algorithm uses only its own
  bool n_chosen = false;                       // the user chose n
  bool block_chosen = false;                   // the user chose the block size
  std::uint32_t first_block = 0;               // the first block that is recorded in full
};

// The outcome of a request.
enum class Answer {
  refused,  // the request makes no sense: nothing has changed, and the banner says why
  begun,    // the run is being recorded
  shown
};

// The progress of a recording that takes longer than 0.2 s (Session::stands_in_after).
struct RecordingProgress {
  double share = 0;         // 0 to 1; it never decreases
  double seconds_left = 0;  // an estimate; 0 if it is not known yet
  int n = 0;                // elements of the run that is recorded; 0 if a file is opened
  int shown_n = 0;          // elements of the run that is shown meanwhile
};

class Session {
 public:
  struct Start {
    std::shared_ptr<const Recording> opened;  // shown instead of a run of the settings, if not null
    std::string opened_from;                  // the file of `opened`
    std::shared_ptr<const Recording> made;    // a run of the settings, if it was recorded already
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
    int step = 0;
    bool n_chosen = true;       // the user chose settings.n, so other algorithms keep it
    bool block_chosen = false;  // the user chose settings.block, so it stays when n changes
    Recorder::Opener open = open_machine;
    std::function<void()> wake;  // called from another thread when tick() has something to pick up
    LineCounting::Count count = count_here;
    TimingModel::Start timing;  // its `wake` is replaced by the one above
    double patience = 0.06;     // seconds to wait for the first recording before a smaller one is shown
    double moment = 0.01;       // seconds for which any function may wait for a recording
    std::function<std::int64_t()> free_memory = upsweep::free_memory;
  };
  // Throws RequestError if the settings or the data make no sense.
  explicit Session(Start start);
  ~Session();

  // The shown recording, and the place in it.
  const Recording& recording() const { return *recording_; }
  std::shared_ptr<const Recording> shared_recording() const { return recording_; }
  const Cursor& cursor() const { return cursor_; }
  Step step() const { return recording_->trace.steps.at(static_cast<std::size_t>(cursor_.step)); }
  int step_count() const { return static_cast<int>(recording_->trace.steps.size()); }
  bool playing() const { return playing_; }
  // Returns the seconds until tick() should be called, or a negative number if it need not be called.
  double next_tick_in() const;
  double speed() const { return speed_; }  // steps per second

  // The wanted run. While a recording is under way, it is ahead of the shown run.
  const Settings& settings() const { return wanted_.settings; }
  const Algorithm& algorithm() const;
  const DataSource& data() const { return wanted_.data; }
  MachineChoice machine() const { return wanted_.machine; }
  bool recording_under_way() const { return pending_.has_value(); }
  // Returns the progress of the recording under way, once it has taken `stands_in_after` seconds.
  std::optional<RecordingProgress> progress() const;
  // Cancels the recording under way and restores the state before it. Returns false if no recording is under
  // way.
  bool cancel();
  const Banner& banner() const { return banner_; }
  std::string error() const { return banner_.severity == Banner::Severity::error ? banner_.text : ""; }
  const Opened& opened() const { return opened_; }
  bool shows_opened() const { return opened_ && recording_ == opened_.recording; }
  Looks looks;

  // Moving. Each function returns whether it moved anything.
  bool step_by(int steps);
  // Goes to the first step of the next phase. Backwards, goes to the first step of this phase, and from there
  // to the first step of the phase before.
  bool step_phase(int direction);
  bool step_request(int direction);  // goes to the next request, also across steps
  // Goes to another block of the step's grid. A block that was not recorded in full is recorded if possible.
  bool step_block(int direction);
  bool go_to_block(int block);
  bool go_to(int step);
  bool first() { return go_to(0); }
  bool last() { return go_to(step_count() - 1); }
  void toggle_playing();
  void change_speed(int direction);
  // Plays on for this many seconds, and picks up results of other threads. Returns whether anything changed.
  bool tick(double seconds);
  // Waits for the recordings under way and picks them up.
  void settle(double seconds);

  // Carries out a request, or refuses all of it with a sentence in the banner. It first changes the run, then
  // the place, then the appearance. If the new recording does not have the place, the nearest place replaces
  // it.
  Answer apply(const Request& request);
  // Returns the wanted state as a request with all fields. apply() restores it.
  Request state() const;
  // Goes back to the state before the last intention, or forward again. Several steps in a row are one
  // intention, and so are zooming, scrolling and moving splitters. Returns false if there is no such state.
  bool undo();
  bool redo();

  // Short forms of apply(). A request that is refused, fails or is cancelled changes nothing but the banner.
  // If a recording takes longer than `stands_in_after`, a smaller one is shown meanwhile. Until the user has
  // chosen n, each algorithm gets a size that shows it well, with several blocks if it can have several.
  Answer set_algorithm(const std::string& name) { return apply({.algorithm = name}); }
  Answer set_n(std::int64_t n) { return apply({.n = n}); }
  Answer set_block(int block) { return apply({.block = block}); }
  Answer set_grid(int grid) { return apply({.grid = grid}); }
  // Takes another option for one of the algorithm's choices, or a formula if the choice takes formulas. The
  // option also applies to other algorithms with this choice.
  Answer set_choice(const std::string& choice, const std::string& option) {
    return apply({.choices = {{choice, option}}});
  }
  Answer next_choice(const std::string& choice);  // takes the next option; after a formula, the first
  // Takes out the barrier on a line, or puts it back. Line 0 means the barrier that is out. If all barriers
  // are in, line 0 means the barrier under the mouse, or else the one that ends the step.
  Answer toggle_barrier(int line = 0);
  Answer set_type(Scalar type) { return apply({.type = type}); }
  Answer set_operator(Operator op) { return apply({.op = op, .expression = "", .identity = ""}); }
  // Sets a user's operator: a C expression in a and b, and the number that is its identity.
  Answer set_own_operator(std::string expression, std::string identity) {
    return apply({.op = Operator::own, .expression = std::move(expression), .identity = std::move(identity)});
  }
  Answer set_data(const DataSource& data) { return apply({.data = data}); }
  Answer set_machine(MachineChoice machine) { return apply({.machine = machine}); }
  Answer next_machine();
  // Shows the recording in a file, or a recording that comes with the program (see open_recording()). If the
  // name ends in .json, shows the times in that file.
  Answer open(const std::string& name) { return apply({.open = name}); }
  // Goes back to the recording that was opened last, if there is one.
  void show_opened();
  // The times at full size.
  TimingModel timing;
  Chosen chosen_times() const;
  const ComparedFacts& compared_facts() const { return compared_facts_; }
  // Begins to find, in another thread, the cost of a block of the compared variant.
  void follow_compared();
  void show_timing();    // shows the times if they are hidden
  void measure_times();  // begins to measure, or cancels the measurement
  void next_timings();
  void pin_time(int row);  // pins a row of the shown times, or removes its pin
  // The hardware's counts for each line of the shown run; null unless the counters are on.
  std::shared_ptr<const LineCounters> line_counters() const;
  void toggle_counters();
  void swap_compared();  // exchanges the settings and the settings of the compared variant
  void next_compared();
  // Shows a case of the shown times: case 0 (a change saves time), or case 1 (global memory hides the
  // change). next_case() shows case 0, and after it case 1.
  void show_case(int which);
  void next_case(bool large = false);  // `large`: the times fill the left side
  int shown_case() const;              // -1 for none
  void dismiss_banner() { banner_ = {}; }
  void complain(std::string sentence) { banner_ = {Banner::Severity::error, std::move(sentence)}; }
  // Shows a notice in the banner.
  void tell(std::string sentence) { banner_ = {Banner::Severity::notice, std::move(sentence)}; }

  // Pointing.
  VisibleColumns visible_columns() const;  // of the tree at the cursor
  bool hover(const Id& id);
  void click(const Id& id);                // carries out the click; see View::click
  void zoom_tree(float factor, float at);  // zooms around `at`, from 0 to 1 across the visible columns
  void pan_tree(float columns);
  void show_whole_tree();
  void scroll_source(int lines, int first_visible);

 private:
  // Seconds after which a smaller recording and the progress are shown.
  static constexpr double stands_in_after = 0.2;
  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }
  // A recording under way.
  struct Pending {
    std::chrono::steady_clock::time_point since;
    int n = 0;                                // 0 if a file is opened
    std::int64_t free = 0;                    // bytes of free memory when it began
    std::optional<RecordingOrder> smaller{};  // the smaller recording that can be shown meanwhile
    bool stood_in = false;                    // the smaller recording was begun
    double share = 0;
  };
  // The shown recording before a smaller one replaced it, while a recording is under way.
  struct Before {
    std::shared_ptr<const Recording> recording;
    Cursor cursor;
  };
  // The previously shown run, if its recording took long. It is not recorded again if the user goes back to
  // it.
  struct Left {
    WantedRun wanted;
    std::shared_ptr<const Recording> recording;
  };

  void begin_at(int step);
  void record_first(const Start& start);
  Answer ask(WantedRun next, bool with_block = false);
  Answer begin(RecordingOrder order, WantedRun next);
  Answer refuse(std::string why);
  Answer ask(const Request& request);
  Answer open_file(const std::string& name);
  bool is_asked_for(const Request& request) const;
  void place_reader(const Request& request);
  void look(const Request& request);
  std::string why_not(const Request& request) const;
  Request settings_state() const;
  bool tick_recording();
  Answer finish(RecordingResult result);
  void show(std::shared_ptr<const Recording> recording, bool for_good);
  void put_back();
  void look_for_hazards();
  std::optional<RecordingResult> stand_in(const RecordingOrder& order);
  int same_place_in(const Recording& next) const;
  // Returns indices into Trace::events: the requests of the cursor's block in a step.
  const std::vector<int>& requests_of(int step) const;
  bool place(const Cursor& next);
  void carry_out(std::monostate) {}
  void carry_out(const GoToStep& to);
  void carry_out(const GoToRequest& to);
  void carry_out(const GoToBlock& to);
  void carry_out(const ToggleBarrier& barrier) { toggle_barrier(barrier.line); }
  void carry_out(ToggleCounters) { toggle_counters(); }
  void carry_out(ShowTimes) { looks.timing = 1; }
  void carry_out(const ShowView& shown);
  bool tick_timing();
  void follow_counters();
  void teach_algorithm(WantedRun& next, const std::string& name, int block) const;
  Answer ask_for_choices(Settings s, const Settings& choices, bool with_conflicts = false);
  int block_in(const Trace& trace, int step) const;  // the wanted block, or the last block of the step's grid
  // Returns the line that toggle_barrier() takes for line 0; 0 if the step has no barrier.
  int barrier_at_hand() const;

  const double moment_;
  const std::function<std::int64_t()> free_memory_;
  const std::function<void()> wake_;
  const Recorder::Opener open_;
  WantedRun wanted_,
      shown_;  // the run that is wanted now, and the run that was wanted when the shown run was recorded
  std::shared_ptr<const Recording> recording_;
  std::optional<Pending> pending_;
  std::optional<Before> before_;
  std::optional<Left> left_;
  bool took_long_ = false;  // the recording of the shown run took longer than `stands_in_after`
  Opened opened_;
  int wanted_block_ = 0;  // the block of the cursor in all grids that have this block
  Cursor cursor_;
  float pan_ = 0;                    // the fraction of a column by which the tree has still to move
  std::optional<Request> arriving_;  // the place to go to when the recording under way arrives
  std::string opened_from_;          // the name with which `opened_` was opened
  History history_;
  int intentions_ = 0;  // the number of nested intentions under way
  // The history and the state before the first undo or redo whose recording is still under way.
  struct Journey {
    History history;
    PastState from;
  };
  std::optional<Journey> journey_;
  class Intention;
  class Unremembered;
  bool travel(History::Direction direction);
  bool playing_ = false;
  double speed_ = 2, played_ = 0;
  Banner banner_;
  // These objects have threads. They are declared last, so that they end before the objects that they use.
  Recorder recorder_;
  std::unique_ptr<Recorder> stand_in_;  // makes the smaller recordings; null until the first slow recording
  using HazardFinder = Worker<std::shared_ptr<const Recording>, bool>;
  std::unique_ptr<HazardFinder> hazards_;  // null until needed
  ComparedFacts compared_facts_;
  LineCounting line_counting_;
};

}  // namespace upsweep
