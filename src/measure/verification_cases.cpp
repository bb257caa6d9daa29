#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "measure/large_check.hpp"
#include "measure/run_cost.hpp"
#include "measure/verification.hpp"

namespace upsweep {
namespace {

// A list whose values are used in turn. The first pass through the list is in order, and every further pass
// is in random order.
template <class T>
class Rotation {
 public:
  Rotation(std::vector<T> values, std::mt19937_64& random) : values_(std::move(values)), random_(random) {}
  const T& next() {
    if (next_ == values_.size()) {
      next_ = 0;
      for (std::size_t i = values_.size(); i > 1; --i) std::swap(values_[i - 1], values_[random_() % i]);
    }
    return values_[next_++];
  }

 private:
  std::vector<T> values_;
  std::size_t next_ = 0;
  std::mt19937_64& random_;
};

// Sorts the kinds of runs. A kind is a combination of a type, an operator and options. The next kind is
// always the kind whose type, operator and options have occurred least often so far.
std::vector<Settings> mixed(const Algorithm& a, const std::vector<Settings>& kinds, std::mt19937_64& random) {
  std::map<std::string, std::size_t> numbers;  // an index for each type, operator and option
  std::vector<std::vector<std::size_t>> choices;
  for (const Settings& s : kinds) {
    std::vector<std::string> names = {fmt::format("type {}", name(s.type)), fmt::format("op {}", name(s.op))};
    for (const Choice& c : a.choices) names.push_back(fmt::format("{}={}", c.name, chosen(a, s, c.name)));
    choices.emplace_back();
    for (const std::string& n : names)
      choices.back().push_back(numbers.emplace(n, numbers.size()).first->second);
  }
  std::vector<std::size_t> left(kinds.size());
  std::iota(left.begin(), left.end(), 0);
  for (std::size_t i = left.size(); i > 1; --i) std::swap(left[i - 1], left[random() % i]);
  std::vector<int> taken(numbers.size());
  std::vector<Settings> order;
  while (!left.empty()) {
    const auto fresh = [&](std::size_t kind) {  // the result is larger if the kind's options are rare so far
      double sum = 0;
      for (const std::size_t c : choices[kind]) sum += std::ldexp(1., -8 * std::min(taken[c], 100));
      return sum;
    };
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (const double f = fresh(left[i]); f > most) most = f, best = i;
    for (const std::size_t c : choices[left[best]]) ++taken[c];
    order.push_back(kinds[left[best]]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return order;
}

bool is_valid(const Settings& s) {
  try {
    validate(s);
    return true;
  } catch (const RequestError&) { return false; }
}

// Returns all values of an enumeration, beginning with 0.
template <class E, std::size_t count>
constexpr std::array<E, count> all_of() {
  std::array<E, count> all{};
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<E>(i);
  return all;
}

template <class T, class All>
std::vector<T> fixed_or(const std::optional<T>& fixed, const All& all) {
  if (fixed) return {*fixed};
  return std::vector<T>(std::begin(all), std::end(all));
}

class Cases {
 public:
  Cases(const Algorithm& a, const Fixed& fixed, Effort effort, bool on_gpu)
      : a_(a), fixed_(fixed), effort_(effort), on_gpu_(on_gpu), random_(std::hash<std::string>()(a.name)) {}

  std::vector<Case> all() {
    const std::vector<Settings> kinds = all_kinds();
    if (kinds.empty()) return {};
    if (effort_ == Effort::full) everything(kinds);
    else if (on_gpu_) sizes_of_each(kinds);
    else kinds_of_each(kinds);
    add_missing_blocks(kinds);
    if (on_gpu_ && !fixed_.n && fixed_.op != Operator::own) large_sizes(kinds);
    return std::move(cases_);
  }

 private:
  std::vector<int> sizes() {
    if (fixed_.n) return {*fixed_.n};
    std::vector<int> all = {1,    2,    3,    31,   32,   33,    127,   255,          256,
                            1000, 1023, 1024, 1025, 2047, 65535, 65537, (1 << 20) + 7};
    const bool bounded = !a_.many_blocks && a_.elements_per_thread;
    const int largest = bounded ? largest_in_block(a_) : a_.largest.value_or(1 << 20);
    if (largest < 1 << 20) all.push_back(largest);
    for (int i = 0; i < 3; ++i)  // random sizes of all magnitudes
      all.push_back(
          static_cast<int>(std::exp2(static_cast<double>(random_() >> 11) * 0x1p-53 * std::log2(largest))));
    std::erase_if(all, [&](int n) { return n > largest && (bounded || a_.largest); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  std::vector<int> blocks() const {
    if (fixed_.block) return {*fixed_.block};
    std::vector<int> all;
    for (const int block : {32, 256, 64, 1024, 96, 128, 512})
      if (block >= a_.least_threads && block <= a_.most_threads &&
          (!a_.power_of_two_threads || std::has_single_bit(static_cast<unsigned>(block))))
        all.push_back(block);
    return all;
  }
  std::vector<int> grids() const {
    return fixed_or(fixed_.grid, a_.uses_grid ? std::vector{16, 1, 3, 64} : std::vector{16});
  }

  // Returns every possible combination of type, operator and options.
  std::vector<Settings> all_kinds() const {
    std::vector<Settings> kinds(1);
    kinds[0].algorithm = a_.name;
    kinds[0].n = 1;
    fit_kind(a_, kinds[0]);
    kinds[0].block = smallest_block(a_, 1);
    const auto cross = [&](const auto& values, auto set) {
      std::vector<Settings> crossed;
      for (const Settings& s : kinds)
        for (const auto& value : values) set(crossed.emplace_back(s), value);
      kinds = std::move(crossed);
    };
    static constexpr auto types = all_of<Scalar, std::size(scalar_names)>();
    static constexpr auto operators = all_of<Operator, std::size(operator_names)>();
    cross(fixed_or(fixed_.type, types), [](Settings& s, Scalar type) { s.type = type; });
    cross(fixed_or(fixed_.op, operators), [](Settings& s, Operator op) { s.op = op; });
    for (Settings& s : kinds) {
      s.expression = fixed_.expression;
      s.identity = fixed_.identity;
    }
    for (const Choice& c : a_.choices) {
      if (c.name == method_choice) continue;  // each method is a separate algorithm with its own cases
      std::vector<std::string> options;
      for (const Option& o : c.options) options.push_back(o.name);
      if (const auto given = fixed_.choices.find(c.name); given != fixed_.choices.end())
        options = {given->second};
      cross(options, [&](Settings& s, const std::string& option) { s.choose(c.name, option); });
    }
    for (const auto& [name, option] : fixed_.choices)  // is_valid() below removes unknown choices
      if (!a_.choice(name))
        cross(std::vector{option}, [&](Settings& s, const std::string& o) { s.choose(name, o); });
    const auto fixed_option = [&](const Flaw& f) {
      return std::any_of(fixed_.choices.begin(), fixed_.choices.end(),
                         [&](const auto& given) { return given.second == f.option; });
    };
    const bool wanted = std::any_of(a_.flaws.begin(), a_.flaws.end(), fixed_option);
    std::erase_if(kinds, [&](const Settings& s) {
      return !is_valid(s) || (!wanted && !a_.is_broken() && is_unsafe(a_, s));
    });
    return kinds;
  }

  // Returns how many of the first kinds in mixed() together contain every type, operator and option. If all
  // combinations were allowed, this number would be the length of the longest list of types or options. One
  // kind is added, because some combinations are not allowed.
  std::size_t kinds_with_everything() const {
    std::size_t most = std::size(scalar_names);
    for (const Choice& c : a_.choices) most = std::max(most, c.options.size());
    return most + 1;
  }

  // Adds a case if its settings are valid.
  bool add(Settings s, int n, int block, int grid) {
    s.n = n;
    s.block = block;
    s.grid = grid;
    if (!is_valid(s)) return false;
    cases_.push_back({s, fixed_.seed.value_or(cases_.size() + 1)});
    return true;
  }
  // Adds a case with a block that is large enough for n. Successive cases use different blocks.
  void add(const Settings& s, int n, Rotation<int>& blocks, int grid) {
    for (std::size_t tries = 0; tries < 8; ++tries)
      if (add(s, n, blocks.next(), grid)) return;
    Settings sized = s;
    sized.n = n;
    if (!fixed_.block) add(s, n, smallest_block(a_, sized), grid);
  }

  void everything(const std::vector<Settings>& kinds) {
    const std::vector<int> all = sizes();
    for (const Settings& kind : kinds)
      for (const int block : blocks())
        for (const int n : all)
          for (const int grid : grids()) add(kind, n, block, grid);
  }

  // Adds some kinds of runs (see mixed()) at every size. Each kind has the same block at all sizes, if
  // possible. A size whose runs take long gets few kinds.
  void sizes_of_each(const std::vector<Settings>& kinds) {
    Rotation<Settings> kind(mixed(a_, kinds, random_), random_);
    Rotation<int> block(blocks(), random_), grid(grids(), random_);
    const std::vector<int> all = sizes();
    const bool quick = effort_ == Effort::quick;
    const std::size_t count =
        std::max(std::min(kinds.size(), quick ? kinds_with_everything() : 80), blocks().size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = static_cast<std::ptrdiff_t>(cases_.size());
      const Settings& s = kind.next();
      const int usual = block.next();
      for (const int n : all) {
        const std::size_t before = cases_.size();
        if (!add(s, n, usual, grid.next())) add(s, n, block, grid.next());
        if (i > 0 && cases_.size() > before &&
            static_cast<double>(i + 1) * in_a_row(a_, cases_.back().settings) >
                (quick ? long_recording : affordable_recordings))
          cases_.pop_back();
        else if (quick && cases_.size() > before)
          cases_.back().is_recorded = in_a_row(a_, cases_.back().settings) <= long_recording &&
                                      (i == 0 || cost(a_, cases_.back().settings) <= cheap_recording);
      }
      // Sorts the cases by block size. If the block size is a constant in the kernel's text, the text must be
      // compiled again for each new block size.
      std::stable_sort(cases_.begin() + first, cases_.end(),
                       [](const Case& x, const Case& y) { return x.settings.block < y.settings.block; });
    }
  }

  // If the algorithm has no largest size, adds sizes that are so large that only the GPU itself can check
  // them.
  void large_sizes(const std::vector<Settings>& kinds) {
    if (a_.largest || (!a_.many_blocks && a_.elements_per_thread) || !LargeCheck::can_compare(*a_.results[0]))
      return;
    Rotation<Settings> kind(mixed(a_, kinds, random_), random_);
    Rotation<int> block(blocks(), random_);
    const std::size_t wanted = effort_ == Effort::quick ? 2 : effort_ == Effort::usual ? 16 : kinds.size();
    for (const int n : {1 << 24, (1 << 27) - 37, 1 << 28, 1 << 30})
      for (std::size_t i = 0; i < std::min(wanted, kinds.size()); ++i)
        if (add(kind.next(), n, block.next(), fixed_.grid.value_or(2048)) &&
            in_a_row(a_, cases_.back().settings) > affordable_at_full_speed)
          cases_.pop_back();
  }

  // Adds a small case for each block size that has no case yet.
  void add_missing_blocks(const std::vector<Settings>& kinds) {
    for (const int size : blocks()) {
      const auto has_size = [&](const Case& c) { return c.settings.block == size; };
      for (std::size_t i = 0; i < kinds.size() && std::ranges::none_of(cases_, has_size); ++i)
        add(kinds[i], fixed_.n.value_or(1000), size, grids().front());
    }
  }

  // Adds some kinds of runs (see mixed()) at every size. A size whose runs take long gets fewer kinds. Sorts
  // all cases, so that the largest sizes come first.
  void kinds_of_each(const std::vector<Settings>& kinds) {
    Rotation<Settings> kind(mixed(a_, kinds, random_), random_);
    Rotation<int> block(blocks(), random_), grid(grids(), random_);
    const bool quick = effort_ == Effort::quick;
    const std::size_t most = std::min<std::size_t>(kinds.size(), quick ? 8 : 400);
    for (const int n : sizes()) {
      Settings s = kinds[0];
      s.n = n;
      s.block = fixed_.block.value_or(smallest_block(a_, s));
      const double each = is_valid(s) ? cost(a_, s) : 0;
      if (quick && !fixed_.n && each > most_quick_cost) continue;
      const double affordable = (quick ? 1e6 : 2e7) / std::max(each, 1.);
      const auto count = std::clamp<std::size_t>(static_cast<std::size_t>(affordable), 1, most);
      for (std::size_t i = 0; i < count; ++i) add(kind.next(), n, block, grid.next());
    }
    std::stable_sort(cases_.begin(), cases_.end(),
                     [](const Case& x, const Case& y) { return x.settings.n > y.settings.n; });
  }

  const Algorithm& a_;
  const Fixed& fixed_;
  Effort effort_;
  bool on_gpu_;
  std::mt19937_64 random_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> verification_cases(const Algorithm& a, const Fixed& fixed, Effort effort, bool on_gpu) {
  std::vector<Case> cases = Cases(a, fixed, effort, on_gpu).all();
  if (cases.empty()) {  // if the settings are invalid, validate() throws and says why
    Settings s;
    s.algorithm = a.name;
    s.n = fixed.n.value_or(64);
    s.grid = fixed.grid.value_or(s.grid);
    fit_kind(a, s);
    s.type = fixed.type.value_or(s.type);
    give_operator(fixed, s);
    for (const auto& [name, option] : fixed.choices) s.choose(name, option);
    s.block = fixed.block.value_or(256);
    validate(s);
    throw RequestError(say::nothing_to_verify(a.name));
  }
  return cases;
}

}  // namespace upsweep
