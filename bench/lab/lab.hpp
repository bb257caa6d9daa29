// What the lab knows of a configuration: a design with all its sizes set.
#pragma once
#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace lab {

enum class Type { float32, float16, int64, any };  // any: copies
enum class Kind { scan, reduce, copy };

struct Arguments {
  const void* in;
  void* out;
  long long bytes;  // of the input
  void* sums;
  void* heads;
  unsigned* ticket;
  unsigned tag;
  unsigned* trouble;
  unsigned configuration;
};

struct Config {
  Kind kind;
  Type type;
  std::string design, name;
  long long tile_bytes;  // of what a job counts as a tile
  int max_tiles = 1 << 30;
  bool deterministic = false;
  bool persistent =
      false;      // as many blocks as fit at once, and no more; else a block (or cluster) for each tile
  int waves = 1;  // for reductions: so many times the blocks that fit
  int cluster = 1;
  int threads = 0;
  int shared = 0;
  const void* kernel = nullptr;
  // Found by prepare:
  int registers = 0, spilled = 0, per_sm = 0;
  cudaError_t (*launch)(const Config&, const Arguments&, cudaStream_t) = nullptr;
  int sms = 0;

  cudaError_t prepare(int multiprocessors);
};

void add_float32(std::vector<Config>&);
void add_float16(std::vector<Config>&);
void add_int64(std::vector<Config>&);
void add_others(std::vector<Config>&);

}  // namespace lab
