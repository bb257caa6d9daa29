// The configurations the lab tries. Compiled once for each part (LAB_PART 0: float32, 1: float16, 2:
// int64, 3: reductions and copies), since together they would take one compiler long.
#include <algorithm>
#include <cstdio>

#include "lab.hpp"
// clang-format off
#include "device.cuh"
#include "designs.cuh"  // needs device.cuh
// clang-format on

namespace lab {
namespace {

template <class T>
constexpr Type type_of = Type::any;
template <>
constexpr Type type_of<float> = Type::float32;
template <>
constexpr Type type_of<__half> = Type::float16;
template <>
constexpr Type type_of<long long> = Type::int64;

template <class T>
cudaError_t launch(const Config& c, const Arguments& a, cudaStream_t stream) {
  const int tiles = (int)(a.bytes / c.tile_bytes);
  Job<T> job{(const T*)a.in, (T*)a.out, tiles, a.sums,
             a.heads,        a.ticket,  a.tag, {a.trouble, a.configuration}};
  long long blocks = (long long)tiles * c.cluster;
  if (c.persistent) blocks = std::min<long long>(tiles, (long long)c.per_sm * c.sms * c.waves);
  if (c.kind == Kind::reduce && c.tile_bytes == 16)
    blocks = std::min<long long>((tiles + c.threads - 1) / c.threads, (long long)c.per_sm * c.sms * c.waves);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((unsigned)blocks), config.blockDim = dim3(c.threads);
  config.dynamicSmemBytes = c.shared, config.stream = stream;
  cudaLaunchAttribute cluster{};
  if (c.cluster > 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = c.cluster, cluster.val.clusterDim.y = 1, cluster.val.clusterDim.z = 1;
    config.attrs = &cluster, config.numAttrs = 1;
  }
  void* arguments[] = {&job};
  return cudaLaunchKernelExC(&config, c.kernel, arguments);
}

template <class T>
Config make(Kind kind, const char* design, const std::string& name, void (*kernel)(Job<T>), int warps,
            size_t shared, long long tile_bytes) {
  Config c;
  c.kind = kind, c.type = kind == Kind::copy ? Type::any : type_of<T>;
  c.design = design, c.name = name, c.kernel = (const void*)kernel, c.threads = warps * 32,
  c.shared = (int)shared;
  c.tile_bytes = tile_bytes, c.launch = launch<T>;
  return c;
}
template <class... Args>
std::string text(const char* format, Args... args) {
  char s[160];
  std::snprintf(s, sizeof s, format, args...);
  return s;
}

template <class Look>
struct Looks;
template <int Q>
struct Looks<LookWide<Q>> {
  static std::string name() { return text("wide%d", 32 * Q); }
};
template <int Q>
struct Looks<LookWalk<Q>> {
  static std::string name() { return text("walk%d", 32 * Q); }
};
template <int Q>
struct Looks<LookGroups<Q>> {
  static std::string name() { return text("groups%d", 32 * Q); }
};
[[maybe_unused]] const char* order_name(Order o) {
  return o == by_turns ? "turns" : o == when_needed ? "ticket" : "ahead";
}

template <class T, int WARPS, int R, int PER_SM, class Look, int HINT, bool TICKET>
void A(std::vector<Config>& list) {
  auto c = make<T>(Kind::scan, "A",
                   text("%dx%d rows, %d an SM, %s, hint %d, %s", WARPS * 32, R, PER_SM,
                        Looks<Look>::name().c_str(), HINT, TICKET ? "ticket" : "block"),
                   scan_blocks<T, WARPS, R, PER_SM, Look, HINT, TICKET>, WARPS,
                   sizeof(MemoryA<SumOf<T>, WARPS>), WARPS * R * 512);
  c.deterministic = Look::deterministic;
  list.push_back(c);
}
template <class T, int WARPS, int R, int PER_SM, int HINT, bool TICKET>
void S(std::vector<Config>& list) {
  auto c = make<T>(
      Kind::scan, "S",
      text("%dx%d rows, %d an SM, hint %d, %s", WARPS * 32, R, PER_SM, HINT, TICKET ? "ticket" : "block"),
      scan_small<T, WARPS, R, PER_SM, HINT, TICKET>, WARPS, sizeof(MemoryS<SumOf<T>, WARPS>),
      WARPS * R * 512);
  c.deterministic = true, c.max_tiles = 2200;
  list.push_back(c);
}
template <class T, int WARPS, int R, int SLOTS, int SUMMERS, int LOOKERS, int PER_SM, class Look, int HINT,
          Order ORDER, bool BULK>
void B1(std::vector<Config>& list) {
  using M = MemoryB1<SumOf<T>, SLOTS, WARPS * R * 512, WARPS>;
  static_assert(sizeof(M) * PER_SM <= (228 - PER_SM) * 1024);
  auto c = make<T>(Kind::scan, "B1",
                   text("%dx%d rows, %d slots, %d sum, %d look, %d an SM, %s, hint %d, %s%s", WARPS * 32, R,
                        SLOTS, SUMMERS, LOOKERS, PER_SM, Looks<Look>::name().c_str(), HINT, order_name(ORDER),
                        BULK ? ", bulk" : ""),
                   scan_ring<T, WARPS, R, SLOTS, SUMMERS, LOOKERS, PER_SM, Look, HINT, ORDER, BULK>,
                   1 + SUMMERS + LOOKERS + WARPS, sizeof(M), WARPS * R * 512);
  c.deterministic = Look::deterministic, c.persistent = true;
  list.push_back(c);
}
template <class T, int WARPS, int R, int GROUPS, int SLOTS, int PER_SM, class Look, int HINT, Order ORDER>
void B2(std::vector<Config>& list) {
  using M = MemoryB2<SumOf<T>, SLOTS, WARPS * R * 512, WARPS, GROUPS>;
  static_assert(sizeof(M) * PER_SM <= (228 - PER_SM) * 1024);
  auto c = make<T>(Kind::scan, "B2",
                   text("%dx%d rows, %d groups, %d slots, %d an SM, %s, hint %d, %s", WARPS * 32, R, GROUPS,
                        SLOTS, PER_SM, Looks<Look>::name().c_str(), HINT, order_name(ORDER)),
                   scan_groups<T, WARPS, R, GROUPS, SLOTS, PER_SM, Look, HINT, ORDER>,
                   1 + GROUPS * (WARPS + 1), sizeof(M), WARPS * R * 512);
  c.deterministic = Look::deterministic, c.persistent = true;
  list.push_back(c);
}
template <class T, int CLUSTER, int WARPS, int R, int PER_SM, class Look, int HINT, bool TICKET>
void C(std::vector<Config>& list) {
  auto c = make<T>(Kind::scan, "C",
                   text("cluster %d of %dx%d rows, %d an SM, %s, hint %d, %s", CLUSTER, WARPS * 32, R, PER_SM,
                        Looks<Look>::name().c_str(), HINT, TICKET ? "ticket" : "block"),
                   scan_clusters<T, CLUSTER, WARPS, R, PER_SM, Look, HINT, TICKET>, WARPS,
                   sizeof(MemoryC<SumOf<T>, WARPS, CLUSTER>), (long long)CLUSTER * WARPS * R * 512);
  c.deterministic = Look::deterministic, c.cluster = CLUSTER;
  list.push_back(c);
}
template <class T, int WARPS, int R, int TILES, int AHEAD, int PER_SM, int HINT>
void D(std::vector<Config>& list) {
  auto c = make<T>(Kind::scan, "D",
                   text("%dx%d rows, chunks of %d, %d ahead, %d an SM, hint %d", WARPS * 32, R, TILES, AHEAD,
                        PER_SM, HINT),
                   scan_windows<T, WARPS, R, TILES, AHEAD, PER_SM, HINT>, WARPS,
                   sizeof(MemoryD<SumOf<T>, WARPS>), WARPS * R * 512 * TILES);
  c.deterministic = true, c.persistent = true;
  list.push_back(c);
}
template <class T, int WARPS, int FLIGHT, int PER_SM, int HINT>
void R1(std::vector<Config>& list, int waves = 1) {
  auto c = make<T>(
      Kind::reduce, "R1",
      text("%d threads, %d in flight, %d an SM, hint %d, %d waves", WARPS * 32, FLIGHT, PER_SM, HINT, waves),
      reduce_wide<T, WARPS, FLIGHT, PER_SM, HINT>, WARPS, sizeof(MemoryR<SumOf<T>, WARPS>), 16);
  c.deterministic = true, c.waves = waves;
  list.push_back(c);
}
template <class T, int WARPS, int R, int SLOTS, int PER_SM, int HINT>
void R2(std::vector<Config>& list) {
  using M = MemoryR2<SumOf<T>, SLOTS, WARPS * R * 512, WARPS>;
  static_assert(sizeof(M) * PER_SM <= (228 - PER_SM) * 1024);
  auto c = make<T>(Kind::reduce, "R2",
                   text("%dx%d rows, %d slots, %d an SM, hint %d", WARPS * 32, R, SLOTS, PER_SM, HINT),
                   reduce_ring<T, WARPS, R, SLOTS, PER_SM, HINT>, WARPS + 1, sizeof(M), WARPS * R * 512);
  c.deterministic = true, c.persistent = true;
  list.push_back(c);
}
template <int WARPS, int R, int HINT>
void K1(std::vector<Config>& list) {
  list.push_back(make<float>(Kind::copy, "K1", text("%dx%d rows, hint %d", WARPS * 32, R, HINT),
                             copy_blocks<WARPS, R, HINT>, WARPS, 0, WARPS * R * 512));
}
template <int SLOTS, int BYTES, int PER_SM, int HINT>
void K2(std::vector<Config>& list) {
  using M = Ring<SLOTS, BYTES>;
  auto c = make<float>(Kind::copy, "K2",
                       text("%d slots of %d KB, %d an SM, hint %d", SLOTS, BYTES / 1024, PER_SM, HINT),
                       copy_ring<SLOTS, BYTES, PER_SM, HINT>, 2, sizeof(M), BYTES);
  c.persistent = true;
  list.push_back(c);
}

// The sizes that all types share: they are in bytes, and a tile's time is its bytes' time.
template <class T>
void add_scans(std::vector<Config>& l) {
  using W1 = LookWide<1>;
  using W4 = LookWide<4>;
  using G1 = LookGroups<1>;
  using G2 = LookGroups<2>;
  using G4 = LookGroups<4>;
  using K5 = LookWalk<5>;
  using K8 = LookWalk<8>;
  // B1: 32 KB tiles, 6 slots: the look-back, then orders, hints and warps; 16 KB tiles, two blocks an SM; 64
  // KB tiles.
  B1<T, 8, 8, 6, 4, 1, 1, K5, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 3, 1, K8, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 0, when_needed, true>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 0, one_ahead, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 0, by_turns, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 1, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 2, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 2, 1, K8, 2, when_needed, true>(l);
  B1<T, 8, 8, 4, 4, 2, 1, K8, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 3, 1, G2, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 3, 1, G4, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 5, 1, G4, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 3, 1, W4, 0, when_needed, false>(l);
  B1<T, 8, 8, 6, 4, 3, 1, W4, 0, by_turns, false>(l);
  B1<T, 16, 4, 6, 4, 2, 1, K8, 0, when_needed, false>(l);
  B1<T, 16, 4, 6, 8, 2, 1, K8, 0, when_needed, true>(l);
  B1<T, 16, 2, 12, 4, 4, 1, K8, 0, one_ahead, false>(l);
  B1<T, 8, 4, 6, 2, 2, 2, K8, 0, one_ahead, false>(l);
  B1<T, 8, 4, 6, 2, 2, 2, K8, 0, one_ahead, true>(l);
  B1<T, 8, 4, 6, 2, 2, 2, G4, 0, one_ahead, false>(l);
  if constexpr (sizeof(T) == 4) {
    B1<T, 16, 8, 3, 8, 1, 1, K5, 0, when_needed, false>(l);
    B1<T, 16, 8, 3, 8, 2, 1, G2, 0, when_needed, true>(l);
  }
  // Sums of 8 bytes and unpacked halves take more registers: fewer groups, and fewer blocks an SM.
  constexpr int N = sizeof(T) == 4 ? 3 : 2, P = sizeof(T) < 8 ? 4 : 3;
  // B2, 32 KB tiles: three groups of 8 warps, or of 4 with twice the registers; slots for 96 to 192 KB under
  // way.
  B2<T, 8, 8, N, 3, 1, K8, 0, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, K8, 0, when_needed>(l);
  B2<T, 8, 8, N, 6, 1, K8, 0, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, G2, 0, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, G4, 0, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, W4, 0, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, G4, 0, one_ahead>(l);
  B2<T, 8, 8, N, 4, 1, G4, 0, by_turns>(l);
  B2<T, 8, 8, N, 4, 1, G4, 1, when_needed>(l);
  B2<T, 8, 8, N, 4, 1, G4, 2, when_needed>(l);
  if constexpr (sizeof(T) > 2) {
    B2<T, 4, 8, N, 5, 2, G4, 0, one_ahead>(l);  // 16 KB tiles, two blocks an SM
    B2<T, 4, 8, N, 5, 2, K8, 0, one_ahead>(l);
    B2<T, 4, 8, 2 * N, 8, 1, G4, 0, one_ahead>(l);  // the same in one block
  }
  B2<T, 8, 4, 3, 6, 1, G4, 0, one_ahead>(l);
  if constexpr (sizeof(T) == 4) {
    B2<T, 4, 16, 3, 4, 1, G4, 0, when_needed>(l);
    B2<T, 4, 16, 3, 5, 1, K8, 0, when_needed>(l);
    B2<T, 8, 16, 2, 3, 1, G2, 0, when_needed>(l);  // 64 KB tiles
  }
  // A: 128 KB of each SM's registers hold tiles of 16, 32 or 64 KB.
  A<T, 8, 8, P, W1, 0, true>(l);  // the classic
  A<T, 8, 8, P, W1, 0, false>(l);
  A<T, 8, 8, P - 1, W4, 0, true>(l);
  A<T, 8, 8, P, G2, 0, true>(l);
  A<T, 8, 8, P, G2, 0, false>(l);
  A<T, 8, 8, P, G1, 1, false>(l);
  A<T, 8, 8, P, G1, 2, false>(l);
  A<T, 8, 8, P - 1, G4, 0, false>(l);
  A<T, 16, 8, P - 2, G1, 0, false>(l);
  A<T, 8, 16, 2, G1, 0, false>(l);
  A<T, 8, 16, 2, G1, 0, true>(l);
  A<T, 8, 16, 2, W1, 2, false>(l);
  A<T, 32, 4, 1, G2, 0, false>(l);
  A<T, 8, 4, P + 1, G2, 0, false>(l);
  A<T, 8, 4, 4, W4, 0, true>(l);
  A<T, 4, 4, 2 * P - 2, G4, 0, true>(l);  // 8 KB tiles, for some 2^22
  // C: clusters of 2 to 16 share a word.
  C<T, 2, 8, 8, P, G1, 0, true>(l);
  C<T, 4, 8, 8, P, G1, 0, true>(l);
  C<T, 4, 8, 8, P, G1, 0, false>(l);
  C<T, 8, 8, 4, P + 1, G1, 0, true>(l);
  C<T, 8, 8, 8, P, G1, 0, false>(l);
  C<T, 16, 8, 4, P + 1, G1, 0, true>(l);
  // D: windows of 132 * 64 KB and more.
  D<T, 16, 4, 2, 1, 2, 0>(l);
  D<T, 16, 4, 1, 1, 2, 0>(l);
  D<T, 16, 4, 1, 2, 2, 0>(l);
  D<T, 16, 4, 2, 1, 2, 2>(l);
  D<T, 8, 8, 1, 1, 2, 0>(l);
  // S: arrays that fit into the chip at once, tiles from 2 to 64 KB.
  S<T, 4, 1, 8, 0, false>(l);
  S<T, 8, 1, 6, 0, false>(l);
  S<T, 8, 1, 6, 0, true>(l);
  S<T, 8, 2, 6, 0, false>(l);
  S<T, 8, 4, 4, 0, false>(l);
  S<T, 8, 4, 4, 0, true>(l);
  S<T, 16, 2, 3, 0, false>(l);
  S<T, 16, 4, 2, 0, false>(l);
  S<T, 8, 8, 4, 0, false>(l);
  S<T, 8, 8, 4, 0, true>(l);
  S<T, 16, 8, 2, 0, false>(l);
}

template <class T>
void add_reductions(std::vector<Config>& l) {
  R1<T, 8, 4, 8, 0>(l);
  R1<T, 8, 8, 4, 0>(l);
  R1<T, 8, 8, 4, 1>(l);
  R1<T, 8, 8, 4, 2>(l);
  R1<T, 16, 4, 4, 0>(l);
  R1<T, 16, 8, 2, 0>(l);
  R1<T, 16, 8, 2, 0>(l, 4);
  R1<T, 16, 4, 3, 0>(l);
  R1<T, 16, 4, 4, 0>(l, 4);
  R1<T, 32, 4, 2, 0>(l);
  R1<T, 32, 2, 2, 0>(l);
  R1<T, 32, 8, 1, 0>(l);
  R1<T, 8, 16, 2, 0>(l);
  R2<T, 8, 4, 8, 1, 0>(l);
  R2<T, 8, 4, 12, 1, 0>(l);
  R2<T, 8, 4, 6, 2, 0>(l);
  R2<T, 8, 4, 6, 2, 2>(l);
  R2<T, 8, 2, 12, 2, 0>(l);
  R2<T, 8, 8, 6, 1, 0>(l);
  R2<T, 4, 4, 6, 4, 0>(l);
}

}  // namespace

#if LAB_PART == 0
void add_float32(std::vector<Config>& l) { add_scans<float>(l); }
#elif LAB_PART == 1
void add_float16(std::vector<Config>& l) { add_scans<__half>(l); }
#elif LAB_PART == 2
void add_int64(std::vector<Config>& l) { add_scans<long long>(l); }
#else
void add_others(std::vector<Config>& l) {
  add_reductions<float>(l);
  add_reductions<long long>(l);
  K1<8, 4, 0>(l);
  K1<8, 8, 0>(l);
  K1<8, 4, 1>(l);
  K1<8, 8, 2>(l);
  K1<16, 2, 0>(l);
  K2<6, 32768, 1, 0>(l);
  K2<6, 16384, 2, 0>(l);
  K2<12, 16384, 1, 0>(l);
  K2<6, 16384, 2, 2>(l);
  K2<4, 16384, 2, 0>(l);
}

cudaError_t Config::prepare(int multiprocessors) {
  sms = multiprocessors;
  cudaFuncAttributes a;
  if (auto e = cudaFuncGetAttributes(&a, kernel)) return e;
  registers = a.numRegs, spilled = (int)a.localSizeBytes;
  if (auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared)) return e;
  if (cluster > 8) {
    if (auto e = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)) return e;
  }
  if (auto e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, shared)) return e;
  return per_sm > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
}
#endif

}  // namespace lab
