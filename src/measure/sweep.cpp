#include "measure/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "measure/cub.hpp"
#include "measure/opengl_bench.hpp"
#include "measure/processor.hpp"

namespace upsweep {
namespace {

constexpr int threads_per_multiprocessor = 2048;  // the maximum of all architectures; some have fewer
constexpr int most_blocks = 1 << 16;              // the largest grid that a request may have

// Returns how many blocks fill the GPU, for kernels whose threads loop over the array with a stride.
int full_grid(int block, int multiprocessors) {
  return std::clamp(multiprocessors * std::max(1, threads_per_multiprocessor / block), 16, most_blocks);
}

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

// Returns the bytes of the inputs and outputs that a kernel file states, or nothing if it states none.
std::optional<double> stated_bytes(const Settings& s) {
  const Algorithm& a = algorithm(s.algorithm);
  if (a.inputs.empty() && a.outputs.empty()) return {};
  const Plan planned = plan(a, s);
  double bytes = 0;
  for (const auto& buffers : {planned.inputs(), planned.outputs()})
    for (const GlobalBuffer& b : buffers)
      bytes += static_cast<double>(b.count) * cell_bytes(b.cells, element_bytes(s));
  return bytes;
}

SweepRow row_of(Contender contender, std::string name, const Settings& s, const Result& result) {
  SweepRow t;
  t.result = result;
  t.contender = contender;
  t.name = std::move(name);
  t.settings = s;
  const int written = result == Result::selection ? selected(s.n) : result.size(s);
  t.bytes = least_bytes(s.n, written, element_bytes(s));
  if (const auto stated = contender == Contender::kernel ? stated_bytes(s) : std::nullopt)
    t.bytes = *stated - least_bytes(result.size(s), -written, element_bytes(s));
  return t;
}

// Returns only those settings that determine the result, without those that determine how it is computed.
Settings plain(const Settings& s) {
  Settings bare;
  bare.algorithm.clear();
  bare.n = s.n;
  bare.type = s.type;
  bare.op = s.op;
  bare.block = bare.grid = 0;
  return bare;
}

class Sweep {
 public:
  Sweep(const SweepRequest& request, const SweepLimits& limits) : request_(request), limits_(limits) {}

  std::vector<SweepGroup> groups() {
    std::vector<int> sizes = request_.sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const int n : sizes)
      for (const auto& [type, op] : data_kinds())
        for (const Cache cache : request_.caches) add_group(n, type, op, cache);
    return std::move(groups_);
  }

 private:
  std::set<std::pair<Scalar, Operator>> data_kinds() const {
    std::set<std::pair<Scalar, Operator>> kinds;
    for (const Candidate& c : request_.kernels) kinds.emplace(c.settings.type, c.settings.op);
    return kinds;
  }

  void add_group(int n, Scalar type, Operator op, Cache cache) {
    cache_ = cache;
    Settings s;
    s.n = n;
    s.type = type;
    s.op = op;
    s = plain(s);
    add(row_of(Contender::copy, "cudaMemcpy", s, Result::copy), limits_.no_gpu);
    for (const Result& result : results())
      if (result != Result::sorting) add_result(s, result);
    end_group(Filling::digits);
    add_result(s, Result::sorting);
    end_group(Filling::keys);
  }

  // Adds the kernels with this result, and their peers. If the request wants it, adds the peers of a
  // selection and of a sort also without kernels.
  void add_result(const Settings& s, const Result& result) {
    bool any = request_.peers_alone && s.op == Operator::sum &&
               (result == Result::selection || result == Result::sorting);
    for (const Candidate& c : request_.kernels) {
      if (c.settings.type != s.type || c.settings.op != s.op) continue;
      const Settings sized_ones = sized(c, s.n);
      const Algorithm& a = algorithm(sized_ones.algorithm);
      if (result_of(a, sized_ones) != result) continue;
      SweepRow row = row_of(Contender::kernel, a.name, sized_ones, result);
      row.variant = variant_name(c.settings);
      const Message& no_machine = runs_on_opengl(row) ? limits_.no_opengl : limits_.no_gpu;
      add(row, no_machine ? no_machine : refusal(row.settings));
      any = true;
    }
    if (any && request_.peers && result != Result::copy) add_peers(s, result);
  }

  void end_group(Filling filling) {
    if (!group_.empty()) groups_.push_back({cache_, filling, std::move(group_)});
    group_.clear();
  }

  void add_peers(const Settings& s, const Result& result) {
    for (const Peer& p : peers())
      if (p.result == result) {
        SweepRow t = row_of(p.contender, std::string(p.name), s, result);
        t.variant = p.variant;
        t.cores = p.cores;
        add(t, p.contender == Contender::library ? no_library(t)
               : t.cores == Cores::par_unseq     ? no_par(t)
                                                 : Message{});
      }
  }

  Message no_library(const SweepRow& t) const {
    if (limits_.no_gpu) return limits_.no_gpu;
    const Message refusal = Cub::refusal(t.settings.op);
    return refusal ? refusal : limits_.no_library;
  }

  Message no_par(const SweepRow& t) const {
    const Message refusal = Processor::par_refusal(t.result, t.settings.op);
    return refusal ? refusal : limits_.no_par;
  }

  // Returns the tuning (the recommended settings) for a size. Considers only tunings that agree with the
  // given settings. If none of these is for this size, returns the one for the largest size, or null.
  static const Tuning* tuning_of(const Algorithm& a, const Candidate& c, int n) {
    const Tuning* found = nullptr;
    for (const Tuning& tuning : a.tunings) {
      const bool agrees = std::all_of(tuning.choices.begin(), tuning.choices.end(), [&](const auto& choice) {
        const auto given = c.settings.choices.find(choice.first);
        return given == c.settings.choices.end() || given->second == choice.second;
      });
      if (agrees) found = &tuning;
      if (agrees && n <= tuning.most_n) break;
    }
    return found;
  }

  // Returns the settings at one size, with the block, the grid and the variants of its tuning.
  Settings sized(const Candidate& c, int n) const {
    Settings s = c.settings;
    s.n = n;
    const Algorithm& a = algorithm(s.algorithm);
    const Tuning* tuning = tuning_of(a, c, n);
    if (tuning) s.choices.insert(tuning->choices.begin(), tuning->choices.end());
    if (tuning && !c.block_given) {
      s.block = tuning->threads;
    } else if (!c.block_given) {
      try {
        s.block = std::clamp(smallest_block(a, s), 32, 1024);
      } catch (const RequestError&) {}  // if the settings are invalid, refusal() reports it
    }
    if (!c.grid_given && a.uses_grid) s.grid = full_grid(s.block, limits_.multiprocessors);
    return s;
  }

  static Message refusal(const Settings& s) {
    try {
      validate(s);
      return {};
    } catch (const std::exception& e) { return message_of(e); }
  }

  // Adds a row, unless its contender was already left out at a smaller size.
  void add(SweepRow t, Message missing) {
    t.cache = cache_;
    if (left_out_.contains(who(t))) return;  // the reason is reported only once
    if (!missing) missing = beyond_memory(t);
    t.missing = missing;
    if (missing) left_out_.insert(who(t));
    group_.push_back(std::move(t));
  }

  Message beyond_memory(const SweepRow& t) const {
    const std::uint64_t needed = bytes_needed(t);
    const bool host = t.contender == Contender::processor;
    const std::uint64_t there = host                ? limits_.host_memory
                                : runs_on_opengl(t) ? limits_.opengl_memory
                                                    : limits_.device_memory;
    if (needed <= there) return {};
    return host ? say::host_memory_short(t.settings.n, size_text(needed), size_text(there))
                : say::gpu_memory_short(t.settings.n, size_text(needed), size_text(there));
  }

  const SweepRequest& request_;
  const SweepLimits& limits_;
  std::vector<SweepGroup> groups_;
  std::vector<SweepRow> group_;
  Cache cache_ = Cache::cold;
  std::set<Who> left_out_;
};

const Peer all_peers[] = {
    {Contender::library, "cub::DeviceReduce", "", Result::reduction},
    {Contender::processor, "std::accumulate", "", Result::reduction},
    {Contender::processor, "std::accumulate", "threads", Result::reduction, Cores::threads},
    {Contender::processor, "std::reduce", "par_unseq", Result::reduction, Cores::par_unseq},
    {Contender::library, "cub::DeviceScan", "", Result::inclusive_scan},
    {Contender::processor, "std::inclusive_scan", "", Result::inclusive_scan},
    {Contender::processor, "std::inclusive_scan", "threads", Result::inclusive_scan, Cores::threads},
    {Contender::processor, "std::inclusive_scan", "par_unseq", Result::inclusive_scan, Cores::par_unseq},
    {Contender::library, "cub::DeviceScan", "exclusive", Result::exclusive_scan},
    {Contender::processor, "std::exclusive_scan", "", Result::exclusive_scan},
    {Contender::processor, "std::exclusive_scan", "threads", Result::exclusive_scan, Cores::threads},
    {Contender::processor, "std::exclusive_scan", "par_unseq", Result::exclusive_scan, Cores::par_unseq},
    {Contender::library, "cub::DeviceSelect", "", Result::selection},
    {Contender::library, "cub::DeviceRadixSort", "", Result::sorting}};

}  // namespace

std::span<const Peer> peers() { return all_peers; }

std::optional<Result> result_of_peer(const Timing& row) {
  for (const Peer& p : all_peers)
    if (p.contender == row.contender && p.name == row.name && p.variant == row.variant) return p.result;
  return {};
}

int selected(int n) { return n - n / 8; }

Who who(const Timing& row) {
  return {row.contender, row.name, row.variant, row.settings.type, row.settings.op, row.cache};
}

std::vector<SweepGroup> plan_sweep(const SweepRequest& request, const SweepLimits& limits) {
  return Sweep(request, limits).groups();
}

std::vector<int> powers_of_two(int least, int most) {
  std::vector<int> sizes;
  for (std::int64_t n = 1; n <= most; n *= 2)
    if (n >= least) sizes.push_back(static_cast<int>(n));
  return sizes;
}

std::uint64_t bytes_needed(const SweepRow& row) {
  // The plan of a kernel says which memory it needs. Other contenders need memory for all elements that they
  // read and write, with two exceptions: sorting copies all elements once more, and the output of a selection
  // needs room for all elements. CUB's scratch memory takes less than an eighth in addition.
  const auto moved = static_cast<std::uint64_t>(row.bytes);
  const auto array = static_cast<std::uint64_t>(least_bytes(row.settings.n, 0, element_bytes(row.settings)));
  const std::uint64_t held = row.result == Result::sorting     ? moved + array
                             : row.result == Result::selection ? 2 * array
                                                               : moved;
  if (row.contender == Contender::library) return held + held / 8;
  if (row.contender != Contender::kernel) return moved;
  std::uint64_t bytes = 0;
  for (const GlobalBuffer& b : plan(row.settings).buffers)
    bytes += static_cast<std::uint64_t>(b.count) *
             static_cast<std::uint64_t>(cell_bytes(b.cells, element_bytes(row.settings)));
  return bytes;
}

int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes) {
  constexpr std::uint64_t most = 4;  // more are not needed: the flush between two runs has the same effect
  if (bytes_of_data == 0 || bytes_of_data >= cache_bytes) return 1;
  return static_cast<int>(std::min(most, 1 + cache_bytes / bytes_of_data));
}

int repetitions(double run, double between, double budget) {
  constexpr double least = 5, most = 200;
  return static_cast<int>(std::clamp(std::floor(budget / std::max(run + between, 1e-9)), least, most));
}

int next_probe(int tried, double seconds, int n, double longest) {
  // The next size is at most this many times as large. For a much larger size the time cannot be predicted,
  // because caches and occupancy differ.
  constexpr double at_most = 16;
  // This assumes that time grows at most in proportion to the size. Contenders whose work grows faster are
  // limited to sizes that take almost no time.
  const double growth = std::min(longest / std::max(seconds, 1e-9), at_most);
  if (tried >= n) return seconds <= longest ? n : 0;
  if (growth < 2 && tried * growth < n) return 0;
  return static_cast<int>(std::min<double>(n, tried * growth));
}

Settings settings_to_check(const Settings& s) {
  for (int n = checked_elements; n > s.n; n /= 2) {
    Settings larger = s;
    larger.n = n;
    try {
      validate(larger);
      return larger;
    } catch (const RequestError&) {}
  }
  Settings checked = s;
  checked.n = std::min(s.n, checked_elements);
  return checked;
}

std::string variant_name(const Settings& s) {
  std::vector<std::string> parts;
  const Algorithm& a = algorithm(s.algorithm);
  const auto add = [&](const std::string& name, const std::string& option) {
    const Choice* c = a.choice(name);
    if (c && option == c->usual_option()) return;
    parts.push_back(c && c->is_number() ? fmt::format("{}={}", name, option) : option);
  };
  for (const ChoiceWithField& c : choices_with_field)
    if (const auto found = s.choices.find(std::string(c.name)); found != s.choices.end())
      add(found->first, found->second);
  for (const auto& [name, option] : s.variants()) add(name, option);
  if (s.without_barrier > 0)
    parts.push_back(fmt::format("without the barrier of line {}", s.without_barrier));
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace upsweep
