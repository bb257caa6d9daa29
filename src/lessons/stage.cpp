#include "lessons/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "lessons/split.hpp"
#include "machine/machine.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

// The greatest cost() of a run in a lesson. A run with this cost takes about a second.
constexpr double most_cost = 1 << 22;

// Returns the path of a file that a lesson names. Because a lesson may come from an unknown author, the
// lesson may open only regular files in its own folder.
std::string file_in(const std::string& folder, const std::string& name) {
  if (folder.empty())
    throw RequestError(
        tr("The lessons of Upsweep may not open files, but this lesson names the file {}.", name));
  const fs::path path(name);
  if (path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end())
    throw RequestError(
        tr("{} is not in the folder of the lesson: a lesson opens only files in its folder.", name));
  const fs::path whole = fs::path(folder) / path;
  std::error_code error;
  // A symbolic link may lead out of the folder, so the real path must be in the folder, too.
  const fs::path real = fs::canonical(whole, error), home = fs::canonical(folder, error);
  if (error || !fs::is_regular_file(real, error) || std::ranges::mismatch(home, real).in1 != home.end())
    throw RequestError(tr("There is no file {} in the folder of the lesson.", name));
  return whole.string();
}

// Returns the options of the run that a block `show` names, with these changes. All files must be in the
// lesson's folder, even files that a change names.
RunOptions options_of(const ShowBlock& show, const std::string& folder,
                      const std::vector<std::string>& changes = {}) {
  RunOptions o = changes.empty() ? show.run : with_changes(show.run, taught(show.run), changes);
  for (std::optional<std::string>* const file : {&o.input, &o.image, &o.values})
    if (*file) *file = file_in(folder, **file);
  const Algorithm* known = find_algorithm(o.algorithm);
  if (!o.machine && known && known->language == Language::cuda)
    o.machine = machine_names[static_cast<int>(MachineChoice::emulated)];
  return o;
}

RunRequest understood(const RunOptions& o) {
  const RunRequest run = understand(o, false);  // does not make the input, which may be large
  if (cost(algorithm(run.settings.algorithm), run.settings) > most_cost)
    throw RequestError(
        tr("A run with n = {} takes too long for a lesson: choose a smaller n.", grouped(run.settings.n)));
  return understand(o);
}

bool is_shipped(const std::string& name) {
  const auto bare = name.ends_with(".upsweep") ? name.substr(0, name.size() - 8) : name;
  return std::ranges::find(shipped_recordings(), bare, &Shipped::name) != shipped_recordings().end();
}

bool is_step_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Returns a line of the kernel without the comment and without spaces at both ends. Returns an empty text for
// a line without code.
std::string code_of(const std::string& text, int line) {
  std::string code = source_line(text, line);
  if (const std::size_t comment = code.find("//"); comment != code.npos) code.erase(comment);
  code = std::string(stripped(code));
  const bool has_code = code.find_first_not_of("{}; ") != code.npos;
  return has_code ? code : std::string();
}

Reply reply_named(const Question& q, const std::string& typed, const Recording& r) {
  Reply reply;
  if (q.form == AnswerForm::value) {
    reply.value = value_of_reply(typed, r.trace.settings);
    return reply;
  }
  if (q.form == AnswerForm::places && typed == "none") return reply;
  if (q.form == AnswerForm::choice)
    for (const std::int64_t choice : q.choices)
      if (choice_text(q, choice) == typed || choice_text(q, choice, TextLanguage::english) == typed)
        return {{choice}};
  reply.numbers = numbers_of_reply(q, typed);
  if (!names_only_possible(q, typed) || reply.numbers.empty() ||
      (q.form != AnswerForm::places && reply.numbers.size() != 1))
    throw RequestError(tr("\"{}\" is not a possible answer to this question.", typed));
  return reply;
}

}  // namespace

RunRequest run_of(const ShowBlock& show, const std::string& folder) {
  return understood(options_of(show, folder));
}

RunRequest compared_run(const ShowBlock& show, const std::string& folder) {
  return understood(options_of(show, folder, show.compare));
}

std::optional<std::string> opened_by(const ShowBlock& show, const std::string& folder) {
  const std::optional<std::string> name = show.run.recording();
  if (!name || is_shipped(*name)) return name;
  return file_in(folder, *name);
}

Recording recording_for(const ShowBlock& show, const std::string& folder, Job& job) {
  if (const auto name = opened_by(show, folder)) {
    Recording opened = make_recording(open_recording(*name), &job);
    opened.is_opened = true;
    return opened;
  }
  const RunRequest run = run_of(show, folder);
  RecordOptions options;
  options.job = &job;
  return make_recording(open_machine(run.machine)->record(run.settings, run.inputs(), options), &job);
}

int step_named(const std::string& typed, const Recording& recording) {
  if (is_step_number(typed)) return chosen_step(typed, recording);
  const auto& steps = recording.trace.steps;
  if (typed == "last") return static_cast<int>(steps.size()) - 1;
  const std::size_t colon = typed.find(':');
  std::string phase = typed.substr(0, colon);
  std::ranges::replace(phase, '-', '_');
  std::vector<int> found;
  std::vector<std::string> known;
  for (int s = 0; s < static_cast<int>(steps.size()); ++s) {
    const Step& step = steps[static_cast<std::size_t>(s)];
    const bool is_it = name(step.phase) == phase &&
                       (colon == typed.npos || fmt::to_string(step.stride) == typed.substr(colon + 1));
    if (is_it) found.push_back(s);
    std::string own(name(step.phase));
    std::ranges::replace(own, '_', '-');
    if (step.stride > 0) own += fmt::format(":{}", step.stride);
    if (std::ranges::find(known, own) == known.end()) known.push_back(std::move(own));
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    throw RequestError(tr("There is no step \"{}\": this run has {}.", typed, fmt::join(known, ", ")));
  throw RequestError(tr("\"{}\" names several steps: write the number of one step, from {} to {}.", typed,
                        found.front() + 1, found.back() + 1));
}

Request place_of(const ShowBlock& show, const Recording& recording) {
  Request place;
  const int step = show.step ? step_named(*show.step, recording) : chosen_step({}, recording);
  const int block = chosen_block(show.at_block, recording);
  if (block >= recording.trace.grid_of(static_cast<std::uint32_t>(step)).blocks)
    throw RequestError(tr("The launch of this step has no block {}.", block));
  place.step = step;
  place.at_block = block;
  place.request = chosen_request(show.request, recording, step, block);
  place.view = "";
  place.added = {-1, -1};
  if (show.view) {
    const std::vector<int> chosen = views_named("--view", *show.view);
    place.view = views()[static_cast<std::size_t>(chosen.front())].name;
    for (std::size_t i = 1; i < chosen.size(); ++i) (*place.added)[i - 1] = chosen[i];
  }
  return place;
}

AskInput ask_input(const ShowBlock& show, const std::string& folder, const Recording& recording) {
  return show.run.recording() ? AskInput{recording} : ask_input(recording, run_of(show, folder));
}

Posed pose(const AskBlock& ask, const ShowBlock& show, const std::string& folder, const AskInput& in,
           const Job& job) {
  Posed posed;
  AskOrder order = ask.order;
  if (ask.step) order.step = step_named(*ask.step, in.recording);
  if (!ask.with.empty()) {
    if (show.run.recording())
      throw RequestError(tr("A recording cannot run again: use --with only with an algorithm."));
    const RunRequest own = run_of(show, folder), other = understood(options_of(show, folder, ask.with));
    if (other.data != own.data || other.machine != own.machine)
      throw RequestError(
          tr("Both runs must use the same data and the same machine: --with can change only options of the "
             "algorithm."));
    if (other.settings == own.settings)
      throw RequestError(tr("--with changes nothing: choose a value that differs from the value in `show`."));
    order.changed = other.settings;
  }
  try {
    if (order.kind && !show.run.recording())
      for (const Settings& s :
           {in.recording.trace.settings, order.changed.value_or(in.recording.trace.settings)})
        expect_quick_runs(*order.kind, s);
    posed.question = the_question(in, order, &job);
  } catch (const RequestError& e) { throw AskError(ask.line + 1, e); }
  for (const AskBlock::Remark& m : ask.misread) {
    try {
      const Reply reply = reply_named(posed.question, m.answer, in.recording);
      if (judge(posed.question, reply, in.recording.trace.settings.type).right)
        throw RequestError(tr("This answer is correct, but `misread` needs a wrong answer."));
      for (const Posed::Remark& other : posed.remarks)
        if (other.reply == reply) throw RequestError(tr("This answer has two explanations: keep only one."));
      posed.remarks.push_back({reply, m.text});
    } catch (const RequestError& e) { throw AskError(m.line, e); }
  }
  for (const LessonHint& hint : ask.hints) posed.hints.push_back(hint.text);
  return posed;
}

std::size_t Ordering::right_lines(const std::vector<int>& reply) const {
  const std::size_t most = std::min(reply.size(), answer.size());
  for (std::size_t i = 0; i < most; ++i) {
    const int given = groups[static_cast<std::size_t>(reply[i])],
              right = groups[static_cast<std::size_t>(answer[i])];
    if (given != right) return i;
  }
  return most;
}

Ordering ordering(const OrderBlock& order, const Recording& recording) {
  const std::string& text = recording.trace.text;
  const auto line_count = static_cast<int>(std::ranges::count(text, '\n'));
  if (order.last > line_count)
    throw RequestError(
        tr("The kernel has no line {}: the kernel has {} lines.", order.last, grouped(line_count)));
  struct Line {
    std::string text;
    int group = -1, place = -1;
  };
  std::vector<Line> all;
  std::map<std::string, int> group_of;  // lines with the same text are in one group
  std::map<int, int> declared;
  for (std::size_t g = 0; g < order.equal.size(); ++g)
    for (const int line : order.equal[g]) declared.emplace(line, 1000 + static_cast<int>(g));
  for (int line = order.first; line <= order.last; ++line) {
    std::string code = code_of(text, line);
    if (code.empty()) continue;
    const auto known = declared.find(line);
    const int own = known != declared.end() ? known->second : line;
    const int group = group_of.emplace(code, own).first->second;
    all.push_back({std::move(code), group, static_cast<int>(all.size())});
  }
  const std::size_t right = all.size();
  if (right < least_ordered || right > most_ordered)
    throw RequestError(tr("Lines {} to {} contain {} with code: choose a range that has {} to {} such lines.",
                          order.first, order.last, counted(static_cast<std::int64_t>(right), "line"),
                          least_ordered, most_ordered));
  if (std::ranges::all_of(all, [&](const Line& line) { return line.group == all.front().group; }))
    throw RequestError(
        tr("Every order of these lines is correct: choose other lines, or name fewer lines in `equal`."));
  for (const std::string& extra : order.extra) {
    if (group_of.contains(extra))
      throw RequestError(tr("The extra line `{}` is also a line of the kernel: write another line.", extra));
    all.push_back({extra});
  }
  // A learner chooses a line by typing one digit, so there must not be more lines than digits.
  if (all.size() > most_ordered)
    throw RequestError(
        tr("The block `order` has {} lines, including the extra lines: choose at most {} "
           "lines.",
           all.size(), most_ordered));
  std::mt19937 dice(static_cast<std::uint32_t>(order.first * 31 + order.last));
  const auto is_sorted = [&] {
    for (std::size_t i = 0; i < right; ++i)
      if (all[i].place != static_cast<int>(i)) return false;
    return true;
  };
  do {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[dice() % i]);
  } while (is_sorted());
  Ordering made;
  for (const LessonHint& hint : order.hints) made.hints.push_back(hint.text);
  made.answer.resize(right);
  for (std::size_t i = 0; i < all.size(); ++i) {
    made.lines.push_back(all[i].text);
    made.groups.push_back(all[i].group);
    if (all[i].place >= 0) made.answer[static_cast<std::size_t>(all[i].place)] = static_cast<int>(i);
  }
  return made;
}

}  // namespace upsweep
