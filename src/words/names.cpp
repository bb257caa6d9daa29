#include "words/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/pattern.hpp"

namespace upsweep {

std::string banks_text(const BankModel& model) {
  return model == half_warp_banks ? tr("16 banks, half-warps (compute capability 1.x)")
                                  : tr("{} banks", model.banks);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), counted_noun(count, one, many));
}

std::string counted_noun(std::int64_t count, std::string_view one, std::string_view many) {
  if (const std::string_view noun = tr_counted(one); !noun.empty()) return std::string(noun);
  if (count == 1) return std::string(tr(one));
  return std::string(tr(many.empty() ? fmt::format("{}s", one) : std::string(many)));
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string phase_text(Phase phase) {
  std::string text(name(phase));
  for (char& c : text)
    if (c == '_') c = '-';
  return tr(text);
}

std::string number_text(const Trace& trace, const Step& step) {
  const std::string_view variable = number_name(trace.text, step.phase);
  if (!variable.empty()) return fmt::format("{} {}", variable, step.stride);
  return step.stride > 0 ? tr("stride {}", step.stride) : "";
}

std::string step_text(const Trace& trace, const Step& step) {
  const std::string number = number_text(trace, step);
  return phase_text(step.phase) + (number.empty() ? "" : tr(", ")) + number;
}

std::string ranges(const std::vector<int>& v, int shown) {
  if (v.empty()) return {};
  if (v.size() == 1) return std::to_string(v[0]);
  const int step = v[1] - v[0];
  bool even = true;
  for (std::size_t i = 1; i < v.size(); i++) even = even && v[i] - v[i - 1] == step;
  if (even && step == 1)
    return fmt::format(fmt::runtime(v.size() == 2 ? tr("{} and {}") : "{}–{}"), v.front(), v.back());
  if (even && v.size() > 4) return fmt::format("{}, {}, {} … {}", v[0], v[1], v[2], v.back());
  // Each sequence of consecutive numbers becomes one part. If numbers are left out, an ellipsis and the
  // last number follow.
  std::vector<std::string> parts;
  std::size_t told = 0;
  for (std::size_t begin = 0, end = 0; begin < v.size() && static_cast<int>(parts.size()) < shown;
       begin = end) {
    for (end = begin + 1; end < v.size() && v[end] == v[end - 1] + 1;) end++;
    parts.push_back(end - begin == 1   ? std::to_string(v[begin])
                    : end - begin == 2 ? fmt::format("{}, {}", v[begin], v[begin + 1])
                                       : fmt::format("{}–{}", v[begin], v[end - 1]));
    told = end;
  }
  std::string text = parts[0];
  for (std::size_t i = 1; i < parts.size(); i++) {
    const bool last = i + 1 == parts.size() && told == v.size();
    text += last ? tr(" and ") : ", ";
    text += parts[i];
  }
  if (told < v.size()) text += fmt::format(" … {}", v.back());
  return text;
}

namespace {

// Returns the name of a region; the two buffers of a double buffer have the same name.
std::string region_name(const SharedShape& shape, int region) {
  if (region > 0 && region <= static_cast<int>(shape.more.size()))
    return shape.more[static_cast<std::size_t>(region) - 1].name;
  return shape.name.empty() ? "x" : shape.name;
}

}  // namespace

std::string shared_name(const SharedShape& shape, int region, int buffer) {
  return region_name(shape, region) + (region == 0 && shape.buffers > 1 ? std::to_string(buffer) : "");
}

std::int64_t shared_columns(const SharedShape& shape, int region) {
  if (region > 0 && region <= static_cast<int>(shape.more.size()))
    return shape.more[static_cast<std::size_t>(region) - 1].columns;
  return shape.columns;
}

std::string cell_name(const SharedShape& shape, const CellPlace& cell) {
  return shared_name(shape, cell.region, cell.buffer) +
         index_text(cell.element, shared_columns(shape, cell.region));
}

std::string buffer_name(const Trace& trace, int buffer) {
  if (buffer >= 0 && buffer < static_cast<int>(trace.buffers.size()))
    return trace.buffers[static_cast<std::size_t>(buffer)].name;
  return buffer == 0 ? "in" : buffer == 1 ? "out" : tr("buffer {}", buffer);
}

std::int64_t buffer_columns(const Trace& trace, int buffer) {
  const bool known = buffer >= 0 && buffer < static_cast<int>(trace.buffers.size());
  return known ? trace.buffers[static_cast<std::size_t>(buffer)].columns : 0;
}

std::string global_name(const Trace& trace, int buffer, std::int64_t index) {
  return buffer_name(trace, buffer) + index_text(index, buffer_columns(trace, buffer));
}

namespace {

std::string place_text(const Dim3& extents, int number) {
  if (extents.y == 1 && extents.z == 1) return std::to_string(number);
  const Dim3 p = extents.place(static_cast<unsigned>(number));
  return extents.z == 1 ? fmt::format("{} ({}, {})", number, p.x, p.y)
                        : fmt::format("{} ({}, {}, {})", number, p.x, p.y, p.z);
}

}  // namespace

std::string thread_text(const Grid& grid, int thread) { return place_text(grid.block_dim(), thread); }
std::string block_text(const Grid& grid, int block) { return place_text(grid.grid_dim(), block); }

std::string threads_text(const Grid& grid, std::vector<int> threads) {
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  if (threads.size() == 1) return tr("Thread ") + thread_text(grid, threads[0]);
  const Dim3 block = grid.block_dim();
  if (block.y > 1 && block.z == 1) {
    std::set<int> x, y;
    for (const int t : threads) {
      const Dim3 place = block.place(static_cast<unsigned>(t));
      x.insert(static_cast<int>(place.x));
      y.insert(static_cast<int>(place.y));
    }
    if (x.size() * y.size() == threads.size())
      return tr("Threads with x = {} and y = {}", ranges({x.begin(), x.end()}), ranges({y.begin(), y.end()}));
  }
  return tr("Threads ") + ranges(threads);
}

std::string shared_cells_text(const Grid& grid, int region, int buffer, const std::vector<int>& threads,
                              const std::vector<int>& elements) {
  return shared_name(grid.shared, region, buffer) +
         index_text(grid.block_dim(), shared_columns(grid.shared, region), threads, elements);
}

std::string node_name(const Trace& trace, const TreeRow& row, const TreeNode& node) {
  switch (row.place) {
    case TreeRow::Place::shared: {
      const SharedShape& shape = trace.grid_of(static_cast<std::uint32_t>(row.step)).shared;
      return region_name(shape, row.index) + index_text(node.element, shared_columns(shape, row.index));
    }
    case TreeRow::Place::global:
    case TreeRow::Place::loaded: return global_name(trace, row.index, row.index_of(node.element));
    case TreeRow::Place::registers: break;
  }
  const Event& e = trace.events[node.event];
  return tr("thread {}'s register", thread_text(trace.grids[e.grid], thread_of(e, node.lane)));
}

std::string exact_value(const Trace& trace, const Value& value, Cells cells) {
  const std::string text = exact_text(value, trace.settings, cells);
  if (!is_message(cells)) return text;
  const auto mark = static_cast<std::size_t>(mark_of_message(cells, trace.element_bytes()));
  return tr("{}, marked {}", text, value[mark]);
}

std::string source_line(const std::string& text, int n) {
  std::size_t begin = 0;
  for (; n > 1; --n) begin = text.find('\n', begin) + 1;
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  const auto first = line.find_first_not_of(' ');
  return first == line.npos ? "" : line.substr(first);
}

std::string launch_text(const Trace& trace, int grid) {
  if (trace.grids.size() < 2) return {};
  return tr("launch {} of {}, {}", grouped(grid + 1), grouped(std::ssize(trace.grids)),
            trace.grids[static_cast<std::size_t>(grid)].kernel);
}

std::string machine_text(const Trace& trace) {
  if (trace.machine == MachineKind::emulated) return tr("the emulator");
  return fmt::format("{} ({})", trace.device, name(trace.machine));
}

std::string configuration_text(const Grid& grid) {
  const auto extents = [](const Dim3& d) {
    return d.y == 1 && d.z == 1 ? std::to_string(d.x)
           : d.z == 1           ? fmt::format("({}, {})", d.x, d.y)
                                : fmt::format("({}, {}, {})", d.x, d.y, d.z);
  };
  return fmt::format("{}<<<{}, {}>>>", grid.kernel, extents(grid.grid_dim()), extents(grid.block_dim()));
}

Noun operation_noun(Operator op) {
  switch (op) {
    case Operator::sum: return {noun_noop("addition"), "additions"};
    case Operator::product: return {noun_noop("multiplication"), "multiplications"};
    case Operator::min: return {noun_noop("min operation"), "min operations"};
    case Operator::max: return {noun_noop("max operation"), "max operations"};
    case Operator::affine: return {noun_noop("composition"), "compositions"};
    case Operator::own: break;
  }
  return {noun_noop("operation"), "operations"};
}

std::string_view operation_sign(Operator op) {
  switch (op) {
    case Operator::sum: return "+";
    case Operator::product: return "×";
    case Operator::min: return "min";
    case Operator::max: return "max";
    case Operator::affine: return "∘";
    case Operator::own: return "op";
  }
  return "";
}

std::string access_text(const Trace& trace, const Event& event) {
  std::vector<int> threads, indices;
  int region = 0, buffer = 0;
  const std::vector<CellPlace> all = is_shared(event.kind)
                                         ? cell_places(trace.grids[event.grid].shared, trace.element_bytes())
                                         : std::vector<CellPlace>{};
  const int bytes = cell_bytes(event);
  for (std::uint32_t m = event.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::int64_t address = trace.lanes[entry_of(event, lane)].address;
    threads.push_back(thread_of(event, lane));
    if (const int cell = is_shared(event.kind) ? cell_at(all, address) : -1; cell >= 0) {
      region = all[cell].region;
      buffer = all[cell].buffer;
      indices.push_back(all[cell].element);
    } else {
      indices.push_back(static_cast<int>(address / bytes));
    }
  }
  const int parts = is_atomic(event.kind) ? 1 : event.parts;
  const Grid& grid = trace.grids[event.grid];
  return is_shared(event.kind)
             ? shared_cells_text(grid, region, buffer, threads, indices)
             : buffer_name(trace, event.buffer) +
                   index_text(grid.block_dim(), buffer_columns(trace, event.buffer), threads, indices, parts);
}

}  // namespace upsweep
