#include "catalogue/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/limits.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

constexpr int most_rounds = 4096;  // the largest number of iterations of a loop over launches
constexpr std::int64_t shared_limit =
    99 * 1024;  // in bytes; every architecture from sm_86 on allows a block this much shared memory

// Returns the first region of shared memory. Returns null if the rule has no region, or if this region holds
// words.
const RegionRule* first_values(const SharedRule* rule) {
  return rule && !rule->regions.empty() && rule->regions[0].cells != Cells::words ? &rule->regions[0]
                                                                                  : nullptr;
}

const SharedRule* shared_rule(const Algorithm& a, const std::string& kernel) {
  const auto found = std::find_if(a.shared.begin(), a.shared.end(), [&](const SharedRule& r) {
    return r.kernel.empty() || r.kernel == kernel;
  });
  return found == a.shared.end() ? nullptr : &*found;
}

void place(SharedShape& shape, const std::string& layout, int width);

// Places the elements row by row. The beginnings of two neighbouring rows are `pitch` cells apart.
void place_rows(SharedShape& shape, int pitch) {
  for (int i = 0; i < shape.elements; ++i)
    shape.cell.push_back(static_cast<std::uint32_t>(i / shape.columns * pitch + i % shape.columns));
  shape.cells_per_buffer = shape.elements / shape.columns * pitch;
}

// Computes `cell` and `cells_per_buffer` of a shape. Requires that the shape's number of elements is set.
void lay_out(SharedShape& shape, const Settings& s) {
  // Thousands of successive runs have the same layout, and it is faster to copy a layout than to compute a
  // layout. So each thread keeps at most `most` layouts until the thread ends.
  constexpr std::size_t most = 64;
  thread_local std::map<std::tuple<std::string, int, int, int>, SharedShape> known;
  const int width = cell_bytes(shape.cells, element_bytes(s));
  const auto key = std::tuple(s.choice("layout"), shape.elements, shape.buffers, width);
  auto found = known.find(key);
  if (found == known.end()) {
    place(shape, s.choice("layout"), width);
    if (known.size() >= most) known.clear();
    found = known.emplace(key, shape).first;
  }
  shape.cell = found->second.cell;
  shape.cells_per_buffer = found->second.cells_per_buffer;
}

// Sets `shape.cell` and `shape.cells_per_buffer` by the layout. `width` is the number of bytes of a cell.
void place(SharedShape& shape, const std::string& layout, int width) {
  shape.cell.resize(static_cast<std::size_t>(shape.elements));
  if (layout == "none") {
    std::iota(shape.cell.begin(), shape.cell.end(), 0);
    shape.cells_per_buffer = shape.elements;
    return;
  }
  const Formula pad(layout_formula(layout), 'i');
  std::vector<int> owner;  // for each cell: the element that the cell holds, or -1 if the cell holds none
  for (int i = 0; i < shape.elements; ++i) {
    const std::int64_t cell = pad(i, INT32_MAX);  // at most 31 bits, because kernels compute it in 32 bits
    if (cell < 0)
      throw RequestError(tr("The layout {} puts element {} in cell {}, but the first cell is 0.", layout,
                            grouped(i), grouped(cell)));
    if ((cell + 1) * shape.buffers * width > shared_limit)
      throw RequestError(tr("The layout {} puts element {} in cell {}, beyond the {} KiB of shared memory.",
                            layout, grouped(i), grouped(cell), shared_limit / 1024));
    if (owner.size() <= static_cast<std::size_t>(cell)) owner.resize(static_cast<std::size_t>(cell) + 1, -1);
    if (const int other = std::exchange(owner[static_cast<std::size_t>(cell)], i); other >= 0)
      throw RequestError(tr("The layout {} puts elements {} and {} in the same cell {}.", layout,
                            grouped(other), grouped(i), grouped(cell)));
    shape.cell[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(cell);
  }
  shape.cells_per_buffer = static_cast<int>(owner.size());
}

// Adds the buffers and launches of an algorithm to a plan. If the algorithm is recursive, level() calls
// itself.
class Planner {
 public:
  Planner(const Algorithm& a, const Settings& s) : a_(a), s_(s) {}

  Plan whole() {
    expect_pairs();
    const std::vector<std::int64_t> values = quantities(a_, s_, s_.n);
    if (a_.inputs.empty()) plan_.buffers = {{"in", Cells::elements, s_.n, columns_of(a_, s_)}};
    for (const BufferRule& rule : a_.inputs) plan_.buffers.push_back(buffer(rule, rule.name, values));
    plan_.roles.inputs = static_cast<int>(plan_.buffers.size());
    if (a_.outputs.empty())
      plan_.buffers.push_back({"out", Cells::elements, output_size(a_, s_), output_columns(a_, s_)});
    for (const BufferRule& rule : a_.outputs) plan_.buffers.push_back(buffer(rule, rule.name, values));
    plan_.roles.outputs = static_cast<int>(plan_.buffers.size()) - plan_.roles.inputs;
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) data_[plan_.buffers[b].name] = static_cast<int>(b);
    level(s_.n, 0, plan_.roles.first_output(), 0);
    return std::move(plan_);
  }

 private:
  void level(std::int64_t n, int in, int out, int depth) {
    std::vector<std::int64_t> values = quantities(a_, s_, n);
    std::map<std::string, int> buffers = data_;
    buffers[plan_.buffers[0].name] = in;
    buffers[plan_.outputs()[0].name] = out;
    for (const BufferRule& rule : a_.buffers) {
      buffers[rule.name] = static_cast<int>(plan_.buffers.size());
      const std::string name = depth == 0 ? rule.name : fmt::format("{}.{}", rule.name, depth);
      plan_.buffers.push_back(buffer(rule, name, values));
    }
    launch_all(a_.launches, {n, depth, buffers}, values);
  }

  // Throws RequestError if the algorithm needs pairs as elements, but the elements are not pairs.
  void expect_pairs() const {
    const auto numbers = [](const auto& rule) { return rule.cells == Cells::numbers; };
    bool any = false;
    for (const auto* rules : {&a_.inputs, &a_.outputs, &a_.buffers})
      any = any || std::any_of(rules->begin(), rules->end(), numbers);
    for (const SharedRule& shared : a_.shared)
      any = any || std::any_of(shared.regions.begin(), shared.regions.end(), numbers);
    if (any && scalars_per_element(s_.op) != 2)
      throw RequestError(
          tr("{} works on pairs of numbers: choose the operator affine, which combines pairs.", a_.name));
  }

  GlobalBuffer buffer(const BufferRule& rule, const std::string& name,
                      const std::vector<std::int64_t>& values) const {
    const Cells cells = rule.cells == Cells::pixels && !pixels_are_bytes(s_) ? Cells::elements : rule.cells;
    if (rule.condition && (*rule.condition)(values) == 0) return {name, cells};
    return {name, cells, in_range("buffer", rule.name, rule.count(values), 0, INT64_MAX),
            rule.columns
                ? in_range(tr("rows of the buffer"), rule.name, (*rule.columns)(values), 1, INT64_MAX)
                : 0};
  }

  // One level of the algorithm's recursion.
  struct Level {
    std::int64_t n;
    int depth;
    std::map<std::string, int> buffers;
  };

  void launch_all(const std::vector<LaunchRule>& rules, const Level& at, std::vector<std::int64_t>& values) {
    for (const LaunchRule& rule : rules) {
      if (rule.condition && (*rule.condition)(values) == 0) continue;
      if (rule.times) {
        const std::int64_t times =
            in_range(tr("loop over"), "launches", (*rule.times)(values), 0, most_rounds);
        values.push_back(0);
        for (; values.back() < times; ++values.back()) launch_all(rule.body, at, values);
        values.pop_back();
      } else if (rule.kernel.empty()) {
        recurse(rule, at, values);
      } else {
        launch(rule, at, values);
      }
    }
  }

  void recurse(const LaunchRule& rule, const Level& at, const std::vector<std::int64_t>& values) {
    const std::vector<Argument> given = arguments(rule, at, values);
    const std::int64_t inner = given[2].number;
    if (inner < 1 || inner >= at.n)
      throw WorkError(
          tr("{} calls itself for {} elements; the number of elements must be at least 1 and below {}.",
             a_.file, grouped(inner), grouped(at.n)));
    level(inner, given[0].buffer, given[1].buffer, at.depth + 1);
  }

  void launch(const LaunchRule& rule, const Level& at, const std::vector<std::int64_t>& values) {
    PlannedLaunch launch;
    launch.kernel = rule.kernel;
    std::tie(launch.blocks, launch.blocks_across) =
        extents(tr("grid of"), rule.kernel, rule.grid, values, INT32_MAX, 65535);
    std::tie(launch.threads, launch.threads_across) =
        extents(tr("block of"), rule.kernel, rule.block, values, largest_block, 64);
    launch.arguments = arguments(rule, at, values);
    launch.shared = shared_shape(a_, s_, rule.kernel, at.n);
    plan_.launches.push_back(std::move(launch));
  }

  // Returns the number of blocks or threads, and the extents along y and z. Throws an error if the number
  // exceeds `most`, or if the extent along z exceeds `most_z`.
  std::pair<int, Across> extents(const char* what, const std::string& kernel,
                                 const std::vector<Formula>& each, const std::vector<std::int64_t>& values,
                                 std::int64_t most, std::int64_t most_z) const {
    const auto size = [&](std::size_t k, std::int64_t limit) {
      return k < each.size() ? in_range(what, kernel, each[k](values), 1, limit) : 1;
    };
    const std::int64_t x = size(0, most), y = size(1, std::min<std::int64_t>(most, 65535)),
                       z = size(2, most_z);
    const std::int64_t all = in_range(what, kernel, x * y, 1, most) * z;
    return {static_cast<int>(in_range(what, kernel, all, 1, most)),
            {static_cast<int>(y), static_cast<int>(z)}};
  }

  std::vector<Argument> arguments(const LaunchRule& rule, const Level& at,
                                  const std::vector<std::int64_t>& values) const {
    std::vector<Argument> given;
    for (const LaunchRule::Argument& argument : rule.arguments) {
      if (argument.number) {
        given.push_back(
            {-1, in_range(tr("argument of"), rule.kernel, (*argument.number)(values), INT32_MIN, INT32_MAX)});
      } else if (argument.memory.empty()) {
        given.push_back({-1, 1, true});
      } else {
        const auto chosen = std::find_if(argument.memory.begin(), argument.memory.end(), [&](const auto& m) {
          return !m.condition || (*m.condition)(values) != 0;
        });
        given.push_back({at.buffers.at(chosen->buffer), 0});
      }
    }
    return given;
  }

  std::int64_t in_range(const char* what, const std::string& name, std::int64_t x, std::int64_t least,
                        std::int64_t most) const {
    if (x < least || x > most)
      throw WorkError(tr(
          "{file}: the {grid_of} {kernel} gets the value {value} for n = {n}; the value must be from {least} "
          "to {most}.",
          fmt::arg("file", a_.file), fmt::arg("grid_of", what), fmt::arg("kernel", name),
          fmt::arg("value", grouped(x)), fmt::arg("n", grouped(s_.n)), fmt::arg("least", grouped(least)),
          fmt::arg("most", grouped(most))));
    return x;
  }

  const Algorithm& a_;
  const Settings& s_;
  Plan plan_;
  std::map<std::string, int> data_;  // the index of each input and output, by name
};

}  // namespace

std::vector<std::int64_t> quantities(const Algorithm& a, const Settings& s, std::int64_t n) {
  std::vector<std::int64_t> values = {n, s.block, s.grid, s.n};
  if (!a.extents.empty()) {
    const int columns = columns_of(a, s);
    values.insert(values.end(), {s.n / columns, columns});
  }
  for (const Constant& c : constants(a, s)) values.push_back(c.value);
  for (const Formula& name : a.names) values.push_back(name(values));
  return values;
}

SharedShape shared_shape(const Algorithm& a, const Settings& s, const std::string& kernel, std::int64_t n) {
  SharedShape shape;
  const SharedRule* rule = shared_rule(a, kernel);
  if (!rule) return shape;
  const std::vector<std::int64_t> values = quantities(a, s, n);
  const auto refuse = [&](std::int64_t bytes) {
    throw TooMuchShared(tr("{} needs {} KiB of shared memory, but a block has {} KiB", kernel,
                           grouped((bytes + 1023) / 1024), shared_limit / 1024));
  };
  const auto count_of = [&](const RegionRule& region) {
    const std::int64_t count = region.count(values);
    if (count < 0 || count > INT32_MAX)
      throw WorkError(
          tr("{}: {} cannot have {} cells of shared memory.", a.file, region.name, grouped(count)));
    return count;
  };

  // Returns the number of elements in a row, and the number of cells from the beginning of one row to the
  // beginning of the next row. Both numbers are 0 for one-dimensional data.
  const auto row_of = [&](const RegionRule& region,
                          std::int64_t count) -> std::pair<std::int64_t, std::int64_t> {
    if (!region.columns) return {0, 0};
    const std::int64_t columns = (*region.columns)(values);
    const std::int64_t pitch = region.pitch ? (*region.pitch)(values) : columns;
    if (columns < 1 || pitch < columns || pitch > INT32_MAX || count % columns != 0)
      throw WorkError(tr("{}: {} cannot have rows of {} elements if the rows begin {} cells apart.", a.file,
                         region.name, grouped(columns), grouped(pitch)));
    return {columns, pitch};
  };
  const auto cells_in = [](std::int64_t count, std::int64_t columns, std::int64_t pitch) {
    return columns == 0 ? count : count / columns * pitch;
  };

  const RegionRule* first = first_values(rule);
  if (first) {
    const std::int64_t count = count_of(*first), width = cell_bytes(first->cells, element_bytes(s));
    if (count * first->buffers * width > shared_limit) refuse(count * first->buffers * width);
    shape.cells = first->cells;
    shape.elements = static_cast<int>(count);
    shape.buffers = first->buffers;
    const auto [columns, pitch] = row_of(*first, count);
    shape.columns = static_cast<int>(columns);
    shape.name = first->name;
    if (shape.buffers * cells_in(count, columns, pitch) * width > shared_limit)
      refuse(shape.buffers * cells_in(count, columns, pitch) * width);
    if (pitch > columns) place_rows(shape, static_cast<int>(pitch));
    else lay_out(shape, s);
  }
  std::int64_t bytes = shape.bytes_of_buffers(element_bytes(s));
  for (const RegionRule& region : rule->regions) {
    if (&region == first) continue;
    const auto [columns, pitch] = row_of(region, count_of(region));
    const std::int64_t count = cells_in(count_of(region), columns, pitch);
    const std::int64_t width = cell_bytes(region.cells, element_bytes(s));
    bytes = (bytes + width - 1) / width * width;  // elements may be smaller than words
    shape.more.push_back({region.name, region.cells, static_cast<std::uint32_t>(bytes),
                          static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(columns),
                          static_cast<std::uint32_t>(pitch)});
    bytes += count * width;
    if (bytes > shared_limit) refuse(bytes);
  }
  // The size is rounded up to whole words, because the memory is copied word by word.
  shape.bytes = static_cast<std::uint32_t>((bytes + 3) / 4 * 4);
  return shape;
}

SharedShape shared_shape(const Algorithm& a, const Settings& s) {
  const auto first = std::find_if(a.launches.begin(), a.launches.end(),
                                  [](const LaunchRule& rule) { return !rule.kernel.empty(); });
  return shared_shape(a, s, first == a.launches.end() ? a.name : first->kernel, s.n);
}

Plan plan(const Algorithm& a, const Settings& s) { return Planner(a, s).whole(); }

std::vector<bool> launches_of(const Plan& plan, const std::vector<std::string>& kernels) {
  std::vector<bool> chosen;
  for (const PlannedLaunch& l : plan.launches)
    chosen.push_back(std::find(kernels.begin(), kernels.end(), l.kernel) != kernels.end());
  for (const std::string& kernel : kernels)
    if (std::none_of(plan.launches.begin(), plan.launches.end(),
                     [&](const PlannedLaunch& l) { return l.kernel == kernel; }))
      throw RequestError(tr("This run has no launch of {}: choose kernels that this run launches.", kernel));
  return chosen;
}

double applications(const Algorithm& a, const Settings& s) {
  return static_cast<double>(Formula(a.operations, a.variables)(quantities(a, s, s.n)));
}

double cost(const Algorithm& a, const Settings& s) {
  double threads = 0;
  for (const PlannedLaunch& l : plan(a, s).launches) threads += 1. * l.blocks * l.threads;
  return threads + applications(a, s);
}

}  // namespace upsweep
