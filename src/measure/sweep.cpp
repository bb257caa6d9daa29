#include "measure/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "measure/opengl_bench.hpp"
#include "measure/processor.hpp"

namespace upsweep {
namespace {

constexpr int threads_per_multiprocessor = 2048;  // the maximum of all architectures; some GPUs have less
constexpr int most_blocks = 1 << 16;              // the largest grid that a request may have

// Returns how many blocks fill the GPU, for kernels whose threads loop over the array with a stride.
int full_grid(int block, int multiprocessors) {
  return std::clamp(multiprocessors * std::max(1, threads_per_multiprocessor / block), 16, most_blocks);
}

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

// A kernel file may state the kernel's inputs and outputs. Returns how many bytes these inputs and outputs
// have. Returns nullopt if the file states neither inputs nor outputs.
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
  t.bytes = least_bytes(s.n, result.size(s), element_bytes(s));
  return t;
}

// Returns the bytes that a sort moves in all its launches. A launch reads or writes each of its array
// arguments once; arrays of fewer than n cells are not counted.
double bytes_of_all_passes(const Settings& s) {
  const Plan planned = plan(s);
  double bytes = 0;
  for (const PlannedLaunch& l : planned.launches)
    for (const Argument& x : l.arguments)
      if (x.buffer >= 0)
        if (const GlobalBuffer& b = planned.buffers[static_cast<std::size_t>(x.buffer)]; b.count >= s.n)
          bytes += static_cast<double>(b.count) * cell_bytes(b.cells, element_bytes(s));
  return bytes;
}

// Returns how many bytes a row's algorithm moves per element, rounded to a multiple of 0.5. For each
// different number that this function returns, the sweep also measures a memory copy of as many bytes.
// Without the rounding, an algorithm that also moves the few bytes of a count or a total would need a copy of
// its own.
double bytes_of_element(const SweepRow& t) { return std::round(2 * t.bytes / t.settings.n) / 2; }

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
    copies_.clear();
    Settings s;
    s.n = n;
    s.type = type;
    s.op = op;
    for (const Filling filling : {Filling::digits, Filling::halves, Filling::keys, Filling::maps})
      for (const std::string& predicate : predicates(s, filling)) {
        if (!predicate.empty()) s.choices["predicate"] = predicate;
        bool any = false;
        for (const Result& result : results())
          if (filling_of(result) == filling) any |= add_result(s, result);
        if (any || !group_.empty()) end_group(s, filling);
        s.choices.clear();
      }
  }

  static const Result& result_of(const Candidate& c) {
    return upsweep::result_of(algorithm(c.settings.algorithm), c.settings);
  }
  static bool is_same_kind(const Candidate& c, const Settings& s) {
    return c.settings.type == s.type && c.settings.op == s.op;
  }
  // Returns whether a kernel is measured on the same data as a kernel with the settings `s`.
  static bool is_on(const Candidate& c, const Settings& s) {
    return is_same_kind(c, s) && (filling_of(result_of(c)) != Filling::halves ||
                                  predicate_beside_default(c.settings) == predicate_beside_default(s));
  }

  // Returns the predicates that need separate data. An empty text means the default predicate. Only
  // selections (Filling::halves) have predicates. For other data, returns only an empty text.
  std::set<std::string> predicates(const Settings& s, Filling filling) const {
    std::set<std::string> all;
    if (filling != Filling::halves || request_.peers_alone) all.insert("");
    if (filling != Filling::halves) return all;
    for (const Candidate& c : request_.kernels)
      if (is_same_kind(c, s) && filling_of(result_of(c)) == filling)
        all.insert(predicate_beside_default(c.settings));
    return all;
  }

  // Adds the kernels with this result, and their peers (CUB, NPP and the CPU). If the request has
  // `peers_alone`, adds the peers of a selection and of a sort even if no kernel selects or sorts. Returns
  // whether the request has a kernel with this result.
  bool add_result(const Settings& s, const Result& result) {
    std::vector<Settings> kernels;
    for (const Candidate& c : request_.kernels) {
      if (!is_on(c, s) || result_of(c) != result) continue;
      const Settings sized_ones = sized(c, s.n);
      SweepRow row = row_of(c.part.empty() ? Contender::kernel : Contender::part,
                            algorithm(sized_ones.algorithm).name, sized_ones, result);
      row.variant = variant_name(c.settings, c.part);
      row.part = c.part;
      const Message& no_machine = runs_on_opengl(row) ? limits_.no_opengl : limits_.no_gpu;
      const Message refused = refusal(row);
      if (!refused) set_bytes(row);
      add(row, no_machine ? no_machine : refused);
      kernels.push_back(sized_ones);
    }
    const bool alone = request_.peers_alone && s.op == Operator::sum &&
                       (result == Result::selection || result == Result::sorting) && s.choices.empty();
    if (request_.peers) add_peers(s, result, kernels, alone);
    return !kernels.empty();
  }

  // Sets `t.bytes`: the number of bytes that this row's kernel must move. The settings of the row must be
  // valid.
  void set_bytes(SweepRow& t) {
    if (t.contender == Contender::part) return static_cast<void>(t.bytes = 0);
    if (const auto stated = stated_bytes(t.settings)) t.bytes = *stated;
    subtract_dropped(t);
    if (t.result == Result::sorting) t.bytes_of_all_passes = bytes_of_all_passes(t.settings);
  }

  // Subtracts from `t.bytes` the bytes of the elements that a selection does not write.
  void subtract_dropped(SweepRow& t) {
    if (t.result != Result::selection) return;
    const auto [known, fresh] = kept_.try_emplace({t.settings.type, predicate_beside_default(t.settings)}, 0);
    if (fresh) known->second = selection_data(t.settings).kept;
    t.bytes -= std::round((1 - known->second) * t.settings.n) * element_bytes(t.settings);
  }

  // Puts the rows that measure copies before the other rows of the group, and ends the group.
  void end_group(const Settings& s, Filling filling) {
    const double plain = 2 * element_bytes(s);
    std::set<double> bytes;
    if (filling == Filling::digits) bytes.insert(plain);
    for (const SweepRow& t : group_)
      if (t.contender != Contender::processor && t.result != Result::reduction && t.bytes > 0)
        bytes.insert(bytes_of_element(t));
    std::vector<SweepRow> rows = std::exchange(group_, {});
    for (const double each : bytes) {
      SweepRow t = row_of(Contender::copy, "cudaMemcpy", peer_settings(Result::copy, s), Result::copy);
      t.bytes = each * s.n;
      if (each != plain) t.variant = fmt::format("{} bytes an element", each);
      if (copies_.insert(each).second) add(std::move(t), limits_.no_gpu);
    }
    group_.insert(group_.end(), std::move_iterator(rows.begin()), std::move_iterator(rows.end()));
    if (!group_.empty()) groups_.push_back({cache_, filling, std::move(group_)});
    group_.clear();
  }

  void add_peers(const Settings& s, const Result& result, const std::vector<Settings>& kernels, bool alone) {
    if (result == Result::copy) return;
    for (const Peer& p : peers()) {
      const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                       [&](const Settings& k) { return p.computes(result, k); });
      if (kernel == kernels.end() && !(alone && p.computes(result, s))) continue;
      SweepRow t = row_of(p.contender, std::string(p.name),
                          peer_settings(result, kernel == kernels.end() ? s : *kernel), result);
      t.variant = p.variant;
      t.cores = p.cores;
      t.bytes = p.bytes(t.settings);
      subtract_dropped(t);
      add(t, missing(p, t.settings));
    }
  }

  // Returns why a peer cannot be measured.
  Message missing(const Peer& p, const Settings& s) const {
    const bool library = p.contender == Contender::library;
    if (library && limits_.no_gpu) return limits_.no_gpu;
    if (const Message refusal = p.refusal(s)) return refusal;
    if (library) return is_of_npp(p.result) ? limits_.no_npp : limits_.no_library;
    return p.cores == Cores::par_unseq ? limits_.no_par : Message{};
  }

  // Returns the candidate's settings at one size. If the candidate does not set an option or the block, takes
  // it from the algorithm's tuning (recommended settings). If the candidate does not set the grid, chooses a
  // grid that fills the GPU.
  Settings sized(const Candidate& c, int n) const {
    Settings s = c.settings;
    s.n = n;
    const Algorithm& a = algorithm(s.algorithm);
    const Tuning* tuning = a.tuning(n, c.settings.choices);
    if (tuning) s.choices.insert(tuning->choices.begin(), tuning->choices.end());
    if (tuning && !c.block_given) {
      s.block = tuning->threads;
    } else if (!c.block_given) {
      try {
        s.block = std::clamp(smallest_block(a, s), 32, 1024);
      } catch (const RequestError&) {}  // refusal() reports the invalid settings
    }
    if (!c.grid_given && a.uses_grid) s.grid = full_grid(s.block, limits_.multiprocessors);
    return s;
  }

  static Message refusal(const SweepRow& t) {
    try {
      validate(t.settings);
      launches_of(plan(t.settings), t.part);
      return {};
    } catch (const std::exception& e) { return message_of(e); }
  }

  // Adds a row, unless its kernel, library or CPU was already left out at a smaller size.
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
  std::set<double> copies_;  // for each measured copy of this size: the bytes per element
  std::map<std::pair<Scalar, std::string>, double> kept_;  // for each predicate: SelectionData::kept
};

}  // namespace

Who who(const Timing& row) {
  // The variant of a kernel's row already contains the predicate. The variant of a library's row does not
  // contain the predicate, so the predicate is added here.
  const std::string data = is_of_catalogue(row.contender) ? "" : predicate_beside_default(row.settings);
  return {row.contender, row.name, row.variant + data, row.settings.type, row.settings.op, row.cache};
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
  // `held` is the memory for the input and the output of a library. A sort needs memory for one more copy of
  // its elements. The output of a selection needs memory for all n elements, even if the selection keeps
  // fewer elements.
  //
  // A library's scratch memory adds less than an eighth to these bytes.
  const auto moved = static_cast<std::uint64_t>(row.bytes);
  const auto array = static_cast<std::uint64_t>(least_bytes(row.settings.n, 0, element_bytes(row.settings)));
  const std::uint64_t held = row.result == Result::sorting     ? moved + moved / 2
                             : row.result == Result::selection ? 2 * array
                                                               : moved;
  if (row.contender == Contender::library) return held + held / 8;
  if (!is_of_catalogue(row.contender)) return moved;
  std::uint64_t bytes = 0;
  for (const GlobalBuffer& b : plan(row.settings).buffers)
    bytes += static_cast<std::uint64_t>(b.count) *
             static_cast<std::uint64_t>(cell_bytes(b.cells, element_bytes(row.settings)));
  return bytes;
}

int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes) {
  constexpr std::uint64_t most = 4;  // more copies are not needed, because L2 is flushed between two runs
  if (bytes_of_data == 0 || bytes_of_data >= cache_bytes) return 1;
  return static_cast<int>(std::min(most, 1 + cache_bytes / bytes_of_data));
}

int repetitions(double run, double between, double budget) {
  constexpr double least = 5, most = 200;
  return static_cast<int>(std::clamp(std::floor(budget / std::max(run + between, 1e-9)), least, most));
}

int next_probe(int tried, double seconds, int n, double longest) {
  // The next size is at most `at_most` times `tried`. For a much larger size, the time cannot be predicted,
  // because caches and occupancy differ.
  constexpr double at_most = 16;
  // Assumes that the time grows at most in proportion to the size. Kernels whose work grows faster allow only
  // small sizes, at which a run takes almost no time.
  const double growth = std::min(longest / std::max(seconds, 1e-9), at_most);
  if (tried >= n) return seconds <= longest ? n : 0;
  if (growth < 2 && tried * growth < n) return 0;
  return static_cast<int>(std::min<double>(n, tried * growth));
}

Settings with_elements(Settings s, int n) {
  s.n = s.columns > 0 ? std::max(1, n / s.columns) * s.columns : n;
  return s;
}

Settings settings_to_check(const Settings& s) {
  for (int n = checked_elements; n > s.n; n /= 2) {
    const Settings larger = with_elements(s, n);
    try {
      validate(larger);
      return larger;
    } catch (const RequestError&) {}
  }
  return with_elements(s, std::min(s.n, checked_elements));
}

}  // namespace upsweep
