// Checks the results of kernels and of libraries before they are measured.
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/inputs.hpp"
#include "measure/gpu_bench_state.hpp"
#include "measure/peers.hpp"

namespace upsweep {
namespace {

// Returns the second number of each pair.
std::vector<Value> second_numbers(const std::vector<Value>& pairs, Scalar type) {
  std::vector<Value> numbers;
  const auto width = static_cast<std::size_t>(scalar_bytes(type));
  for (const Value& pair : pairs) {
    Value& number = numbers.emplace_back();
    std::memcpy(number.data(), reinterpret_cast<const char*>(pair.data()) + width, width);
  }
  return numbers;
}

}  // namespace

std::vector<Value> GpuBench::State::data_to_check(const Settings& s, DataBytes room, std::size_t width) {
  constexpr std::uint64_t exact = 2;  // for an even seed, random_data() returns floats whose sums are exact
  std::vector<Value> data = random_data(s, exact);
  const std::vector<std::byte> bytes = packed(data, width);
  check_input.reserve(room.inputs);
  check_input.write(bytes.data(), bytes.size());
  check_output.reserve_filled(room.outputs, 0xA5);
  return data;
}

std::vector<Value> GpuBench::State::kernel_data_to_check(const Settings& s, const Plan& planned) {
  const MemoryLayout layout = memory_layout(planned, element_bytes(s));
  const auto width_of = [&](std::size_t buffer) {
    return static_cast<std::size_t>(cell_bytes(planned.buffers[buffer].cells, element_bytes(s)));
  };
  std::vector<Value> data = data_to_check(s, {layout.inputs, layout.outputs}, width_of(0));
  const Contents more = more_inputs(planned, s, data);
  for (std::size_t b = 0; b < more.size(); ++b) {
    const std::vector<std::byte> bytes = packed(more[b], width_of(b + 1));
    if (!bytes.empty())
      upsweep::check(
          driver().cuMemcpyHtoD_v2(check_input.address() + layout.at[b + 1], bytes.data(), bytes.size()),
          MessageId::copying_to_gpu);
  }
  return data;
}

std::vector<Value> GpuBench::State::measured_data_to_check(const Settings& s, const Result& what,
                                                           DataBytes room) {
  check_input.reserve(room.inputs);
  check_output.reserve_filled(room.outputs, 0xA5);
  fill(check_input.address(), room.first, s, filling_of(what));
  number(check_input.address() + room.first, room.inputs - room.first);
  wait(0.1, MessageId::filling_memory);
  return read(check_input, s, s.n);
}

Message GpuBench::State::mistake_of_npp(const Settings& s) {
  const DataBytes room = npp.data_bytes(Result::summed_area_table, s);
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(s.n));
  std::vector<Value> data;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<std::uint8_t>((i + 1) * 0x9e3779b97f4a7c15ull >> 56);
    data.push_back({pixels[i]});
  }
  check_input.reserve(room.inputs);
  check_input.write(pixels.data(), pixels.size());
  check_output.reserve_filled(room.outputs, 0xA5);
  npp.run(Result::summed_area_table, s, {check_input.address(), check_output.address()}, stream);
  wait(0, MessageId::running_library);
  std::vector<std::uint32_t> table(room.outputs / sizeof(std::uint32_t));
  check_output.read(table.data(), room.outputs);
  std::vector<Value> output;
  const auto columns = static_cast<std::size_t>(data_columns(s)),
             pitch = Npp::row_bytes(s) / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    output.push_back({table[(i / columns + 1) * pitch + i % columns + 1]});
  return upsweep::check(Result::summed_area_table, s, data, output);
}

Message GpuBench::mistake(const Settings& s) {
  State& g = *state_;
  g.device.use();
  const Plan planned = plan(s);
  const std::vector<Value> data = g.kernel_data_to_check(s, planned);
  g.check_scratch.reserve(scratch_bytes(s));
  const ReadyKernel run = g.ready(s, g.check_input.address(), g.check_output.address(), g.check_scratch);
  run.begin(g.stream);
  run.queue(g.stream, ++g.runs);
  g.wait(0, MessageId::running_kernel);
  const MemoryLayout layout = memory_layout(planned, element_bytes(s));
  Contents outputs;
  for (const GlobalBuffer& b : planned.outputs()) {
    const std::size_t at = layout.at[planned.inputs().size() + outputs.size()];
    const auto width = static_cast<std::size_t>(cell_bytes(b.cells, element_bytes(s)));
    std::vector<std::byte> bytes(static_cast<std::size_t>(b.count) * width);
    if (!bytes.empty()) g.stream.read(bytes.data(), g.check_output.address() + at, bytes.size());
    outputs.push_back(unpacked(bytes, width));
  }
  const std::vector<Value> first = std::move(outputs.front());
  outputs.erase(outputs.begin());
  return check(s, {data}, {first, outputs});
}

Message GpuBench::mistake(const Settings& s, const Result& of_library) {
  State& g = *state_;
  g.device.use();
  if (is_of_npp(of_library)) return g.mistake_of_npp(s);
  const DataBytes room = data_bytes(s, of_library);
  const bool moves = of_library == Result::selection || of_library == Result::sorting;
  const std::vector<Value> data = moves
                                      ? g.measured_data_to_check(s, of_library, room)
                                      : g.data_to_check(s, room, static_cast<std::size_t>(element_bytes(s)));
  const std::uint64_t scratch = scratch_bytes(s, of_library);
  g.check_scratch.reserve(scratch);
  g.cub.run(of_library, s,
            {g.check_input.address(), g.check_output.address(), g.check_scratch.address(), scratch},
            g.stream);
  g.wait(0, MessageId::running_library);
  int count = of_library.size(s);
  if (of_library == Result::selection) g.check_scratch.read(&count, sizeof count);
  if (count < 0 || count > s.n) return say::library_counts(count, s.n);
  const std::vector<Value> output = State::read(g.check_output, s, count);
  if (of_library == Result::recurrence) return check(of_library, s, data, second_numbers(output, s.type));
  if (!sorts_pairs(s)) return check(of_library, s, data, output);
  std::vector<std::byte> moved(static_cast<std::size_t>(s.n) * sizeof(unsigned));
  g.stream.read(moved.data(), g.check_output.address() + room.first, moved.size());
  return check(of_library, s, data, {output, {unpacked(moved, sizeof(unsigned))}});
}

}  // namespace upsweep
