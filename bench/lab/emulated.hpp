// device.cuh's functions for a CPU: each thread a fiber, and a scheduler that lets warps run at random
// speeds, blocks start in random order and copies land at random times. What a kernel may rely on is here,
// and nothing more.
#pragma once
#include <cuda_fp16.h>
#include <vector_types.h>

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#undef __global__
#undef __device__
#undef __forceinline__
#undef __launch_bounds__
#define __global__ inline
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)

inline unsigned __float_as_uint(float x) {
  unsigned u;
  std::memcpy(&u, &x, 4);
  return u;
}
inline float __uint_as_float(unsigned u) {
  float x;
  std::memcpy(&x, &u, 4);
  return x;
}

namespace dev {

using u64 = unsigned long long;
using Bar = u64;
namespace fibers = boost::context;

struct Barrier {
  int arrived = 0;
  unsigned generation = 0;
};
struct Warp {
  unsigned char slots[2][32][16];
  Barrier barrier;
  int speed = 0;
};
struct Block {
  int index;
  std::vector<unsigned char> bytes;
  unsigned char* shared;
  Barrier barriers[16];
  std::vector<Warp> warps;
  int living;
};
struct Fiber {
  fibers::fiber context;
  int thread;
  Block* block;
  bool done = false;
  std::vector<int> stores;
};
struct Copy {
  int number, slowness;
  std::function<void()> perform;
};
struct BarState {
  int count, pending;
  long long bytes;
  unsigned phase;
};

struct Machine {
  std::mt19937 random;
  int grid, threads, cluster;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::map<int, Barrier> clusters;
  std::map<const void*, BarState> bars;
  std::vector<Copy> copies;
  int copies_made = 0;
  Fiber* now = nullptr;
  fibers::fiber home;
};
inline Machine* machine;
inline bool one_in(int k) { return machine->random() % k == 0; }
inline int slowness() { return one_in(3) ? 1 + machine->random() % 300 : 1 + machine->random() % 8; }

inline void yield() { machine->home = std::move(machine->home).resume(); }
inline int thread() { return machine->now->thread; }
inline int block() { return machine->now->block->index; }
inline int blocks() { return machine->grid; }
inline int lane() { return thread() & 31; }
template <class M>
M& shared() {
  return *reinterpret_cast<M*>(machine->now->block->shared);
}

inline void meet(Barrier& b, int threads) {
  const unsigned mine = b.generation;
  if (++b.arrived == threads) b.arrived = 0, ++b.generation;
  for (long tries = 0; b.generation == mine; ++tries) {
    if (tries > 3000000) throw std::runtime_error("stuck at a barrier");
    yield();
  }
}
inline void sync_some(int number, int threads) { meet(machine->now->block->barriers[number], threads); }
inline void sync_block() { sync_some(0, machine->threads); }
inline Warp& warp() { return machine->now->block->warps[thread() / 32]; }
inline void sync_warp() { meet(warp().barrier, 32); }

template <class A>
A exchange(A x, int from) {
  Warp& w = warp();
  auto& slots = w.slots[w.barrier.generation & 1];
  std::memcpy(slots[lane()], &x, sizeof x);
  meet(w.barrier, 32);
  std::memcpy(&x, slots[from], sizeof x);
  return x;
}
template <class A>
A shuffle_up(A x, int d) {
  return exchange(x, lane() >= d ? lane() - d : lane());
}
template <class A>
A shuffle_xor(A x, int d) {
  return exchange(x, lane() ^ d);
}
template <class A>
A shuffle(A x, int from) {
  return exchange(x, from);
}
inline unsigned ballot(bool p) {
  unsigned bits = p ? 1u << lane() : 0;
  for (int d = 1; d < 32; d *= 2) bits |= shuffle_xor(bits, d);
  return bits;
}
inline int first_bit(unsigned x) { return __builtin_ffs((int)x) - 1; }

struct Watch {
  unsigned* trouble;
  unsigned configuration;
};
enum Wait : unsigned { wait_load = 1, wait_slot, wait_sums, wait_prefix, wait_look_back };
struct Patience {
  long tries = 0;
  void spend(const Watch&, Wait what) {
    if (++tries > 3000000) throw std::runtime_error("waited too long, for " + std::to_string(what));
    yield();
  }
};

template <int>
uint4 load16(const uint4* p) {
  return *p;
}
template <int>
void store16(uint4* p, uint4 v) {
  *p = v;
}

inline uint4 take16(const uint4* shared) { return *shared; }
template <class A>
struct Message {
  A value;
  unsigned tag;
};
template <class A>
constexpr int message_bytes = sizeof(A) == 4 ? 8 : 16;
template <class A>
Message<A> receive(const void* words, long long i) {
  if (one_in(3)) yield();
  Message<A> m;
  const char* at = (const char*)words + message_bytes<A> * i;
  std::memcpy(&m.value, at, sizeof(A)), std::memcpy(&m.tag, at + sizeof(A), 4);
  return m;
}
template <class A>
void post(void* words, long long i, A value, unsigned tag) {
  if (one_in(3)) yield();
  char* at = (char*)words + message_bytes<A> * i;
  std::memcpy(at, &value, sizeof(A)), std::memcpy(at + sizeof(A), &tag, 4);
}
inline unsigned draw(unsigned* counter, unsigned last) {
  yield();
  const unsigned old = *counter;
  *counter = old >= last ? 0 : old + 1;
  return old;
}
inline void fence() {}

inline void bar_init(Bar* b, int count) { machine->bars[b] = {count, count, 0, 0}; }
inline void bars_ready() {}
inline void bar_check(BarState& s) {
  if (s.pending < 0) throw std::runtime_error("more arrivals than a barrier expects");
  if (s.pending == 0 && s.bytes == 0) s.pending = s.count, ++s.phase;
}
inline void bar_arrive(Bar* b) {
  auto& s = machine->bars.at(b);
  --s.pending, bar_check(s);
}
inline void bar_expect(Bar* b, unsigned bytes) {
  auto& s = machine->bars.at(b);
  s.bytes += bytes, --s.pending, bar_check(s);
}
inline bool bar_try(Bar* b, unsigned parity) {
  yield();
  return (machine->bars.at(b).phase & 1) != parity;
}
template <int>
void bulk_load(void* to, const void* from, unsigned bytes, Bar* b) {
  std::memset(to, 0xee, bytes);  // until it lands, nobody may read it
  machine->copies.push_back({machine->copies_made++, slowness(), [=] {
                               std::memcpy(to, from, bytes);
                               auto& s = machine->bars.at(b);
                               s.bytes -= bytes, bar_check(s);
                             }});
}
template <int>
void bulk_store(void* to, const void* from, unsigned bytes) {
  machine->now->stores.push_back(machine->copies_made);
  machine->copies.push_back({machine->copies_made++, slowness(), [=] { std::memcpy(to, from, bytes); }});
}
inline bool under_way(int number) {
  for (auto& c : machine->copies)
    if (c.number == number) return true;
  return false;
}
template <int N>
void bulk_read() {
  auto& stores = machine->now->stores;
  for (int k = 0; k + N < (int)stores.size(); ++k)
    while (under_way(stores[k])) yield();
}
inline void bulk_done() { bulk_read<0>(); }
inline void fence_bulk() {}

inline int cluster_rank() { return block() % machine->cluster; }
inline void sync_cluster() {
  meet(machine->clusters[block() / machine->cluster], machine->threads * machine->cluster);
}
template <class M>
M* of_block(M* p, int rank) {
  const int index = block() / machine->cluster * machine->cluster + rank;
  for (auto& b : machine->blocks)
    if (b->index == index) return (M*)(b->shared + ((unsigned char*)p - machine->now->block->shared));
  throw std::runtime_error("a block of the cluster has ended, or was never there");
}

struct Launch {
  int grid, threads;
  size_t shared;
  int cluster = 1, resident = 4;
  bool in_order = false;
  unsigned seed = 1;
};

// Runs until every block has ended; no more than `resident` clusters are on the machine at a time.
inline void run(const Launch& l, const std::function<void()>& kernel) {
  Machine m;
  machine = &m;
  m.random.seed(l.seed), m.grid = l.grid, m.threads = l.threads, m.cluster = l.cluster;
  std::vector<int> waiting;
  for (int c = 0; c < l.grid / l.cluster; ++c) waiting.push_back(c);
  if (!l.in_order) std::shuffle(waiting.begin(), waiting.end(), m.random);
  std::string error;
  size_t next = 0;
  while (error.empty() && (next < waiting.size() || !m.blocks.empty())) {
    while (next < waiting.size() && (int)m.blocks.size() + l.cluster <= l.resident * l.cluster) {
      for (int rank = 0; rank < l.cluster; ++rank) {
        auto b = std::make_unique<Block>();
        b->index = waiting[next] * l.cluster + rank;
        b->bytes.assign(l.shared + 128, 0xdd);
        b->shared = (unsigned char*)(((uintptr_t)b->bytes.data() + 127) / 128 * 128);
        b->warps.resize(l.threads / 32), b->living = l.threads;
        for (auto& w : b->warps) w.speed = 1 + m.random() % 30;
        for (int t = 0; t < l.threads; ++t) {
          auto f = std::make_unique<Fiber>();
          Fiber* self = f.get();
          f->thread = t, f->block = b.get();
          f->context = fibers::fiber(std::allocator_arg, fibers::fixedsize_stack(48 * 1024),
                                     [&, self](fibers::fiber&& home) {
                                       m.home = std::move(home);
                                       try {
                                         kernel();
                                       } catch (const std::exception& e) {
                                         if (error.empty()) error = e.what();
                                       }
                                       self->done = true;
                                       return std::move(m.home);
                                     });
          m.fibers_.push_back(std::move(f));
        }
        m.blocks.push_back(std::move(b));
      }
      ++next;
    }
    for (size_t k = 0; k < m.fibers_.size() && error.empty(); ++k) {
      Fiber& f = *m.fibers_[k];
      Warp& w = f.block->warps[f.thread / 32];
      if (f.thread % 32 == 0) {
        if (one_in(200)) w.speed = 1 + m.random() % 30;
      }
      static bool runs;
      if (f.thread % 32 == 0) runs = one_in(w.speed);
      if (!runs || f.done) continue;
      m.now = &f;
      f.context = std::move(f.context).resume();
      if (f.done) --f.block->living;
    }
    for (size_t k = 0; k < m.copies.size();) {
      if (one_in(m.copies[k].slowness)) m.copies[k].perform(), m.copies.erase(m.copies.begin() + k);
      else ++k;
    }
    std::erase_if(m.fibers_, [](auto& f) { return f->done && f->block->living == 0; });
    std::erase_if(m.blocks, [](auto& b) { return b->living == 0; });
  }
  if (error.empty() && !m.copies.empty()) error = "a block ended before its copies";
  if (!error.empty()) {
    // Fibers that hang cannot be unwound in order; the program ends with the message.
    fprintf(stderr, "emulator: %s\n", error.c_str());
    std::_Exit(1);
  }
}

}  // namespace dev
