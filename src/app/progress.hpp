// What long commands have in common: a line that says how far they are, and Ctrl-C that ends them with what
// they have.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>

namespace upsweep {

// While it lives, Ctrl-C asks the work to end; a second one ends the program.
class Interruption {
 public:
  Interruption() {
    asked() = false;
    std::signal(SIGINT, [](int) {
      asked() = true;
      std::signal(SIGINT, SIG_DFL);
    });
  }
  ~Interruption() { std::signal(SIGINT, SIG_DFL); }
  static std::atomic<bool>& asked() {
    static std::atomic<bool> interrupted = false;
    return interrupted;
  }
};

// A line on the terminal that is written over and over; nothing where errors go elsewhere.
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
