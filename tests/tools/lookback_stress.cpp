// lookback_stress [COUNT]: runs COUNT scans (default: 100,000) with decoupled look-back on the GPU, and
// checks every element. Each scan has a random size, a random variant, and random delays at volatile accesses
// and fences (kernels/vocabulary/gpu_delayed.cuh). Exits with 1 if a scan never ends or is wrong.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <random>

#include "catalogue/data.hpp"
#include "machine/gpu/gpu.hpp"
#include "support/compile_cases.hpp"
#include "words/in_words.hpp"

int main(int argc, char** argv) {
  using namespace upsweep;
  const int count = argc > 1 ? std::atoi(argv[1]) : 100000;
  try {
    const Algorithm& a = algorithm("scan_decoupled_lookback");
    Gpu gpu;
    std::mt19937 random(1);
    const auto drawn = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };

    // A compiled program, its input and the correct scan of this input. For a smaller n, the first n elements
    // of the scan are the correct result.
    struct Program {
      Settings s;
      std::vector<Value> input, scanned;
    };
    std::vector<Program> programs;
    constexpr int largest = 30000;
    for (Settings s : every_choice(a))
      for (const Operator op : {Operator::sum, Operator::affine}) {
        s.type = Scalar::int32;
        s.op = op;
        s.n = largest;
        std::vector<Value> input = upsweep::random_data(s, programs.size());
        std::vector<Value> scanned = oracle(s, input);
        programs.push_back({s, std::move(input), std::move(scanned)});
      }
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    for (int i = 0; i < count; ++i) {
      const Program& p = programs[static_cast<std::size_t>(drawn(0, static_cast<int>(programs.size()) - 1))];
      Settings s = p.s;
      s.n = drawn(0, 3) == 0 ? drawn(1, 300) : drawn(300, largest);
      s.block = 32 << drawn(0, 3);
      const std::vector<Value> input(p.input.begin(), p.input.begin() + s.n);
      const std::vector<Value> output = gpu.run_delayed(s, input, random());
      for (std::size_t k = 0; k < output.size(); ++k)
        if (output[k] != p.scanned[k])
          throw WorkError(fmt::format("Scan {} ({}): element {} is wrong.", i, describe(s), k));
      if ((i + 1) % 10000 == 0)
        fmt::print("{} scans after {:.1f} s\n", i + 1, seconds()), std::fflush(stdout);
    }
    fmt::print("{} scans right, none hung; {} programs, 1 to {} elements; {:.1f} s\n", count, programs.size(),
               largest, seconds());
  } catch (const std::exception& e) {
    fmt::print("{}\n", in_words(e));
    std::fflush(stdout);
    std::_Exit(1);  // a kernel that never ends would prevent a normal exit
  }
  return 0;
}
