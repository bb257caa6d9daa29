// The state of the window: what is asked for, what was recorded, and where the reader stands. No drawing in
// here.
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
#include "study/data_source.hpp"
#include "study/line_counting.hpp"
#include "study/recorder.hpp"
#include "study/request.hpp"
#include "study/room.hpp"
#include "study/timing_desk.hpp"
#include "study/twin_facts.hpp"

namespace upsweep {

// How the window looks, apart from what it shows.
struct Looks {
  bool dark = true;
  bool presentation = false;
  bool help = false;
  int chosen = -1;  // index into views() of the view that fills the left area, -1: all of them
  // By home: which of the views that can stand there was chosen, -1: whichever
  // says most.
  std::array<int, home_count> tabs = [] {
    std::array<int, home_count> none{};
    none.fill(-1);
    return none;
  }();
  // Where the splitters stand, as parts of the whole; layout.hpp keeps every part legible.
  float column = 0.6625f;  // the left column's width
  float rows[4] = {};      // heights of the left column's views; all zero: as their content needs
  float source = 0;        // the source view's height in the right column; 0: as suits the window
  // The times: filling the left side; and in the lower right, 1: there, 0: not, -1: where there is room.
  bool timing_large = false;
  bool counters = false;  // the source says what the hardware counted
  int timing = -1;

  bool operator==(const Looks&) const = default;
};

// A recording that was opened, not made here: it stays at hand until another one is opened.
struct Opened {
  std::string name;  // of its file
  std::shared_ptr<const Recording> recording;
  std::shared_ptr<const Algorithm> algorithm;  // see algorithm_of()
  explicit operator bool() const { return recording != nullptr; }
};

// What the window says in words, over the views.
struct Banner {
  enum class Severity { notice, error } severity = Severity::notice;
  std::string text;  // one sentence or more; empty: nothing
};

// What a person has asked for.
struct WantedRun {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool opened = false;                         // what was opened, not a run
  std::map<std::string, std::string> choices;  // kept while an algorithm has no such choice
  bool n_chosen = false;                       // by hand
  std::uint32_t first_block = 0;               // of those recorded in full
};

// What became of something asked for.
enum class Answer {
  refused,  // it makes no sense: nothing has changed, and the banner says why
  begun,    // it is being recorded
  shown
};

// A recording that takes longer than a moment.
struct RecordingProgress {
  double share = 0;         // 0 to 1, never less than before
  double seconds_left = 0;  // roughly; 0: not known yet
  int n = 0;                // of what is recorded; 0: a file is opened
  int shown_n = 0;          // of what is shown meanwhile
};

class Session {
 public:
  struct Start {
    std::shared_ptr<const Recording> opened;  // shown in place of a run of the settings
    std::string opened_from;                  // its file
    std::shared_ptr<const Recording> made;    // the run of the settings, if it was recorded already
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
    int step = 0;
    Recorder::Opener open = open_machine;
    std::function<void()> wake;  // called from another thread when tick() has something to pick up
    LineCounting::Count count = count_here;
    TimingDesk::Start timing;  // whose `wake` is this one's
    double patience = 0.06;    // seconds to wait for the first recording before a smaller one stands in
    double moment = 0.01;      // seconds that the caller of any function may be held for a recording
    std::function<std::int64_t()> free_memory = upsweep::free_memory;
  };
  // Throws RequestError if the settings or the data make no sense.
  explicit Session(Start start);
  ~Session();

  // What is shown.
  const Recording& recording() const { return *recording_; }
  std::shared_ptr<const Recording> shared_recording() const { return recording_; }
  const Cursor& cursor() const { return cursor_; }
  Step step() const { return recording_->trace.steps.at(static_cast<std::size_t>(cursor_.step)); }
  int step_count() const { return static_cast<int>(recording_->trace.steps.size()); }
  bool playing() const { return playing_; }
  // Seconds until tick() has something to do by itself; negative: nothing.
  double next_tick_in() const;
  double speed() const { return speed_; }  // steps per second

  // What is asked for (ahead of the recording while one is under way).
  const Settings& settings() const { return wanted_.settings; }
  const Algorithm& algorithm() const;
  const DataSource& data() const { return wanted_.data; }
  MachineChoice machine() const { return wanted_.machine; }
  bool recording_under_way() const { return pending_.has_value(); }
  // Of the recording under way, once it has taken longer than a moment.
  std::optional<RecordingProgress> progress() const;
  // Ends the recording under way: what was there before is there again. False if there is none.
  bool cancel();
  const Banner& banner() const { return banner_; }
  std::string error() const { return banner_.severity == Banner::Severity::error ? banner_.text : ""; }
  const Opened& opened() const { return opened_; }
  bool shows_opened() const { return opened_ && recording_ == opened_.recording; }
  Looks looks;

  // Moving. Every verb says whether it moved anything.
  bool step_by(int steps);
  bool step_phase(int direction);  // to the first step of a phase; back: of this one, then of the one before
  bool step_request(int direction);  // through the requests of the steps, in order
  // To another block of the step's grid; one that was not recorded in full is, if it can be.
  bool step_block(int direction);
  bool go_to_block(int block);
  bool go_to(int step);
  bool first() { return go_to(0); }
  bool last() { return go_to(step_count() - 1); }
  void toggle_playing();
  void change_speed(int direction);
  // Time passes: plays on, and picks up a recording that has come. True if anything changed.
  bool tick(double seconds);
  // Waits for the recordings under way and picks them up.
  void settle(double seconds);

  // Everything that a person can ask for: takes it, or refuses it whole with a sentence in the banner. What
  // runs is asked for first, then the place in it and how it is shown; a place that the new recording does
  // not have is brought to the nearest that it has.
  Answer apply(const Request& request);
  // All of it that a request can say, as it is asked for now: apply() brings it back.
  Request state() const;
  // Goes back to the state before the last intention, or forward again. Steps, zooming, scrolling and moving
  // splitters are one intention for as long as nothing else comes between. False if there is none.
  bool undo();
  bool redo();

  // Asking for something else, in short. A request that makes no sense, fails or is cancelled leaves
  // everything as it was, but for the banner. While a recording takes longer than a moment, a smaller one
  // stands in for it. Until n was chosen by hand, an algorithm comes in the size that shows most of it:
  // several blocks if it can have them.
  Answer set_algorithm(const std::string& name) { return apply({.algorithm = name}); }
  Answer set_n(std::int64_t n) { return apply({.n = n}); }
  Answer set_block(int block) { return apply({.block = block}); }
  Answer set_grid(int grid) { return apply({.grid = grid}); }
  // One of the algorithm's choices: another option, or a formula if it takes one. Another algorithm that has
  // the choice keeps the option.
  Answer set_choice(const std::string& choice, const std::string& option) {
    return apply({.choices = {{choice, option}}});
  }
  Answer next_choice(const std::string& choice);  // the next of its options; after a formula the first
  // Takes the barrier on a line out, or puts it back; without a line the one that is out, or else the one
  // that the mouse is over or that ends the step.
  Answer toggle_barrier(int line = 0);
  Answer set_type(Scalar type) { return apply({.type = type}); }
  Answer set_operator(Operator op) { return apply({.op = op}); }
  Answer set_data(const DataSource& data) { return apply({.data = data}); }
  Answer set_machine(MachineChoice machine) { return apply({.machine = machine}); }
  Answer next_machine();
  // Shows the recording in a file, or one that comes with the program (see open_recording()); of a name that
  // ends in .json, the times in it.
  Answer open(const std::string& name) { return apply({.open = name}); }
  // Goes back to the recording that was opened last, if there is one.
  void show_opened();
  // What it costs at full size.
  TimingDesk timing;
  Chosen chosen_times() const;
  const TwinFacts& twin_facts() const { return twin_facts_; }
  // Finds out what the compared variant costs a block, off this thread.
  void follow_twin();
  void show_timing();    // somewhere in the window
  void measure_times();  // or cancels
  void next_timings();
  void pin_time(int row);  // of the shown times; again: no longer
  // What the hardware counts of what is shown, line by line; null while that is not asked for.
  std::shared_ptr<const LineCounters> line_counters() const;
  void toggle_counters();
  void swap_twin();  // shows what the settings are compared with, and compares it with them
  void next_twin();
  // Shows a case of the shown times: 0 where a change pays, 1 where global memory hides it. next_case() shows
  // the first, and from there the second.
  void show_case(int which);
  void next_case();
  int shown_case() const;  // -1 for none
  void dismiss_banner() { banner_ = {}; }
  void complain(std::string sentence) { banner_ = {Banner::Severity::error, std::move(sentence)}; }
  // Says what is good to know where errors are said, too.
  void tell(std::string sentence) { banner_ = {Banner::Severity::notice, std::move(sentence)}; }

  // Pointing.
  bool hover(const Id& id);
  void click(const Id& id);                // does what the view that answers for the id says
  void zoom_tree(float factor, float at);  // around `at`, 0 to 1 of the visible columns
  void pan_tree(float columns);
  void show_whole_tree();
  void scroll_source(int lines, int first_visible);

 private:
  // Seconds after which a smaller recording stands in, and the progress is shown.
  static constexpr double stands_in_after = 0.2;
  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }
  // A recording under way.
  struct Pending {
    std::chrono::steady_clock::time_point since;
    int n = 0;                              // 0: a file is opened
    std::int64_t free = 0;                  // bytes of memory, when it began
    std::optional<RecordingOrder> smaller;  // that can stand in for it
    bool stood_in = false;                  // it was begun
    double share = 0;
  };
  // What was shown before a smaller recording stood in for the one under way.
  struct Before {
    std::shared_ptr<const Recording> recording;
    Cursor cursor;
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
  void travel_back();
  void look_for_hazards();
  std::optional<RecordingResult> stand_in(const RecordingOrder& order);
  int same_place_in(const Recording& next) const;
  const std::vector<int>& requests_of(int step) const;  // of the cursor's block, as indices of Trace::events
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
  Answer ask_for_choices(Settings s, const Settings& choices);
  int block_in(const Trace& trace, int step) const;  // the wanted one, in the grid of a step
  int barrier_at_hand() const;                       // a line, 0: none

  const double moment_;
  const std::function<std::int64_t()> free_memory_;
  const std::function<void()> wake_;
  const Recorder::Opener open_;
  WantedRun wanted_, shown_;  // asked for; and what was asked for to get what is shown
  std::shared_ptr<const Recording> recording_;
  std::optional<Pending> pending_;
  std::optional<Before> before_;
  Opened opened_;
  int wanted_block_ = 0;  // the cursor's, in grids that have it
  Cursor cursor_;
  float pan_ = 0;                    // of a column, not yet moved
  std::optional<Request> arriving_;  // the place to go to when the recording under way has come
  std::string opened_from_;          // what open() was given for what was opened
  // For undo: states that were left, the last one last, and what was changed then.
  struct Left {
    Request state;
    bool n_chosen = false;
    std::string kind;  // of what left it; intentions of one kind that follow each other are one, unless empty
  };
  std::vector<Left> past_, future_;
  int intentions_ = 0;  // under way, one within another
  // What undo or redo took from `from`, while the recording that it needs is under way.
  struct Travelled {
    Left to;
    std::vector<Left> Session::*from, Session::*back;
  };
  std::optional<Travelled> travelled_;
  class Intention;
  class Unremembered;
  bool travel(std::vector<Left> Session::*from, std::vector<Left> Session::*back);
  bool playing_ = false;
  double speed_ = 2, played_ = 0;
  Banner banner_;
  // With threads of their own: last, so that they end before what they use.
  Recorder recorder_;
  std::unique_ptr<Recorder> stand_in_;  // from the first slow recording on
  std::unique_ptr<Worker<std::shared_ptr<const Recording>, bool>> hazards_;  // looks for them
  TwinFacts twin_facts_;
  LineCounting line_counting_;
};

}  // namespace upsweep
