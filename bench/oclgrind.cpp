// Compares Oclgrind, a simulator of OpenCL devices, with the emulator. Both run the same reduction on one
// core. Prints how many threads each simulator runs per second of CPU time.
//
// The comparison favours Oclgrind: it runs without its checks, but the emulator records everything.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/heap.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int elements = 1024, threads = 512, runs = 5;

// kernels/reduce_sequential.cuh in OpenCL. Each work-group reduces 1,024 numbers.
constexpr const char* text = R"(
__kernel void reduce_sequential(__global const float* in, __global float* out) {
  __local float temp[1024];
  const int t = get_local_id(0);
  const int middle = 512;
  in += get_group_id(0) * 1024;
  temp[t] = in[t];
  temp[t + middle] = in[t + middle];
  for (int stride = middle; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < stride) temp[t] = temp[t] + temp[t + stride];
  }
  if (t == 0) out[get_group_id(0)] = temp[0];
}
)";

double seconds_of(const rusage& u) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}
double cpu_seconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return seconds_of(usage);
}

// Returns the CPU time that Oclgrind takes for `groups` work-groups, including its start.
double oclgrind_seconds(const std::filesystem::path& folder, int groups) {
  std::ofstream(folder / "reduce.cl") << text;
  std::ofstream(folder / "reduce.sim") << fmt::format(
      "reduce.cl\nreduce_sequential\n{} 1 1\n{} 1 1\n\n<size={} fill=1 float>\n<size={} fill=0 float dump>\n",
      groups * threads, threads, groups * elements * 4, groups * 4);
  const double before = cpu_seconds(RUSAGE_CHILDREN);
  const std::string command =
      fmt::format("cd '{}' && oclgrind-kernel --num-threads 1 reduce.sim 2>&1", folder.string());
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("Oclgrind cannot be started.");
  std::string said;
  char part[4096];
  while (const std::size_t size = std::fread(part, 1, sizeof part, pipe)) said.append(part, size);
  pclose(pipe);
  if (said.find(fmt::format("out[{}] = {}\n", groups - 1, elements)) == said.npos)
    throw std::runtime_error("Oclgrind's sums are wrong: " + said);
  return cpu_seconds(RUSAGE_CHILDREN) - before;
}

double oclgrind_threads_per_second() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("upsweep-oclgrind-{}", getpid());
  std::filesystem::create_directories(folder);
  constexpr int few = 1, many = 65;
  double few_seconds = 1e9, many_seconds = 1e9;
  for (int run = 0; run < runs; ++run) {
    few_seconds = std::min(few_seconds, oclgrind_seconds(folder, few));
    many_seconds = std::min(many_seconds, oclgrind_seconds(folder, many));
  }
  std::filesystem::remove_all(folder);
  return (many - few) * threads / (many_seconds - few_seconds);
}

double emulator_threads_per_second() {
  const Settings s{.algorithm = "reduce_sequential", .n = elements, .block = threads};
  const std::vector<Value> input = seeded_data(s, 1);
  Emulator emulator({.threads = 1});
  constexpr int times = 500;
  double least = 1e9;
  for (int run = 0; run < runs; ++run) {
    const double before = cpu_seconds(RUSAGE_SELF);
    for (int i = 0; i < times; ++i)
      if (emulator.record(s, input).events.empty())
        throw std::runtime_error("The emulator recorded nothing.");
    least = std::min(least, cpu_seconds(RUSAGE_SELF) - before);
  }
  return times * threads / least;
}

void run() {
  const double ours = emulator_threads_per_second();
  fmt::print("emulator: {:.2f} million threads/s, everything recorded\n", 1e-6 * ours);
  if (std::system("command -v oclgrind-kernel > /dev/null") != 0) {
    fmt::print("Oclgrind is not installed: install it with apt-get install oclgrind, then run this again.\n");
    return;
  }
  const double theirs = oclgrind_threads_per_second();
  fmt::print("Oclgrind: {:.3f} million threads/s, without its checks\nemulator / Oclgrind: {:.1f}\n",
             1e-6 * theirs, ours / theirs);
}

}  // namespace
}  // namespace upsweep

int main() {
  upsweep::keep_freed_memory();
  try {
    upsweep::run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 1;
  }
}
