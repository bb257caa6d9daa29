#include "machine/gpu/ncu_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/grouped.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

using Row = std::vector<std::string>;

// Reads a table of comma-separated values (RFC 4180). Skips ncu's own messages.
class Rows {
 public:
  Rows(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  // Reads the next row that is not empty. Returns false at the end of the text.
  bool next(Row& row) {
    while (!rest_.empty()) {
      if (rest_.starts_with("==")) {
        take_line();
        continue;
      }
      read(row);
      if (row.size() > 1 || !row[0].empty()) return true;
    }
    return false;
  }
  [[noreturn]] void refuse(Message what) const {
    throw RequestError(say::bad_ncu_page(file_, line_, std::move(what)));
  }

 private:
  void take_line() {
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
    ++line_;
  }
  void read(Row& row) {
    row.assign(1, {});
    bool quoted = false;
    std::size_t at = 0;
    for (; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (c == '\n') ++line_;
      if (quoted) {
        if (c != '"') row.back() += c;
        else if (rest_.substr(at + 1).starts_with('"')) row.back() += rest_[++at];
        else quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == ',') {
        row.emplace_back();
      } else if (c == '\n') {
        break;
      } else if (c != '\r') {
        row.back() += c;
      }
      if (row.size() > most_columns || row.back().size() > most_cell) refuse(say::ncu_row_too_long());
    }
    if (quoted) refuse(say::ncu_open_quote());
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
  }

  static constexpr std::size_t most_columns = 20'000, most_cell = 100'000;
  std::string_view rest_;
  const std::string& file_;
  int line_ = 1;
};

// Returns the number of a text such as "1,240" or "128.000000". Returns nullopt if the text is not a number.
std::optional<double> number_in(std::string text) {
  std::erase(text, ',');
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return x;
}

// Returns the product of extents such as "(512, 1, 1)"; 0 if the text has no extents.
std::int64_t extents_in(std::string_view text) {
  std::int64_t product = 1;
  int count = 0;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error == std::errc() && extent > 0 && extent <= INT32_MAX && product <= INT64_MAX / extent)
      product *= extent, ++count;
    at = next == at ? at + 1 : next;
  }
  return count == 3 ? product : 0;
}

// Returns "scan_tiles" for "void scan_tiles<float>(upsweep::Memory<const T1>::Pointer, int)".
std::string kernel_in(std::string_view signature) {
  signature = signature.substr(0, signature.find_first_of("<("));
  if (const std::size_t space = signature.rfind(' '); space != signature.npos)
    signature.remove_prefix(space + 1);
  if (const std::size_t colon = signature.rfind(':'); colon != signature.npos)
    signature.remove_prefix(colon + 1);
  return std::string(signature);
}

constexpr std::size_t none = SIZE_MAX;
std::size_t column(const Row& header, std::string_view name) {
  const auto found = std::ranges::find(header, name);
  return found == header.end() ? none : static_cast<std::size_t>(found - header.begin());
}
std::string_view cell(const Row& row, std::size_t column) {
  return column < row.size() ? std::string_view(row[column]) : std::string_view();
}

// The columns of a page with machine code.
struct CodeColumns {
  explicit CodeColumns(const Row& h)
      : line(column(h, "Line No")),
        address(column(h, "Address")),
        space(column(h, "Address Space")),
        executed(column(h, "Instructions Executed")),
        lanes(column(h, "Predicated-On Thread Instructions Executed")),
        global_requests(column(h, "L1 Tag Requests Global")),
        shared_wavefronts(column(h, "L1 Wavefronts Shared")),
        ideal_wavefronts(column(h, "L1 Wavefronts Shared Ideal")),
        sectors(column(h, "L2 Theoretical Sectors Global")),
        ideal_sectors(column(h, "L2 Theoretical Sectors Global Ideal")) {}
  bool is_complete() const { return address != none && space != none && executed != none && lanes != none; }

  // Returns the costs of an instruction. Returns nullopt if the instruction accesses neither shared nor
  // global memory.
  std::optional<LineNumbers> costs(const Row& row) const {
    const auto number = [&](std::size_t column) {
      const double x = number_in(std::string(cell(row, column))).value_or(0);
      return x > 0 && x < 1e18 ? static_cast<std::uint64_t>(x) : 0;
    };
    if (cell(row, space) == "Shared")
      return LineNumbers{
          number(shared_wavefronts), number(ideal_wavefronts), 0, 0, number(executed), 0, number(lanes), 0};
    if (cell(row, space) == "Global")
      return LineNumbers{
          0, 0, number(sectors), number(ideal_sectors), 0, number(global_requests), 0, number(lanes)};
    return {};
  }

  std::size_t line, address, space, executed, lanes, global_requests, shared_wavefronts, ideal_wavefronts,
      sectors, ideal_sectors;
};

class PageReader {
 public:
  PageReader(std::string_view text, const std::string& file) : rows_(text, file) {}

  NcuExport read() && {
    Row row;
    while (rows_.next(row)) {
      if (row[0] == "ID") {
        header_ = row;
        details_ = column(row, "Metric Name") != none;
        code_.reset();
        is_table_ = true;
        made_.has_metrics = true;
      } else if (row[0] == "Kernel Name" && row.size() >= 2) {
        begin_launch(kernel_in(row[1]));  // a page that begins with a kernel's name has only machine code
      } else if (row[0] == "File Path" || row[0] == "File Name") {
        file_ = cell(row, 1);
      } else if (row[0] == "Function Name") {
        begin_file(kernel_in(cell(row, 1)));
      } else if (row[0] == "Line No" || row[0] == "Address") {
        code_.emplace(row);
        is_table_ = false;
        line_ = 0;
        if (!code_->is_complete()) rows_.refuse(say::ncu_no_code());
        made_.has_code = true;
        made_.has_lines = made_.has_lines || code_->line != none;
      } else if (is_table_) {
        details_ ? detail(row) : raw(row);
      } else if (code_) {
        instruction(row);
      } else {
        rows_.refuse(say::ncu_no_page());
      }
    }
    if (made_.launches.empty()) rows_.refuse(say::ncu_no_kernel());
    return std::move(made_);
  }

 private:
  void begin_launch(std::string kernel) {
    if (made_.launches.size() >= most_launches) rows_.refuse(say::ncu_too_many_launches());
    made_.launches.push_back({.kernel = std::move(kernel)});
    files_.clear();
    seen_.clear();
  }

  // The page has a part for each source file of each launch. A new launch begins when a file appears again,
  // or when another kernel appears.
  void begin_file(const std::string& kernel) {
    if (made_.launches.empty() || made_.launches.back().kernel != kernel || files_.contains(file_))
      begin_launch(kernel);
    files_.insert(file_);
    is_own_ = file_.ends_with(".cuh") && file_.find("kernels/") != file_.npos;
  }

  // Reads a row of the page "raw": one launch, with a column for each metric. The second row has the units.
  void raw(const Row& row) {
    if (row[0].empty()) return;
    if (row.size() != header_.size()) rows_.refuse(say::ncu_row_cells(row.size(), header_.size()));
    begin_launch(kernel_in(cell(row, column(header_, "Kernel Name"))));
    named(row);
    for (std::size_t i = 0; i < row.size(); ++i)
      if (header_[i].find("__") != std::string::npos)
        if (const auto x = number_in(row[i])) made_.launches.back().metrics[header_[i]] = *x;
  }

  // Reads a row of the page "details": one metric of one launch.
  void detail(const Row& row) {
    if (row.size() != header_.size()) rows_.refuse(say::ncu_row_cells(row.size(), header_.size()));
    if (made_.launches.empty() || row[0] != id_) {
      begin_launch(kernel_in(cell(row, column(header_, "Kernel Name"))));
      named(row);
      id_ = row[0];
    }
    if (const auto x = number_in(std::string(cell(row, column(header_, "Metric Value")))))
      made_.launches.back().metrics[std::string(cell(row, column(header_, "Metric Name")))] = *x;
  }

  void named(const Row& row) {
    NcuLaunch& l = made_.launches.back();
    l.blocks = extents_in(cell(row, column(header_, "Grid Size")));
    l.threads = extents_in(cell(row, column(header_, "Block Size")));
    made_.capability = cell(row, column(header_, "CC"));
  }

  // Reads a row of a page with machine code: a line of the source, or an instruction below its line.
  void instruction(const Row& row) {
    if (code_->line != none) {
      if (!cell(row, code_->line).empty()) {
        line_ = static_cast<int>(std::clamp(number_in(row[code_->line]).value_or(0), 0.0, 1e6));
        return;
      }
      if (!is_own_) return;
    }
    const std::string address(cell(row, code_->address));
    const auto costs = code_->costs(row);
    if (!address.starts_with("0x") || !costs || made_.launches.empty()) return;
    // An instruction of an inlined function appears below several lines of a file, but counts only once.
    if (!seen_.insert(address).second) return;
    LineNumbers& to = made_.launches.back().lines[line_];
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += (*costs)[i];
  }

  static constexpr std::size_t most_launches = 100'000;
  Rows rows_;
  NcuExport made_;
  Row header_;
  bool is_table_ = false, details_ = false, is_own_ = false;
  std::optional<CodeColumns> code_;
  std::string file_, id_ = "none";
  int line_ = 0;
  std::set<std::string> files_, seen_;
};

// Returns a text such as "scan_tiles (20 x 256)" for 20 blocks of 256 threads.
std::string launch_text(const std::string& kernel, std::int64_t blocks, std::int64_t threads) {
  return fmt::format("{} ({} x {})", kernel, grouped(blocks), grouped(threads));
}

// Returns the export's launches of the kernels in the recording. Throws RequestError if the export and the
// recording have different launches of these kernels.
std::vector<const NcuLaunch*> launches_of(const Trace& trace, const NcuExport& found) {
  std::set<std::string> kernels;
  std::vector<std::string> due, seen;
  for (const Grid& g : trace.grids) kernels.insert(g.kernel);
  std::vector<const NcuLaunch*> own;
  for (const NcuLaunch& l : found.launches)
    if (kernels.contains(l.kernel)) own.push_back(&l);
  bool same = own.size() == trace.grids.size();
  for (std::size_t i = 0; same && i < own.size(); ++i) {
    const Grid& g = trace.grids[i];
    same = own[i]->kernel == g.kernel && (own[i]->blocks == 0 || own[i]->blocks == g.blocks) &&
           (own[i]->threads == 0 || own[i]->threads == g.threads);
  }
  if (same) return own;
  constexpr std::size_t most = 6;
  for (const Grid& g : trace.grids)
    if (due.size() < most) due.push_back(launch_text(g.kernel, g.blocks, g.threads));
  for (const NcuLaunch& l : found.launches)
    if (seen.size() < most) seen.push_back(launch_text(l.kernel, l.blocks, l.threads));
  throw RequestError(say::other_launches(
      static_cast<std::int64_t>(found.launches.size()), fmt::format("{}", fmt::join(seen, ", ")),
      static_cast<std::int64_t>(trace.grids.size()), fmt::format("{}", fmt::join(due, ", "))));
}

}  // namespace

NcuExport read_ncu_page(std::string_view text, const std::string& file) {
  return PageReader(text, file).read();
}

NcuExport read_ncu_pages(const std::vector<std::string>& files) {
  constexpr std::size_t most_bytes = 256 << 20;
  NcuExport all;
  for (const std::string& file : files) {
    NcuExport page = read_ncu_page(read_text_file(file, most_bytes), file);
    if (all.launches.empty()) {
      all = std::move(page);
      continue;
    }
    const bool same =
        std::ranges::equal(all.launches, page.launches, {}, &NcuLaunch::kernel, &NcuLaunch::kernel);
    if (!same) throw RequestError(say::other_ncu_page(file, files.front()));
    for (std::size_t i = 0; i < all.launches.size(); ++i) {
      NcuLaunch &to = all.launches[i], &from = page.launches[i];
      if (to.blocks == 0) to.blocks = from.blocks, to.threads = from.threads;
      to.metrics.merge(from.metrics);
      if (to.lines.empty()) to.lines = std::move(from.lines);
    }
    all.has_metrics = all.has_metrics || page.has_metrics;
    all.has_code = all.has_code || page.has_code;
    all.has_lines = all.has_lines || page.has_lines;
    if (all.capability.empty()) all.capability = page.capability;
  }
  return all;
}

Counted beside_export(const Algorithm& a, const Trace& trace, const NcuExport& found) {
  Counted c = predicted(trace, {});
  const std::vector<const NcuLaunch*> own = launches_of(trace, found);
  const auto sum_of = [&](const std::string& metric) -> std::optional<double> {
    double sum = 0;
    for (const NcuLaunch* l : own) {
      const auto at = l->metrics.find(metric);
      if (at == l->metrics.end()) return {};
      sum += at->second;
    }
    return sum;
  };
  for (RunCount& count : c.run) count.measured = sum_of(count.metric);
  c.arbitration = sum_of(arbitration_metric);
  judge_run(c, a, trace);
  if (!found.has_code) return c;
  std::map<int, LineNumbers> lines;
  for (const NcuLaunch* l : own)
    for (const auto& [line, numbers] : l->lines)
      for (std::size_t i = 0; i < numbers.size(); ++i) lines[line][i] += numbers[i];
  constexpr std::size_t shared_requests = 4;
  if (found.has_lines) {
    c.lines = beside(a, trace, std::move(lines), {true, true, true, true, false, true, true, true});
    return c;
  }
  // If the export has no lines, one entry has the sums of all instructions.
  LinesCount sum{{}, {}, LineNumbers{}, {true, true, true, true, false, true, true, true}};
  for (const auto& [line, numbers] : lines)
    for (std::size_t i = 0; i < numbers.size(); ++i) (*sum.measured)[i] += numbers[i];
  bool varies = false;
  for (const LinesCount& l : c.lines)
    for (std::size_t i = 0; i < sum.predicted.size(); ++i) {
      sum.predicted[i] += l.predicted[i];
      if (i != shared_requests) sum.compared[i] = sum.compared[i] && (l.predicted[i] == 0 || l.compared[i]);
    }
  varies = has_varying_lines(a, trace);
  judge(sum, varies);
  c.lines = {sum};
  return c;
}

}  // namespace upsweep
