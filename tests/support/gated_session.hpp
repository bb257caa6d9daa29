// Starts sessions in which each recording first waits at a gate, until the test opens the gate.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/timed_session.hpp"

namespace upsweep {

using namespace std::chrono_literals;

// A recording waits here until the gate is open. The job can be cancelled while the recording waits.
struct Gate {
  std::atomic<bool> open = false;
  std::atomic<int> waiting = 0;
  void wait(Job* job) {
    ++waiting;
    for (double share = 0; !open; share = std::min(0.9, share + 0.01)) {
      if (job) {
        job->check();
        job->set_progress(share);
      }
      std::this_thread::sleep_for(1ms);
    }
    --waiting;
  }
};

// Returns a Session::Start for a session whose recordings wait at the gate if n is at least `from`.
inline Session::Start gated(Gate& gate, int from = 8192, const std::string& algorithm = "scan_large") {
  Session::Start s = timed({}, {}, algorithm);
  s.machine = MachineChoice::automatic;
  s.settings.n = 512;
  s.open = [&gate, from](MachineChoice choice) -> std::unique_ptr<Machine> {
    class Gated : public Emulator {
     public:
      Gated(Gate& gate, int from) : gate_(gate), from_(from) {}
      Trace record(const Settings& settings, const Inputs& inputs, const RecordOptions& options) override {
        if (settings.n >= from_) gate_.wait(options.job);
        return Emulator::record(settings, inputs, options);
      }

     private:
      Gate& gate_;
      int from_;
    };
    if (choice == MachineChoice::gpu) throw RequestError("There is no GPU here.");
    return std::make_unique<Gated>(gate, from);
  };
  s.free_memory = [] { return std::int64_t{64} << 30; };
  return s;
}

// Returns `s` with a change: for every recording except the first, the session waits at most 1 ms. A
// recording that takes longer arrives later.
inline Session::Start impatient(Session::Start s) {
  s.moment = 0.001;
  return s;
}

}  // namespace upsweep
