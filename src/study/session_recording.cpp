// Handles recordings that take longer than Session::stands_in_after: their progress, the smaller recordings
// that are shown meanwhile, and the end of the recordings.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/plan.hpp"
#include "study/intention.hpp"
#include "study/recording.hpp"
#include "study/session.hpp"
#include "study/state_text.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;

// Returns a smaller run of the same kernel, which the emulator records in a few milliseconds. Returns nullopt
// if the order opens a file, if the data decide n, or if the run of the order is already small.
std::optional<RecordingOrder> smaller(const RecordingOrder& order) {
  constexpr int most_n = 4096;
  constexpr double most_cost = 1 << 15;
  if (!order.file.empty() || order.complete) return {};
  RecordingOrder small = order;
  small.machine = MachineChoice::emulated;
  small.options = {};
  Settings& s = small.settings;
  const Algorithm& a = algorithm(s.algorithm);
  if (s.n > most_n) s.n = most_n;
  for (;; s.n = static_cast<int>(std::bit_floor(static_cast<unsigned>(s.n - 1)))) {
    try {
      validate(s);
      if (cost(a, s) <= most_cost) break;
    } catch (const std::exception&) {}  // the kernel does not accept this n
    if (s.n <= 1) return {};
  }
  if (s.n == order.settings.n && order.machine == MachineChoice::emulated) return {};
  return small;
}

// Returns whether an order asks for exactly the run that was already recorded.
bool is_run_of(const WantedRun& recorded, const RecordingOrder& order) {
  // Choices are compared below, because a missing entry means the default option.
  Settings s = recorded.settings;
  s.choices = order.settings.choices;
  if (recorded.opened || s != order.settings) return false;
  const Algorithm& a = algorithm(s.algorithm);
  const bool same_choices = std::all_of(a.choices.begin(), a.choices.end(), [&](const Choice& c) {
    return chosen(a, recorded.settings, c.name) == chosen(a, order.settings, c.name);
  });
  return same_choices && order.file.empty() && !order.complete &&
         order.data.kind != DataSource::Kind::recorded && recorded.data == order.data &&
         recorded.machine == order.machine && recorded.first_block == order.options.first_block;
}

}  // namespace

// Begins a recording, and waits at most `moment_` seconds for its end. If the order asks for the previous run
// and its recording was kept (see Left), shows the kept recording instead of recording the run again.
Answer Session::begin(RecordingOrder order, WantedRun next) {
  banner_ = {};
  arriving_.reset();
  journey_.reset();
  if (wanted_.opened && order.file.empty())
    tell(tr("This is a new run on this computer. To return to {}, open the list of machines.", opened_.name));
  if (left_ && is_run_of(left_->wanted, order)) {
    recorder_.cancel();
    if (stand_in_) stand_in_->cancel();
    pending_.reset();
    wanted_ = std::move(next);
    RecordingResult again;
    again.recording = left_->recording;
    again.order = std::move(order);
    finish(std::move(again));
    took_long_ = true;
    return Answer::shown;
  }
  left_.reset();
  const bool same_run = recording_ && recording_->trace.settings == order.settings;
  wanted_ = std::move(next);
  pending_ = Pending{Clock::now(), order.file.empty() ? order.settings.n : 0, free_memory_()};
  if (!same_run) pending_->smaller = smaller(order);
  if (stand_in_) stand_in_->cancel();
  recorder_.begin(std::move(order));
  if (!recorder_.wait(moment_)) {
    follow_counters();
    return Answer::begun;
  }
  return finish(*recorder_.take());
}

Answer Session::refuse(std::string why) {
  complain(std::move(why));
  return Answer::refused;
}

Answer Session::finish(RecordingResult result) {
  const Unremembered arriving_is_no_intention(*this);
  const bool took_long = pending_ && seconds_since(pending_->since) > stands_in_after;
  pending_.reset();
  if (!result.recording) {
    put_back();
    return refuse(std::move(result.error));
  }
  journey_.reset();
  before_comparison_.reset();
  if (!result.order.file.empty()) {
    opened_ = {std::filesystem::path(result.order.file).filename().string(), result.recording,
               algorithm_of(result.recording->trace)};
    opened_from_ = result.order.file;
    const auto arriving = std::exchange(arriving_, {});
    show_opened();
    const auto saved = saved_place(opened_.recording->trace);
    if (saved && (!arriving || !arriving->step)) place_reader(*saved), look(*saved);
    if (arriving) place_reader(*arriving);
    return Answer::shown;
  }
  wanted_.settings = result.order.settings;
  wanted_.machine = result.order.machine;
  if (!result.notice.empty()) tell(std::move(result.notice));
  show(std::move(result.recording), true);
  took_long_ = took_long;
  if (const auto arriving = std::exchange(arriving_, {})) place_reader(*arriving);
  return Answer::shown;
}

// Restores the state before a recording that failed or was cancelled. If an undo or redo began the recording,
// reverses the undo or redo, too.
void Session::put_back() {
  const Unremembered restoring_is_no_intention(*this);
  arriving_.reset();
  wanted_ = shown_;
  if (before_) {
    recording_ = before_->recording;
    cursor_ = before_->cursor;
    before_.reset();
    look_for_hazards();
  }
  // If the user has changed the comparison meanwhile, the user's comparison stays.
  const auto before = std::exchange(before_comparison_, {});
  if (before && before->next_comparing == looks.comparing && before->next_change == to_json(change_))
    restore(*before);
  follow_changed();
  follow_answer();
  if (auto journey = std::exchange(journey_, {})) {
    history_ = std::move(journey->history);
    history_.add(std::move(journey->from), state());  // the user can undo the changes made meanwhile
  }
}

bool Session::cancel() {
  if (!pending_) return false;
  recorder_.cancel();
  if (stand_in_) stand_in_->cancel();
  pending_.reset();
  put_back();
  return true;
}

// Records a smaller run, which is shown while the large run is recorded. Returns nullopt if there is no
// smaller run, or if recording the smaller run fails or takes too long.
std::optional<RecordingResult> Session::stand_in(const RecordingOrder& order) {
  constexpr double patience = 60;  // seconds
  const auto small = smaller(order);
  if (!small) return {};
  stand_in_ = std::make_unique<Recorder>(open_, wake_);
  stand_in_->begin(*small);
  stand_in_->wait(patience);
  auto result = stand_in_->take();
  pending_->stood_in = true;
  return result && result->recording ? std::move(result) : std::nullopt;
}

// Begins to find hazards in another thread, because finding hazards takes longer than the other analyses. The
// other thread first computes data that the views need when the user goes to another block.
void Session::look_for_hazards() {
  if (hazards_) hazards_->cancel();
  if (recording_->hazards()) return;
  if (!hazards_)
    hazards_ = std::make_unique<HazardFinder>(
        [](const std::shared_ptr<const Recording>& of, Job& job) {
          try {
            of->time_line(&job);
            of->prepare(&job, true);
            of->find_hazards(&job);
            return true;
          } catch (const std::exception&) { return false; }  // the hazards then stay unknown
        },
        wake_);
  hazards_->begin(recording_);
}

bool Session::tick_recording() {
  if (hazards_ && hazards_->take() && !pending_) return true;
  if (!pending_) return false;
  const bool busy = recorder_.busy();
  if (auto result = recorder_.take()) {
    finish(std::move(*result));
    return true;
  }
  if (!busy) {  // the recording failed, and there was not even memory for an error message
    cancel();
    complain(tr("There is not enough memory for this recording: choose a smaller n."));
    return true;
  }
  Pending& p = *pending_;
  const double share = std::max(p.share, recorder_.progress());
  bool changed = std::exchange(p.share, share) != share;
  if (seconds_since(p.since) < stands_in_after) return changed;
  if (!p.stood_in) {
    p.stood_in = changed = true;
    if (p.smaller) {
      if (!stand_in_) stand_in_ = std::make_unique<Recorder>(open_, wake_);
      stand_in_->begin(std::move(*p.smaller));
    }
  }
  if (stand_in_)
    if (auto small = stand_in_->take(); small && small->recording) {
      show(std::move(small->recording), false);
      changed = true;
    }
  // Cancels the recording if memory is short. The estimate may have been too low, or other programs may have
  // taken memory.
  constexpr std::int64_t kept_free = 1 << 30;
  if (const std::int64_t free = free_memory_(); free < std::min(kept_free, p.free / 8)) {
    const int n = p.n;
    cancel();
    complain(n == 0 ? std::string(tr("Opening the recording was stopped: nearly all memory is taken."))
                    : tr("Recording n = {} was stopped: nearly all memory is taken. Choose a smaller n.",
                         grouped(n)));
    changed = true;
  }
  return changed;
}

std::optional<RecordingProgress> Session::progress() const {
  if (!pending_) return {};
  const double elapsed = seconds_since(pending_->since), share = pending_->share;
  if (elapsed < stands_in_after) return {};
  constexpr double least_seconds = 1,
                   least_share = 0.02;  // with less progress, the remaining time is not estimated
  const bool guess = elapsed > least_seconds && share > least_share && share < 1;
  return RecordingProgress{share, guess ? elapsed * (1 - share) / share : 0, pending_->n,
                           recording_->trace.settings.n};
}

}  // namespace upsweep
