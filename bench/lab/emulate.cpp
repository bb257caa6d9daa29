// Runs the lab's kernels on the CPU under random schedules and checks every element, and for the
// deterministic ones every bit of a second run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

// clang-format off
#include "emulated.hpp"
#include "designs.cuh"  // needs emulated.hpp
// clang-format on

using namespace lab;

static int failures = 0, checks = 0;
static unsigned tag = 2;

template <class T>
T value(double x) {
  if constexpr (std::is_same_v<T, __half>) return __float2half_rn((float)x);
  else return (T)x;
}
template <class T>
double number(T x) {
  if constexpr (std::is_same_v<T, __half>) return __half2float(x);
  else return (double)x;
}

template <class T, class Kernel>
void check(const char* name, Kernel kernel, long n, int tiles, dev::Launch launch, bool deterministic,
           bool reduction = false) {
  std::mt19937 random(launch.seed);
  std::vector<unsigned char> sums(1 << 16), heads(1 << 14);
  unsigned ticket = 0;
  const auto buffer = [](size_t bytes) { return (T*)std::aligned_alloc(128, (bytes + 127) / 128 * 128); };
  T *in = buffer(n * sizeof(T)), *out = buffer(n * sizeof(T)), *again = buffer(n * sizeof(T));
  for (int fractions = 0; fractions < 2; ++fractions) {
    // Whole numbers whose prefixes stay small are exact in every type; fractions show the order of additions.
    std::vector<double> expected(n);
    double before = 0;
    for (long i = 0; i < n; ++i) {
      const double now = random() % 1000;
      in[i] = value<T>(fractions ? random() / 4e9 : now - before);
      expected[i] = before = now;
    }
    for (int turn = 0; turn < 3; ++turn) {
      Job<T> job{in, out, tiles, sums.data(), heads.data(), &ticket, tag, {}};
      tag += 2, launch.seed += 77;
      std::memset((void*)out, 0xff, n * sizeof(T));
      dev::run(launch, [&] { kernel(job); });
      ++checks;
      if (ticket != 0) ++failures, printf("FAILED %s: the ticket counter was left at %u\n", name, ticket);
      if (!fractions) {
        long bad = 0;
        if (reduction) bad = number(out[0]) != expected[n - 1];
        else
          for (long i = 0; i < n; ++i) bad += number(out[i]) != expected[i];
        if (bad) ++failures, printf("FAILED %s: %ld of %ld elements wrong\n", name, bad, n);
      } else if (deterministic) {
        const size_t bytes = (reduction ? 1 : n) * sizeof(T);
        if (turn > 0 && std::memcmp(out, again, bytes) != 0)
          ++failures, printf("FAILED %s: two runs differ\n", name);
        std::memcpy((void*)again, out, bytes);
      }
    }
  }
  std::free(in), std::free(out), std::free(again);
  printf("%s: %d tiles\n", name, tiles), fflush(stdout);
}

template <class T>
void all(const char* type, unsigned seed) {
  constexpr int per16 = 16 / sizeof(T);
  const auto named = [&](const char* s) { return std::string(s) + " " + type; };
  using Wide1 = LookWide<1>;
  using Wide2 = LookWide<2>;
  using Groups1 = LookGroups<1>;
  using Groups2 = LookGroups<2>;
  using Walk1 = LookWalk<1>;
  using Walk2 = LookWalk<2>;
  using A = SumOf<T>;
  const auto elements = [](int tiles, int warps, int r) { return (long)tiles * warps * r * 32 * per16; };
#define ON(...) [](const Job<T>& job) { __VA_ARGS__(job); }
  check<T>(named("A wide<1> ticket").c_str(), ON(scan_blocks<T, 2, 2, 1, Wide1, 0, true>), elements(90, 2, 2),
           90, {90, 64, sizeof(MemoryA<A, 2>), 1, 7, false, seed}, false);
  check<T>(named("A wide<2> by block").c_str(), ON(scan_blocks<T, 2, 1, 1, Wide2, 0, false>),
           elements(150, 2, 1), 150, {150, 64, sizeof(MemoryA<A, 2>), 1, 9, true, seed}, false);
  check<T>(named("A groups<1> ticket").c_str(), ON(scan_blocks<T, 2, 1, 1, Groups1, 0, true>),
           elements(150, 2, 1), 150, {150, 64, sizeof(MemoryA<A, 2>), 1, 9, false, seed}, true);
  check<T>(named("A groups<2> ticket").c_str(), ON(scan_blocks<T, 1, 2, 1, Groups2, 0, true>),
           elements(330, 1, 2), 330, {330, 32, sizeof(MemoryA<A, 1>), 1, 20, false, seed}, true);
  check<T>(named("S").c_str(), ON(scan_small<T, 2, 2, 1, 0, true>), elements(100, 2, 2), 100,
           {100, 64, sizeof(MemoryS<A, 2>), 1, 9, false, seed}, true);
  {
    using M = MemoryB1<A, 4, 4 * 512, 4>;
    check<T>(named("B1 ticket").c_str(), ON(scan_ring<T, 4, 1, 4, 2, 2, 1, Groups1, 0, when_needed, false>),
             elements(110, 4, 1), 110, {3, 9 * 32, sizeof(M), 1, 3, false, seed}, true);
    check<T>(named("B1 one ahead bulk").c_str(),
             ON(scan_ring<T, 4, 1, 4, 2, 3, 1, Groups1, 0, one_ahead, true>), elements(110, 4, 1), 110,
             {4, 10 * 32, sizeof(M), 1, 4, false, seed}, true);
    check<T>(named("B1 wide, few tiles").c_str(),
             ON(scan_ring<T, 4, 1, 4, 4, 1, 1, Wide1, 0, when_needed, true>), elements(2, 4, 1), 2,
             {4, 10 * 32, sizeof(M), 1, 2, false, seed}, false);
    check<T>(named("B1 walk<1>").c_str(), ON(scan_ring<T, 4, 1, 4, 2, 1, 1, Walk1, 0, when_needed, false>),
             elements(110, 4, 1), 110, {3, 8 * 32, sizeof(M), 1, 3, false, seed}, true);
    check<T>(named("B1 walk<2> bulk").c_str(), ON(scan_ring<T, 4, 1, 4, 2, 3, 1, Walk2, 0, one_ahead, true>),
             elements(200, 4, 1), 200, {3, 10 * 32, sizeof(M), 1, 3, false, seed}, true);
    check<T>(named("B1 by turns").c_str(), ON(scan_ring<T, 4, 1, 4, 1, 2, 1, Groups1, 0, by_turns, false>),
             elements(47, 4, 1), 47, {3, 8 * 32, sizeof(M), 1, 3, false, seed}, true);
  }
  {
    using M = MemoryB2<A, 4, 2 * 2 * 512, 2, 3>;
    check<T>(named("B2 ticket").c_str(), ON(scan_groups<T, 2, 2, 3, 4, 1, Groups1, 0, when_needed>),
             elements(110, 2, 2), 110, {3, 10 * 32, sizeof(M), 1, 3, false, seed}, true);
    check<T>(named("B2 one ahead wide").c_str(), ON(scan_groups<T, 2, 2, 3, 4, 1, Wide1, 0, one_ahead>),
             elements(110, 2, 2), 110, {5, 10 * 32, sizeof(M), 1, 3, false, seed}, false);
    check<T>(named("B2 walk<2>").c_str(), ON(scan_groups<T, 2, 2, 3, 4, 1, Walk2, 0, when_needed>),
             elements(200, 2, 2), 200, {4, 10 * 32, sizeof(M), 1, 4, false, seed}, true);
    check<T>(named("B2 by turns, few tiles").c_str(), ON(scan_groups<T, 2, 2, 3, 4, 1, Groups1, 0, by_turns>),
             elements(2, 2, 2), 2, {3, 10 * 32, sizeof(M), 1, 3, false, seed}, true);
  }
  check<T>(named("C ticket").c_str(), ON(scan_clusters<T, 4, 2, 1, 1, Groups1, 0, true>),
           elements(70 * 4, 2, 1), 70, {70 * 4, 64, sizeof(MemoryC<A, 2, 4>), 4, 3, false, seed}, true);
  check<T>(named("C by block").c_str(), ON(scan_clusters<T, 2, 2, 1, 1, Wide1, 0, false>),
           elements(70 * 2, 2, 1), 70, {70 * 2, 64, sizeof(MemoryC<A, 2, 2>), 2, 3, true, seed}, false);
  check<T>(named("D ahead 1").c_str(), ON(scan_windows<T, 2, 1, 3, 1, 1, 0>), elements(3 * 50, 2, 1), 50,
           {4, 64, sizeof(MemoryD<A, 2>), 1, 4, false, seed}, true);
  check<T>(named("D ahead 2").c_str(), ON(scan_windows<T, 2, 2, 1, 2, 1, 0>), elements(41, 2, 2), 41,
           {4, 64, sizeof(MemoryD<A, 2>), 1, 4, false, seed}, true);
  {
    const int vectors = 7777;
    check<T>(named("R1").c_str(), ON(reduce_wide<T, 2, 4, 1, 0>), (long)vectors * per16, vectors,
             {5, 64, sizeof(MemoryR<A, 2>), 1, 3, false, seed}, true, true);
    using M = MemoryR2<A, 3, 2 * 2 * 512, 2>;
    check<T>(named("R2").c_str(), ON(reduce_ring<T, 2, 2, 3, 1, 0>), elements(31, 2, 2), 31,
             {5, 96, sizeof(M), 1, 3, false, seed}, true, true);
  }
#undef ON
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int r = 0; r < rounds; ++r) {
    all<float>("float32", 1 + 1000 * r);
    all<__half>("float16", 2 + 1000 * r);
    all<long long>("int64", 3 + 1000 * r);
  }
  printf("%d passed, %d failed\n", checks - failures, failures);
  return failures != 0;
}
