#include "measure/large_check.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/predicate.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/check_kernels.hpp"
#include "measure/ready_launch.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr unsigned parts = 1 << 14;  // parts of an input; one thread works on each part

Value value_from(const std::vector<std::byte>& bytes, std::size_t width) { return unpacked(bytes, width)[0]; }

}  // namespace

struct LargeCheck::State {
  Device device;
  Stream stream;
  // The checking kernels have their own store. In a shared store, loading a checking kernel could unload the
  // kernel under test.
  LoadedKernels kernels{device}, checking{device};
  Buffer input, output, scratch, totals, first_wrong;
  int runs = 0;
  double seconds = 0;  // of the last run
  // Queues a checking kernel. If `blocks` is 0, it gets as many blocks as keep the GPU busy.
  void queue(const Loaded& program, const char* kernel, std::vector<std::uint64_t> slots,
             unsigned blocks = 0) {
    if (blocks == 0) blocks = static_cast<unsigned>(16 * device.multiprocessors());
    ReadyLaunch{program.functions.at(kernel), {blocks}, {256}, 0, std::move(slots)}.queue(stream);
  }

  Value read(const Buffer& from, std::int64_t index, const Settings& s) const {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    std::vector<std::byte> bytes(width);
    stream.read(bytes.data(), from.address() + static_cast<std::size_t>(index) * width, width);
    return value_from(bytes, width);
  }

  // The checking kernels, the settings of the run, and the addresses of its buffers.
  struct Memory {
    const Loaded& program;
    const Settings& s;
    const Plan& planned;
    const MemoryLayout& layout;
  };
  // Returns the address of an output. The first one has the number 0.
  DeviceAddress output_at(const Memory& m, std::size_t number) const {
    return output.address() + m.layout.at[m.planned.inputs().size() + number];
  }
  unsigned wrong_place() const {
    wait();
    unsigned wrong = 0;
    first_wrong.read(&wrong, sizeof wrong);
    return wrong;
  }
  Message wrong_at(const Memory& m, unsigned i) const {
    return i == UINT32_MAX ? Message{} : say::wrong_place(i, exact_text(read(output, i, m.s), m.s));
  }

  Message mistake_of_selection(const Memory& m) {
    totals.reserve(parts * sizeof(unsigned));
    queue(m.program, "count_kept", {input.address(), totals.address(), slot(m.s.n)}, parts / 256);
    wait();
    std::vector<unsigned> counts(parts);
    totals.read(counts.data(), parts * sizeof(unsigned));
    const unsigned due = std::accumulate(counts.begin(), counts.end(), 0u);
    unsigned kept = 0;
    stream.read(&kept, output_at(m, 1), sizeof kept);
    if (kept != due) return say::wrong_word("kept", 0, kept, due);
    std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), 0u);
    totals.write(counts.data(), parts * sizeof(unsigned));
    queue(m.program, "check_kept",
          {input.address(), output.address(), totals.address(), first_wrong.address(), slot(m.s.n)},
          parts / 256);
    return wrong_at(m, wrong_place());
  }

  Message mistake_of_sorting(const Memory& m) {
    if (m.s.choice("keys") == "pairs") {
      queue(m.program, "check_values",
            {input.address(), output.address(), output_at(m, 1), first_wrong.address(), slot(m.s.n)});
    } else {
      totals.reserve_filled(4 * sizeof(unsigned), 0);
      queue(m.program, "hash_keys", {input.address(), totals.address(), slot(m.s.n)});
      queue(m.program, "hash_keys", {output.address(), totals.address() + 2 * sizeof(unsigned), slot(m.s.n)});
      wait();
      unsigned sums[4];
      totals.read(sums, sizeof sums);
      if (sums[0] != sums[2] || sums[1] != sums[3]) return say::other_keys();
    }
    queue(m.program, "check_order", {output.address(), first_wrong.address(), slot(m.s.n)});
    return wrong_at(m, wrong_place());
  }

  Message mistake_of_sums(const Memory& m, const Result& result) {
    if (result == Result::recurrence)
      queue(m.program, "check_recurrence",
            {input.address(), output.address(), first_wrong.address(), slot(m.s.n)});
    else
      queue(m.program, "check_areas",
            {input.address(), output.address(), first_wrong.address(), slot(input_size(m.s)),
             slot(data_columns(m.s) * channels(m.s)), slot(channels(m.s))});
    const unsigned i = wrong_place();
    const Settings shown = output_settings(result, m.s);
    return i == UINT32_MAX ? Message{} : say::wrong_place(i, exact_text(read(output, i, shown), shown));
  }

  void wait() const {
    constexpr std::chrono::seconds patience{60};
    const auto begin = std::chrono::steady_clock::now();
    while (!stream.done(MessageId::running_kernel)) {
      if (std::chrono::steady_clock::now() - begin > patience)
        throw WorkError(say::endless_kernel(std::chrono::duration<double>(patience).count()));
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  Value expected_total(const Loaded& program, const Settings& s) {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    totals.reserve(parts * width);
    queue(program, "total_of_parts", {input.address(), totals.address(), slot(s.n)}, parts / 256);
    wait();
    std::vector<std::byte> bytes(parts * width);
    totals.read(bytes.data(), bytes.size());
    const Combination combine = combination(s);
    Value total = identity(s);
    for (const Value& part : unpacked(bytes, width)) total = combine(total, part);
    return total;
  }
};

LargeCheck::LargeCheck() : state_(std::make_unique<State>()) {}
LargeCheck::~LargeCheck() { state_->device.use_quietly(); }

double LargeCheck::seconds() const { return state_->seconds; }

bool LargeCheck::can_compare(const Result& result) {
  const Result* all[] = {&Result::reduction,  &Result::inclusive_scan,   &Result::exclusive_scan,
                         &Result::copy,       &Result::selection,        &Result::sorting,
                         &Result::recurrence, &Result::summed_area_table};
  return std::any_of(std::begin(all), std::end(all), [&](const Result* r) { return *r == result; });
}

std::uint64_t LargeCheck::bytes(const Settings& s) {
  const MemoryLayout layout = memory_layout(plan(s), element_bytes(s));
  return layout.inputs + layout.outputs + layout.scratch +
         std::uint64_t{parts} * static_cast<std::uint64_t>(element_bytes(s));
}

std::uint64_t LargeCheck::free_bytes() const {
  state_->device.use();
  return state_->device.free_memory();
}

const Algorithm& LargeCheck::kernels(const Result& result) {
  const auto made = [](const char* name, const char* more) {
    Algorithm a;
    a.name = name;
    a.file = std::string(name) + ".cuh";
    a.text = std::string(check_kernels) + more;
    a.results = {&Result::copy};
    return a;
  };
  static const Algorithm plain = made("large_check", ""), sorting = made("sorting_check", check_sorting),
                         areas = made("area_check", check_areas),
                         recurrence = made("recurrence_check", check_recurrence), selection = [&] {
                           Algorithm a = made("selection_check", check_selection);
                           a.choices = {predicate_choice()};
                           return a;
                         }();
  if (result == Result::selection) return selection;
  if (result == Result::sorting) return sorting;
  if (result == Result::recurrence) return recurrence;
  return result == Result::summed_area_table ? areas : plain;
}

Message LargeCheck::mistake(const Settings& s, std::uint64_t seed) {
  return mistake(algorithm(s.algorithm), s, seed);
}

Message LargeCheck::mistake(const Algorithm& a, const Settings& s, std::uint64_t seed) {
  State& g = *state_;
  g.device.use();
  const Result& result = result_of(a, s);
  const Plan planned = plan(a, s);
  const MemoryLayout layout = memory_layout(planned, element_bytes(s));
  g.input.reserve(layout.inputs);
  g.output.reserve_filled(layout.outputs, 0xA5);
  g.scratch.reserve(layout.scratch);
  g.first_wrong.reserve_filled(sizeof(unsigned), 0xff);

  Settings plain = s;
  plain.choices.clear();  // the checking kernels have no variants, except the predicate
  if (result == Result::selection && !s.choice("predicate").empty())
    plain.choices["predicate"] = s.choice("predicate");
  plain.without_barrier = 0;
  const ReadyKernel run = ready_kernel(g.device, g.kernels.of(a, s, Mode::fast), planned, element_bytes(s),
                                       g.input.address(), g.output.address(), g.scratch.address());
  const Loaded& program = g.checking.of(kernels(result), plain, Mode::fast);
  const auto make_data = [&] {
    for (std::size_t b = 0; b < planned.inputs().size(); ++b) {
      const DeviceAddress to = g.input.address() + layout.at[b];
      const auto count = slot(static_cast<int>(planned.buffers[b].count));
      if (planned.buffers[b].cells == Cells::words) g.queue(program, "number_words", {to, count});
      else g.queue(program, "make_data", {to, count, slot(static_cast<int>(seed))});
    }
  };
  make_data();
  g.wait();
  const auto begin = std::chrono::steady_clock::now();
  run.begin(g.stream);
  run.queue(g.stream, ++g.runs);
  g.wait();
  g.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // The kernel has overwritten its input, so the original input is made again.
  if (a.writes_input) make_data();
  g.wait();

  const State::Memory memory{program, s, planned, layout};
  if (result == Result::selection) return g.mistake_of_selection(memory);
  if (result == Result::sorting) return g.mistake_of_sorting(memory);
  if (result == Result::summed_area_table || result == Result::recurrence)
    return g.mistake_of_sums(memory, result);
  if (result == Result::reduction) {
    const Value is = g.read(g.output, 0, s), due = g.expected_total(program, s);
    return is == due ? Message{} : say::wrong_element(0, exact_text(is, s), exact_text(due, s));
  }
  const bool is_exclusive = result == Result::exclusive_scan;
  if (result == Result::copy)
    g.queue(program, "check_copy",
            {g.input.address(), g.output.address(), g.first_wrong.address(), slot(s.n)});
  else
    g.queue(program, "check_scan",
            {g.input.address(), g.output.address(), g.first_wrong.address(), slot(s.n), slot(is_exclusive)});
  g.wait();
  unsigned wrong = 0;
  g.first_wrong.read(&wrong, sizeof wrong);
  if (wrong == UINT32_MAX) return {};
  const std::int64_t i = wrong;
  const Value due = result == Result::copy ? g.read(g.input, i, s)
                    : i == 0
                        ? (is_exclusive ? identity(s) : g.read(g.input, 0, s))
                        : combination(s)(g.read(g.output, i - 1, s), g.read(g.input, i - is_exclusive, s));
  return say::wrong_element(i, exact_text(g.read(g.output, i, s), s), exact_text(due, s));
}

}  // namespace upsweep
