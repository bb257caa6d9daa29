// Shows the progress of commands that take long, and handles Ctrl-C.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace upsweep {

// As long as this object exists, the first Ctrl-C sets asked(), so that the work ends early. The second
// Ctrl-C does what Ctrl-C did before.
class Interruption {
 public:
  Interruption() {
    asked() = false;
    before = std::signal(SIGINT, [](int) {
      asked() = true;
      std::signal(SIGINT, before);
    });
  }
  ~Interruption() { std::signal(SIGINT, before); }
  static std::atomic<bool>& asked() {
    static std::atomic<bool> interrupted = false;
    return interrupted;
  }

 private:
  static inline void (*before)(int) = SIG_DFL;
};

// Turns Ctrl-C into a stop request for the work.
class StopOnInterruption {
 public:
  std::stop_token token() const { return source_.get_token(); }

 private:
  Interruption interruption_;
  std::stop_source source_;
  std::jthread watch_{[this](const std::stop_token& over) {
    std::mutex alone;
    std::unique_lock lock(alone);
    std::condition_variable_any nobody_calls;
    while (!nobody_calls.wait_for(lock, over, std::chrono::milliseconds(20), [] {
      return Interruption::asked().load();
    }) && !over.stop_requested()) {}
    if (Interruption::asked()) source_.request_stop();
  }};
};

// A line on the terminal. Each show() replaces the previous text. If standard error is not a terminal,
// nothing is written.
class ProgressLine {
 public:
  void show(const std::string& text) {
    if (!terminal_) return;
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  ~ProgressLine() { show(""); }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace upsweep
