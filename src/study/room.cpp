#include "study/room.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/result.hpp"
#include "machine/machine.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

// Returns the number in a file of the operating system. Returns INT64_MAX if the file does not exist or
// contains no number. For example, some files contain "max" if there is no limit.
std::int64_t number_in(const std::string& path) {
  std::int64_t x = 0;
  return std::ifstream(path) >> x ? x : INT64_MAX;
}

std::int64_t available_in_system() {
  std::ifstream file("/proc/meminfo");
  std::int64_t kilobytes = 0;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  return INT64_MAX;
}

// Returns how many more bytes the container may use; INT64_MAX if there is no limit.
std::int64_t available_in_container() {
  const std::int64_t most = number_in("/sys/fs/cgroup/memory.max"),
                     used = number_in("/sys/fs/cgroup/memory.current");
  return most == INT64_MAX || used == INT64_MAX ? INT64_MAX : std::max<std::int64_t>(0, most - used);
}

std::int64_t available_in_address_space() {
  rlimit limit{};
  std::int64_t pages = 0;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      !(std::ifstream("/proc/self/statm") >> pages))
    return INT64_MAX;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

std::string memory_text(double bytes) {
  if (bytes < 1e9) return fmt::format("{:.0f} MB", std::ceil(bytes / 1e6));
  return decimal_text(bytes / 1e9, bytes < 10e9 ? 1 : 0) + " GB";
}

// Returns the approximate number of steps of a run. First rounds n, block and grid up to powers of two,
// because the formula for steps holds for powers of two. If n fits into one block but the rounded n does not,
// returns 0, because a run with one block has few steps.
double steps_of(const Algorithm& a, Settings s) {
  for (int* number : {&s.n, &s.block, &s.grid})
    *number = static_cast<int>(std::min(std::bit_ceil(static_cast<unsigned>(*number)), 1u << 30));
  try {
    const auto promised = promise(a, s);
    return promised ? static_cast<double>(promised->steps.value_or(0)) : 0;
  } catch (const RequestError&) { return 0; }
}

// Returns the settings with about n elements. Two-dimensional data keep their columns if n is large enough.
Settings with_size(Settings s, unsigned n) {
  s.n = static_cast<int>(n);
  if (s.columns == 0) return s;
  s.columns = std::min(s.columns, s.n);
  s.n -= s.n % s.columns;
  return s;
}

// Returns the largest n below the n of `s` for which a run needs at most `free` bytes. Tries only powers of
// two.
int largest_that_fits(const Settings& s, std::int64_t free, double (*bytes)(const Settings&)) {
  Settings smaller = with_size(s, std::bit_floor(static_cast<unsigned>(s.n)));
  while (smaller.n > 1 && bytes(smaller) > static_cast<double>(free))
    smaller = with_size(s, static_cast<unsigned>(smaller.n) / 2);
  return smaller.n;
}

// Returns advice for a computer whose memory is large enough for `n` elements, such as "use a picture of at
// most 1,000 pixels". The advice depends on the data, because some data decide n.
std::string smaller_data(const DataSource& data, const Settings& s, int n) {
  if (data.kind == DataSource::Kind::picture) return tr("use a picture of at most {} pixels", grouped(n));
  if (decides_n(data)) return tr("give at most {} numbers", grouped(n));
  if (s.columns > 0) return tr("choose a shape of at most {} elements", grouped(n));
  return tr("choose at most n = {}", grouped(n));
}

}  // namespace

std::int64_t free_memory() {
  return std::min({available_in_system(), available_in_container(), available_in_address_space()});
}

double data_bytes(const Settings& s) {
  const Plan planned = plan(algorithm(s.algorithm), s);
  constexpr double value = sizeof(Value);
  // Input and output are counted twice: the data source and the trace each keep the input, and the output is
  // compared with the expected output. The buffers in the kernel's memory are added below.
  constexpr int depth_bytes = sizeof(std::uint32_t);  // the emulator stores the depth of each value
  double bytes = 0;
  for (const auto& buffers : {planned.inputs(), planned.outputs()})
    for (const GlobalBuffer& b : buffers) bytes += 2 * value * static_cast<double>(b.count);
  for (const GlobalBuffer& b : planned.buffers)
    bytes += 2. * static_cast<double>(b.count) *
             (cell_bytes(b.cells, element_bytes(s)) + (b.cells == Cells::words ? 0 : depth_bytes));
  return bytes;
}

double recording_bytes(const Settings& s) {
  const Algorithm& a = algorithm(s.algorithm);
  const Plan planned = plan(a, s);
  constexpr double access = sizeof(Lane) + sizeof(Value);
  double bytes = data_bytes(s);
  // The number of bytes that the view "Image" needs for each number of a picture. The view keeps the picture,
  // the table and the table's errors as numbers, and also keeps a drawing of each of the three.
  constexpr double shown = 48;
  if (!a.results.empty() && result_of(a, s) == Result::summed_area_table) bytes += shown * input_size(s);
  double threads = 0;
  for (const PlannedLaunch& l : planned.launches) threads += 1. * l.blocks * l.threads;
  for (const PlannedLaunch& l : planned.launches) {
    // The measured bytes of a block that is not recorded in full. A block that waits for other blocks takes
    // more bytes.
    constexpr double block = 600, waiting_block = 12e3;
    // The work of this launch's blocks that are recorded in full, as a share of the run's work. Assumes that
    // the work is proportional to the number of threads.
    const double share = 1. * std::min<double>(l.blocks, RecordOptions{}.blocks) * l.threads / threads;
    bytes += l.blocks * (a.waits_for_blocks() ? waiting_block : block) +
             share * (3 * applications(a, s) + 2. * s.n) * access;
  }
  // The bytes that a step takes in the analysis and as a row of a table. This number was measured with one
  // operation per thread and step.
  constexpr double step = 2300;
  return bytes + step * steps_of(a, s);
}

void expect_room(const Settings& s, std::int64_t free, const DataSource& data) {
  const double needed = recording_bytes(s);
  if (needed <= static_cast<double>(free)) return;
  throw RequestError(tr("Recording n = {} takes about {} of memory, but only {} are free: {}.", grouped(s.n),
                        memory_text(needed), memory_text(static_cast<double>(free)),
                        smaller_data(data, s, largest_that_fits(s, free, recording_bytes))));
}

void expect_room_for_data(const Settings& s, std::int64_t free) {
  const double needed = data_bytes(s);
  if (needed <= static_cast<double>(free)) return;
  throw RequestError(tr("The data for n = {} takes about {} of memory, but only {} are free: {}.",
                        grouped(s.n), memory_text(needed), memory_text(static_cast<double>(free)),
                        smaller_data({}, s, largest_that_fits(s, free, data_bytes))));
}

}  // namespace upsweep
