#include "study/line_counting.hpp"

#include <exception>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "measure/measure.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// The numbers that are shown, in this order. Each number is the count of `metric` minus the count of `less`
// (-1: nothing is subtracted). `metric` and `less` are indices into LinesCount::predicted.
struct Shown {
  MessageId what;
  int metric, less = -1;
};
constexpr Shown shown_numbers[] = {{MessageId::shared_requests, 4},      {MessageId::wavefronts, 0},
                                   {MessageId::excess_wavefronts, 0, 1}, {MessageId::shared_lanes, 6},
                                   {MessageId::global_requests, 5},      {MessageId::sectors, 2},
                                   {MessageId::excess_sectors, 2, 3},    {MessageId::global_lanes, 7}};

LineCounters::Entry entry_of(const LinesCount& c) {
  LineCounters::Entry entry{c.lines, {}, c.agreement};
  for (const Shown& s : shown_numbers) {
    const auto compared = [&](int metric) {
      return metric < 0 || c.compared[static_cast<std::size_t>(metric)];
    };
    const auto value = [&](const LineNumbers& of) {
      const auto at = [&](int metric) {
        return metric < 0 ? 0 : static_cast<std::int64_t>(of[static_cast<std::size_t>(metric)]);
      };
      return at(s.metric) - at(s.less);
    };
    if (!compared(s.metric) || !compared(s.less)) continue;
    const LineCounters::Number n{in_words(s.what), value(c.predicted), value(*c.measured)};
    if (n.predicted != 0 || n.measured != 0) entry.numbers.push_back(n);
  }
  return entry;
}

}  // namespace

Counted count_here(const Trace& trace, Job& job) {
  if (trace.machine == MachineKind::opengl) return predicted(trace, say::no_counters_on_opengl());
  try {
    struct Kept {
      Gpu gpu;
      Counters counters;
    };
    // The process has only one GPU object and one counter object, which are never freed, because CUPTI cannot
    // be set up a second time.
    static Kept& kept = *new Kept;
    return counted(kept.gpu, kept.counters, algorithm(trace.settings.algorithm), trace, &job);
  } catch (const std::exception& e) {
    const Message no_gpu = why_no_gpu();  // contains only the reason, without the advice to use the emulator
    return predicted(trace, no_gpu ? no_gpu : message_of(e));
  }
}

LineCounters line_counters(const Counted& counted) {
  LineCounters c;
  c.predicted_only = in_words(counted.predicted_only);
  c.device = counted.device;
  for (const LinesCount& l : counted.lines)
    if (l.measured) c.entries.push_back(entry_of(l));
  if (c.predicted_only.empty() && c.entries.empty() && !counted.lines.empty())
    c.predicted_only = tr("The counters for lines do not include grids that kernels launch.");
  return c;
}

void LineCounting::follow(const std::shared_ptr<const Recording>& recording, const std::string& why) {
  if (recording == followed_ && why == why_) return;
  followed_ = recording;
  why_ = why;
  LineCounters now;
  now.predicted_only = why;
  now.under_way = why.empty();
  shown_ = std::make_shared<const LineCounters>(std::move(now));
  if (!why.empty()) {
    if (worker_) worker_->cancel();
    return;
  }
  if (!worker_)
    worker_ = std::make_unique<Worker<std::shared_ptr<const Recording>, Result>>(
        [count = count_](const std::shared_ptr<const Recording>& of, Job& job) -> Result {
          try {
            return std::make_shared<const LineCounters>(line_counters(count(of->trace, job)));
          } catch (const std::exception& e) {
            LineCounters failed;
            failed.predicted_only = in_words(e);
            return std::make_shared<const LineCounters>(std::move(failed));
          }
        },
        wake_);
  worker_->begin(recording);
}

bool LineCounting::tick() {
  if (!worker_) return false;
  auto counters = worker_->take();
  if (!counters) return false;
  shown_ = std::move(*counters);
  return true;
}

void LineCounting::wait(double seconds) {
  if (worker_) worker_->wait(seconds);
}

}  // namespace upsweep
