#include "catalogue/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace upsweep {
namespace {

constexpr int largest_block = 1024;  // threads, on every CUDA architecture
constexpr std::int64_t shared_limit =
    99 * 1024;  // bytes a block may have on every architecture from sm_86 on

const RegionRule* first_elements(const SharedRule* rule) {
  return rule && !rule->regions.empty() && rule->regions[0].cells == Cells::elements ? &rule->regions[0]
                                                                                     : nullptr;
}

const SharedRule* shared_rule(const Algorithm& a, const std::string& kernel) {
  const auto found = std::find_if(a.shared.begin(), a.shared.end(), [&](const SharedRule& r) {
    return r.kernel.empty() || r.kernel == kernel;
  });
  return found == a.shared.end() ? nullptr : &*found;
}

void place(SharedShape& shape, const Settings& s);

// Fills in `cell` and `cells_per_buffer` of a shape whose elements are known.
void lay_out(SharedShape& shape, const Settings& s) {
  // A layout is the same for thousands of runs in a row, and takes longer to compute than to copy.
  thread_local std::map<std::tuple<std::string, int, int, int>, SharedShape> known;
  const auto key = std::tuple(s.layout, shape.elements, shape.buffers, element_bytes(s));
  auto found = known.find(key);
  if (found == known.end()) {
    place(shape, s);
    if (known.size() >= 64) known.clear();
    found = known.emplace(key, shape).first;
  }
  shape.cell = found->second.cell;
  shape.cells_per_buffer = found->second.cells_per_buffer;
}

void place(SharedShape& shape, const Settings& s) {
  shape.cell.resize(static_cast<std::size_t>(shape.elements));
  if (s.layout == "none") {
    std::iota(shape.cell.begin(), shape.cell.end(), 0);
    shape.cells_per_buffer = shape.elements;
    return;
  }
  const Formula pad(layout_formula(s.layout), 'i');
  std::vector<int> owner;  // of each cell: its element, or -1
  for (int i = 0; i < shape.elements; ++i) {
    const std::int64_t cell = pad(i, INT32_MAX);  // kernels compute it in 32 bits
    if (cell < 0)
      throw RequestError(
          fmt::format("The layout {} puts element {} at {}, before the array begins.", s.layout, i, cell));
    if ((cell + 1) * shape.buffers * element_bytes(s) > shared_limit)
      throw RequestError(
          fmt::format("The layout {} puts element {} in cell {}, beyond the {} KiB of shared memory.",
                      s.layout, i, cell, shared_limit / 1024));
    if (owner.size() <= static_cast<std::size_t>(cell)) owner.resize(static_cast<std::size_t>(cell) + 1, -1);
    if (const int other = std::exchange(owner[static_cast<std::size_t>(cell)], i); other >= 0)
      throw RequestError(fmt::format("The layout {} puts elements {} and {} in the same cell {}.", s.layout,
                                     other, i, cell));
    shape.cell[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(cell);
  }
  shape.cells_per_buffer = static_cast<int>(owner.size());
}

// Adds an algorithm's buffers and launches to a plan; calls itself where the algorithm recurses.
class Planner {
 public:
  Planner(const Algorithm& a, const Settings& s) : a_(a), s_(s) {}

  Plan whole() {
    plan_.buffers = {{"in", Cells::elements, s_.n}, {"out", Cells::elements, output_size(a_, s_)}};
    level(s_.n, 0, 1, 0);
    return std::move(plan_);
  }

 private:
  void level(std::int64_t n, int in, int out, int depth) {
    const std::vector<std::int64_t> values = quantities(a_, s_, n);
    std::map<std::string, int> buffers = {{"in", in}, {"out", out}};
    for (const BufferRule& rule : a_.buffers) {
      buffers[rule.name] = static_cast<int>(plan_.buffers.size());
      const std::string name = depth == 0 ? rule.name : fmt::format("{}.{}", rule.name, depth);
      plan_.buffers.push_back(
          {name, rule.cells, in_range("buffer", rule.name, rule.count(values), 0, INT64_MAX)});
    }
    for (const LaunchRule& rule : a_.launches) {
      if (rule.condition && (*rule.condition)(values) == 0) continue;
      std::vector<Argument> arguments;
      for (const LaunchRule::Argument& argument : rule.arguments) {
        if (argument.number)
          arguments.push_back(
              {-1, in_range("argument of", rule.kernel, (*argument.number)(values), INT32_MIN, INT32_MAX)});
        else if (argument.buffer.empty()) arguments.push_back({-1, 1, true});
        else arguments.push_back({buffers.at(argument.buffer), 0});
      }
      if (rule.kernel.empty()) {
        const std::int64_t inner = arguments[2].number;
        if (inner < 1 || inner >= n)
          throw WorkError(fmt::format("{} calls itself for {} elements where it has {}; it must be fewer.",
                                      a_.file, inner, n));
        level(inner, arguments[0].buffer, arguments[1].buffer, depth + 1);
        continue;
      }
      PlannedLaunch launch;
      launch.kernel = rule.kernel;
      launch.blocks =
          static_cast<int>(in_range("grid of", rule.kernel, (*rule.blocks)(values), 1, INT32_MAX));
      launch.threads =
          static_cast<int>(in_range("block of", rule.kernel, (*rule.threads)(values), 1, largest_block));
      launch.arguments = std::move(arguments);
      launch.shared = shared_shape(a_, s_, rule.kernel, n);
      plan_.launches.push_back(std::move(launch));
    }
  }

  std::int64_t in_range(const char* what, const std::string& name, std::int64_t x, std::int64_t least,
                        std::int64_t most) const {
    if (x < least || x > most)
      throw WorkError(fmt::format("{} gives the {} {} the size {}, for n = {}; it must be from {} to {}.",
                                  a_.file, what, name, x, s_.n, least, most));
    return x;
  }

  const Algorithm& a_;
  const Settings& s_;
  Plan plan_;
};

}  // namespace

std::vector<std::int64_t> quantities(const Algorithm& a, const Settings& s, std::int64_t n) {
  std::vector<std::int64_t> values = {n, s.block, s.grid};
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
    throw RequestError(
        fmt::format("{} needs {} KiB of shared memory for these settings, and a block has {}: give fewer "
                    "elements, fewer threads or a narrower type.",
                    kernel, (bytes + 1023) / 1024, shared_limit / 1024));
  };
  const auto count_of = [&](const RegionRule& region) {
    const std::int64_t count = region.count(values);
    if (count < 0 || count > INT32_MAX)
      throw WorkError(fmt::format("{} gives {} {} cells of shared memory.", a.file, region.name, count));
    return count;
  };

  const RegionRule* first = first_elements(rule);
  if (first) {
    const std::int64_t count = count_of(*first);
    if (count * first->buffers * element_bytes(s) > shared_limit)
      refuse(count * first->buffers * element_bytes(s));
    shape.elements = static_cast<int>(count);
    shape.buffers = first->buffers;
    shape.name = first->name;
    lay_out(shape, s);
  }
  std::int64_t bytes = std::int64_t{shape.buffers} * shape.cells_per_buffer * element_bytes(s);
  for (const RegionRule& region : rule->regions) {
    if (&region == first) continue;
    const std::int64_t count = count_of(region);
    if (region.cells == Cells::words) bytes = (bytes + 3) / 4 * 4;  // elements may be smaller than words
    shape.more.push_back(
        {region.name, region.cells, static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(count)});
    bytes += count * (region.cells == Cells::words ? 4 : element_bytes(s));
    if (bytes > shared_limit) refuse(bytes);
  }
  shape.bytes = static_cast<std::uint32_t>((bytes + 3) / 4 * 4);  // it is copied by words
  return shape;
}

SharedShape shared_shape(const Algorithm& a, const Settings& s) {
  const auto first = std::find_if(a.launches.begin(), a.launches.end(),
                                  [](const LaunchRule& rule) { return !rule.kernel.empty(); });
  return shared_shape(a, s, first == a.launches.end() ? a.name : first->kernel, s.n);
}

Plan plan(const Algorithm& a, const Settings& s) { return Planner(a, s).whole(); }

Cells cells_of(Parameter p) {
  if (p == Parameter::words || p == Parameter::volatile_words) return Cells::words;
  return p == Parameter::volatile_messages ? Cells::messages : Cells::elements;
}

std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text) {
  static const std::map<std::string, Parameter> kinds = {
      {"Global<const T>", Parameter::const_elements},
      {"Global<T>", Parameter::elements},
      {"Global<volatile T>", Parameter::volatile_elements},
      {"Global<unsigned>", Parameter::words},
      {"Global<volatile unsigned>", Parameter::volatile_words},
      {"Global<volatile Message<T>>", Parameter::volatile_messages},
      {"int", Parameter::number}};
  static const std::regex kernel(R"(__global__ void (\w+)\()");
  constexpr std::size_t longest_list = 2000;  // std::regex takes stack for every character
  std::vector<KernelSignature> all;
  for (std::sregex_iterator k(text.begin(), text.end(), kernel), end; k != end; ++k) {
    KernelSignature signature{(*k)[1], {}};
    const auto begin = static_cast<std::size_t>(k->position() + k->length()), close = text.find(')', begin);
    if (close == text.npos || close - begin > longest_list)
      throw WorkError(fmt::format("{}: the parameters of the kernel {} have no end.", file, signature.name));
    const std::string list = text.substr(begin, close - begin);
    static const std::regex parameter(R"(\s*([^,]*\S)\s+\w+\s*(?:,|$))");
    for (std::sregex_iterator p(list.begin(), list.end(), parameter), none; p != none; ++p) {
      const auto kind = kinds.find((*p)[1]);
      if (kind == kinds.end())
        throw WorkError(
            fmt::format("{}: the kernel {} has a parameter of the type \"{}\", which no launch can fill.",
                        file, signature.name, (*p)[1].str()));
      signature.parameters.push_back(kind->second);
    }
    all.push_back(std::move(signature));
  }
  return all;
}

}  // namespace upsweep
