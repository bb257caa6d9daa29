#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "catalogue/catalogue.hpp"
#include "embedded/help.hpp"
#include "embedded/help_zh.hpp"
#include "options/parser.hpp"
#include "study/state_text.hpp"
#include "study/timing_source.hpp"
#include "trace/file.hpp"

namespace upsweep {
namespace {

// Returns the full name of a command, such as "upsweep trace".
std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

// Sets up a command. Its help text is a file in docs/command-line/. CLI11 must accept unknown words, because
// refuse_extras() reports them in our own words.
void prepare(CLI::App& app) {
  app.allow_extras();
  app.formatter_fn([](const CLI::App* command, const std::string&, CLI::AppFormatMode) {
    const auto text = language() == TextLanguage::chinese ? embedded_help_zh : embedded_help;
    std::string help(text(command->get_name() + ".md"));
    if (command->get_option_no_throw("--load-pattern")) help += text("settings.md");
    return help;
  });
}

void refuse_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const std::string& word = extras[0];
  if (!word.starts_with('-') || word == "-")
    throw RequestError(
        tr("`{1}` does not take \"{0}\"; `{1} --help` lists the allowed arguments.", word, full_name(app)));
  std::vector<std::string_view> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  const std::string typed = word.substr(0, word.find('='));
  throw RequestError(
      tr("`{2}` has no option {0}{1}; `{2} --help` lists all options.", typed,
         guess(typed.substr(std::min(typed.size(), typed.find_first_not_of('-'))), known, "--"),
         full_name(app)));
}

// Chooses the language that --language names, or else the language of the environment. This function runs
// before other options are read, so that error messages about these options have the chosen language.
void choose_language(std::span<const char* const> arguments) {
  set_language(text_language_of_environment());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view typed = arguments[i];
    if (typed == "--language" && i + 1 < arguments.size()) typed = arguments[i + 1];
    else if (typed.starts_with("--language=")) typed.remove_prefix(std::size("--language=") - 1);
    else continue;
    const std::optional<TextLanguage> chosen = text_language_of(typed);
    if (!chosen)
      throw RequestError(tr("There is no language \"{}\": give --language en or --language zh.", typed));
    set_language(*chosen);
  }
}

// Throws RequestError if the word is not one of these: an algorithm, the name of a file that the window can
// open, or a text that describes a state of the window. The error message suggests a similar algorithm or
// command.
void expect_algorithm(const CLI::App& app, const std::string& word) {
  if (is_state_text(word) || word.ends_with(trace_extension) || word.ends_with(timings_extension)) return;
  if (find_algorithm(word)) return;
  std::vector<std::string_view> known;
  for (const Algorithm& a : algorithms()) known.push_back(a.name);
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  throw RequestError(
      tr("\"{}\" is neither a command nor an algorithm{}; `upsweep --help` lists the commands, and `upsweep "
         "list` lists the algorithms.",
         word, guess(word, known)));
}

// Returns an error message of CLI11, rewritten in our own words.
std::string sentence(const CLI::ParseError& error) {
  const std::string what = error.what();
  const std::string option = what.substr(0, what.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    if (what.ends_with("missing")) return tr("{} needs a value after it.", option);
    if (what.find("At Most") != what.npos) return tr("{} is given more than once.", option);
    if (what.ends_with("flag override"))
      return tr("{} takes no value.", "--" + what.substr(0, what.find(' ')));
  }
  return tr("The arguments are not valid ({}); `upsweep --help` explains the arguments.", what);
}

// Declares the options of a command to CLI11.
class Cli11Parser final : public ArgumentParser {
 public:
  explicit Cli11Parser(CLI::App& app) : app_(app) {}
  void add_option(const char* name, std::string& value) override { app_.add_option(name, value); }
  void add_option(const char* name, std::optional<std::string>& value) override {
    app_.add_option(name, value);
  }
  void add_option(const char* name, std::vector<std::string>& values) override {
    app_.add_option(name, values)->allow_extra_args(false);
  }
  void add_flag(const char* name, bool& value) override {
    app_.add_flag(name, value)->disable_flag_override();
  }

 private:
  CLI::App& app_;
};

}  // namespace

void run_command_line(int argc, const char* const* argv) {
  choose_language({argv, static_cast<std::size_t>(argc)});
  CLI::App app;
  app.name("upsweep");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "upsweep " UPSWEEP_VERSION);
  WindowCommand window;
  Cli11Parser window_parser(app);
  window.add_to(window_parser);
  prepare(app);

  ListCommand list;
  TraceCommand trace;
  RenderCommand render;
  ExplainCommand explain;
  AskCommand ask;
  LessonCommand lesson;
  BecauseCommand because;
  CompareCommand compare;
  VerifyCommand verify;
  BenchCommand bench;
  FigureCommand figure;
  CountersCommand counters;
  HazardsCommand hazards;
  BanksCommand banks;
  ImageCommand image;
  DoctorCommand doctor;
  std::vector<std::pair<CLI::App*, std::function<void()>>> commands;
  const auto add = [&](const char* name, auto& command) {
    CLI::App& sub = *app.add_subcommand(name);
    Cli11Parser parser(sub);
    command.add_to(parser);
    sub.add_option("--language", window.language);  // choose_language() has read it
    prepare(sub);
    commands.emplace_back(&sub, [&command] { command.run(); });
  };
  add("list", list);
  add("trace", trace);
  add("render", render);
  add("explain", explain);
  add("ask", ask);
  add("lesson", lesson);
  add("because", because);
  add("compare", compare);
  add("verify", verify);
  add("bench", bench);
  add("figure", figure);
  add("counters", counters);
  add("hazards", hazards);
  add("banks", banks);
  add("image", image);
  add("doctor", doctor);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) { return print(app.help()); } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) { throw RequestError(sentence(error)); }

  for (const auto& [command, run] : commands) {
    if (!command->parsed()) continue;
    if (app.count_all() > command->count_all() + 1)
      throw RequestError(
          tr("Write one command, and then the options of this command: {} ...", full_name(*command)));
    refuse_extras(*command);
    return run();
  }
  if (!window.options.algorithm.empty()) expect_algorithm(app, window.options.algorithm);
  refuse_extras(app);
  window.run();
}

}  // namespace upsweep
