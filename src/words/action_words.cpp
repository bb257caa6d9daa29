#include "words/action_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"
#include "words/pattern.hpp"
#include "words/shuffle_source.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

class ActionWords {
 public:
  ActionWords(const Trace& trace, int grid)
      : trace_(trace), grid_(trace.grids[static_cast<std::size_t>(grid)]) {}

  std::string text(const StepAction& d) const {
    if (d.kind == Kind::operation || d.kind == Kind::shuffle) return kept_text(d);
    if (is_atomic(d.kind)) return atomic_text(d);
    if (d.kind == Kind::launch) return launches(d);
    if (d.kind == Kind::fence) return is_one(d) ? tr("executes a fence") : tr("execute a fence");
    if (is_load(d.kind))
      return tr_verb(d, "read {}", "reads {}", target(d)) +
             (d.times > 1 ? tr(", {} times", grouped(d.times)) : "");
    const Expression& x = d.from;
    const std::string to = permutes(d) ? tr("their own place in {}", name_of_target(d)) : target(d);
    if (x.form == Form::input)
      return is_global(d.kind) ? tr_verb(d, "copy {} to {}", "copies {} to {}", leaf(d, x), to)
                               : tr_verb(d, "load {} into {}", "loads {} into {}", leaf(d, x), to);
    if (x.form == Form::fold) return tr("{}, into {}", folding(d, x), to);
    if (x.form == Form::other && d.parts > 1)
      return tr_verb(d, "write {} values to {}", "writes {} values to {}", d.parts, to);
    if (writes_back(d)) return tr_verb(d, "write {} back", "writes {} back", to) + tr(" unchanged");
    if (x.form == Form::constant) return put(d, constant_text(d, x), to);
    if (x.form != Form::operation && is_global(d.kind))
      return tr_verb(d, "write {} to {}", "writes {} to {}", leaf(d, x), to);
    if (x.form == Form::element) return tr_verb(d, "copy {} to {}", "copies {} to {}", leaf(d, x), to);
    if (x.form != Form::operation) return put(d, leaf(d, x), to);
    if (permutes(d)) return put(d, formula(d, x), to);
    const bool left = is_target(d, x.operands[0]), right = is_target(d, x.operands[1]);
    const Operator op = operator_of(x.cells);
    if (left != right && (op == Operator::sum || op == Operator::product)) {
      const std::string other = leaf(d, x.operands[left ? 1 : 0]);
      return op == Operator::sum ? tr_verb(d, "add {} into {}", "adds {} into {}", other, to)
                                 : tr_verb(d, "multiply {} by {}", "multiplies {} by {}", to, other);
    }
    if (op == Operator::affine && x.cells != Cells::numbers)
      return tr_verb(d, "compose {} into {}", "composes {} into {}", formula(d, x), to);
    return put(d, formula(d, x), to);
  }

  // Returns whether each thread stores to a cell the same value that the thread has read from this cell.
  static bool writes_back(const StepAction& d) {
    return is_store(d.kind) && d.parts == 1 && !d.from.old && is_target(d, d.from);
  }

  // Returns whether the action is a permutation, see filled_text().
  bool permutes(const StepAction& d) const {
    if (!is_store(d.kind) || d.parts > 1 || d.threads.size() < 2 || writes_back(d)) return false;
    const std::int64_t columns =
        is_shared(d.kind) ? shared_columns(grid_.shared, d.region) : buffer_columns(trace_, d.buffer);
    if (columns > 0 || follow_pattern(grid_.block_dim(), d.threads, d.indices)) return false;
    std::vector<int> cells = d.indices;
    std::ranges::sort(cells);
    return std::ranges::adjacent_find(cells) == cells.end();
  }

  std::string target(const StepAction& d) const {
    return is_shared(d.kind) ? shared_place(d, d.region, d.buffer, d.indices)
                             : global_place(d, d.buffer, d.indices, d.parts);
  }

  std::string leaf(const StepAction& d, const Expression& x) const {
    switch (x.form) {
      case Form::constant: return constant_text(d, x, /*is_named=*/false);
      case Form::input: return global_place(d, x.buffer, x.indices, x.parts);
      case Form::element: {
        const std::string place = shared_place(d, x);
        return x.old ? tr("the previous {}", place) : place;
      }
      case Form::operation: return is_long(d, x) ? summary(d, x) : "(" + whole_formula(d, x) + ")";
      case Form::fold: return fold_text(d, x);
      case Form::shuffle: return shuffle_source_text(x);
      case Form::kept: return is_one(d) ? tr("its own value") : tr("their own value");
      case Form::other: return tr("a value from a register");
    }
    return {};
  }

  std::string filled(const std::vector<const StepAction*>& actions) const {
    std::vector<std::pair<std::string, std::vector<int>>> all;  // a memory's name, and its filled cells
    for (const StepAction* d : actions) {
      if (!permutes(*d)) continue;
      const std::string name = name_of_target(*d);
      auto at = std::ranges::find(all, name, [](const auto& each) { return each.first; });
      if (at == all.end()) at = all.insert(at, {name, {}});
      at->second.insert(at->second.end(), d->indices.begin(), d->indices.end());
    }
    std::vector<std::string> texts;
    for (auto& [name, cells] : all) {
      std::ranges::sort(cells);
      cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
      texts.push_back(fmt::format("{}[{}]", name, ranges(cells)));
    }
    return texts.empty() ? "" : tr("Together, the threads fill {}.", fmt::join(texts, tr(" and ")));
  }

 private:
  std::string shared_place(const StepAction& d, const Expression& x) const {
    return shared_place(d, x.region, x.buffer, x.indices);
  }
  std::string shared_place(const StepAction& d, int region, int buffer,
                           const std::vector<int>& indices) const {
    return shared_cells_text(grid_, region, buffer, d.threads, indices);
  }
  std::string global_place(const StepAction& d, int buffer, const std::vector<int>& indices,
                           int parts = 1) const {
    return buffer_name(trace_, buffer) +
           index_text(grid_.block_dim(), buffer_columns(trace_, buffer), d.threads, indices, parts);
  }

  Operator operator_of(Cells cells) const { return upsweep::operator_of(trace_.settings, cells); }

  std::string name_of_target(const StepAction& d) const {
    return is_shared(d.kind) ? shared_name(grid_.shared, d.region, d.buffer) : buffer_name(trace_, d.buffer);
  }

  // Returns the constants that the threads use, such as "0 or 1". If there are more than three constants,
  // returns "a number of their own". If `is_named` is true, says what a single constant is: "the identity 0".
  std::string constant_text(const StepAction& d, const Expression& x, bool is_named = true) const {
    if (x.more_values.empty()) return value_text(x.value, d.cells, is_named);
    if (x.more_values.size() > 2) return tr("a number of their own");
    std::vector<Value> values = x.more_values;
    values.push_back(x.value);
    std::ranges::sort(values);
    std::vector<std::string> texts;
    for (const Value& v : values) texts.push_back(exact_text(v, trace_.settings, d.cells));
    const std::string last = texts.back();
    texts.pop_back();
    return tr("{} or {}", fmt::join(texts, tr(", ")), last);
  }

  std::string value_text(const Value& v, Cells cells, bool is_named) const {
    const std::string exact = exact_text(v, trace_.settings, cells);
    if (!is_element(cells) && cells != Cells::messages) return exact;
    const bool is_identity = v == identity(trace_.settings);
    if (is_identity && trace_.settings.op == Operator::affine)
      return tr("the identity");  // the identity map x -> x, not a number
    return !is_named ? exact : is_identity ? tr("the identity {}", exact) : tr("the constant {}", exact);
  }

  // Returns the combined elements, such as "4 neighbouring elements of in, from in[4t] on".
  std::string fold_text(const StepAction& d, const Expression& x) const {
    const auto [low, high] = std::minmax_element(x.counts.begin(), x.counts.end());
    const std::string count = *low == *high ? grouped(*low) : tr("{} to {}", grouped(*low), grouped(*high));
    const bool even =
        std::all_of(x.strides.begin(), x.strides.end(), [&](int s) { return s == x.strides[0]; });
    const bool shared = x.operands[0].form == Form::element;
    const std::string first = shared ? shared_place(d, x) : global_place(d, x.buffer, x.indices);
    const std::string name = first.substr(0, first.find('['));
    if (even && x.strides[0] == 1)
      return tr("{} neighbouring elements of {}, from {} on", count, name, first);
    if (even && x.strides[0] > 1)
      return tr("{} elements of {}, {} apart, from {} on", count, name, x.strides[0], first);
    return tr("{} elements of {}", count, name);
  }

  // Returns the number of values that an expression combines, or 0 if the threads combine different numbers
  // of values.
  static int leaves(const Expression& x) {
    if (x.form == Form::fold && std::ranges::adjacent_find(x.counts, std::not_equal_to{}) != x.counts.end())
      return 0;
    if (x.form == Form::fold) return x.counts[0] + static_cast<int>(x.operands.size()) - 1;
    if (x.form != Form::operation) return 1;
    const int left = leaves(x.operands[0]), right = leaves(x.operands[1]);
    return left > 0 && right > 0 ? left + right : 0;
  }
  // Describes a formula by the number of its values.
  std::string summary(const StepAction& d, const Expression& x) const {
    if (x.cells == Cells::numbers) {  // maps x -> a*x + b are applied to a number, one after another
      const Expression* number = &x;
      int maps = 0;
      for (; number->form == Form::operation && number->cells == Cells::numbers; ++maps)
        number = &number->operands[1];
      return tr("the result of {} for {}", counted(maps, "map"), leaf(d, *number));
    }
    const int count = leaves(x);
    const std::string values = count > 0 ? counted(count, "value") : tr("several values");
    switch (operator_of(x.cells)) {
      case Operator::sum: return tr("the sum of {}", values);
      case Operator::product: return tr("the product of {}", values);
      case Operator::min: return tr("the smallest of {}", values);
      case Operator::max: return tr("the largest of {}", values);
      case Operator::affine: return count > 0 ? counted(count, "map") : tr("several maps");
      case Operator::own: break;
    }
    return tr("the combination of {}", values);
  }

  // Returns whether a formula is so long that only a summary of it is shown.
  bool is_long(const StepAction& d, const Expression& x) const {
    constexpr std::ptrdiff_t most_spaces = 7;
    const bool nested =
        std::ranges::any_of(x.operands, [](const Expression& o) { return o.form == Form::operation; });
    return nested && std::ranges::count(whole_formula(d, x), ' ') > most_spaces;
  }
  std::string formula(const StepAction& d, const Expression& x) const {
    return is_long(d, x) ? summary(d, x) : whole_formula(d, x);
  }
  std::string whole_formula(const StepAction& d, const Expression& x) const {
    const std::string a = leaf(d, x.operands[0]), b = leaf(d, x.operands[1]);
    if (x.cells == Cells::numbers)
      return tr("the result of {} for {}", map_text(d, x.operands[0]), named(d, x.operands[1], tr("number")));
    switch (operator_of(x.cells)) {
      case Operator::sum: return a + " + " + b;
      case Operator::product: return a + " × " + b;
      case Operator::min: return tr("the smaller of {} and {}", a, b);
      case Operator::max: return tr("the larger of {} and {}", a, b);
      case Operator::affine:
        return tr("{} and then {}", named(d, x.operands[0], tr("map")), named(d, x.operands[1], tr("map")));
      case Operator::own: return a + " op " + b;
    }
    return {};
  }

  static bool is_target(const StepAction& d, const Expression& x) {
    if (x.indices != d.indices || x.buffer != d.buffer || x.cells != d.cells) return false;
    return (x.form == Form::element && is_shared(d.kind) && x.region == d.region) ||
           (x.form == Form::input && is_global(d.kind));
  }

  static bool is_one(const StepAction& d) { return d.threads.size() == 1; }

  // Returns `single` if one thread does the action, and `many` otherwise. Fills in the arguments.
  template <class... Arguments>
  static std::string tr_verb(const StepAction& d, fmt::format_string<const Arguments&...> many,
                             fmt::format_string<const Arguments&...> single, const Arguments&... arguments) {
    return is_one(d) ? tr(single, arguments...) : tr(many, arguments...);
  }
  static std::string put(const StepAction& d, const std::string& what, const std::string& to) {
    return tr_verb(d, "put {} into {}", "puts {} into {}", what, to);
  }

  // Returns an operand as text. For a value in a register, the text contains the noun: "its own map", "lane
  // 3's map".
  std::string named(const StepAction& d, const Expression& x, std::string_view noun) const {
    std::string text = leaf(d, x);
    const std::string_view value = tr("value");
    if (const std::size_t at = text.find(value); at != text.npos && text.find('[') == text.npos)
      text.replace(at, value.size(), noun);
    return text;
  }
  // Names a map (x becomes a * x + b) that is applied to a number: "the map in[32]", "its own map".
  std::string map_text(const StepAction& d, const Expression& x) const {
    const std::string map = named(d, x, tr("map"));
    return x.form == Form::input || x.form == Form::element ? tr("the map {}", map) : map;
  }

  // Returns the operator's verb with two operands, such as "add a to b".
  std::string combining(const StepAction& d, const std::string& a, const std::string& b) const {
    switch (operator_of(d.cells)) {
      case Operator::sum: return tr_verb(d, "add {} to {}", "adds {} to {}", a, b);
      case Operator::product: return tr_verb(d, "multiply {} by {}", "multiplies {} by {}", b, a);
      case Operator::min:
        return tr_verb(d, "take the smaller of {} and {}", "takes the smaller of {} and {}", a, b);
      case Operator::max:
        return tr_verb(d, "take the larger of {} and {}", "takes the larger of {} and {}", a, b);
      case Operator::affine: return tr_verb(d, "compose {} with {}", "composes {} with {}", a, b);
      case Operator::own: return tr_verb(d, "combine {} with {}", "combines {} with {}", a, b);
    }
    return {};
  }
  // Returns the text for an operand that is a copy of memory in a register: "its copy of sums[0]".
  std::string copy_of(const StepAction& d, const Expression& x) const {
    const bool loaded = x.form == Form::input || x.form == Form::element;
    return loaded ? tr("its copy of {}", leaf(d, x)) : leaf(d, x);
  }
  // Describes a fold (Form::fold). For one thread that combines neighbouring elements: "adds x[1] … x[31] to
  // its own value, one after the other". Otherwise: "add up 4 neighbouring elements of in, from in[4t] on".
  std::string folding(const StepAction& d, const Expression& x) const {
    if (is_one(d) && x.strides[0] == 1) {
      const bool shared = x.operands[0].form == Form::element;
      const std::vector<int> last = {x.indices[0] + x.counts[0] - 1};
      const std::string range =
          (shared ? shared_place(d, x) : global_place(d, x.buffer, x.indices)) + " … " +
          (shared ? shared_place(d, x.region, x.buffer, last) : global_place(d, x.buffer, last));
      const std::string own = x.operands.size() > 1 ? copy_of(d, x.operands[1]) : "";
      const std::string both = own.empty() ? range : tr("{} and {}", range, own);
      switch (operator_of(x.cells)) {
        case Operator::sum:
          return own.empty() ? tr("adds up {}, one after the other", range)
                             : tr("adds {} to {}, one after the other", range, own);
        case Operator::product: return tr("multiplies {}, one after the other", both);
        case Operator::min: return tr("compares {} one after the other, and keeps the smallest", both);
        case Operator::max: return tr("compares {} one after the other, and keeps the largest", both);
        case Operator::affine: return tr("composes {}, one after the other", both);
        case Operator::own: return tr("combines {}, one after the other", both);
      }
    }
    const std::string what = fold_text(d, x);
    const std::string to = x.operands.size() > 1 ? tr(", together with {}", leaf(d, x.operands[1])) : "";
    switch (operator_of(x.cells)) {
      case Operator::sum: return tr_verb(d, "add up {}", "adds up {}", what) + to;
      case Operator::product: return tr_verb(d, "multiply {}", "multiplies {}", what) + to;
      case Operator::min: return tr_verb(d, "find the smallest of {}", "finds the smallest of {}", what);
      case Operator::max: return tr_verb(d, "find the largest of {}", "finds the largest of {}", what);
      case Operator::affine: return tr_verb(d, "compose {}", "composes {}", what);
      case Operator::own: return tr_verb(d, "combine {}", "combines {}", what) + to;
    }
    return {};
  }

  // Describes an operation whose result is only in a register: "add the value of lane t+16 to its own value".
  std::string kept_text(const StepAction& d) const {
    const Expression& x = d.from;
    if (x.form == Form::fold) return is_one(d) ? folding(d, x) : tr("{}, in their registers", folding(d, x));
    if (x.form == Form::shuffle) return tr_verb(d, "take {}", "takes {}", shuffle_source_text(x));
    if (x.form != Form::operation) return tr_verb(d, "keep {}", "keeps {}", leaf(d, x));
    if (x.cells == Cells::numbers && is_long(d, x)) return kept_summary(d, x);
    if (x.cells == Cells::numbers)
      return tr_verb(d, "apply {} to {}", "applies {} to {}", map_text(d, x.operands[0]),
                     named(d, x.operands[1], tr("number")));
    if (operator_of(x.cells) == Operator::affine)
      return tr_verb(d, "compose {}", "composes {}", formula(d, x));
    const bool own_right = x.operands[1].form == Form::kept && x.operands[0].form != Form::kept;
    const Expression &taken = x.operands[own_right ? 0 : 1], &own = x.operands[own_right ? 1 : 0];
    // Two different values of one thread must not have the same name "its own value".
    const std::string whose = is_one(d) ? tr("its own") : tr("their own");
    const bool both_own = own.form == Form::kept && leaf(d, taken).find(whose) != std::string::npos;
    if (own.form == Form::kept && !both_own) return combining(d, leaf(d, taken), leaf(d, own));
    if (both_own || is_long(d, x)) return kept_summary(d, x);
    return tr_verb(d, "compute {}", "computes {}", formula(d, x)) +
           (is_one(d) ? tr(" in its register") : tr(" in their registers"));
  }
  std::string kept_summary(const StepAction& d, const Expression& x) const {
    return tr_verb(d, "compute {} and keep it in a register", "computes {} and keeps it in a register",
                   summary(d, x));
  }

  std::string atomic_text(const StepAction& d) const {
    const std::string to = target(d), what = leaf(d, d.from);
    const std::string was = is_one(d) ? fmt::format(" ({} → {})", exact_value(trace_, d.before, d.cells),
                                                    exact_value(trace_, d.value, d.cells))
                                      : "";
    switch (static_cast<Atomic>(d.detail)) {
      case Atomic::combine: return tr("{} atomically", combining(d, what, to)) + was;
      case Atomic::add:
        return tr_verb(d, "atomically add {} to {}", "atomically adds {} to {}", d.value[0] - d.before[0],
                       to) +
               was;
      case Atomic::minimum: return tr_verb(d, "apply atomicMin to {}", "applies atomicMin to {}", to) + was;
      case Atomic::maximum: return tr_verb(d, "apply atomicMax to {}", "applies atomicMax to {}", to) + was;
      case Atomic::bit_or:
        return tr_verb(d, "atomically set bits of {}", "atomically sets bits of {}", to) + was;
      case Atomic::exchange: return tr_verb(d, "atomically exchange {}", "atomically exchanges {}", to) + was;
      case Atomic::compare_and_swap:
        return tr_verb(d, "compare and swap {} atomically", "compares and swaps {} atomically", to) + was;
    }
    return {};
  }

  std::string launches(const StepAction& d) const {
    const int first = d.indices.empty() ? -1 : d.indices[0];
    const bool known = first >= 0 && first < static_cast<int>(trace_.grids.size());
    const std::string grid =
        known ? configuration_text(trace_.grids[static_cast<std::size_t>(first)]) : tr("a child grid");
    return static_cast<ChildLaunch>(d.detail) == ChildLaunch::tail
               ? tr_verb(d, "launch {}, which runs after this grid has ended",
                         "launches {}, which runs after this grid has ended", grid)
               : tr_verb(d, "launch {}, which may run concurrently with this grid",
                         "launches {}, which may run concurrently with this grid", grid);
  }

  const Trace& trace_;
  const Grid& grid_;
};

}  // namespace

std::string action_text(const Trace& trace, int grid, const StepAction& action) {
  return ActionWords(trace, grid).text(action);
}

std::string filled_text(const Trace& trace, int grid, const std::vector<const StepAction*>& actions) {
  return ActionWords(trace, grid).filled(actions);
}

std::string operand_text(const Trace& trace, int grid, const StepAction& action, const Expression& operand) {
  return ActionWords(trace, grid).leaf(action, operand);
}

}  // namespace upsweep
