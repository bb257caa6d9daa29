// The scan lab: many designs of a one-pass scan (and of a reduction), each with many sizes, measured
// against CUB and against copies in one run.
//
// What bounds them, worked out before anything ran (H200: 132 SMs, 4.8 TB/s, of which a copy reaches 4.25;
// 227 KB of shared memory and 256 KB of registers an SM; L2 answers after some 0.7 µs, under load after 1
// to 1.5):
// - A scan reads and writes each byte once. At the speed of a copy each SM takes in 16 KB a µs: a tile of
//   32 KB every 2 µs, 66 tiles a µs on the chip.
// - Little's law: 2.1 TB/s of reads that take 1 to 1.5 µs under load are 16 to 24 KB under way an SM, and
//   40 KB with a margin. More only queues.
// - A tile can leave only when everything before it has been read and its sum has travelled: load 1.5 µs,
//   jitter 1, sum 0.4, publish and see 1.5 to 2.5, scan and store 0.5: a stay of 5 to 7 µs, so 80 to 112
//   KB an SM must wait somewhere while other loads go on. Registers, shared memory and L2 are the three
//   places, designs B2 and A, B1, and D.
// - Merrill and Garland's window of 32 takes a round trip for each 32 tiles, and tiles come at 66 a µs:
//   the nearest complete prefix lies about one hop (1 to 1.5 µs) back, some 100 tiles, three round trips.
//   A window of 128 or more needs one. A chain of prefixes must move on by 66 tiles a µs.
// - Blocks in a fixed order go at the pace of the slowest SM, and coupled by a look-back they all do so at
//   every tile. Tickets let each SM take what it can.
//
// By promise: B1 (a sum never waits for anything but its own data), B2 (least traffic in shared memory), A
// with a wide look-back (as B2, but its loads stop while it waits), C (fewer words, two cluster barriers
// more), D (L2 moves 12 bytes for 8: 6.4 TB/s, about its limit).
//
// S is for arrays that fit into the chip at once (2^16 to 2^22), where time is launch + load + one hop +
// store; nothing is cleared before a launch, since status words carry the launch's tag and the ticket
// counter winds itself back, so there is one launch where CUB has two. A contiguous chunk for each block
// (reduce-then-scan in one launch) is left out: nothing could be written before almost all has been read.
//
// The program starts itself as a child and starts it again without the configuration that failed: a kernel
// that waits too long traps, which ends its launch and the child's context, never leaves a kernel
// spinning, and costs the others nothing.
//
// build.sh builds it, emulate.sh runs its kernels on the CPU under random schedules, run.sh measures.
#include <cuda_fp16.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>

#include "lab.hpp"
#include "peers.hpp"

using namespace lab;

namespace {

struct Options {
  std::vector<std::string> designs, names, types{"float32", "float16", "int64"}, modes{"cold", "warm"},
      kinds{"scan", "reduce"}, skip, done;
  std::vector<int> exponents{16, 18, 20, 22, 24, 26, 28, 30};
  double seconds = 300;
  int repetitions = 25, top = 12, report = -1;
  std::string csv;
  bool list = false;
};
Options options;
const auto began = std::chrono::steady_clock::now();
double elapsed() { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); }

// To the parent: "skip NAME" before leaving because of NAME, "done KEY" after a table.
void report(const std::string& line) {
  if (options.report < 0) return;
  const std::string s = line + "\n";
  if (write(options.report, s.data(), s.size()) < 0) perror("report");
}
[[noreturn]] void leave(int code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  fflush(nullptr);
  _exit(code);
}
void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) leave(2, "%s: %s\n", what, cudaGetErrorString(e));
}

unsigned* trouble;  // in host memory that kernels write to
std::vector<Config> configs;
std::string now_measuring;  // kind, type and exponent
std::string full_name(const Config& c) { return c.design + " " + c.name; }

const char* const in_turn = "a turn of all configurations";
// Waits for the device, but not for ever. `suspect` is who runs, where that is known.
void settle(const char* suspect, double seconds = 10) {
  static const char* const what[] = {
      "", "a load", "a free slot", "the sums of a tile", "a prefix", "the tiles before it"};
  const double start = elapsed();
  cudaError_t e;
  while ((e = cudaStreamQuery(0)) == cudaErrorNotReady) {
    if (elapsed() - start > seconds) {
      // Several kernels are under way while they are timed: then the table is given up, not a configuration.
      report(suspect == in_turn ? "done " + now_measuring : std::string("skip ") + suspect);
      leave(3, "%s did not end within %.0f s; leaving it out\n", suspect, seconds);
    }
    usleep(20);
  }
  if (e == cudaSuccess) return;
  if (trouble[1] > 0 && trouble[1] <= 5) {
    const std::string name = full_name(configs[trouble[0]]);
    report("skip " + name);
    leave(3, "%s waited too long for %s; leaving it out\n", name.c_str(), what[trouble[1]]);
  }
  report(suspect == in_turn ? "done " + now_measuring : std::string("skip ") + suspect);
  leave(3, "%s: %s; leaving it out\n", suspect, cudaGetErrorString(e));
}

// The data: differences of small random whole numbers b(i), so that prefixes are b(i) again and exact in
// every type, in any order of additions.
__host__ __device__ unsigned mix(unsigned long long x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
  return (unsigned)(x >> 32);
}
__host__ __device__ int b(long long i) { return i < 0 ? 0 : (int)(mix((unsigned long long)i + 1) % 1000); }

template <class T>
__device__ T make(float x) {
  return (T)x;
}
template <>
__device__ __half make<__half>(float x) {
  return __float2half_rn(x);
}
template <class T>
__device__ float number(T x) {
  return (float)x;
}
template <>
__device__ float number<__half>(__half x) {
  return __half2float(x);
}

template <class T>
__global__ void fill(T* p, long long n, bool fractions) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    p[i] = fractions ? make<T>((mix(i) >> 8) * (1.0f / (1 << 24)) - 0.5f) : make<T>((float)(b(i) - b(i - 1)));
}
template <class T>
__global__ void compare(const T* p, long long n, bool reduction, bool copy, unsigned long long* wrong) {
  unsigned bad = 0;
  if (reduction) {
    if (blockIdx.x == 0 && threadIdx.x == 0) bad = number(p[0]) != (float)b(n - 1);
  } else {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
      bad += number(p[i]) != (float)(copy ? b(i) - b(i - 1) : b(i));
  }
  if (bad) atomicAdd(wrong, (unsigned long long)bad);
}
__global__ void checksum(const unsigned* p, long long words, unsigned long long* sum) {
  unsigned long long s = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < words;
       i += (long long)gridDim.x * blockDim.x)
    s += (unsigned long long)mix((unsigned long long)i << 32 | p[i]) << 16 | (mix(p[i] + 77ull * i) & 0xffff);
  atomicAdd(sum, s);
}
// Keeps the device busy while the host queues what is timed after it, so that no launch is waited for in
// between.
__global__ void stall(unsigned ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < ns);
}

struct Row {
  std::string design, name;
  int registers = 0, shared = 0, per_sm = 0;
  bool deterministic = false;
  std::string repeats = "-";  // whether runs gave the same bits
  std::function<cudaError_t(int pair)> run;
  std::vector<float> times;
  double median = 0, lower = 0, upper = 0;
};

struct Workspace {
  void *sums, *heads, *temp;
  unsigned* ticket;
  unsigned long long* words;  // two for the host's questions
  size_t temp_bytes;
  unsigned tag = 2;
};
Workspace space;
FILE* csv;
int sms;

bool chosen(const std::vector<std::string>& list, const std::string& x) {
  return list.empty() || std::find(list.begin(), list.end(), x) != list.end();
}

template <class T>
void measure(Kind kind, Type type, const char* type_name, int exponent) {
  const char* const kind_name = kind == Kind::scan ? "scan" : "reduce";
  const long long n = 1ll << exponent, bytes = n * (long long)sizeof(T);
  const std::string key = std::string(kind_name) + ":" + type_name + ":" + std::to_string(exponent);
  if (std::find(options.done.begin(), options.done.end(), key) != options.done.end()) return;
  if (elapsed() > options.seconds - 8) {
    printf("%s left out: the time is up\n", key.c_str());
    return;
  }
  now_measuring = key;
  size_t available, total;
  must(cudaMemGetInfo(&available, &total), "memory");
  // Enough pairs that a turn through them is several times L2, so that a launch finds nothing of its own
  // there.
  const int pairs = (int)std::clamp<long long>((384ll << 20) / (2 * bytes), 2, 512);
  if ((size_t)(2 * pairs + 1) * bytes + (1ull << 30) > available) {
    printf("%s left out: %d pairs of buffers need more memory than there is\n", key.c_str(), pairs);
    return;
  }
  T *in, *out, *fractions;
  must(cudaMalloc(&in, pairs * bytes), "input");
  must(cudaMalloc(&out, pairs * bytes), "output");
  must(cudaMalloc(&fractions, bytes), "input");
  for (int p = 0; p < pairs; ++p) fill<<<sms * 8, 512>>>(in + p * n, n, false);
  fill<<<sms * 8, 512>>>(fractions, n, type != Type::int64);
  settle("filling the buffers");

  const T* source = in;  // or fractions
  std::vector<Row> rows;
  const auto at = [&](int p) { return source == in ? in + p * n : (const T*)fractions; };
  Row copy;
  copy.design = "copy", copy.name = "cudaMemcpy";
  copy.run = [&](int p) { return cudaMemcpyAsync(out + p * n, at(p), bytes, cudaMemcpyDeviceToDevice, 0); };
  rows.push_back(copy);
  const auto call_peer = [&](int p, auto count) {
    size_t size = space.temp_bytes;
    if (kind == Kind::scan) return peer_scan<T>(space.temp, size, at(p), out + p * n, count);
    if constexpr (!std::is_same_v<T, __half>)
      return peer_reduce<T>(space.temp, size, at(p), out + p * n, count);
    return cudaErrorNotSupported;
  };
  Row cub;
  cub.design = "CUB", cub.name = kind == Kind::scan ? "DeviceScan::InclusiveSum" : "DeviceReduce::Sum";
  if (exponent < 31) {
    cub.run = [&](int p) { return call_peer(p, (int)n); };
    rows.push_back(cub);
  }
  cub.name += ", 64-bit count";
  cub.run = [&](int p) { return call_peer(p, n); };
  rows.push_back(cub);
  for (size_t c = 0; c < configs.size(); ++c) {
    Config& config = configs[c];
    if (config.kind != Kind::copy && (config.kind != kind || config.type != type)) continue;
    if (config.kind == Kind::copy && kind == Kind::reduce && exponent < 28) continue;
    if (config.kind != Kind::copy && !chosen(options.designs, config.design)) continue;
    if (!options.names.empty() && config.kind != Kind::copy &&
        std::none_of(options.names.begin(), options.names.end(),
                     [&](auto& s) { return full_name(config).find(s) != std::string::npos; }))
      continue;
    if (std::find(options.skip.begin(), options.skip.end(), full_name(config)) != options.skip.end())
      continue;
    if (bytes % config.tile_bytes != 0 ||
        bytes / config.tile_bytes > std::min<long long>(config.max_tiles, 1 << 30))
      continue;
    if (config.kind == Kind::scan && bytes / config.tile_bytes > (1 << 20))
      continue;  // the status words' room
    if (config.registers == 0) {
      if (auto e = config.prepare(sms)) {
        printf("%s cannot run: %s\n", full_name(config).c_str(), cudaGetErrorString(e));
        cudaGetLastError();
        options.skip.push_back(full_name(config));
        continue;
      }
    }
    Row row;
    row.design = config.design, row.name = config.name, row.registers = config.registers,
    row.shared = config.shared;
    row.per_sm = config.per_sm, row.deterministic = config.deterministic;
    row.run = [&, c](int p) {
      space.tag += 2;
      return configs[c].launch(
          configs[c],
          {at(p), out + p * n, bytes, space.sums, space.heads, space.ticket, space.tag, trouble, (unsigned)c},
          0);
    };
    rows.push_back(row);
  }

  // Each is right before it is timed, in a poisoned buffer and more than once; then the same bits on every
  // run?
  for (size_t r = 0; r < rows.size(); ++r) {
    Row& row = rows[r];
    const bool is_copy = row.design == "copy" || row.design[0] == 'K';
    const std::string name = row.design + " " + row.name;
    unsigned long long wrong[2] = {};
    std::string problem;
    for (int turn = 0; turn < 3 && problem.empty(); ++turn) {
      const int p = turn % pairs;
      cudaMemsetAsync(out + p * n, 0xff, bytes, 0);
      cudaMemsetAsync(space.words, 0, 16, 0);
      if (auto e = row.run(p)) problem = cudaGetErrorString(e), cudaGetLastError();
      compare<<<sms * 8, 512>>>(out + p * n, n, kind == Kind::reduce && !is_copy, is_copy, space.words);
      settle(name.c_str());
      must(cudaMemcpy(wrong, space.words, 16, cudaMemcpyDeviceToHost), "reading");
      if (wrong[0] && problem.empty())
        problem = std::to_string(wrong[0]) + " of " + std::to_string(n) + " elements are wrong";
    }
    if (problem.empty() && !is_copy) {
      source = fractions;
      unsigned long long first = 0;
      for (int turn = 0; turn < 4; ++turn) {
        cudaMemsetAsync(space.words, 0, 16, 0);
        row.run(0);
        checksum<<<sms * 8, 512>>>((unsigned*)out, kind == Kind::reduce ? sizeof(T) / 4 : bytes / 4,
                                   space.words);
        settle(name.c_str());
        must(cudaMemcpy(wrong, space.words, 16, cudaMemcpyDeviceToHost), "reading");
        if (turn == 0) first = wrong[0], row.repeats = "yes";
        if (wrong[0] != first) row.repeats = "no";
      }
      source = in;
      if (row.deterministic && row.repeats == "no") problem = "two runs differ, and they should not";
    }
    if (!problem.empty()) {
      printf("%s, %s: %s; left out\n", key.c_str(), name.c_str(), problem.c_str());
      if (csv)
        fprintf(csv, "%s,%s,%d,,%s,\"%s\",,,,,,,,,,,\"%s\"\n", kind_name, type_name, exponent,
                row.design.c_str(), row.name.c_str(), problem.c_str());
      rows.erase(rows.begin() + r--);
    }
  }

  cudaEvent_t from, to;
  std::vector<std::pair<cudaEvent_t, cudaEvent_t>> events(rows.size());
  for (auto& e : events) cudaEventCreate(&e.first), cudaEventCreate(&e.second);
  for (const std::string& mode : options.modes) {
    const bool warm = mode == "warm";
    if (warm && exponent > 22) continue;  // larger ones do not fit into L2
    int pair = 0;
    for (auto& row : rows) row.times.clear();
    for (int repetition = -2; repetition < options.repetitions; ++repetition) {
      for (size_t r = 0; r < rows.size(); ++r) {
        if (warm) rows[r].run(0);
        else pair = (pair + 1) % pairs;
        std::tie(from, to) = events[r];
        if (exponent <= 24) stall<<<1, 1>>>(25000);
        cudaEventRecord(from, 0);
        rows[r].run(warm ? 0 : pair);
        cudaEventRecord(to, 0);
        if (r % 64 == 63) settle(in_turn);
      }
      settle(in_turn);
      for (size_t r = 0; r < rows.size() && repetition >= 0; ++r) {
        float ms;
        must(cudaEventElapsedTime(&ms, events[r].first, events[r].second), "timing");
        rows[r].times.push_back(ms * 1000);
      }
      if (repetition > 5 && elapsed() > options.seconds - 4) break;
    }
    double ceiling = 1e30, peer = 1e30;  // the better of all copies, and of CUB's two counts
    for (auto& row : rows) {
      auto t = row.times;
      std::sort(t.begin(), t.end());
      const auto quantile = [&](double q) {
        const double x = q * (t.size() - 1);
        const size_t k = (size_t)x;
        return t[k] + (x - k) * (t[std::min(k + 1, t.size() - 1)] - t[k]);
      };
      row.median = quantile(0.5), row.lower = quantile(0.25), row.upper = quantile(0.75);
      if (row.design == "copy" || row.design[0] == 'K') ceiling = std::min(ceiling, row.median);
      if (row.design == "CUB") peer = std::min(peer, row.median);
    }
    if (peer > 1e29) peer = 0;  // it could not run, and a ratio of 0 says so
    auto sorted = rows;
    std::stable_sort(sorted.begin(), sorted.end(), [](auto& x, auto& y) { return x.median < y.median; });
    const double moved = kind == Kind::scan ? 2.0 * bytes : bytes;
    printf("\n%s %s n = 2^%d %s: %zu configurations, %zu repetitions; best copy %.2f us, CUB %.2f us\n",
           kind_name, type_name, exponent, mode.c_str(), rows.size(), rows[0].times.size(), ceiling, peer);
    printf("  %8s %17s %6s %6s %6s %5s %s\n", "us", "quartiles", "GB/s", "copy", "CUB", "same", "design");
    int shown = 0, copies = 0;
    for (auto& row : sorted) {
      const bool is_copy = row.design == "copy" || row.design[0] == 'K';
      const double volume = is_copy ? 2.0 * bytes : moved;
      if (csv)
        fprintf(csv, "%s,%s,%d,%s,%s,\"%s\",%d,%d,%d,%.3f,%.3f,%.3f,%.1f,%.4f,%.4f,%s,\n", kind_name,
                type_name, exponent, mode.c_str(), row.design.c_str(), row.name.c_str(), row.registers,
                row.shared, row.per_sm, row.median, row.lower, row.upper, volume / row.median * 1e-3,
                ceiling / row.median, peer / row.median, row.repeats.c_str());
      if (is_copy ? copies++ >= 2 && row.design != "copy" : row.design != "CUB" && shown++ >= options.top)
        continue;
      printf("  %8.2f %8.2f %8.2f %6.0f %6.3f %6.3f %5s %s %s\n", row.median, row.lower, row.upper,
             volume / row.median * 1e-3, ceiling / row.median, peer / row.median, row.repeats.c_str(),
             row.design.c_str(), row.name.c_str());
    }
    fflush(stdout);
    if (csv) fflush(csv);
  }
  for (auto& e : events) cudaEventDestroy(e.first), cudaEventDestroy(e.second);
  cudaFree(in), cudaFree(out), cudaFree(fractions);
  report("done " + key);
}

std::vector<std::string> split(const std::string& s, char at = ',') {
  std::vector<std::string> parts;
  std::stringstream stream(s);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

int child() {
  must(cudaSetDeviceFlags(cudaDeviceMapHost), "device");
  cudaDeviceProp properties;
  must(cudaGetDeviceProperties(&properties, 0), "device");
  sms = properties.multiProcessorCount;
  printf("%s, %d SMs, L2 %d MB, CUDA %d\n", properties.name, sms, properties.l2CacheSize >> 20,
         CUDART_VERSION);
  must(cudaHostAlloc((void**)&trouble, 64, cudaHostAllocMapped), "host memory");
  std::memset(trouble, 0, 64);
  space.temp_bytes = 64 << 20;
  must(cudaMalloc(&space.sums, 32 << 20), "workspace");
  must(cudaMalloc(&space.heads, 4 << 20), "workspace");
  must(cudaMalloc(&space.temp, space.temp_bytes), "workspace");
  must(cudaMalloc(&space.ticket, 256), "workspace");
  must(cudaMalloc(&space.words, 256), "workspace");
  must(cudaMemset(space.ticket, 0, 256), "workspace");
  if (!options.csv.empty()) csv = options.csv == "-" ? stdout : fopen(options.csv.c_str(), "a");
  if (csv && (csv == stdout || ftell(csv) == 0))
    fprintf(csv,
            "kind,type,log2_n,mode,design,configuration,registers,shared,blocks_per_sm,median_us,lower_us,"
            "upper_us,gb_per_s,of_copy,times_cub,same_bits,problem\n");
  // The large sizes first: they are what most is to be learned about.
  auto exponents = options.exponents;
  const std::pair<Type, const char*> types[] = {
      {Type::float32, "float32"}, {Type::float16, "float16"}, {Type::int64, "int64"}};
  for (const Kind kind : {Kind::scan, Kind::reduce}) {
    if (!chosen(options.kinds, kind == Kind::scan ? "scan" : "reduce")) continue;
    for (const auto& [type, name] : types) {
      if (!chosen(options.types, name) || (kind == Kind::reduce && type == Type::float16)) continue;
      // Words of one type's sums must not pass for another's.
      must(cudaMemset(space.sums, 0, 32 << 20), "workspace");
      must(cudaMemset(space.heads, 0, 4 << 20), "workspace");
      for (const int exponent : exponents) {
        if (type == Type::float32) measure<float>(kind, type, name, exponent);
        if (type == Type::float16) measure<__half>(kind, type, name, exponent);
        if (type == Type::int64) measure<long long>(kind, type, name, exponent);
      }
    }
  }
  return 0;
}

// Starts the child, and again without what failed in it.
int parent(const std::vector<std::string>& arguments) {
  std::vector<std::string> skip = options.skip, done = options.done;
  for (int start = 0; start < 40; ++start) {
    const double left = options.seconds - elapsed();
    if (left < 5) break;
    int ends[2];
    if (pipe(ends) != 0) {
      perror("pipe");
      return 2;
    }
    std::vector<std::string> args = arguments;
    const auto join = [](const std::vector<std::string>& list) {
      std::string s;
      for (auto& x : list) s += (s.empty() ? "" : ";") + x;
      return s;
    };
    args.insert(args.end(), {"--report", std::to_string(ends[1]), "--seconds", std::to_string(left), "--skip",
                             join(skip), "--done", join(done)});
    fflush(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
      close(ends[0]);
      std::vector<char*> argv;
      for (auto& a : args) argv.push_back(a.data());
      argv.push_back(nullptr);
      execv("/proc/self/exe", argv.data());
      _exit(127);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string said;
    int status = 0;
    bool over = false;
    while (!over) {
      over = waitpid(pid, &status, WNOHANG) == pid;
      char chunk[512];
      for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0;) said.append(chunk, got);
      if (!over && elapsed() > options.seconds + 10) {
        printf("the time is up and the child has not ended: ending it\n");
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return 4;
      }
      if (!over) usleep(20000);
    }
    close(ends[0]);
    const size_t known = skip.size() + done.size();
    for (const std::string& line : split(said, '\n')) {
      if (line.rfind("skip ", 0) == 0) skip.push_back(line.substr(5));
      if (line.rfind("done ", 0) == 0) done.push_back(line.substr(5));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 3) return WEXITSTATUS(status);
    if (skip.size() + done.size() == known) {
      printf("the child ended without a word (status %d)\n", status);
      return 5;
    }
  }
  printf("the time is up\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--list") {
      options.list = true;
      continue;
    }
    if (i + 1 >= argc || flag == "--help") {
      printf(
          "scan_lab [--list] [--kind scan,reduce] [--design B1,B2,...] [--name TEXT;TEXT] [--type "
          "float32,float16,int64] [--n 28,30] (exponents of 2)\n"
          "         [--mode cold,warm] [--reps 25] [--top 12] [--seconds 300] [--csv FILE or -]\n");
      return flag == "--help" ? 0 : 2;
    }
    const std::string value = argv[++i];
    if (flag == "--design") options.designs = split(value);
    else if (flag == "--name") options.names = split(value, ';');
    else if (flag == "--type") options.types = split(value);
    else if (flag == "--kind") options.kinds = split(value);
    else if (flag == "--mode") options.modes = split(value);
    else if (flag == "--seconds") options.seconds = std::atof(value.c_str());
    else if (flag == "--reps") options.repetitions = std::max(3, std::atoi(value.c_str()));
    else if (flag == "--top") options.top = std::atoi(value.c_str());
    else if (flag == "--csv") options.csv = value;
    else if (flag == "--report") options.report = std::atoi(value.c_str());
    else if (flag == "--skip") options.skip = split(value, ';');
    else if (flag == "--done") options.done = split(value, ';');
    else if (flag == "--n") {
      options.exponents.clear();
      for (auto& s : split(value)) {
        const int e = std::atoi(s.rfind("2^", 0) == 0 ? s.c_str() + 2 : s.c_str());
        if (e < 12 || e > 32) {
          printf("--n %s: an exponent of 2 from 12 to 32\n", s.c_str());
          return 2;
        }
        options.exponents.push_back(e);
      }
    } else {
      printf("unknown option %s; try --help\n", flag.c_str());
      return 2;
    }
  }
  add_float32(configs), add_float16(configs), add_int64(configs), add_others(configs);
  if (options.list) {
    const char* const types[] = {"float32", "float16", "int64", "any"};
    for (auto& c : configs) printf("%s %s: %s\n", types[(int)c.type], c.design.c_str(), c.name.c_str());
    printf("%zu configurations\n", configs.size());
    return 0;
  }
  return options.report >= 0 ? child() : parent(arguments);
}
