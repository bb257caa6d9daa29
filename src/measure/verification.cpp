#include "measure/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "measure/large_check.hpp"
#include "measure/run_cost.hpp"

namespace upsweep {
namespace {

// In a run with more elements than this number, at most one block is recorded in full.
constexpr int small = 4096;
constexpr std::size_t failures_kept = 5;

// Returns how many times a recorded run applied the operator, including atomics and sums over a warp.
std::int64_t operations(const Trace& trace) {
  std::int64_t count = 0;
  for (const Count& c : trace.counts) count += applications(c.kind, c.detail, c.requests, c.lanes);
  return count;
}

// Compares all outputs of a run with the expected outputs.
Message check_all(const Algorithm& a, const Settings& s, const std::vector<Value>& input, Contents outputs,
                  const Job* job) {
  const std::vector<Value> first = std::move(outputs.front());
  outputs.erase(outputs.begin());
  return check(a, s, input, {first, outputs}, job);
}

// Returns a message about a wrong recording. Returns an empty message if nothing is wrong.
Message mistake(const Algorithm& a, const Settings& s, const std::vector<Value>& input, const Trace& trace,
                bool any_schedule, const Job& job) {
  if (trace.stopped) return stop_message(trace.stopped);
  if (const Message wrong = check(a, s, input, {trace.output, trace.more_outputs}, &job)) return wrong;
  // If a block waits for other blocks, the number of its operations depends on the schedule of the threads.
  // So the number of operations is not checked.
  if (any_schedule && a.waits_for_blocks()) return {};
  const auto promised = promise(a, s);
  if (!promised || operations(trace) == promised->operations) return {};
  if (promised->at_most && operations(trace) < promised->operations) return {};
  return say::other_number_of_operations(operations(trace), a.operations, promised->operations);
}

RecordOptions how(const Algorithm& a, const Case& c) {
  RecordOptions options;
  if (in_a_row(a, c.settings) > long_recording) {
    options.blocks = 0;               // no block is recorded in full, because the events would take gigabytes
  } else if (c.settings.n > small) {  // the totals and one of the first three blocks are recorded
    options.first_block = static_cast<std::uint32_t>(c.seed % 3);
    options.blocks = 1;
  } else if (c.seed % 4 == 3) {
    options.schedule = c.seed;
  }
  return options;
}

}  // namespace

Verification::Verification(MachineChoice choice) {
  machines_.push_back(open_machine(choice));
  if (kind() != MachineKind::emulated) return;
  // On the emulator, each CPU thread gets a separate machine.
  machines_.clear();
  const std::size_t count = std::max(1u, std::thread::hardware_concurrency());
  while (machines_.size() < count)
    machines_.push_back(std::make_unique<Emulator>(EmulatorOptions{.threads = 1}));
}

MachineKind Verification::kind() const { return machines_[0]->kind(); }

Message Verification::machines() const {
  if (on_gpu()) return say::verified_on_gpu(machines_[0]->device());
  if (kind() == MachineKind::opengl) return say::verified_on_opengl(machines_[0]->device());
  return say::verified_on_emulators(machines_.size());
}

Verification::~Verification() = default;

bool Verification::is_large(const Case& c) const {
  // A user's operator is left out, because the GPU cannot make data for which that operator is associative.
  return on_gpu() && c.settings.n > longest_on_host && c.settings.op != Operator::own &&
         LargeCheck::can_compare(result_of(algorithm(c.settings.algorithm), c.settings));
}

void Verification::prepare(const std::vector<Case>& cases) {
  std::vector<Settings> all;
  for (const Case& c : cases)
    if (!is_large(c)) all.push_back(c.settings);
  machines_[0]->prepare(all);
}

Outcome Verification::run(const Algorithm& a, const std::vector<Case>& cases, const std::stop_token& stop,
                          const std::function<void(std::size_t)>& done) {
  Outcome outcome;
  std::mutex mutex, long_ones;
  double slowest = 0;  // the most seconds per element in the large cases so far
  std::atomic<std::size_t> next = 0;
  std::size_t finished = 0;
  std::size_t threads = machines_.size();
  if (on_gpu()) {
    // The machine serves only one thread at a time. Meanwhile, the other threads make data or compare
    // results.
    threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  }
  std::vector<Job> jobs(threads);  // one for each thread, because a job belongs to one task
  const std::stop_callback cancel(stop, [&] {
    for (Job& job : jobs) job.cancel();
  });
  const auto note = [&](const Case& c, bool recorded, const Message& wrong) {
    const std::lock_guard lock(mutex);
    ++(wrong ? outcome.failed : outcome.passed);
    if (wrong && outcome.failures.size() < failures_kept) outcome.failures.push_back({c, recorded, wrong});
  };
  const auto check_large = [&](const Case& c) {
    const std::lock_guard lock(long_ones);
    try {
      if (!large_) large_ = std::make_unique<LargeCheck>();
      if (LargeCheck::bytes(c.settings) > large_->free_bytes()) {
        ++outcome.too_large;
        return;
      }
      if (slowest * c.settings.n > longest_check) {
        ++outcome.too_long;
        return;
      }
      note(c, false, large_->mistake(c.settings, c.seed));
      slowest = std::max(slowest, large_->seconds() / c.settings.n);
    } catch (const std::exception& e) { note(c, false, message_of(e)); }
  };
  const auto check_both = [&](Machine& machine, Job& job, const Case& c) {
    const std::vector<Value> input = random_data(c.settings, c.seed);
    RecordOptions options = how(a, c);
    options.job = &job;
    // Even without events, the emulator needs gigabytes for a run of a million steps. So only one long
    // recording runs at a time.
    std::unique_lock one_at_a_time(long_ones, std::defer_lock);
    if (in_a_row(a, c.settings) > long_recording) one_at_a_time.lock();
    for (const bool recorded : {false, true}) {
      if (recorded && !c.is_recorded) continue;
      Message wrong;
      try {
        wrong = recorded ? mistake(a, c.settings, input, machine.record(c.settings, input, options),
                                   on_gpu() || options.schedule != 0, job)
                         : check_all(a, c.settings, input, machine.run_all(c.settings, input, &job), &job);
      } catch (const Cancelled&) { return; } catch (const std::exception& e) {
        wrong = message_of(e);
      }
      note(c, recorded, wrong);
    }
  };
  const auto work = [&](Machine& machine, Job& job) {
    for (std::size_t i = next++; i < cases.size() && !job.cancelled(); i = next++) {
      try {
        if (is_large(cases[i])) check_large(cases[i]);
        else check_both(machine, job, cases[i]);
      } catch (const Cancelled&) {
      } catch (const std::exception& e) {  // for example, too little memory
        note(cases[i], false, message_of(e));
      }
      if (job.cancelled()) return;
      const std::lock_guard lock(mutex);
      if (done) done(++finished);
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i)
    others.emplace_back(work, std::ref(*machines_[std::min(i, machines_.size() - 1)]), std::ref(jobs[i]));
  work(*machines_[0], jobs[0]);
  others.clear();  // waits for the other threads
  return outcome;
}

}  // namespace upsweep
