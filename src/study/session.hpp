// The window's only mutable state: what is asked for, what was recorded, and where the reader stands. No
// drawing in here.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "study/line_counting.hpp"
#include "study/recorder.hpp"
#include "study/timing_desk.hpp"
#include "study/twin_facts.hpp"

namespace upsweep {

// How the window looks, apart from what it shows.
struct Looks {
  bool dark = true;
  bool presentation = false;
  bool help = false;
  int chosen = -1;  // index into views() of the view that fills the left area, -1: all of them
  // By part of the window (see layout.hpp): which of the views that can stand there was chosen, -1: whichever
  // says most.
  std::array<int, 16> tabs = [] {
    std::array<int, 16> none{};
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

class Session {
 public:
  struct Start {
    std::shared_ptr<const Recording> opened;  // shown in place of a run of the settings
    std::string opened_name;
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
    int step = 0;
    Recorder::Opener open = open_machine;
    std::function<void()> wake;  // called from another thread when tick() has something to pick up
    LineCounting::Count count = count_here;
    TimingDesk::Start timing;  // whose `wake` is this one's
    double patience = 0.06;    // seconds to wait for the first recording before the emulator stands in
  };
  // Throws RequestError if the settings or the data make no sense.
  explicit Session(Start start);

  // What is shown.
  const Recording& recording() const { return *recording_; }
  std::shared_ptr<const Recording> shared_recording() const { return recording_; }
  const Cursor& cursor() const { return cursor_; }
  Step step() const { return recording_->trace.steps.at(static_cast<std::size_t>(cursor_.step)); }
  int step_count() const { return static_cast<int>(recording_->trace.steps.size()); }
  bool playing() const { return playing_; }
  double next_step_in() const { return 1 / speed_ - played_; }  // seconds, while playing
  double speed() const { return speed_; }                       // steps per second

  // What is asked for (ahead of the recording while one is under way).
  const Settings& settings() const { return settings_; }
  const Algorithm& algorithm() const;
  const DataSource& data() const { return data_; }
  MachineChoice machine() const { return machine_; }
  bool recording_under_way() const { return pending_; }
  const std::string& error() const { return error_; }  // one sentence, or empty
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

  // Asking for something else. A request that makes no sense leaves everything as it was, but for error().
  // Until n was chosen by hand, an algorithm comes in the size that shows most of it: several blocks if it
  // can have them.
  void set_algorithm(const std::string& name);
  void set_n(int n);
  void set_block(int block);
  void set_grid(int grid);
  void set_variant(const std::string& variant, const std::string& choice);
  // Takes the barrier on a line out, or puts it back; without a line the one that is out, or else the one
  // that the mouse is over or that ends the step.
  void toggle_barrier(int line = 0);
  void set_type(Scalar type);
  void set_operator(Operator op);
  void set_layout(const std::string& layout);
  void next_layout();
  void set_load_pattern(const std::string& pattern);
  void set_data(const DataSource& data);
  void set_machine(MachineChoice machine);
  void next_machine();
  // Shows the recording in a file, or one that comes with the program (see open_recording()); of a name that
  // ends in .json, the times in it.
  void open(const std::string& name);
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
  // Shows what the settings are compared with, and compares it with them.
  // What the hardware counts of what is shown, line by line; null while that is not asked for.
  std::shared_ptr<const LineCounters> line_counters() const;
  void toggle_counters();
  void swap_twin();
  void next_twin();
  // Shows a case of the shown times: 0 where a change pays, 1 where global memory hides it. next_case() shows
  // the first, and from there the second.
  void show_case(int which);
  void next_case();
  int shown_case() const;  // -1 for none
  void dismiss_error() { error_.clear(); }
  void complain(std::string sentence) { error_ = std::move(sentence); }
  // Says what is good to know where errors are said, too.
  void tell(std::string sentence) { error_ = notice_ = std::move(sentence); }
  bool tells_no_error() const { return error_.empty() || error_ == notice_; }

  // Pointing.
  bool hover(const Id& id);
  void click(const Id& id);
  void zoom_tree(float factor, float at);  // around `at`, 0 to 1 of the visible columns
  void pan_tree(float columns);
  void show_whole_tree();
  void scroll_source(int lines, int first_visible);

 private:
  void begin_at(int step);
  void ask(Settings s, const DataSource& data, MachineChoice machine);
  template <class T>
  void change(T Settings::*what, T to);  // of the settings this alone
  void show(RecordingResult result);
  std::vector<Value> input_for(DataSource& data, Settings& s) const;
  int same_place_in(const Recording& next) const;
  std::vector<int> requests_of(int step) const;  // of the cursor's block, as indices of Trace::events
  bool place(const Cursor& next);
  bool tick_timing();
  void follow_counters();
  void set_algorithm(Settings s, int block = 32);  // threads that are enough to see something
  bool ask_for_choices(Settings s, const Settings& choices);
  int block_in(const Trace& trace, int step) const;  // the wanted one, in the grid of a step
  int barrier_at_hand() const;                       // a line, 0: none

  Recorder recorder_;
  Settings settings_;
  DataSource data_;
  MachineChoice machine_;
  std::string wanted_layout_ = "none",
              wanted_pattern_ = "halves";               // kept while an algorithm has no such variants
  std::map<std::string, std::string> wanted_variants_;  // likewise, by the variant's name
  bool n_chosen_ = false;                               // by hand
  int wanted_block_ = 0;                                // the cursor's, in grids that have it
  std::uint32_t first_block_ = 0;                       // of those recorded in full
  std::shared_ptr<const Recording> recording_;
  Opened opened_;
  bool of_opened_ = false;   // what is asked for is what was opened
  Settings shown_settings_;  // and what was asked for to get what is shown
  DataSource shown_data_;
  MachineChoice shown_machine_;
  Cursor cursor_;
  float pan_ = 0;  // of a column, not yet moved
  bool playing_ = false;
  double speed_ = 2, played_ = 0;
  bool pending_ = false;
  std::string error_, notice_;
  TwinFacts twin_facts_;
  LineCounting line_counting_;
};

}  // namespace upsweep
