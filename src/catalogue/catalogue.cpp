#include "catalogue/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <sstream>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/limits.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/validation.hpp"
#include "embedded/kernels.hpp"
#include "registry_names.hpp"

namespace upsweep {
namespace {

constexpr int largest_grid = 1 << 16;  // the largest grid of kernels whose threads loop over the array

std::vector<Algorithm> read_registry() {
  std::vector<Algorithm> all;
  for (const char* name : registry_names) {
    const std::string kernel = fmt::format("{}.cuh", name), shader = fmt::format("{}.frag", name);
    const std::string_view text = embedded_kernels(kernel);
    all.push_back(text.empty()
                      ? parse_kernel(name, "shaders/" + shader, std::string(embedded_kernels(shader)))
                      : parse_kernel(name, "kernels/" + kernel, std::string(text)));
  }
  join_ladders(all);
  return all;
}

// Returns the number of elements that a block must hold at once. For a tree, n is rounded up to the tree's
// width.
std::int64_t elements_in_block(const Algorithm& a, const Settings& s) {
  std::int64_t elements = s.n;
  if (a.many_blocks || a.shared.empty() || a.shared[0].regions.empty()) return elements;
  const RegionRule& first = a.shared[0].regions[0];
  const bool is_tree = first.count.text().find("tree_width") != std::string::npos;
  if (first.cells != Cells::words && is_tree)
    elements = std::max(elements, first.count(quantities(a, s, s.n)));
  return elements;
}

bool may_launch(const Algorithm& a, int block) {
  return block >= a.least_threads && block <= a.most_threads &&
         (a.power_of_two_threads ? std::has_single_bit(static_cast<unsigned>(block)) : block % 32 == 0);
}

// Returns the smallest allowed block that holds n elements. If the threads loop over the array, the block
// only has to hold min(n, usual_threads) elements. If no allowed block is large enough, returns the number of
// threads that n elements would need.
int smallest_that_holds(const Algorithm& a, Settings s) {
  for (s.block = 32; s.block <= a.most_threads; s.block += 32) {
    if (!may_launch(a, s.block)) continue;
    if (!a.elements_per_thread) {
      if (s.block >= std::min(s.n, a.usual_threads)) return s.block;
    } else if (elements_in_block(a, s) <= (*a.elements_per_thread)(quantities(a, s, s.n)) * s.block) {
      return s.block;
    }
  }
  s.block = a.most_threads;
  const std::int64_t each =
      a.elements_per_thread ? std::max<std::int64_t>(1, (*a.elements_per_thread)(quantities(a, s, s.n))) : 1;
  return static_cast<int>(std::min<std::int64_t>(1 << 30, (elements_in_block(a, s) / each + 31) / 32 * 32));
}

// Returns the allowed block sizes as text, such as "a power of two from 64 to 1,024".
std::string thread_limits(const Algorithm& a) {
  std::string text = a.power_of_two_threads ? tr("a power of two") : tr("a multiple of 32");
  text += tr(" from {} to {}", grouped(a.least_threads), grouped(a.most_threads));
  return text;
}

void validate_block(const Algorithm& a, const Settings& s) {
  if (s.block < 1 || s.block > largest_block)
    throw RequestError(tr("A block of {} threads cannot be launched: a block has 1 to {} threads.",
                          grouped(s.block), grouped(largest_block)));
  if (!may_launch(a, s.block))
    throw RequestError(tr("{} cannot work with a block of {} threads: give {}.", a.name, grouped(s.block),
                          thread_limits(a)));
  validate_grid(s.grid);
}

void validate_size(const Algorithm& a, const Settings& s) {
  if (a.largest && s.n > *a.largest)
    throw RequestError(
        tr("n = {} is too large: {} takes at most {} elements.", grouped(s.n), a.name, grouped(*a.largest)));
  if (a.many_blocks || !a.elements_per_thread) return;
  Settings largest = s;
  largest.block = a.most_threads;
  const std::int64_t each = (*a.elements_per_thread)(quantities(a, largest, s.n));
  if (s.n > each * a.most_threads)
    throw RequestError(tr("n = {} is too large: {} works in one block and holds at most {} elements.",
                          grouped(s.n), a.name, grouped(each * a.most_threads)));
  if (elements_in_block(a, s) > (*a.elements_per_thread)(quantities(a, s, s.n)) * s.block)
    throw RequestError(
        tr("A block of {threads} threads is too small for n = {n}: {algorithm} takes {count} {elements} per "
           "thread, so give at least {least} threads.",
           fmt::arg("threads", grouped(s.block)), fmt::arg("n", grouped(s.n)), fmt::arg("algorithm", a.name),
           fmt::arg("count", grouped(each)), fmt::arg("elements", each == 1 ? tr("element") : tr("elements")),
           fmt::arg("least", grouped(smallest_that_holds(a, s)))));
}

void validate_shape(const Algorithm& a, const Settings& s) {
  if (s.columns == 0) return;
  if (a.extents.empty())
    throw RequestError(
        tr("{} works on a one-dimensional array: give n, without a shape or a picture.", a.name));
  if (s.columns < 0 || s.n % s.columns != 0)
    throw RequestError(tr("n = {} does not fill whole rows of {} columns: n must be rows times columns.",
                          grouped(s.n), grouped(s.columns)));
}

// Checks the settings that the formulas need. Formulas must not be computed before this check.
void validate_kind(const Algorithm& a, const Settings& s) {
  if (s.n < 1) throw RequestError(tr("n = {} is too small: give at least 1 element.", grouped(s.n)));
  validate_shape(a, s);
  validate_type(a, s);
  validate_choices(a, s);
  validate_operator(a, s);
}

// Returns the position at which a barrier's call begins in a line of code, and the call's length. The length
// is 0 if the line has no barrier.
std::pair<std::size_t, std::size_t> barrier_in(std::string_view line) {
  const std::string_view code = line.substr(0, line.find("//"));
  for (const std::string_view name : {"__syncthreads(", "__syncwarp("})
    if (const auto at = code.find(name); at != code.npos) {
      const auto end = code.find(')', at);
      if (end != code.npos) return {at, end + 1 - at};
    }
  return {0, 0};
}

void validate_barrier(const Algorithm& a, const Settings& s) {
  if (s.without_barrier == 0) return;
  const std::vector<int> lines = barrier_lines(a);
  if (std::find(lines.begin(), lines.end(), s.without_barrier) != lines.end()) return;
  throw RequestError(lines.empty() ? tr("{} has no barrier to take out.", a.name)
                                   : tr("Line {} of {} has no barrier; the lines with a barrier are {}.",
                                        s.without_barrier, a.file, fmt::join(lines, ", ")));
}

// Each row and each column of a picture has its own block. If they are short, most threads have no pixel, and
// recording these threads takes long. Halves the block until the launches have at most 32 threads for each
// number, or until a block is one warp.
int block_for_shape(const Algorithm& a, Settings s, int block) {
  const std::int64_t most = std::int64_t{32} * s.n * channels(s);
  const auto threads_with = [&](int threads) {
    s.block = threads;
    std::int64_t all = 0;
    for (const PlannedLaunch& launch : plan(a, s).launches)
      all += std::int64_t{launch.blocks} * launch.threads;
    return all;
  };
  try {
    while (block / 2 >= std::max(32, a.least_threads) && threads_with(block) > most) block /= 2;
  } catch (const RequestError&) {}  // validate() says why these settings are impossible
  return block;
}

}  // namespace

bool Algorithm::waits_for_blocks() const {
  if (has_messages()) return true;
  const auto is_volatile = [](Parameter p) {
    return p == Parameter::volatile_words || p == Parameter::volatile_count_messages;
  };
  const std::vector<KernelSignature> kernels = kernels_of(file, text);
  return std::any_of(kernels.begin(), kernels.end(), [&](const KernelSignature& k) {
    return std::any_of(k.parameters.begin(), k.parameters.end(), is_volatile);
  });
}

bool Algorithm::has_messages() const {
  return std::any_of(buffers.begin(), buffers.end(),
                     [](const BufferRule& b) { return b.cells == Cells::messages; });
}

const Tuning* Algorithm::tuning(std::int64_t n, const std::map<std::string, std::string>& given) const {
  const Tuning* found = nullptr;
  for (const Tuning& t : tunings) {
    const bool agrees = std::ranges::all_of(t.choices, [&](const auto& choice) {
      const auto chosen = given.find(choice.first);
      return chosen == given.end() || chosen->second == choice.second;
    });
    if (agrees) found = &t;
    if (agrees && n <= t.most_n) break;
  }
  return found;
}

const Choice* Algorithm::choice(std::string_view wanted) const {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.name == wanted; });
  return found == choices.end() ? nullptr : &*found;
}

bool Algorithm::allows(Scalar type) const {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

bool Algorithm::allows(Operator op) const {
  if (op == Operator::affine && (commutative || scalar)) return false;
  return operators.empty() || std::find(operators.begin(), operators.end(), op) != operators.end();
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = read_registry();
  return all;
}

std::vector<const Algorithm*> correct_algorithms() {
  std::vector<const Algorithm*> correct;
  for (const Algorithm& a : algorithms())
    if (!a.is_broken()) correct.push_back(&a);
  return correct;
}

std::vector<const Algorithm*> correct_algorithms(Language language) {
  std::vector<const Algorithm*> correct = correct_algorithms();
  std::erase_if(correct, [&](const Algorithm* a) { return a->language != language; });
  return correct;
}

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& a : algorithms())
    if (a.name == name) return &a;
  return nullptr;
}

const Algorithm& algorithm(std::string_view name) {
  if (const Algorithm* found = find_algorithm(name)) return *found;
  std::vector<std::string_view> names;
  for (const Algorithm& a : algorithms()) names.push_back(a.name);
  const std::string_view meant = nearest(name, names);
  throw RequestError(tr("There is no algorithm \"{}\".{} `upsweep list` lists all algorithms.", name,
                        meant.empty() ? "" : tr(" Did you mean {}?", meant)));
}

void fit_kind(const Algorithm& a, Settings& s) {
  if (!a.allows(s.type)) s.type = a.types.front();
  if (a.operators.empty() || a.allows(s.op)) return;
  s.op = a.operators.front();
  s.expression = s.identity = "";
}

bool chooses_operator(const Algorithm& a) {
  return a.operators.size() != 1 && (a.results.empty() || std::ranges::any_of(a.results, [](const Result* r) {
                                       return r->loop != nullptr;
                                     }));
}

const Choice* padding_of(const Algorithm& a) {
  if (const Choice* layout = a.choice("layout")) return layout;
  for (const Choice& c : a.choices)
    for (const SharedRule& rule : a.shared)
      for (const RegionRule& region : rule.regions)
        if (region.pitch && region.pitch->mentions(c.name)) return &c;
  return nullptr;
}

std::string_view chosen(const Algorithm& a, const Settings& s, std::string_view choice) {
  const auto found = s.choices.find(std::string(choice));
  if (found != s.choices.end()) return found->second;
  const Choice* v = a.choice(choice);
  return v ? std::string_view(v->usual_option()) : std::string_view();
}

bool is_unsafe(const Algorithm& a, const Settings& s) {
  return std::any_of(a.flaws.begin(), a.flaws.end(), [&](const Flaw& flaw) {
    return flaw.option.empty() || std::any_of(a.choices.begin(), a.choices.end(), [&](const Choice& c) {
             return chosen(a, s, c.name) == flaw.option;
           });
  });
}

const Result& result_of(const Algorithm& a, const Settings& s) {
  const Choice* v = a.choice("gives");
  std::size_t which = 0;
  while (v && which < v->options.size() && v->options[which].name != chosen(a, s, "gives")) ++which;
  return *a.results.at(which);
}

int output_size(const Algorithm& a, const Settings& s) { return result_of(a, s).size(s); }

int columns_of(const Algorithm& a, const Settings& s) { return a.extents.empty() ? 0 : data_columns(s); }

int output_columns(const Algorithm& a, const Settings& s) {
  const Result& result = result_of(a, s);
  if (!a.extents.empty() && result.columns) return result.columns(s);
  return result.size(s) == s.n ? columns_of(a, s) : 0;
}

std::vector<Constant> constants(const Algorithm& a, const Settings& s) {
  std::vector<Constant> all = {{"neighbours", s.choice("load_pattern") == "neighbours", true},
                               {"exclusive", result_of(a, s) == Result::exclusive_scan, true},
                               {"block_size", s.block, false},
                               {"element_size", element_bytes(s), false}};
  for (const Choice& v : a.choices) {
    const bool is_formula = v.typed == Choice::Typed::layout || v.typed == Choice::Typed::predicate;
    if (v.name == "gives" || v.name == method_choice || with_field(v.name) || is_formula) continue;
    const std::string_view choice = chosen(a, s, v.name);
    if (v.is_number()) {
      int number = 0;
      std::from_chars(choice.data(), choice.data() + choice.size(), number);
      all.push_back({v.name, number, false});
    } else {
      for (const Option& c : v.options) all.push_back({c.name, c.name == choice, true});
    }
  }
  return all;
}

int smallest_block(const Algorithm& a, const Settings& s) {
  validate_kind(a, s);
  const int holds = smallest_that_holds(a, s);
  if (!a.many_blocks && a.elements_per_thread) return holds;
  const int usual = std::clamp(std::min(holds, a.usual_threads), a.least_threads, a.most_threads);
  return a.extents.empty() ? usual : block_for_shape(a, s, usual);
}

int smallest_block(const Algorithm& a, int n) {
  Settings s;
  s.algorithm = a.name;
  s.n = n;
  fit_kind(a, s);
  return smallest_block(a, s);
}

int largest_in_block(const Algorithm& a) {
  Settings s;
  s.block = a.most_threads;
  return a.elements_per_thread ? static_cast<int>((*a.elements_per_thread)(quantities(a, s, s.n))) * s.block
                               : 1024;
}

std::vector<int> barrier_lines(const Algorithm& a) {
  std::vector<int> lines;
  std::istringstream text(a.text);
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (barrier_in(line).second > 0) lines.push_back(number);
  }
  return lines;
}

std::string text_to_compile(const Algorithm& a, const Settings& s) {
  std::string text = a.text;
  if (s.without_barrier == 0) return text;
  std::size_t begin = 0;
  for (int line = 1; line < s.without_barrier; ++line) begin = text.find('\n', begin) + 1;
  const auto [at, length] = barrier_in(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
  return text.replace(begin + at, length, length, ' ');
}

void validate_grid(int blocks) {
  if (blocks < 1 || blocks > largest_grid)
    throw RequestError(tr("A grid of {} blocks is not allowed: give 1 to {} blocks.", grouped(blocks),
                          grouped(largest_grid)));
}

void validate(const Settings& s) {
  const Algorithm& a = algorithm(s.algorithm);
  const auto check = [&](const Settings& checked) {
    validate_kind(a, checked);
    validate_block(a, checked);
    validate_size(a, checked);
    validate_barrier(a, checked);
    plan(a, checked);
  };
  try {
    check(s);
  } catch (const TooMuchShared& e) { throw RequestError(e.why + remedy(a, s, check)); }
}

std::optional<Promise> promise(const Algorithm& a, const Settings& s) {
  std::int64_t n = s.n;
  if (!a.many_blocks && shared_shape(a, s).elements == tree_width(n)) n = tree_width(n);
  if (!std::has_single_bit(static_cast<std::uint64_t>(n))) return {};
  const std::vector<std::int64_t> values = quantities(a, s, n);
  Promise promise{.operations = Formula(a.operations, a.variables)(values), .at_most = a.at_most};
  const auto is_power = [](int x) { return std::has_single_bit(static_cast<unsigned>(x)); };
  if (!a.many_blocks || (is_power(s.block) && (!a.uses_grid || is_power(s.grid)))) {
    promise.steps = Formula(a.steps, a.variables)(values);
    if (!a.span.empty()) promise.span = Formula(a.span, a.variables)(values);
  }
  return promise;
}

}  // namespace upsweep
