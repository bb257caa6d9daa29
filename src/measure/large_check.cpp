#include "measure/large_check.hpp"

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/check_kernels.hpp"
#include "measure/ready_launch.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr unsigned parts = 1 << 14;  // parts of a reduction's input; one thread combines each part

Value value_from(const std::vector<std::byte>& bytes, std::size_t width) { return unpacked(bytes, width)[0]; }

}  // namespace

struct LargeCheck::State {
  Device device;
  Stream stream;
  // The checking kernels have a store of their own. If both shared one, loading these kernels could unload
  // the kernel under test.
  LoadedKernels kernels{device}, checking{device};
  Buffer input, output, scratch, totals, first_wrong;
  int runs = 0;
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

bool LargeCheck::can_compare(const Result& result) {
  return result == Result::reduction || result == Result::inclusive_scan ||
         result == Result::exclusive_scan || result == Result::copy;
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

const Algorithm& LargeCheck::kernels() {
  static const Algorithm made = [] {
    Algorithm a;
    a.name = "large_check";
    a.file = "check_kernels.cuh";
    a.text = check_kernels;
    a.results = {&Result::copy};
    return a;
  }();
  return made;
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
  plain.choices.clear();  // the checking kernels have no variants
  plain.without_barrier = 0;
  const ReadyKernel run = ready_kernel(g.device, g.kernels.of(a, s, Mode::fast), planned, element_bytes(s),
                                       g.input.address(), g.output.address(), g.scratch.address());
  const Loaded& program = g.checking.of(kernels(), plain, Mode::fast);
  const auto make_data = [&] {
    for (std::size_t b = 0; b < planned.inputs().size(); ++b) {
      const DeviceAddress to = g.input.address() + layout.at[b];
      const auto count = slot(static_cast<int>(planned.buffers[b].count));
      if (planned.buffers[b].cells == Cells::words) g.queue(program, "number_words", {to, count});
      else g.queue(program, "make_data", {to, count, slot(static_cast<int>(seed))});
    }
  };
  make_data();
  run.begin(g.stream);
  run.queue(g.stream, ++g.runs);
  // The kernel has overwritten its input, so the original input is made again.
  if (a.writes_input) make_data();
  g.wait();

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
