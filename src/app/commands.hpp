// Declares the commands: their options, and the functions that run them. Each command prints to standard
// output and may throw RequestError or WorkError. Each command has its own file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "options/options.hpp"

namespace upsweep {

struct ListCommand {
  bool json = false, traces = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct TraceCommand {
  RunOptions options;
  bool json = false;
  std::optional<std::string> output, csv;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct RenderCommand {
  RunOptions options;
  std::optional<std::string> timings, view, step, steps, time, at_block, request, finding, banks, output,
      size, scale, theme, speed, present;
  std::vector<std::string> compare;
  bool caption = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct ExplainCommand {
  RunOptions options;
  std::optional<std::string> step, at_block, request, banks;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct BecauseCommand {
  RunOptions options;
  std::optional<std::string> step, at_block, request;
  std::string kind = "shared";
  bool json = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct AskCommand {
  RunOptions options;
  std::optional<std::string> count, seed, step;
  std::string kind;
  bool json = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct LessonCommand {
  std::string action, file;
  std::optional<std::string> output;
  bool answers = false, json = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct CompareCommand {
  RunOptions options;
  std::vector<std::string> with;
  bool json = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct VerifyCommand {
  RunOptions options;
  bool quick = false, full = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct BenchCommand {
  RunOptions options;
  std::vector<std::string> algorithms;
  bool all = false, cold = false, warm = false, json = false;
  std::optional<std::string> from, to, seconds, longest_run, timings, output;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct FigureCommand {
  std::string name;
  bool list = false;
  std::optional<std::string> timings, output, size, theme;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct CountersCommand {
  RunOptions options;
  bool json = false, only_run = false;
  std::vector<std::string> import;
  void add_to(ArgumentParser& parser);
  void run() const;

 private:
  void run_import() const;
};

struct HazardsCommand {
  RunOptions options;
  std::optional<std::string> schedules;
  bool json = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct BanksCommand {
  std::string file;
  std::optional<std::string> banks;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct ImageCommand {
  std::string algorithm;
  std::optional<std::string> image, size, box, focus, output;
  bool scene = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

struct DoctorCommand {
  void add_to(ArgumentParser&) {}
  void run() const;
};

// The command that runs if the user types no command.
struct WindowCommand {
  RunOptions options;
  std::optional<std::string> step, request, size, scale, theme, text_scale, language, present, lesson;
  std::string state_file;
  bool start = false, speak = false;
  void add_to(ArgumentParser& parser);
  void run() const;
};

}  // namespace upsweep
