#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "measure/run_cost.hpp"
#include "measure/verification.hpp"
#include "study/command_text.hpp"
#include "study/room.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns a command line that repeats a failed case.
std::string command(const Case& c, std::string_view machine) {
  const Settings& s = c.settings;
  std::string line =
      fmt::format("upsweep verify --algorithm {} --n {} --block {} --type {} --op {}", s.algorithm, s.n,
                  s.block, name(s.type),
                  s.op == Operator::own ? fmt::format("'{}' --identity {}", s.expression, s.identity)
                                        : std::string(name(s.op)));
  if (algorithm(s.algorithm).uses_grid) line += fmt::format(" --grid {}", s.grid);
  for (const auto& [choice, option] : s.choices)
    line += fmt::format(" {}'{}'", command_line_option(choice), option);
  return fmt::format("{} --seed {} --machine {}", line, c.seed, machine);
}

std::string report(const Algorithm& a, const Outcome& o, std::string_view machine) {
  std::string text = tr("{:<32}{:>9} passed", a.name, grouped(o.passed));
  if (o.failed > 0) text += tr(", {} failed", grouped(o.failed));
  if (o.too_large > 0) text += tr(", {} left out for lack of memory", grouped(o.too_large));
  if (o.too_long > 0)
    text +=
        tr(", {} left out because each case would take more than {:g} s", grouped(o.too_long), longest_check);
  text += "\n";
  for (const CaseFailure& f : o.failures)
    text += tr("  Recorder {}: {}\n    {}\n", f.recorded ? tr("on") : tr("off"), in_words(f.mistake),
               command(f.what, machine));
  if (o.failed > static_cast<std::int64_t>(o.failures.size()))
    text += tr("  ... and {} more\n", grouped(o.failed - static_cast<std::int64_t>(o.failures.size())));
  return text;
}

// Returns the algorithms to verify. If the user named no algorithm, returns all correct algorithms that the
// machine can run. If the user named a ladder (see ladder.hpp) and gave no `method`, returns all algorithms
// of the ladder.
std::vector<const Algorithm*> agenda(const RunOptions& wanted, MachineChoice machine) {
  if (wanted.algorithm.empty()) {
    std::vector<const Algorithm*> all;
    for (const Language language : {Language::cuda, Language::glsl})
      if (machine == MachineChoice::automatic ||
          (machine == MachineChoice::opengl) == (language == Language::glsl))
        for (const Algorithm* a : correct_algorithms(language)) all.push_back(a);
    return all;
  }
  const Algorithm& a = chosen_rung(wanted, wanted.algorithm);
  machine_of(a, machine);
  if (a.is_broken()) throw RequestError(tr("{} is broken on purpose: there is nothing to verify.", a.name));
  const bool has_method = std::any_of(wanted.variants.begin(), wanted.variants.end(),
                                      [](const std::string& v) { return v.starts_with("method="); });
  if (a.name == a.ladder && !has_method) return rungs_of(a.ladder);
  return {&a};
}

// The machines that the algorithms need. Each machine is opened when an algorithm needs the machine for the
// first time.
class Verifications {
 public:
  explicit Verifications(MachineChoice wanted) : wanted_(wanted) {}
  Verification& of(const Algorithm& a) {
    const MachineChoice choice = machine_for(a, wanted_);
    std::unique_ptr<Verification>& found = all_[choice];
    if (!found) found = std::make_unique<Verification>(choice);
    return *found;
  }

 private:
  MachineChoice wanted_;
  std::map<MachineChoice, std::unique_ptr<Verification>> all_;
};

// Throws RequestError if an emulator has too little memory for a case. All emulators run at the same time, so
// each emulator gets an equal share of the free memory. A GPU needs no check, because it leaves out cases
// that do not fit.
void expect_room(const Verification& verification, const std::vector<Case>& cases) {
  constexpr int always_fits = 1 << 20;
  if (verification.on_gpu()) return;
  const std::int64_t free = free_memory() / verification.machine_count();
  for (const Case& c : cases)
    if (c.settings.n > always_fits) expect_room_for_data(c.settings, free);
}

}  // namespace

void VerifyCommand::add_to(ArgumentParser& parser) {
  parser.add_option("--algorithm", options.algorithm);
  options.add_settings_to(parser);
  parser.add_flag("--quick", quick);
  parser.add_flag("--full", full);
}

void VerifyCommand::run() const {
  if (quick && full) throw RequestError(tr("--quick and --full exclude each other: give one of them."));
  const Effort effort = quick ? Effort::quick : full ? Effort::full : Effort::usual;
  const MachineChoice machine = chosen_machine(options);
  const std::vector<const Algorithm*> work = agenda(options, machine);
  Verifications verifications(machine);

  StopOnInterruption stop;
  const std::atomic<bool>& interrupted = Interruption::asked();
  ProgressLine progress;
  std::int64_t passed = 0, failed = 0;
  std::string reason;  // the latest reason why an algorithm was left out
  // The cases of one algorithm. On a GPU, their kernels are compiled while cases of the previous algorithm
  // run.
  struct Task {
    const Algorithm* algorithm;
    Verification& machine;
    std::vector<Case> cases;
    std::future<void> prepared;
  };
  bool any = false;  // true if an algorithm accepted the settings
  auto begin_next = [&, at = work.begin()]() mutable -> std::unique_ptr<Task> {
    while (at != work.end()) {
      const Algorithm* a = *at++;
      try {
        Verification& verification = verifications.of(*a);
        auto task = std::make_unique<Task>(Task{a, verification, {}, {}});
        task->cases = verification_cases(*a, fixed(options, *a), effort, verification.on_gpu());
        expect_room(verification, task->cases);
        task->prepared = std::async(std::launch::async,
                                    [&verification, &cases = task->cases] { verification.prepare(cases); });
        any = true;
        return task;
      } catch (const RequestError& e) {  // some algorithms do not accept the settings from the command line
        reason = in_words(e);
        if (a->language == Language::glsl && any) print(tr("{:<26}left out: {}\n", a->name, reason));
      }
    }
    return nullptr;
  };
  std::unique_ptr<Task> task = begin_next();
  const Verification* last = nullptr;
  while (task && !interrupted) {
    Verification& verification = task->machine;
    if (std::exchange(last, &verification) != &verification)
      print(tr("On {}:\n", in_words(verification.machines())));
    task->prepared.get();
    std::unique_ptr<Task> following = begin_next();
    const auto show = [&, all = static_cast<std::int64_t>(task->cases.size())](std::size_t done) {
      if (done % 8 == 0)
        progress.show(
            tr("{} {} of {}", task->algorithm->name, grouped(static_cast<std::int64_t>(done)), grouped(all)));
    };
    const Outcome outcome = verification.run(*task->algorithm, task->cases, stop.token(), show);
    progress.show("");
    passed += outcome.passed;
    failed += outcome.failed;
    print(report(*task->algorithm, outcome, name(verification.kind())));
    task = std::move(following);
  }
  if (!interrupted && passed + failed == 0)
    throw RequestError(
        work.size() == 1
            ? reason
            : tr("No algorithm can run with these settings. The error of the last algorithm: ") + reason);
  print(tr("{}{} passed, {} failed\n", interrupted ? tr("Interrupted before the end: ") : "", grouped(passed),
           grouped(failed)));
  if (failed > 0) throw WorkError(tr("The wrong results are listed above."));
  if (interrupted) throw WorkError(tr("Some cases were not verified."));
}

}  // namespace upsweep
