#include "catalogue/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "catalogue/formula.hpp"
#include "embedded/kernels.hpp"
#include "registry_names.hpp"

namespace upsweep {
namespace {

constexpr int largest_block = 1024;      // threads, on every CUDA architecture
constexpr int shared_limit = 99 * 1024;  // bytes a block may have on every architecture from sm_86 on

std::string trimmed(std::string_view s) {
  const auto begin = s.find_first_not_of(" \t");
  if (begin == s.npos) return {};
  return std::string(s.substr(begin, s.find_last_not_of(" \t\r") - begin + 1));
}

// Elements that a block works on: a tree is filled up to a power of two, and at least 2, with the identity.
std::int64_t elements_in_block(const Algorithm& a, int n) {
  return a.elements_per_thread == 2 ? std::bit_ceil(static_cast<std::uint64_t>(std::max(2, n))) : n;
}

Formula layout(const Settings& s) try {
  return Formula(layout_formula(s.layout), 'i');
} catch (const RequestError& e) {
  throw RequestError(fmt::format("The layout \"{}\" is neither one of {} nor a formula in i. {}", s.layout,
                                 fmt::join(layout_names, ", "), e.what()));
}

std::vector<Algorithm> read_registry() {
  std::vector<Algorithm> all;
  for (const char* name : registry_names) {
    const std::string file = fmt::format("{}.cuh", name);
    all.push_back(parse_kernel(name, "kernels/" + file, std::string(embedded_kernels(file))));
  }
  return all;
}

}  // namespace

Algorithm parse_kernel(std::string name, std::string file, std::string text) {
  Algorithm a;
  std::map<std::string, std::string> fields;
  std::istringstream lines(text);
  std::string line, last;
  std::getline(lines, line);
  if (line.starts_with("// ")) fields["Title"] = trimmed(line.substr(3));
  while (std::getline(lines, line) && line.starts_with("//")) {
    if (line.starts_with("//   ")) {  // continues the field above
      fields[last] += " " + trimmed(line.substr(2));
      continue;
    }
    const std::string rest = trimmed(line.substr(2));
    const auto space = rest.find(' ');
    last = rest.substr(0, space);
    fields[last] = space == rest.npos ? "" : trimmed(rest.substr(space));
  }

  const auto take = [&](const char* field, bool required = true) {
    const auto found = fields.find(field);
    if (found == fields.end() || found->second.empty()) {
      if (required)
        throw WorkError(fmt::format("{} lacks the field \"{}\" in its opening comment.", file, field));
      return std::string();
    }
    const std::string value = found->second;
    fields.erase(found);
    return value;
  };
  a.title = take("Title");
  a.idea = take("Idea");
  a.gives = take("Gives");
  a.steps = take("Steps");
  a.operations = take("Operations");
  a.watch = take("Watch");
  a.source = take("Source");
  if (a.gives != "reduction" && a.gives != "inclusive scan" && a.gives != "exclusive scan")
    throw WorkError(fmt::format(
        "{} gives \"{}\"; it must be a reduction, an inclusive scan or an exclusive scan.", file, a.gives));
  for (const std::string& formula : {a.steps, a.operations}) try {
      Formula(formula, 'n');
    } catch (const RequestError& e) { throw WorkError(fmt::format("{}: {}", file, e.what())); }

  const std::string elements = take("Elements");
  if (elements != "1 per thread" && elements != "2 per thread")
    throw WorkError(
        fmt::format("{} says Elements \"{}\"; it must be 1 per thread or 2 per thread.", file, elements));
  a.elements_per_thread = elements[0] - '0';
  const std::string buffers = take("Buffers", false);
  if (!buffers.empty() && buffers != "2")
    throw WorkError(fmt::format("{} says Buffers {}; it must be 2, or left out for 1.", file, buffers));
  a.buffers = buffers.empty() ? 1 : 2;
  const std::string needs = take("Needs", false);
  if (!needs.empty() && needs != "commutative")
    throw WorkError(fmt::format("{} says Needs {}; it must be commutative, or left out.", file, needs));
  a.commutative = !needs.empty();
  const std::string variants = take("Variants");
  a.layouts = variants.find("layouts") != variants.npos;
  a.load_patterns = variants.find("load patterns") != variants.npos;
  if (!a.layouts && !a.load_patterns && variants != "none")
    throw WorkError(
        fmt::format("{} says Variants \"{}\"; it must be layouts, load patterns or none.", file, variants));

  if (!fields.empty())
    throw WorkError(
        fmt::format("{} has the unknown field \"{}\" in its opening comment.", file, fields.begin()->first));
  if (text.find(fmt::format(" void {}(", name)) == text.npos)
    throw WorkError(fmt::format("{} has no kernel of the name {}.", file, name));
  a.name = std::move(name);
  a.file = std::move(file);
  a.text = std::move(text);
  return a;
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = read_registry();
  return all;
}

const Algorithm& algorithm(std::string_view name) {
  const auto all = algorithms();
  for (const Algorithm& a : all)
    if (a.name == name) return a;
  std::vector<std::string_view> names;
  for (const Algorithm& a : all) names.push_back(a.name);
  const std::string_view meant = nearest(name, names);
  throw RequestError(fmt::format("There is no algorithm \"{}\".{} `upsweep list` names them all.", name,
                                 meant.empty() ? "" : fmt::format(" Did you mean {}?", meant)));
}

std::string layout_formula(std::string_view layout) {
  if (layout == "none") return "i";
  if (layout == "pad32") return "i + (i >> 5)";
  if (layout == "pad16") return "i + (i >> 4)";
  if (layout == "pad32x2") return "i + (i >> 5) + (i >> 10)";
  // (n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS), as widely copied: + binds tighter than >>, and the offset
  // is always 0.
  if (layout == "pad_macro") return "i + ((i) >> 16 + (i) >> (2 * 4))";
  return std::string(layout);
}

int smallest_block(const Algorithm& a, int n) {
  const std::int64_t threads = elements_in_block(a, n) / a.elements_per_thread;
  return static_cast<int>((threads + 31) / 32 * 32);
}

void validate(const Settings& s) {
  const Algorithm& a = algorithm(s.algorithm);
  if (s.n < 1) throw RequestError(fmt::format("n = {} makes no sense: give at least 1 element.", s.n));
  if (s.block < 32 || s.block > largest_block || s.block % 32 != 0)
    throw RequestError(
        fmt::format("A block of {} threads cannot be launched whole: give a multiple of 32 from 32 to {}.",
                    s.block, largest_block));
  const int largest_n = largest_block * a.elements_per_thread;
  if (s.n > largest_n)
    throw RequestError(fmt::format(
        "n = {} is too large: {} works in one block and holds at most {} elements.", s.n, a.name, largest_n));
  if (const int needed = smallest_block(a, s.n); s.block < needed)
    throw RequestError(fmt::format(
        "A block of {} threads is too small for n = {}: {} takes {} per thread, so give at least {} threads.",
        s.block, s.n, a.name, a.elements_per_thread == 1 ? "1 element" : "2 elements", needed));
  if (a.commutative && s.op == Operator::affine)
    throw RequestError(
        fmt::format("{} reorders its operands and needs a commutative operator; composing affine maps is not "
                    "commutative. "
                    "Give sum, product, min or max.",
                    a.name));
  if (!a.layouts && s.layout != "none")
    throw RequestError(fmt::format("{} has no padding layouts: give the layout none.", a.name));
  if (s.load_pattern != "halves" && s.load_pattern != "neighbours")
    throw RequestError(
        fmt::format("There is no load pattern \"{}\": give halves or neighbours.", s.load_pattern));
  if (!a.load_patterns && s.load_pattern != "halves")
    throw RequestError(fmt::format("{} has no load patterns: leave it at halves.", a.name));
  shared_shape(a, s);
}

SharedShape shared_shape(const Algorithm& a, const Settings& s) {
  SharedShape shape;
  shape.elements = static_cast<int>(elements_in_block(a, s.n));
  shape.buffers = a.buffers;

  const Formula pad = layout(s);
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
    shape.cell.push_back(static_cast<std::uint32_t>(cell));
  }
  shape.cells_per_buffer = static_cast<int>(owner.size());
  shape.bytes = static_cast<std::uint32_t>(shape.buffers * shape.cells_per_buffer * element_bytes(s));
  return shape;
}

}  // namespace upsweep
