// Chooses runs of an algorithm, executes them on any machine, and compares their outputs with the oracle (the
// expected output).
#pragma once
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

// The settings that the user has set. For all other settings, every allowed value is tried.
struct Fixed {
  std::optional<int> n, block, grid;
  std::optional<Scalar> type;
  std::optional<Operator> op;
  std::string expression, identity;  // for Operator::own
  std::map<std::string, std::string> choices;
  std::optional<std::uint64_t> seed;
};

class LargeCheck;

// If the user has set an operator, puts it into the settings.
inline void give_operator(const Fixed& fixed, Settings& s) {
  s.op = fixed.op.value_or(s.op);
  s.expression = fixed.expression;
  s.identity = fixed.identity;
}

enum class Effort {
  quick,  // every size, block size, type, operator and variant, but few of their combinations
  usual,  // combines all types, operators and variants up to some thousand elements, with some block sizes
  full    // every combination
};

// One run on random_data(settings, seed). For some seeds, the seed also decides the order in which the
// emulator runs threads.
struct Case {
  Settings settings;
  std::uint64_t seed = 0;
  bool is_recorded = true;  // if false, the recorder is always off, because recording takes long
};

// Returns the cases of an algorithm. For a GPU, cases that can share a compiled kernel follow each other. For
// an emulator, the largest sizes come first, except with Effort::full. Throws RequestError if there is no
// valid case.
std::vector<Case> verification_cases(const Algorithm& a, const Fixed& fixed, Effort effort, bool on_gpu);

struct CaseFailure {
  Case what;
  bool recorded = false;  // true if the recorder was on
  Message mistake;
};

struct Outcome {
  std::int64_t passed = 0, failed = 0;
  std::int64_t too_large = 0;         // cases left out because they need more memory than is free on the GPU
  std::int64_t too_long = 0;          // cases left out because they would take longer than `longest_check`
  std::vector<CaseFailure> failures;  // only the first few failures
};

// Runs each case on one machine with the recorder off. If `is_recorded` is true, also runs the case with the
// recorder on. Compares each output with the oracle, and the recorded number of operations with the kernel's
// formula.
//
// On a GPU, cases of more than 2^22 elements are not recorded if LargeCheck can check them. The GPU itself
// then makes the data and checks the output.
class Verification {
 public:
  // Throws RequestError if this machine is not available. An emulator uses all CPU cores. The machine must
  // run the language of the algorithms that are verified.
  explicit Verification(MachineChoice choice);
  ~Verification();
  MachineKind kind() const;
  std::int64_t machine_count() const { return std::ssize(machines_); }  // the machines run at the same time
  bool on_gpu() const { return kind() == MachineKind::gpu; }
  Message machines() const;  // "NVIDIA H200 (gpu), without and with the recorder"

  // Compiles the kernels of these cases for a GPU. May run in another thread while other cases run.
  void prepare(const std::vector<Case>& cases);

  // Calls `done` with the number of finished cases, from any thread, but never from two threads at once.
  // `stop` ends the work early; the outcome does not count cancelled cases.
  Outcome run(const Algorithm& a, const std::vector<Case>& cases, const std::stop_token& stop,
              const std::function<void(std::size_t)>& done = {});

 private:
  bool is_large(const Case& c) const;
  std::vector<std::unique_ptr<Machine>> machines_;
  std::unique_ptr<LargeCheck> large_;  // made at its first use
};

}  // namespace upsweep
