#include "words/action_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "words/action_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr std::ptrdiff_t most_words = 20;
constexpr std::size_t most_sentences = 7, most_of_group = 3;

std::ptrdiff_t word_count(const std::string& text) { return std::ranges::count(text, ' ') + 1; }

void replace(std::string& text, std::string_view old, std::string_view fresh) {
  if (const std::size_t at = text.find(old); at != text.npos) text.replace(at, old.size(), fresh);
}

// Splits a text at its brackets. Returns the text before the first index, then the first index, and so on.
std::vector<std::string> split_at_indices(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ']') pieces.emplace_back();
    pieces.back() += c;
    if (c == '[') pieces.emplace_back();
  }
  return pieces;
}

std::string without_indices(const std::string& text) {
  const std::vector<std::string> pieces = split_at_indices(text);
  std::string rest;
  for (std::size_t i = 0; i < pieces.size(); i += 2) rest += pieces[i];
  return rest;
}

// Returns several indices as one text: "t and t+32", "t, t+32 … t+96". Returns an empty text if an index is
// itself a list.
std::string joined_indices(const std::vector<std::string>& all) {
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(all, [&](const std::string& s) { return s.find(part) != s.npos; });
  };
  if (all.size() == 1) return all[0];
  if (has(",") || has(tr(" and ")) || has("–") || (all.size() > 2 && has("…"))) return {};
  if (all.size() == 2) return tr("{} and {}", all[0], all[1]);
  if (all.size() == 3) return tr("{}, {} and {}", all[0], all[1], all[2]);
  return fmt::format("{}, {} … {}", all[0], all[1], all.back());
}

// Joins two computations that differ in several indices: "compute a[t] + b[t] in their registers" and
// "compute a[t+8] + b[t+8] in their registers" become "compute a[t] + b[t] and a[t+8] + b[t+8] in their
// registers". `where` is the end of both texts.
std::string both_computed(const std::string& a, const std::string& b, std::string_view where) {
  const std::string_view second = std::string_view(b).substr(b.find(' '));
  return a.substr(0, a.size() - where.size()) + tr(" and") + std::string(second);
}

// Some actions that differ at most in their indices.
struct Alike {
  std::vector<std::string> texts;
  std::vector<const StepAction*> actions;
  std::string text() const;
};

std::string Alike::text() const {
  if (actions.size() == 1) return texts[0];
  std::vector<std::vector<std::string>> pieces;
  for (const std::string& t : texts) pieces.push_back(split_at_indices(t));
  std::string joined;
  int lists = 0;  // the number of pieces that differ between the texts
  for (std::size_t i = 0; i < pieces[0].size(); ++i) {
    std::vector<std::string> different;
    std::set<std::string_view> seen;
    for (const std::vector<std::string>& p : pieces)
      if (seen.insert(p[i]).second) different.push_back(p[i]);
    const std::string piece = joined_indices(different);
    if (piece.empty() && different != std::vector<std::string>{""})
      return tr("{0}, and {1}", texts[0], counted(std::ssize(texts) - 1, "similar action"));
    joined += piece;
    lists += different.size() > 1;
  }
  for (const std::string_view where : {tr(" in its register"), tr(" in their registers")})
    if (lists > 1 && texts.size() == 2 && texts[0].ends_with(where))
      return both_computed(texts[0], texts[1], where);
  replace(joined, tr("their own place in"), tr("their own places in"));
  replace(joined, tr("a number of their own"), tr("numbers of their own"));
  return joined;
}

// Actions that are all done by the same threads.
class ActionGroup {
 public:
  ActionGroup(const Trace& trace, int grid, std::vector<const StepAction*> actions)
      : trace_(trace), grid_(grid), actions_(std::move(actions)) {
    const std::vector<std::string> texts = texts_of_actions();
    std::map<std::string, std::size_t> known;
    std::set<std::pair<std::size_t, std::string_view>> seen;  // index into alike_, and one of its texts
    int fences = 0;  // sentences do not join actions that a fence separates
    for (std::size_t i = 0; i < texts.size(); ++i) {
      fences += actions_[i]->kind == Kind::fence;
      const auto [at, fresh] =
          known.try_emplace(fmt::format("{} {}", fences, without_indices(texts[i])), alike_.size());
      if (fresh) alike_.emplace_back();
      Alike& those = alike_[at->second];
      if (seen.emplace(at->second, texts[i]).second) those.texts.push_back(texts[i]);
      those.actions.push_back(actions_[i]);
    }
  }

  // Appends at most `most` sentences about the actions, and then the sentence of filled_text() if it is not
  // empty.
  void tell(std::size_t most, ActionSentences& to) const {
    const bool one = actions_[0]->threads.size() == 1;
    const std::string subject =
        threads_text(trace_.grids[static_cast<std::size_t>(grid_)], actions_[0]->threads);
    std::vector<std::vector<std::string>> sentences;
    std::vector<const StepAction*> told;
    std::ptrdiff_t words = 0;
    for (const Alike& a : alike_) {
      std::string part = a.text();
      if (sentences.empty() || words + word_count(part) > most_words) {
        if (sentences.size() == most) {
          to.left_out += a.texts.size();
          words = most_words;
          continue;
        }
        sentences.emplace_back();
        words = word_count(subject) + !one;
      }
      words += word_count(part) + 1;  // plus the word "and"
      sentences.back().push_back(std::move(part));
      told.insert(told.end(), a.actions.begin(), a.actions.end());
    }
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const std::string who = i == 0 ? subject : one ? tr("The same thread") : tr("The same threads");
      const std::string what = listed(sentences[i]);
      to.texts.push_back((one ? tr("{} {}", who, what) : tr("{} each {}", who, what)) +
                         value_now(what.ends_with(tr(" unchanged"))) + tr("."));
    }
    if (std::string filled = filled_text(trace_, grid_, told); !filled.empty())
      to.texts.push_back(std::move(filled));
  }

 private:
  // Returns the texts of the actions. If several actions of a line put different constants into memory, the
  // texts do not contain these constants.
  std::vector<std::string> texts_of_actions() const {
    std::vector<std::string> texts;
    std::map<int, std::vector<std::size_t>> constants;  // for each line: indices into actions_
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      texts.push_back(action_text(trace_, grid_, *actions_[i]));
      if (is_store(actions_[i]->kind) && actions_[i]->from.form == Expression::Form::constant &&
          actions_[i]->threads.size() > 1)
        constants[actions_[i]->line].push_back(i);
    }
    for (const auto& [line, some] : constants) {
      const auto differs = [&](std::size_t i) {
        return without_indices(texts[i]) != without_indices(texts[some[0]]);
      };
      if (some.size() < 3 || std::ranges::none_of(some, differs)) continue;
      for (const std::size_t i : some) {
        StepAction various = *actions_[i];
        various.from.more_values.resize(3);
        texts[i] = action_text(trace_, grid_, various);
      }
    }
    return texts;
  }

  static std::string listed(const std::vector<std::string>& parts) {
    if (parts.size() == 1) return parts[0];
    if (parts.size() == 2) return tr("{0} and {1}", parts[0], parts[1]);
    return tr("{}, and {}", fmt::join(std::span(parts).first(parts.size() - 1), tr(", ")), parts.back());
  }

  // If one thread stores one value that is not a constant, returns the value: ", which is now 7", or ": the
  // value is still 7".
  std::string value_now(bool unchanged) const {
    const StepAction& d = *actions_[0];
    if (actions_.size() > 1 || d.threads.size() > 1 || !is_store(d.kind) ||
        d.from.form == Expression::Form::constant)
      return {};
    return (unchanged ? tr(": the value is still ") : tr(", which is now ")) +
           exact_value(trace_, d.value, d.cells);
  }

  const Trace& trace_;
  const int grid_;
  const std::vector<const StepAction*> actions_;
  std::vector<Alike> alike_;
};

}  // namespace

ActionSentences action_sentences(const Trace& trace, int grid, const std::vector<StepAction>& actions) {
  ActionSentences all;
  std::vector<bool> seen(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (seen[i]) continue;
    std::vector<const StepAction*> group;
    for (std::size_t k = i; k < actions.size(); ++k)
      if (!seen[k] && actions[k].threads == actions[i].threads) {
        group.push_back(&actions[k]);
        seen[k] = true;
      }
    if (all.texts.size() >= most_sentences) {
      all.left_out += group.size();
      continue;
    }
    const std::size_t room = most_sentences - all.texts.size();
    ActionGroup(trace, grid, std::move(group)).tell(std::min(room, most_of_group), all);
  }
  return all;
}

// Returns whether the step is the last step of a grid whose blocks are all recorded in full, and no thread
// does anything in this step.
bool ends_quietly(const Trace& trace, int grid, int step) {
  const std::vector<int> focus = focus_of(trace, grid);
  return step + 1 == end_step(trace, grid) &&
         std::ssize(focus) == trace.grids[static_cast<std::size_t>(grid)].blocks &&
         std::ranges::all_of(focus, [&](int block) { return step_events(trace, block, step).empty(); });
}

std::string idle_text(const Trace& trace, int grid, const Place& place) {
  std::vector<int> working;
  for (const int block : focus_of(trace, grid)) {
    const EventRange range = step_events(trace, block, place.step);
    const auto events = std::span(trace.events).subspan(range.first, range.last - range.first);
    if (std::ranges::any_of(events, [](const Event& e) { return is_access(e.kind); }))
      working.push_back(block);
  }
  if (working.empty() && ends_quietly(trace, grid, place.step))
    return tr("In this last step, the threads only end.");
  if (working.empty()) return tr("No thread reads or writes memory.");
  const Grid& g = trace.grids[static_cast<std::size_t>(grid)];
  return tr("No thread of block {} reads or writes memory, but threads of block {}{} access memory.",
            block_text(g, place.block), block_text(g, working.front()),
            working.size() > 1
                ? tr(" and {}", counted(static_cast<std::int64_t>(working.size()) - 1, "other block"))
                : "");
}

}  // namespace upsweep
