// Manages the measured times of a session: the shown times, the running measurement, and the comparison of
// two variants. This class contains no code for drawing.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "measure/sweep.hpp"
#include "scene/scene.hpp"
#include "study/sweeper.hpp"
#include "study/timing_choice.hpp"
#include "study/timing_source.hpp"
#include "study/worker.hpp"

namespace upsweep {

enum class TimingChart { sweep, full_size, roofline };
inline constexpr std::string_view timing_chart_names[] = {tr_noop("sweep"), tr_noop("full size"),
                                                          tr_noop("roofline")};

class TimingModel {
 public:
  struct Start {
    Sweeper::Measure measure = upsweep::measure;
    std::vector<TimingSource> recorded = shipped_sources();
    std::function<void()> wake{};  // called from another thread when tick() can pick up a result
  };
  explicit TimingModel(Start start);

  // The sources of times. Sources that were measured here come first. shown() is the index of the shown
  // source, or -1.
  std::span<const TimingSource> sources() const { return sources_; }
  int shown() const { return shown_; }
  const TimingSource* source() const;
  bool show(int source);
  bool next_source();
  // Reads a file of times in another thread and shows the times. Waits at most `patience` seconds. Returns
  // true if the times are shown; otherwise, tick() shows the times later.
  //
  // If the file cannot be read, the shown times stay. If the failure is known before the wait ends, throws
  // RequestError. Otherwise, take_error() returns the reason later.
  bool open(const std::string& path, double patience);

  // Begins to measure a kernel, the compared variant and their peers (the copy, CUB and the CPU), at sizes
  // from 2^10 to 2^28. Each row appears as soon as it is measured. Throws RequestError if the kernel cannot
  // be measured, or if another measurement is running.
  void measure(const Algorithm& a, const Chosen& chosen);
  void cancel();
  bool measuring() const { return measuring_; }
  bool cancelling() const { return cancelling_; }
  const Sweeper::Progress& progress() const { return progress_; }
  // Picks up new rows and files from other threads. Returns true if there was a new row or file.
  bool tick();
  // Waits at most this many seconds for a file that is being read.
  void wait(double seconds) {
    if (reader_) reader_->wait(seconds);
  }
  // Returns the sentence that says why a sweep ended early or measured nothing, or why a file could not be
  // read. A second call returns an empty text.
  std::string take_error() { return std::exchange(error_, {}); }

  // Returns two examples from the shown times: a change that makes a kernel faster, and a change that makes
  // no difference. An example that was not found is empty.
  std::array<std::optional<TimingCase>, 2> cases() const;

  // Returns the settings of the variant to compare with. Usually this is the variant that the user chose.
  // Otherwise, it is a comparable variant with shown times or, without such a variant, any comparable
  // variant.
  std::optional<Settings> compared(const Algorithm& a, const Settings& now) const;
  void compare_with(const Settings& compared) { wanted_compared_ = compared; }
  const std::optional<Settings>& wanted_compared() const { return wanted_compared_; }

  TimingChart chart = TimingChart::sweep;
  void next_chart() { chart = static_cast<TimingChart>((static_cast<int>(chart) + 1) % 3); }

  // The chart always shows the numbers of pinned points. A pin names a contender (for example, a kernel or
  // the CPU) and a size, so the pin stays if the user changes to another source of times.
  void pin(const Timing& row);
  bool is_pinned(const Timing& row) const;
  std::size_t pins() const { return pins_.size(); }

  // The row under the mouse, as an index into the shown times; -1 if the mouse is over no row.
  int hover = -1;

 private:
  struct FileRead {
    std::optional<TimingSource> source;
    std::string error;  // why the file could not be read; empty if the file was read
  };
  void show_opened(TimingSource source);
  std::optional<Settings> find_compared(const Algorithm& a, const Settings& now) const;
  void begin_live(const SweepRequest& request);
  // If the finished sweep measured nothing, removes its source, puts the live source back that the sweep
  // replaced, and shows the source that was shown before. But if the user has chosen another source
  // meanwhile, keeps the user's choice. If there is no other source, does nothing.
  void leave_empty_sweep();

  std::vector<TimingSource> sources_;
  int shown_ = -1;
  int shown_before_ = -1;                    // shown_ before the latest sweep
  std::optional<TimingSource> live_before_;  // the live source that the latest sweep replaced
  std::optional<Settings> wanted_compared_;
  struct Known {  // the latest answer of compared()
    Settings now;
    std::optional<Settings> wanted;
    std::shared_ptr<const Timings> timings;
    std::optional<Settings> compared;
  };
  mutable std::optional<Known> known_;
  std::vector<std::pair<Who, int>> pins_;
  bool measuring_ = false, cancelling_ = false;
  Sweeper::Progress progress_;
  std::string error_;
  std::function<void()> wake_;
  // The two objects below have threads that use the objects above. So the two objects are declared last and
  // destroyed first.
  std::unique_ptr<Worker<std::string, FileRead>> reader_;  // null until the first file
  Sweeper sweeper_;
};

}  // namespace upsweep
