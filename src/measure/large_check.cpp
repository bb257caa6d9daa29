#include "measure/large_check.hpp"

#include <chrono>
#include <numeric>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/predicate.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/check_kernels.hpp"
#include "measure/random_bits.hpp"
#include "measure/ready_launch.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr unsigned parts = 1 << 14;  // parts of an input; one thread works on each part

}  // namespace

struct LargeCheck::State {
  Device device;
  Stream stream;
  // The checking kernels have a separate LoadedKernels object. In a common object, loading a checking kernel
  // could unload the kernel under test.
  LoadedKernels kernels{device}, checking{device};
  Buffer input, output, scratch, totals, first_wrong;
  int runs = 0;
  double seconds = 0;  // the seconds of the latest run
  // Queues a checking kernel. If `blocks` is 0, chooses enough blocks to keep the GPU busy.
  void queue(const Loaded& program, const char* kernel, std::vector<std::uint64_t> slots,
             unsigned blocks = 0) {
    if (blocks == 0) blocks = static_cast<unsigned>(16 * device.multiprocessors());
    ReadyLaunch{program.functions.at(kernel), {blocks}, {256}, 0, std::move(slots)}.queue(stream);
  }

  // A run that is checked, its plan, and the kernels that check the output of the run.
  struct Run {
    const Settings& s;
    const Result& result;
    const Plan& planned;
    const MemoryLayout& layout;
    const Loaded& program;
  };

  // Fills all inputs of the run. An input of words gets the numbers 0, 1, 2, ... Other inputs get random data
  // that depends on the seed.
  void make_data(const Run& r, std::uint64_t seed) {
    for (std::size_t b = 0; b < r.planned.inputs().size(); ++b) {
      const DeviceAddress to = input.address() + r.layout.at[b];
      const auto count = slot(static_cast<int>(r.planned.buffers[b].count));
      const Cells cells = r.planned.buffers[b].cells;
      if (cells == Cells::words) queue(r.program, "number_words", {to, count});
      else if (cells == Cells::pixels)
        queue(r.program, "make_pixels",
              {to, aligned(count) / sizeof(unsigned), slot(static_cast<int>(seed))});
      else queue(r.program, "make_data", {to, count, slot(static_cast<int>(seed))});
    }
    wait();
  }

  Value read(const Buffer& from, std::int64_t index, const Settings& s) const {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    std::vector<std::byte> bytes(width);
    stream.read(bytes.data(), from.address() + static_cast<std::size_t>(index) * width, width);
    return unpacked(bytes, width)[0];
  }
  // Returns the address of an output. The first output has the number 0.
  DeviceAddress output_at(const Run& r, std::size_t number) const {
    return output.address() + r.layout.at[r.planned.inputs().size() + number];
  }
  // Returns the index of the first element that the queued kernels found wrong. Returns nullopt if all
  // elements are correct.
  std::optional<std::int64_t> wrong_index() const {
    wait();
    unsigned wrong = 0;
    first_wrong.read(&wrong, sizeof wrong);
    return wrong == UINT32_MAX ? std::nullopt : std::optional<std::int64_t>(wrong);
  }
  Message wrong_place(const Run& r) const {
    const auto i = wrong_index();
    const Settings shown = output_settings(r.result, r.s);
    return i ? say::wrong_place(*i, exact_text(read(output, *i, shown), shown)) : Message{};
  }

  Message mistake_of_selection(const Run& r) {
    totals.reserve(parts * sizeof(unsigned));
    queue(r.program, "count_kept", {input.address(), totals.address(), slot(r.s.n)}, parts / 256);
    wait();
    std::vector<unsigned> counts(parts);
    totals.read(counts.data(), parts * sizeof(unsigned));
    const unsigned due = std::accumulate(counts.begin(), counts.end(), 0u);
    unsigned kept = 0;
    stream.read(&kept, output_at(r, 1), sizeof kept);
    if (kept != due) return say::wrong_word("kept", 0, kept, due);
    std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), 0u);
    totals.write(counts.data(), parts * sizeof(unsigned));
    queue(r.program, "check_kept",
          {input.address(), output.address(), totals.address(), first_wrong.address(), slot(r.s.n)},
          parts / 256);
    return wrong_place(r);
  }

  Message mistake_of_sorting(const Run& r) {
    if (sorts_pairs(r.s)) {
      queue(r.program, "check_values",
            {input.address(), output.address(), output_at(r, 1), first_wrong.address(), slot(r.s.n)});
    } else {
      totals.reserve_filled(4 * sizeof(unsigned), 0);
      queue(r.program, "hash_keys", {input.address(), totals.address(), slot(r.s.n)});
      queue(r.program, "hash_keys", {output.address(), totals.address() + 2 * sizeof(unsigned), slot(r.s.n)});
      wait();
      unsigned sums[4];
      totals.read(sums, sizeof sums);
      if (sums[0] != sums[2] || sums[1] != sums[3]) return say::other_keys();
    }
    queue(r.program, "check_order", {output.address(), first_wrong.address(), slot(r.s.n)});
    return wrong_place(r);
  }

  Message mistake_of_recurrence(const Run& r) {
    queue(r.program, "check_recurrence",
          {input.address(), output.address(), first_wrong.address(), slot(r.s.n)});
    return wrong_place(r);
  }

  Message mistake_of_table(const Run& r) {
    queue(r.program, "check_areas",
          {input.address(), output.address(), first_wrong.address(), slot(input_size(r.s)),
           slot(data_columns(r.s) * channels(r.s)), slot(channels(r.s))});
    return wrong_place(r);
  }

  Message mistake_of_reduction(const Run& r) {
    const Value is = read(output, 0, r.s), due = expected_total(r.program, r.s);
    return is == due ? Message{} : say::wrong_element(0, exact_text(is, r.s), exact_text(due, r.s));
  }

  Message mistake_of_copy(const Run& r) {
    queue(r.program, "check_copy", {input.address(), output.address(), first_wrong.address(), slot(r.s.n)});
    const auto i = wrong_index();
    return i ? wrong_element(r, *i, read(input, *i, r.s)) : Message{};
  }

  Message mistake_of_scan(const Run& r) {
    const bool exclusive = r.result == Result::exclusive_scan;
    queue(r.program, "check_scan",
          {input.address(), output.address(), first_wrong.address(), slot(r.s.n), slot(exclusive)});
    const auto i = wrong_index();
    if (!i) return {};
    if (*i == 0) return wrong_element(r, 0, exclusive ? identity(r.s) : read(input, 0, r.s));
    return wrong_element(r, *i,
                         combination(r.s)(read(output, *i - 1, r.s), read(input, *i - exclusive, r.s)));
  }

  Message wrong_element(const Run& r, std::int64_t i, const Value& due) const {
    return say::wrong_element(i, exact_text(read(output, i, r.s), r.s), exact_text(due, r.s));
  }

  Message mistake_of(const Run& r) {
    if (r.result == Result::reduction) return mistake_of_reduction(r);
    if (r.result == Result::copy) return mistake_of_copy(r);
    if (r.result == Result::selection) return mistake_of_selection(r);
    if (r.result == Result::sorting) return mistake_of_sorting(r);
    if (r.result == Result::recurrence) return mistake_of_recurrence(r);
    if (r.result == Result::summed_area_table) return mistake_of_table(r);
    return mistake_of_scan(r);
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
  return !(result == Result::transpose) && !(result == Result::allocation);
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
  const auto checking = [](const char* name, const char* more) {
    Algorithm a;
    a.name = name;
    a.file = std::string(name) + ".cuh";
    a.text = std::string(random_bits_source) + check_kernels + more;
    a.results = {&Result::copy};
    return a;
  };
  static const Algorithm plain = checking("large_check", ""),
                         sorting = checking("sorting_check", check_sorting),
                         areas = checking("area_check", check_areas),
                         recurrence = checking("recurrence_check", check_recurrence), selection = [&] {
                           Algorithm a = checking("selection_check", check_selection);
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
  plain.choices.clear();  // the checking kernels have only the choices below
  if (result == Result::selection) plain.choices["predicate"] = chosen_predicate(s);
  if (pixels_are_bytes(s)) plain.choices["pixels"] = "bytes";
  plain.without_barrier = 0;
  const ReadyKernel run = ready_kernel(g.device, g.kernels.of(a, s, Mode::fast), planned, element_bytes(s),
                                       g.input.address(), g.output.address(), g.scratch.address());
  const State::Run checked{s, result, planned, layout, g.checking.of(kernels(result), plain, Mode::fast)};
  g.make_data(checked, seed);
  const auto begin = std::chrono::steady_clock::now();
  run.begin(g.stream);
  run.queue(g.stream, ++g.runs);
  g.wait();
  g.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (a.writes_input) g.make_data(checked, seed);  // because the kernel has overwritten its input
  return g.mistake_of(checked);
}

}  // namespace upsweep
