// Keeps the state of the window: the run that the user wants, the shown recording, and the place in this
// recording. This class contains no code for drawing.
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

#include "analysis/step_match.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"
#include "study/compared_facts.hpp"
#include "study/data_source.hpp"
#include "study/history.hpp"
#include "study/lens_drawing.hpp"
#include "study/line_counting.hpp"
#include "study/questioning.hpp"
#include "study/recorder.hpp"
#include "study/request.hpp"
#include "study/room.hpp"
#include "study/session_parts.hpp"
#include "study/timing_model.hpp"
#include "study/view_finder.hpp"

namespace upsweep {

class Session {
 public:
  struct Start {
    std::shared_ptr<const Recording> opened;  // the recording to show instead of a new run, or null
    std::string opened_from;                  // the file of `opened`
    std::shared_ptr<const Recording> made;    // a recording of a run with the settings, if it exists already
    Settings settings;
    DataSource data;
    MachineChoice machine = MachineChoice::automatic;
    std::optional<int> step;    // the step that is shown first; if empty, the session chooses the step
    bool n_chosen = true;       // the user chose settings.n, so n stays when the algorithm changes
    bool block_chosen = false;  // the user chose settings.block, so the block size stays when n changes
    Recorder::Opener open = open_machine;
    std::function<void()> wake;  // called from another thread when tick() can pick up a result
    LineCounting::Count count = count_here;
    LensDrawing::Opener open_lens = open_gpu_lens;
    TimingModel::Start timing;  // its `wake` is ignored; the `wake` above is used instead
    double patience = 0.06;     // seconds to wait for the first recording before a smaller recording is shown
    double moment = 0.01;       // seconds that a function may wait for each later recording
    std::function<std::int64_t()> free_memory = upsweep::free_memory;
  };
  // Throws RequestError if the settings or the data make no sense.
  explicit Session(Start start);
  ~Session();

  // The shown recording, and the place in the recording. While a question is open, the recording contains
  // only what the learner may see (see Questioning::visible).
  const Recording& recording() const { return *shared_recording(); }
  std::shared_ptr<const Recording> shared_recording() const {
    const std::shared_ptr<const Recording> visible = questioning_.visible();
    return visible ? visible : recording_;
  }
  const Cursor& cursor() const { return cursor_; }
  Step step() const { return recording_->trace.steps.at(static_cast<std::size_t>(cursor_.step)); }
  int step_count() const { return static_cast<int>(recording_->trace.steps.size()); }
  bool playing() const { return playing_; }
  // Returns after how many seconds tick() should be called. Returns a negative number if tick() is needed
  // only after a call of `wake`.
  double next_tick_in() const;
  double speed() const { return speed_; }  // steps per second

  // The run that the user wants. While this run is being recorded, another run is shown.
  const Settings& settings() const { return wanted_.settings; }
  const Algorithm& algorithm() const;
  const DataSource& data() const { return wanted_.data; }
  MachineChoice machine() const { return wanted_.machine; }
  bool recording_under_way() const { return pending_.has_value(); }
  // Returns the progress of the running recording. Returns nullopt in the first `stands_in_after` seconds.
  std::optional<RecordingProgress> progress() const;
  // Cancels the running recording and restores the state before it. Returns false if no recording is running.
  bool cancel();
  const Banner& banner() const { return banner_; }
  std::string error() const { return banner_.severity == Banner::Severity::error ? banner_.text : ""; }
  const Opened& opened() const { return opened_; }
  bool shows_opened() const { return opened_ && recording_ == opened_.recording; }
  Looks looks;
  const std::function<void()>& wake() const { return wake_; }  // see Start::wake
  // The functions from step_by() to last() move the place, and return whether it has changed.
  bool step_by(int steps);
  // If direction > 0, goes to the first step of the next phase. Otherwise, goes to the first step of this
  // phase. If this first step is already shown, goes to the first step of the previous phase.
  bool step_phase(int direction);
  bool step_request(int direction);  // goes to the next or previous request, even in another step
  // Goes to another block of the step's grid. If the block was not recorded in full, records the run again if
  // possible.
  bool step_block(int direction);
  bool go_to_block(int block);
  bool go_to(int step);
  bool first();
  bool last();  // also goes to another block if the shown block has no event in the last step
  void toggle_playing();
  void change_speed(int direction);

  // --- The time of the run, see Place::time and TimeLine.

  // Returns whether playback and the keys (arrows, Home, End) move through the run's time instead of its
  // steps. True if the view "Blocks" is large and the run has a time line.
  bool moves_in_time() const;
  // Goes to the next or previous time at which a block begins, communicates with other blocks, or ends.
  bool go_to_time(std::int64_t time);
  // Goes to the next or previous time at which a block does something to other blocks.
  bool step_time(int direction);
  std::int64_t time() const;  // returns the shown time
  // Returns the part of the run's time that one second of playback shows, in ns or in events.
  double time_rate() const;
  // Plays for this many seconds, and picks up results of other threads. Returns whether anything changed.
  bool tick(double seconds);
  // Waits for the other threads, at most this many seconds for each of them, and picks up their results.
  void settle(double seconds);

  // Carries out a request completely, or refuses it completely with a sentence in the banner. First
  // changes the run, then the place, then the appearance. If the new recording does not have the requested
  // place, the nearest place is used.
  Answer apply(const Request& request);
  // Returns the state that the user wants, as a request with all fields. apply() restores this state.
  Request state() const;
  // undo() goes back to the state before the latest intention (one user action's changes), and redo() goes
  // forward again. Successive moves from step to step count as one intention. Repeated zooming, scrolling or
  // moving of splitters also counts as one intention. Returns false if there is no state to go to.
  bool undo();
  bool redo();

  // The functions set_...() and open() are short forms of apply(). A request that is refused, fails or is
  // cancelled changes neither the run nor the comparison. If a recording takes longer than `stands_in_after`
  // seconds, a smaller recording is shown meanwhile. Until the user has chosen n, each algorithm gets a small
  // n that shows the algorithm well, if possible with several blocks.
  Answer set_algorithm(const std::string& name) { return apply({.algorithm = name}); }
  Answer set_n(std::int64_t n) { return apply({.n = n}); }
  Answer set_block(int block) { return apply({.block = block}); }
  Answer set_grid(int grid) { return apply({.grid = grid}); }
  // Sets the option of one of the algorithm's choices, or a formula if the choice takes formulas. Other
  // algorithms with this choice get the same option.
  Answer set_choice(const std::string& choice, const std::string& option) {
    return apply({.choices = {{choice, option}}});
  }
  Answer next_choice(const std::string& choice);  // sets the next option; after a formula, the first option
  // Removes the barrier on a line, or puts it back. Line 0 puts the removed barrier back, if there is one.
  // Otherwise, line 0 removes the barrier under the mouse. If the mouse is over no barrier, line 0 removes
  // the run's next barrier or the text's first barrier, and the source view scrolls to this barrier.
  Answer toggle_barrier(int line = 0);
  Answer set_type(Scalar type) { return apply({.type = type}); }
  Answer set_operator(Operator op) { return apply({.op = op, .expression = "", .identity = ""}); }
  // Sets the user's own operator: a C expression in a and b, and its identity (a number).
  Answer set_own_operator(std::string expression, std::string identity) {
    return apply({.op = Operator::own, .expression = std::move(expression), .identity = std::move(identity)});
  }
  Answer set_data(const DataSource& data) { return apply({.data = data}); }
  // Shows a run and goes to `place`, which must have no fields that describe a run.
  Answer show_run(const Settings& settings, const DataSource& data, MachineChoice machine, Request place);
  Answer set_machine(MachineChoice machine) { return apply({.machine = machine}); }
  Answer next_machine();
  // Shows the recording in a file, or a recording that comes with the program (see open_recording()). If the
  // name ends in .json, shows the measured times in that file.
  Answer open(const std::string& name) { return apply({.open = name}); }
  // Shows again the recording that was opened last, if there is one.
  void show_opened();
  // The measured times.
  TimingModel timing;
  Chosen chosen_times() const;
  const ComparedFacts& compared_facts() const { return compared_facts_; }
  // Begins to find the cost of the compared variant's run, in another thread.
  void follow_compared();
  void show_timing();    // shows the times if they are hidden
  void measure_times();  // begins to measure, or cancels the measurement
  void next_timings();
  void pin_time(int row);  // pins the row, so that the chart always shows its number, or unpins the row
  // The hardware's counts for each line of the shown run; null if the counters are off.
  std::shared_ptr<const LineCounters> line_counters() const;
  void toggle_counters();
  // Returns true if the window explains the mistake in the broken kernel that the user has chosen.
  bool shows_answer() const { return wanted_.answer; }
  void toggle_answer();  // refused if no shown run has a broken kernel
  void swap_compared();  // exchanges the shown variant and the compared variant
  void next_compared();
  // Shows two measured variants. In case 0, fewer bank conflicts save time; in case 1, a change saves no
  // time, because the kernel waits for global memory. next_case() shows case 0 first, and then case 1.
  void show_case(int which);
  void next_case(bool large = false);  // if `large`, the times fill the left side
  int shown_case() const;              // 0 or 1; -1 if no case is shown
  void dismiss_banner() { banner_ = {}; }
  void complain(std::string sentence) { banner_ = {Banner::Severity::error, std::move(sentence)}; }
  // Returns the picture with depth of field for the cursor, or an older picture while another thread draws
  // the new picture. Returns null if the cursor asks for no picture with depth of field.
  std::shared_ptr<const LensFrame> lens_frame();
  // Returns whether a view can draw the cursor's place at once. If not, begins to find the view's data.
  bool is_ready(const View& view) { return view_finder_.is_ready(view, recording_, cursor_, moment_); }
  // Returns a sentence that says why the last search for a view's data failed; empty if the search succeeded.
  const std::string& view_failure() const { return view_finder_.failure(); }
  // Shows a sentence as a notice in the banner.
  void tell(std::string sentence) { banner_ = {Banner::Severity::notice, std::move(sentence)}; }

  // --- Two runs side by side. The baseline is the shown run. The changed run differs from the baseline only
  // in the fields of the request `change`. One cursor moves through both runs.

  // Begins or ends the comparison. The first time, chooses a run that is instructive beside the shown run.
  void toggle_comparing();
  // Shows two runs: `baseline` becomes the shown run.
  Answer compare(Request baseline, const Request& change);
  // Compares the shown run with a run of these settings.
  Answer compare_with(const Settings& settings, const DataSource& data, MachineChoice machine);
  Answer swap_sides();  // exchanges the baseline and the changed run
  // changed() returns the changed run's recording, or null if there is no recording yet. changed_failure()
  // returns a sentence that says why the recording failed; else an empty text.
  const std::shared_ptr<const Recording>& changed() const { return changed_; }
  const std::string& changed_failure() const { return changed_failure_; }
  bool compares() const { return looks.comparing && changed_; }
  // The steps of both runs in pairs, and the shown pair. Only valid if compares().
  const std::vector<StepPair>& pairs() const { return pairs_; }
  int pair() const;
  bool go_to_pair(int pair);
  // Returns the cursor in the changed run: at the step of the shown pair. If this pair has no step of the
  // changed run, the cursor is at the last step before the pair.
  Cursor changed_cursor() const;
  bool is_changed_ready(const View& view) {
    return changed_finder_.is_ready(view, changed_, changed_cursor(), moment_);
  }
  bool hover_changed(const Id& id);  // the mouse is over this id in the changed run's views
  void click_changed(const Id& id);

  // --- Questions about the shown run. The questions begin and end with the request `asking`.
  const Questioning& questioning() const { return questioning_; }
  void pose(Pose pose);  // asks a chosen question; does nothing while a run is being recorded
  void say_anew(const Posed::Texts& texts) { questioning_.say_anew(texts); }
  // The shown run as it was recorded, even if the learner may see only a part of it.
  const std::shared_ptr<const Recording>& whole_recording() const { return recording_; }
  bool mark(const Id& id);  // marks the place that an id names; returns false if the id names no place
  void mark_number(std::int64_t number) { questioning_.mark(number), dismiss_banner(); }
  void mark_none() { questioning_.mark_none(); }
  void type_reply(char character) { questioning_.type(character), dismiss_banner(); }
  void erase_reply() { questioning_.erase(); }
  void commit_reply();   // judges the reply; after the answer is shown, goes on to the next question
  void show_reply();     // shows the answer of the open question
  void next_question();  // asks a question about a later step

  // Functions for the mouse.
  VisibleColumns visible_columns() const;  // the visible columns of the tree
  bool hover(const Id& id);
  void click(const Id& id);                   // carries out the effect of a click on the id; see View::click
  void carry_out_click(const Click& effect);  // also for the effects of the wheel and of dragging
  void zoom_tree(float factor, float at);     // zooms around `at`: 0 is the left edge, 1 the right edge
  void pan_tree(float columns);
  void show_whole_tree();  // also shows the whole picture in the view "Image"
  void scroll_source(int lines, int first_visible);

 private:
  // After this many seconds, a smaller recording and the progress are shown.
  static constexpr double stands_in_after = 0.2;
  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }
  // A recording that is running.
  struct Pending {
    std::chrono::steady_clock::time_point since;
    int n = 0;                                // 0 if a file is opened
    std::int64_t free = 0;                    // bytes of free memory when the recording began
    std::optional<RecordingOrder> smaller{};  // the smaller recording that can be shown meanwhile
    bool stood_in = false;                    // the session has tried to begin the smaller recording
    double share = 0;
  };
  // The recording that was shown before a smaller recording replaced it. Kept while a recording is running.
  struct Before {
    std::shared_ptr<const Recording> recording;
    Cursor cursor;
  };
  // The run that was shown before the current run. Kept only if making its recording took long. If the user
  // goes back to this run, the kept recording is shown again.
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
  WantedRun run_after(WantedRun next, const Request& request) const;
  RecordingOrder order_of(WantedRun& next, const WantedRun& from, bool with_block) const;
  const Algorithm& algorithm_of_run(const WantedRun& run) const;
  WantedRun changed_run() const;
  Request run_difference(const WantedRun& from, const WantedRun& to) const;
  Request usual_change() const;
  void follow_changed();
  bool tick_changed();
  void pair_up();
  bool at_the_end() const;
  Answer open_file(const std::string& name);
  bool is_asked_for(const Request& request) const;
  void place_reader(const Request& request);
  void speak(const std::optional<std::string>& language);
  void look(const Request& request);
  std::string why_not(const Request& request) const;
  Request settings_state() const { return run_state(wanted_); }
  Request run_state(const WantedRun& run) const;
  bool tick_recording();
  Answer finish(RecordingResult result);
  void show(std::shared_ptr<const Recording> recording, bool for_good);
  void put_back();
  void look_for_hazards();
  std::optional<RecordingResult> stand_in(const RecordingOrder& order);
  int same_place_in(const Recording& next) const;
  // Returns the requests of the cursor's block in a step, as indices into Trace::events.
  const std::vector<int>& requests_of(int step) const;
  bool place(const Cursor& next);
  Cursor at_time(std::int64_t time) const;
  bool step_row(int direction);
  void play_time(double seconds);
  void carry_out(std::monostate) {}
  void carry_out(const GoToStep& to);
  void carry_out(const GoToRequest& to);
  void carry_out(const GoToBlock& to);
  void carry_out(const GoToMoment& to);
  void carry_out(const GoToFinding& to);
  void carry_out(const ToggleBarrier& barrier) { toggle_barrier(barrier.line); }
  void carry_out(ToggleCounters) { toggle_counters(); }
  void carry_out(ShowTimes) { looks.timing = 1; }
  void carry_out(const ShowView& shown);
  void carry_out(const SetImageLook& wanted) { cursor_.image = wanted.look; }
  bool tick_timing();
  bool follow_questions();
  void go_to_question();
  void follow_counters();
  void follow_answer();
  void teach_algorithm(WantedRun& next, const std::string& name, int block) const;
  Answer ask_for_choices(Settings s, const Settings& choices, bool with_conflicts = false);
  int block_in(const Trace& trace, int step) const;  // the wanted block, or the grid's last block
  // Returns the line of the barrier that toggle_barrier(0) changes, or 0 if there is no barrier.
  int barrier_at_hand() const;

  const double moment_;
  const std::function<std::int64_t()> free_memory_;
  const std::function<void()> wake_;
  const Recorder::Opener open_;
  // `wanted_` is the run that the user wants now. When the recording of this run is shown, `shown_` becomes
  // equal to `wanted_`. If the recording fails or is cancelled, `wanted_` becomes equal to `shown_` again.
  WantedRun wanted_, shown_;
  std::shared_ptr<const Recording> recording_;
  std::optional<Pending> pending_;
  std::optional<Before> before_;
  std::optional<Left> left_;
  bool took_long_ = false;  // the recording of the shown run took longer than `stands_in_after`
  Opened opened_;
  int wanted_block_ = 0;  // the block that the cursor shows in every grid that has this block
  Cursor cursor_;
  float pan_ = 0;  // the tree moves by whole columns; `pan_` is the remaining fraction of a column
  std::optional<Request> arriving_;  // the place to show when the running recording arrives
  std::string opened_from_;          // the name with which `opened_` was opened
  History history_;
  int intentions_ = 0;  // how many nested intentions have begun and not ended
  // While the recording for an undo or redo is running, contains the history and the state before the undo or
  // redo. If the user undoes or redoes again meanwhile, both members stay unchanged.
  struct Journey {
    History history;
    PastState from;
  };
  std::optional<Journey> journey_;
  class Intention;
  class Unremembered;
  bool travel(History::Direction direction);
  // `change_` is empty until the first comparison. `beside_` is the index of the shown pair minus the index
  // of the pair with the cursor's step. It is 0 if the shown pair has a step of the baseline.
  Request change_;
  std::optional<ComparisonBefore> before_comparison_;  // set while the run for a new comparison is recorded
  void restore(const ComparisonBefore& before);
  std::optional<RecordingOrder> changed_order_;  // the latest order of a changed run
  std::shared_ptr<const Recording> changed_;
  std::string changed_failure_;
  std::vector<StepPair> pairs_;
  int beside_ = 0;
  Id changed_hover_;
  bool playing_ = false;
  double speed_ = 2, played_ = 0;
  Banner banner_;
  // The objects below have threads that use the objects above. So the objects below are declared last and
  // destroyed first.
  Recorder recorder_;
  std::unique_ptr<Recorder> stand_in_;  // makes the smaller recordings; null until the first slow recording
  using HazardFinder = Worker<std::shared_ptr<const Recording>, bool>;
  std::unique_ptr<HazardFinder> hazards_;  // null until needed
  ComparedFacts compared_facts_;
  LineCounting line_counting_;
  std::unique_ptr<Recorder> changed_recorder_;  // null until the first comparison
  Questioning questioning_;
  ViewFinder view_finder_, changed_finder_;
  LensDrawing lens_drawing_;
};

}  // namespace upsweep
