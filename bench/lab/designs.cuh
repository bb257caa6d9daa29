// The designs of the lab: one-pass scans and reductions, each a template over its sizes. scan_lab.cu says
// what bounds them. The file has no includes: scan_lab.cu puts device.cuh before it, emulate.cpp the
// emulator.
#pragma once

namespace lab {

using dev::Bar;
using dev::Message;
using dev::Watch;

// One launch. Status words need no clearing: a word counts only if it has this launch's tag, and tags grow
// from launch to launch.
template <class T>
struct Job {
  const T* in;
  T* out;
  int tiles;
  void* sums;        // a word for each tile
  void* heads;       // a word for each group of tiles
  unsigned* ticket;  // 0 before and after each launch
  unsigned tag;      // tag: a tile's sum, tag + 1: everything up to and with the tile
  Watch watch;
};

// What 16 bytes hold, and the type sums are made in.
template <class T>
struct Lane16;
template <>
struct Lane16<float> {
  using Sum = float;
  static constexpr int size = 4;
  static __device__ __forceinline__ void unpack(uint4 q, float (&x)[4]) {
    x[0] = __uint_as_float(q.x), x[1] = __uint_as_float(q.y), x[2] = __uint_as_float(q.z),
    x[3] = __uint_as_float(q.w);
  }
  static __device__ __forceinline__ uint4 pack(const float (&x)[4]) {
    return {__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]), __float_as_uint(x[3])};
  }
};
template <>
struct Lane16<__half> {
  using Sum = float;
  static constexpr int size = 8;
  static __device__ __forceinline__ void unpack(uint4 q, float (&x)[8]) {
    const unsigned w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      x[2 * k] = __half2float(__ushort_as_half((unsigned short)(w[k] & 0xffff)));
      x[2 * k + 1] = __half2float(__ushort_as_half((unsigned short)(w[k] >> 16)));
    }
  }
  static __device__ __forceinline__ uint4 pack(const float (&x)[8]) {
    unsigned w[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      w[k] = __half_as_ushort(__float2half_rn(x[2 * k])) |
             (unsigned)__half_as_ushort(__float2half_rn(x[2 * k + 1])) << 16;
    }
    return {w[0], w[1], w[2], w[3]};
  }
};
template <>
struct Lane16<long long> {
  using Sum = long long;
  static constexpr int size = 2;
  static __device__ __forceinline__ void unpack(uint4 q, long long (&x)[2]) {
    x[0] = (long long)((unsigned long long)q.y << 32 | q.x),
    x[1] = (long long)((unsigned long long)q.w << 32 | q.z);
  }
  static __device__ __forceinline__ uint4 pack(const long long (&x)[2]) {
    return {(unsigned)x[0], (unsigned)(x[0] >> 32), (unsigned)x[1], (unsigned)(x[1] >> 32)};
  }
};
template <class T>
using SumOf = typename Lane16<T>::Sum;

template <class A>
__device__ __forceinline__ A warp_sum(A x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x += dev::shuffle_xor(x, distance);
  return x;
}
template <class T>
__device__ __forceinline__ SumOf<T> sum16(
    uint4 q) {  // as a tree, so that no addition waits for more than it must
  constexpr int size = Lane16<T>::size;
  SumOf<T> x[size];
  Lane16<T>::unpack(q, x);
#pragma unroll
  for (int half = size / 2; half > 0; half /= 2) {
#pragma unroll
    for (int k = 0; k < half; ++k) x[k] += x[k + half];
  }
  return x[0];
}

// A warp's stretch of a tile, held in registers: R rows of 512 bytes, of which each lane has 16. No
// transposition: every access to memory is whole lines, and each row costs five shuffles.
template <class T, int R>
struct Rows {
  using A = SumOf<T>;
  uint4 q[R];
  A offset[R];  // within the stretch, what stands before the lane's 16 bytes
  A total;

  template <int HINT>
  __device__ __forceinline__ void load(const uint4* stretch) {
#pragma unroll
    for (int r = 0; r < R; ++r) q[r] = dev::load16<HINT>(stretch + r * 32 + dev::lane());
  }
  __device__ __forceinline__ void take(const uint4* stretch) {  // from shared memory
#pragma unroll
    for (int r = 0; r < R; ++r) q[r] = dev::take16(stretch + r * 32 + dev::lane());
  }
  __device__ __forceinline__ void scan() {
#pragma unroll
    for (int r = 0; r < R; ++r) offset[r] = sum16<T>(q[r]);
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int r = 0; r < R; ++r) {
        const A left = dev::shuffle_up(offset[r], distance);
        if (dev::lane() >= distance) offset[r] += left;
      }
    }
    total = 0;
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const A row = dev::shuffle(offset[r], 31);
      const A left = dev::shuffle_up(offset[r], 1);
      offset[r] = dev::lane() > 0 ? total + left : total;
      total += row;
    }
  }
  __device__ __forceinline__ uint4 result(int r, A before) const {
    A x[Lane16<T>::size];
    Lane16<T>::unpack(q[r], x);
    before += offset[r];
#pragma unroll
    for (int k = 0; k < Lane16<T>::size; ++k) x[k] = before += x[k];
    return Lane16<T>::pack(x);
  }
  template <int HINT>
  __device__ __forceinline__ void store(uint4* stretch, A before) const {
#pragma unroll
    for (int r = 0; r < R; ++r) dev::store16<HINT>(stretch + r * 32 + dev::lane(), result(r, before));
  }
  __device__ __forceinline__ void put(uint4* stretch, A before) const {  // into shared memory
#pragma unroll
    for (int r = 0; r < R; ++r) stretch[r * 32 + dev::lane()] = result(r, before);
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Look-back: one warp publishes its tile's sum and finds out what stands before the tile. All lanes get
// the answer. State is what a warp that looks back for one tile after the other takes along. In a cluster
// only the speaker publishes.
template <class A>
struct Nothing {};

// Merrill and Garland's, with a window of 32 * Q tiles: Q loads of each lane are under way at once, so
// that a window costs one round trip to L2 however wide it is. Up to the nearest tile that knows
// everything before it. Where that lies depends on the run, and so does the rounding of float sums.
template <int Q>
struct LookWide {
  static constexpr bool deterministic = false;
  template <class A>
  using State = Nothing<A>;
  template <class T>
  static __device__ SumOf<T> before(const Job<T>& job, int tile, SumOf<T> sum, State<SumOf<T>>&,
                                    bool speaker = true) {
    using A = SumOf<T>;
    const int lane = dev::lane();
    const unsigned known = job.tag, complete = job.tag + 1;
    if (lane == 0 && speaker) dev::post<A>(job.sums, tile, sum, tile == 0 ? complete : known);
    if (tile == 0) return 0;
    A prefix = 0;
    dev::Patience patience;
    for (int end = tile;; end -= 32 * Q) {
      Message<A> m[Q];
#pragma unroll
      for (int q = 0; q < Q; ++q) {
        const int other = end - 1 - (q * 32 + lane);  // lane 0 has the nearest
        m[q] = {0, complete};
        if (other >= 0) m[q] = dev::receive<A>(job.sums, other);
      }
      bool found = false;
#pragma unroll
      for (int q = 0; q < Q; ++q) {
        if (found) break;
        unsigned ends;
        while (true) {
          ends = dev::ballot(m[q].tag == complete);
          const bool here = m[q].tag == complete || m[q].tag == known;
          const unsigned missing = dev::ballot(!here);
          const unsigned wanted =
              ends != 0 ? (ends & (0u - ends)) - 1 : ~0u;  // those nearer than the nearest complete one
          if ((missing & wanted) == 0) break;
          if (!here) m[q] = dev::receive<A>(job.sums, end - 1 - (q * 32 + lane));
          patience.spend(job.watch, dev::wait_look_back);
        }
        found = ends != 0;
        const int last = found ? dev::first_bit(ends) : 31;
        prefix += warp_sum<A>(lane <= last ? m[q].value : A(0));
      }
      if (found) break;
    }
    if (lane == 0 && speaker) dev::post<A>(job.sums, tile, prefix + sum, complete);
    return prefix;
  }
};

// The same latency, and the same float sum on every run: tiles form groups of 32 * Q. What stands before a
// group is always the head of the group before it plus that group's sum, added as a fixed tree; a tile
// adds the tiles of its own group before it. So a tile waits for one head, published about a group's time
// ago, and for sums that its predecessors published when their data came. No chain from tile to tile: the
// chain from head to head has one link in two groups.
template <int Q>
struct LookGroups {
  static constexpr bool deterministic = true;
  template <class A>
  using State = Nothing<A>;
  template <class T>
  static __device__ SumOf<T> before(const Job<T>& job, int tile, SumOf<T> sum, State<SumOf<T>>&,
                                    bool speaker = true) {
    using A = SumOf<T>;
    constexpr int size = 32 * Q;
    const int lane = dev::lane();
    const int group = tile / size, place = tile % size;
    if (lane == 0 && speaker) dev::post<A>(job.sums, tile, sum, job.tag);
    // Everything is asked for before anything is waited for.
    Message<A> own[Q], last[Q], head = {0, job.tag};
#pragma unroll
    for (int q = 0; q < Q; ++q) {
      own[q] = last[q] = {0, job.tag};
      if (q * 32 + lane < place) own[q] = dev::receive<A>(job.sums, (long long)group * size + q * 32 + lane);
      if (group > 0) last[q] = dev::receive<A>(job.sums, (long long)(group - 1) * size + q * 32 + lane);
    }
    if (group > 1) head = dev::receive<A>(job.heads, group - 1);
    dev::Patience patience;
#pragma unroll
    for (int q = 0; q < Q; ++q) {
      while (last[q].tag != job.tag) {
        last[q] = dev::receive<A>(job.sums, (long long)(group - 1) * size + q * 32 + lane);
        patience.spend(job.watch, dev::wait_look_back);
      }
    }
    while (head.tag != job.tag) {
      head = dev::receive<A>(job.heads, group - 1);
      patience.spend(job.watch, dev::wait_look_back);
    }
#pragma unroll
    for (int q = 0; q < Q; ++q) {
      while (own[q].tag != job.tag) {
        own[q] = dev::receive<A>(job.sums, (long long)group * size + q * 32 + lane);
        patience.spend(job.watch, dev::wait_look_back);
      }
    }
    dev::sync_warp();
    A own_sum = 0, last_sum = 0;
#pragma unroll
    for (int q = 0; q < Q; ++q) own_sum += own[q].value, last_sum += last[q].value;
    last_sum = warp_sum<A>(last_sum);
    const A start = head.value + last_sum;
    if (place == size - 1 &&
        speaker) {  // the group is complete: publish the next one's head, its sum added as all others add it
      A all = 0;
      own[Q - 1].value = lane == 31 ? sum : own[Q - 1].value;
#pragma unroll
      for (int q = 0; q < Q; ++q) all += own[q].value;
      all = warp_sum<A>(all);
      if (lane == 0) dev::post<A>(job.heads, group + 1, start + all, job.tag);
    }
    return start + warp_sum<A>(own_sum);
  }
};

// For blocks that stay: every warp that looks back reads every tile's sum once, and keeps the sum of all
// groups of 32 that are complete. No chain at all: a tile waits for one trip of the sums before it.
// Deterministic, since groups are summed as trees and added in order, whoever does it. Q groups are asked
// for at once; some (blocks * warps that look back / 32) come between a warp's tile and its next.
template <int Q>
struct LookWalk {
  static constexpr bool deterministic = true;
  template <class A>
  struct State {
    int group = 0;
    A start = 0;
  };
  template <class T>
  static __device__ SumOf<T> before(const Job<T>& job, int tile, SumOf<T> sum, State<SumOf<T>>& state,
                                    bool speaker = true) {
    using A = SumOf<T>;
    const int lane = dev::lane();
    if (lane == 0 && speaker) dev::post<A>(job.sums, tile, sum, job.tag);
    dev::Patience patience;
    while (true) {
      const int first = state.group * 32 + lane;
      Message<A> m[Q];
#pragma unroll
      for (int q = 0; q < Q; ++q) {
        m[q] = {0, job.tag};
        if (first + q * 32 < tile) m[q] = dev::receive<A>(job.sums, first + q * 32);
      }
#pragma unroll
      for (int q = 0; q < Q; ++q) {
        while (m[q].tag != job.tag) {
          m[q] = dev::receive<A>(job.sums, first + q * 32);
          patience.spend(job.watch, dev::wait_look_back);
        }
      }
      dev::sync_warp();
#pragma unroll
      for (int q = 0; q < Q; ++q) m[q].value = warp_sum<A>(m[q].value);
#pragma unroll
      for (int q = 0; q < Q; ++q) {
        if ((state.group + 1) * 32 > tile) return state.start + m[q].value;
        state.start += m[q].value;
        ++state.group;
      }
    }
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// A. Blocks of one tile each, which stays in registers. What is under way is what the resident blocks
// hold; a block loads nothing while it looks back, so its tile must be worth the whole stay: 16 KB a µs
// and SM. The ticket costs a round trip before the load; without it the tile is the block's index, which
// assumes that blocks start in order (CUB assumes it too).
template <class A, int WARPS>
struct MemoryA {
  A sums[WARPS];
  A base;
  int tile;
};

template <class T, int WARPS, int R, int PER_SM, class Look, int HINT, bool TICKET>
__global__ void __launch_bounds__(WARPS * 32, PER_SM) scan_blocks(const Job<T> job) {
  using A = SumOf<T>;
  auto& m = dev::shared<MemoryA<A, WARPS>>();
  const int warp = dev::thread() / 32, lane = dev::lane();
  int tile = dev::block();
  if constexpr (TICKET) {
    if (dev::thread() == 0) m.tile = dev::draw(job.ticket, job.tiles - 1);
    dev::sync_block();
    tile = m.tile;
  }
  const long long stretch = ((long long)tile * WARPS + warp) * R * 32;
  Rows<T, R> rows;
  rows.template load<HINT>((const uint4*)job.in + stretch);
  rows.scan();
  if (lane == 0) m.sums[warp] = rows.total;
  dev::sync_block();
  const A part = lane < WARPS ? m.sums[lane] : A(0);
  const A before = warp_sum<A>(lane < warp ? part : A(0));
  if (warp == 0) {
    typename Look::template State<A> state;
    const A prefix = Look::before(job, tile, warp_sum<A>(part), state);
    if (lane == 0) m.base = prefix;
  }
  dev::sync_block();
  rows.template store<HINT>((uint4*)job.out + stretch, m.base + before);
}

// S. For arrays that fit into the chip at once: as A, but every thread of the block reads some of the sums
// before it, so that the look-back is one round trip and a block-wide sum, and never a chain.
// Deterministic. The work grows with the square of the tiles: for up to some 1,000.
template <class A, int WARPS>
struct MemoryS {
  A sums[WARPS], parts[WARPS];
  int tile;
};

template <class T, int WARPS, int R, int PER_SM, int HINT, bool TICKET>
__global__ void __launch_bounds__(WARPS * 32, PER_SM) scan_small(const Job<T> job) {
  using A = SumOf<T>;
  auto& m = dev::shared<MemoryS<A, WARPS>>();
  const int warp = dev::thread() / 32, lane = dev::lane();
  int tile = dev::block();
  if constexpr (TICKET) {
    if (dev::thread() == 0) m.tile = dev::draw(job.ticket, job.tiles - 1);
    dev::sync_block();
    tile = m.tile;
  }
  const long long stretch = ((long long)tile * WARPS + warp) * R * 32;
  Rows<T, R> rows;
  rows.template load<HINT>((const uint4*)job.in + stretch);
  rows.scan();
  if (lane == 0) m.sums[warp] = rows.total;
  dev::sync_block();
  const A part = lane < WARPS ? m.sums[lane] : A(0);
  const A before = warp_sum<A>(lane < warp ? part : A(0));
  const A sum = warp_sum<A>(part);
  if (dev::thread() == 0) dev::post<A>(job.sums, tile, sum, job.tag);
  A prefix = 0;
  dev::Patience patience;
  for (int other = dev::thread(); other < tile; other += WARPS * 32) {
    Message<A> message = dev::receive<A>(job.sums, other);
    while (message.tag != job.tag) {
      patience.spend(job.watch, dev::wait_look_back);
      message = dev::receive<A>(job.sums, other);
    }
    prefix += message.value;
  }
  dev::sync_warp();
  prefix = warp_sum<A>(prefix);
  if (lane == 0) m.parts[warp] = prefix;
  dev::sync_block();
  prefix = warp_sum<A>(lane < WARPS ? m.parts[lane] : A(0));
  rows.template store<HINT>((uint4*)job.out + stretch, prefix + before);
}

// ---------------------------------------------------------------------------------------------------------------------
// The ring of tiles in shared memory that B1 and B2 share. One lane draws tickets and asks the copy engine
// for tiles; a slot is free again when `leavers` warps have left it. Tiles in order of tickets: an SM that
// is slower takes fewer, where a fixed order would make all wait for it. After the last tile it passes
// `stops` slots whose tile is out of range. ORDER says when a tile is chosen:
enum Order {
  by_turns,     // tile k * blocks + block: no tickets, and the pace of the slowest SM
  when_needed,  // a ticket when the slot is free: each tile costs the ticket's round trip
  one_ahead     // a ticket while the slot is still waited for: hides the round trip, but a tile's load starts
                // later after its ticket
};
template <int SLOTS, int BYTES>
struct Ring {
  uint4 tiles[SLOTS][BYTES / 16];
  Bar full[SLOTS], empty[SLOTS];
  int tile[SLOTS];
};

template <class T, int HINT, Order ORDER, int SLOTS, int BYTES>
__device__ __forceinline__ void fill_ring(const Job<T>& job, Ring<SLOTS, BYTES>& ring, int stops) {
  const auto ticket = [&] {
    return (int)dev::draw(job.ticket, job.tiles + dev::blocks() - 1);
  };  // one past the end for each block
  int past = 0, next = 0;
  if (ORDER == one_ahead) next = ticket();
  for (int k = 0; past < stops; ++k) {
    const int s = k % SLOTS;
    if (k >= SLOTS) {
      dev::Patience patience;
      while (!dev::bar_try(&ring.empty[s], (k / SLOTS - 1) & 1)) patience.spend(job.watch, dev::wait_slot);
    }
    int tile = job.tiles;
    if (past == 0) {
      if (ORDER == by_turns) tile = k * dev::blocks() + dev::block();
      if (ORDER == when_needed) tile = ticket();
      if (ORDER == one_ahead) tile = next;
    }
    ring.tile[s] = tile;
    if (tile < job.tiles) {
      dev::bar_expect(&ring.full[s], BYTES);
      dev::bulk_load<HINT>(ring.tiles[s], (const char*)job.in + (long long)tile * BYTES, BYTES,
                           &ring.full[s]);
      if (ORDER == one_ahead) next = ticket();
    } else {
      ++past;
      dev::bar_arrive(&ring.full[s]);
    }
  }
}
template <int SLOTS, int BYTES>
__device__ __forceinline__ int wait_tile(const Watch& watch, Ring<SLOTS, BYTES>& ring, int k) {
  dev::Patience patience;
  while (!dev::bar_try(&ring.full[k % SLOTS], (k / SLOTS) & 1)) patience.spend(watch, dev::wait_load);
  return ring.tile[k % SLOTS];
}

// B1. Tiles wait in shared memory. Some warps only sum a tile, as soon as it is there, whatever else is
// late; some look back; the others scan it when its prefix is known. Nothing that is late holds up a sum,
// so blocks do not wait for each other in rounds. The stay of a tile, up to SLOTS * BYTES / (16 KB a µs),
// hides load and look-back: 12 µs with 192 KB. Results leave from registers, or through the slot and the
// copy engine (BULK).
template <class A, int SLOTS, int BYTES, int WARPS>
struct MemoryB1 {
  Ring<SLOTS, BYTES> ring;
  Bar summed[SLOTS], known[SLOTS];
  A sums[SLOTS][WARPS];
  A base[SLOTS];
};

template <class T, int WARPS, int R, int SLOTS, int SUMMERS, int LOOKERS, int PER_SM, class Look, int HINT,
          Order ORDER, bool BULK>
__global__ void __launch_bounds__((1 + SUMMERS + LOOKERS + WARPS) * 32, PER_SM) scan_ring(const Job<T> job) {
  static_assert(WARPS % SUMMERS == 0 && LOOKERS < SLOTS);
  using A = SumOf<T>;
  constexpr int bytes = WARPS * R * 512;
  auto& m = dev::shared<MemoryB1<A, SLOTS, bytes, WARPS>>();
  const int lane = dev::lane();
  int warp = dev::thread() / 32;
  if (dev::thread() == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      dev::bar_init(&m.ring.full[s], 1);
      dev::bar_init(&m.ring.empty[s], WARPS);
      dev::bar_init(&m.summed[s], SUMMERS);
      dev::bar_init(&m.known[s], 1);
    }
    dev::bars_ready();
  }
  dev::sync_block();

  if (warp < WARPS) {  // scan
    for (int k = 0;; ++k) {
      const int s = k % SLOTS;
      const int tile = wait_tile(job.watch, m.ring, k);
      if (tile >= job.tiles) break;
      dev::Patience patience;
      while (!dev::bar_try(&m.known[s], (k / SLOTS) & 1)) patience.spend(job.watch, dev::wait_prefix);
      uint4* const here = m.ring.tiles[s] + warp * R * 32;
      uint4* const there = (uint4*)job.out + ((long long)tile * WARPS + warp) * R * 32;
      Rows<T, R> rows;
      rows.take(here);
      const A part = lane < WARPS ? m.sums[s][lane] : A(0);
      const A before = m.base[s] + warp_sum<A>(lane < warp ? part : A(0));
      rows.scan();
      if constexpr (BULK) {
        rows.put(here, before);
        dev::fence_bulk();
        dev::sync_warp();
        if (lane == 0) {
          dev::bulk_store<HINT>(there, here, R * 512);
          dev::bulk_read<1>();  // the one before has been read: its slot is free
          if (k > 0) dev::bar_arrive(&m.ring.empty[(k - 1) % SLOTS]);
        }
        dev::sync_warp();
      } else {
        dev::sync_warp();
        if (lane == 0) dev::bar_arrive(&m.ring.empty[s]);
        rows.template store<HINT>(there, before);
      }
    }
    if (BULK && lane == 0) dev::bulk_done();
    return;
  }
  warp -= WARPS;
  if (warp < SUMMERS) {  // sum
    for (int k = 0;; ++k) {
      const int s = k % SLOTS;
      if (wait_tile(job.watch, m.ring, k) >= job.tiles) break;
#pragma unroll
      for (int part = 0; part < WARPS / SUMMERS; ++part) {
        const int stretch = warp + part * SUMMERS;
        A sum = 0;
#pragma unroll
        for (int r = 0; r < R; ++r) sum += sum16<T>(m.ring.tiles[s][(stretch * R + r) * 32 + lane]);
        sum = warp_sum<A>(sum);
        if (lane == 0) m.sums[s][stretch] = sum;
      }
      if (lane == 0) dev::bar_arrive(&m.summed[s]);
    }
    return;
  }
  warp -= SUMMERS;
  if (warp < LOOKERS) {  // look back
    typename Look::template State<A> state;
    for (int k = warp;; k += LOOKERS) {
      const int s = k % SLOTS;
      const int tile = wait_tile(job.watch, m.ring, k);
      if (tile >= job.tiles) break;
      dev::Patience patience;
      while (!dev::bar_try(&m.summed[s], (k / SLOTS) & 1)) patience.spend(job.watch, dev::wait_sums);
      dev::sync_warp();
      const A prefix = Look::before(job, tile, warp_sum<A>(lane < WARPS ? m.sums[s][lane] : A(0)), state);
      if (lane == 0) {
        m.base[s] = prefix;
        dev::bar_arrive(&m.known[s]);
      }
      dev::sync_warp();
    }
    return;
  }
  if (lane == 0) fill_ring<T, HINT, ORDER>(job, m.ring, LOOKERS);
}

// B2. Tiles wait in registers. The ring holds only what is under way; GROUPS groups of WARPS warps take
// the tiles as they land, free the slot, scan in registers, wait for their prefix, add and store. Each
// byte crosses shared memory once in and once out, and registers (GROUPS * BYTES) and shared memory (SLOTS
// * BYTES) together are the stay of a tile. Each group has one warp more, which looks back for it and so
// needs no room for a part of the tile.
template <class A, int SLOTS, int BYTES, int WARPS, int GROUPS>
struct MemoryB2 {
  Ring<SLOTS, BYTES> ring;
  A sums[GROUPS][WARPS];
  A base[GROUPS];
};

template <class T, int WARPS, int R, int GROUPS, int SLOTS, int PER_SM, class Look, int HINT, Order ORDER>
__global__ void __launch_bounds__((1 + GROUPS * (WARPS + 1)) * 32, PER_SM) scan_groups(const Job<T> job) {
  // A barrier's parity tells this phase from the next, not from the one after. A group that waits for a slot
  // has the prefix of its tile before, so all earlier tiles of the block have landed: with no more groups
  // than slots, the slot's phase before is over.
  static_assert(GROUPS <= SLOTS);
  using A = SumOf<T>;
  constexpr int bytes = WARPS * R * 512, threads = (WARPS + 1) * 32;
  auto& m = dev::shared<MemoryB2<A, SLOTS, bytes, WARPS, GROUPS>>();
  const int lane = dev::lane();
  if (dev::thread() == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      dev::bar_init(&m.ring.full[s], 1);
      dev::bar_init(&m.ring.empty[s], WARPS + 1);
    }
    dev::bars_ready();
  }
  dev::sync_block();
  int warp = dev::thread() / 32;
  if (warp < GROUPS * WARPS) {  // a group's part of the tile
    const int group = warp / WARPS;
    warp %= WARPS;
    for (int k = group;; k += GROUPS) {
      const int s = k % SLOTS;
      const int tile = wait_tile(job.watch, m.ring, k);
      if (tile >= job.tiles) {
        dev::sync_warp();
        if (lane == 0) dev::bar_arrive(&m.ring.empty[s]);
        break;
      }
      Rows<T, R> rows;
      rows.take(m.ring.tiles[s] + warp * R * 32);
      dev::sync_warp();
      if (lane == 0) dev::bar_arrive(&m.ring.empty[s]);
      rows.scan();
      if (lane == 0) m.sums[group][warp] = rows.total;
      dev::sync_some(1 + group, threads);
      const A before = warp_sum<A>(lane < warp ? m.sums[group][lane] : A(0));
      dev::sync_some(1 + group, threads);
      rows.template store<HINT>((uint4*)job.out + ((long long)tile * WARPS + warp) * R * 32,
                                m.base[group] + before);
    }
    return;
  }
  warp -= GROUPS * WARPS;
  if (warp < GROUPS) {  // a group's look-back
    typename Look::template State<A> state;
    const int group = warp;
    for (int k = group;; k += GROUPS) {
      const int s = k % SLOTS;
      const int tile = wait_tile(job.watch, m.ring, k);
      dev::sync_warp();
      if (lane == 0) dev::bar_arrive(&m.ring.empty[s]);
      if (tile >= job.tiles) break;
      dev::sync_some(1 + group, threads);
      const A sum = warp_sum<A>(lane < WARPS ? m.sums[group][lane] : A(0));
      const A prefix = Look::before(job, tile, sum, state);
      if (lane == 0) m.base[group] = prefix;
      dev::sync_some(1 + group, threads);
    }
    return;
  }
  if (lane == 0) fill_ring<T, HINT, ORDER>(job, m.ring, GROUPS);
}

// ---------------------------------------------------------------------------------------------------------------------
// C. As A, but CLUSTER blocks share a tile: they exchange sums through distributed shared memory, and
// there is one word for all of them. CLUSTER times fewer words to look back over, for two barriers across
// the cluster. Every block looks back by itself (the same words, mostly from L2), which saves a third
// barrier.
template <class A, int WARPS, int CLUSTER>
struct MemoryC {
  A sums[WARPS];
  A cluster[CLUSTER];
  A base;
  int tile;
};

template <class T, int CLUSTER, int WARPS, int R, int PER_SM, class Look, int HINT, bool TICKET>
__global__ void __launch_bounds__(WARPS * 32, PER_SM) scan_clusters(const Job<T> job) {
  using A = SumOf<T>;
  auto& m = dev::shared<MemoryC<A, WARPS, CLUSTER>>();
  const int warp = dev::thread() / 32, lane = dev::lane(), rank = dev::cluster_rank();
  int tile = dev::block() / CLUSTER;
  if constexpr (TICKET) {
    if (rank == 0 && dev::thread() == 0) {
      const int mine = dev::draw(job.ticket, job.tiles - 1);
      for (int other = 0; other < CLUSTER; ++other) *dev::of_block(&m.tile, other) = mine;
    }
    dev::sync_cluster();
    tile = m.tile;
  }
  const long long stretch = (((long long)tile * CLUSTER + rank) * WARPS + warp) * R * 32;
  Rows<T, R> rows;
  rows.template load<HINT>((const uint4*)job.in + stretch);
  rows.scan();
  if (lane == 0) m.sums[warp] = rows.total;
  dev::sync_block();
  const A part = lane < WARPS ? m.sums[lane] : A(0);
  A before = warp_sum<A>(lane < warp ? part : A(0));
  if (warp == 0) {
    const A sum = warp_sum<A>(part);
    if (lane < CLUSTER) *dev::of_block(&m.cluster[rank], lane) = sum;
  }
  dev::sync_cluster();  // after it nobody touches another's memory, so blocks may end one by one
  const A blocks = lane < CLUSTER ? m.cluster[lane] : A(0);
  before += warp_sum<A>(lane < rank ? blocks : A(0));
  if (warp == 0) {
    typename Look::template State<A> state;
    const A prefix = Look::before(job, tile, warp_sum<A>(blocks), state, rank == 0);
    if (lane == 0) m.base = prefix;
  }
  dev::sync_block();
  rows.template store<HINT>((uint4*)job.out + stretch, m.base + before);
}

// ---------------------------------------------------------------------------------------------------------------------
// D. Reduce, then scan, with the second read from L2. Each block sums its chunk of a window; AHEAD windows
// later, all sums have long come, and it reads the chunk again and scans it. No ring, no look-back chain,
// deterministic. Bounded by L2, which moves 12 bytes where memory moves 8, and by how much of (AHEAD + 1)
// windows it keeps; small chunks may come from L1.
template <class A, int WARPS>
struct MemoryD {
  A sums[WARPS], before[WARPS], whole[WARPS];
};

template <class T, int WARPS, int R, int TILES, int AHEAD, int PER_SM, int HINT>
__global__ void __launch_bounds__(WARPS * 32, PER_SM) scan_windows(const Job<T> job) {
  using A = SumOf<T>;
  constexpr int tile_vectors = WARPS * R * 32, chunk_vectors = tile_vectors * TILES;
  auto& m = dev::shared<MemoryD<A, WARPS>>();
  const int warp = dev::thread() / 32, lane = dev::lane(), blocks = dev::blocks();
  const int windows = (job.tiles + blocks - 1) / blocks;  // job.tiles counts chunks
  A running = 0;                                          // what stands before the window
  for (int w = 0; w < windows + AHEAD; ++w) {
    const long long ahead = (long long)w * blocks + dev::block();
    if (w < windows && ahead < job.tiles) {
      const uint4* const chunk = (const uint4*)job.in + ahead * chunk_vectors;
      A sum = 0;
      for (int tile = 0; tile < TILES; ++tile) {
        Rows<T, R> rows;
        rows.template load<0>(chunk + tile * tile_vectors + warp * R * 32);
#pragma unroll
        for (int r = 0; r < R; ++r) sum += sum16<T>(rows.q[r]);
      }
      sum = warp_sum<A>(sum);
      if (lane == 0) m.sums[warp] = sum;
      dev::sync_block();
      if (warp == 0) {
        sum = warp_sum<A>(lane < WARPS ? m.sums[lane] : A(0));
        if (lane == 0) dev::post<A>(job.sums, ahead, sum, job.tag);
      }
      dev::sync_block();
    }
    if (w < AHEAD) continue;
    const long long first = (long long)(w - AHEAD) * blocks;
    A before = 0, whole = 0;
    for (int other = dev::thread(); other < blocks && first + other < job.tiles; other += WARPS * 32) {
      dev::Patience patience;
      Message<A> message = dev::receive<A>(job.sums, first + other);
      while (message.tag != job.tag) {
        patience.spend(job.watch, dev::wait_look_back);
        message = dev::receive<A>(job.sums, first + other);
      }
      whole += message.value;
      if (other < dev::block()) before += message.value;
    }
    dev::sync_warp();
    before = warp_sum<A>(before), whole = warp_sum<A>(whole);
    if (lane == 0) m.before[warp] = before, m.whole[warp] = whole;
    dev::sync_block();
    before = warp_sum<A>(lane < WARPS ? m.before[lane] : A(0)),
    whole = warp_sum<A>(lane < WARPS ? m.whole[lane] : A(0));
    A base = running + before;
    running += whole;
    if (first + dev::block() < job.tiles) {
      for (int tile = 0; tile < TILES; ++tile) {
        const long long stretch =
            (first + dev::block()) * chunk_vectors + tile * tile_vectors + warp * R * 32;
        Rows<T, R> rows;
        rows.template load<HINT>((const uint4*)job.in + stretch);
        rows.scan();
        if (lane == 0) m.sums[warp] = rows.total;
        dev::sync_block();
        const A part = lane < WARPS ? m.sums[lane] : A(0);
        rows.template store<HINT>((uint4*)job.out + stretch, base + warp_sum<A>(lane < warp ? part : A(0)));
        base += warp_sum<A>(part);
        dev::sync_block();
      }
    }
    dev::sync_block();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// R. Reductions in one pass: the last block to finish adds the blocks' sums, each block's in its place, so
// the result is the same on every run.
template <class A, int WARPS>
struct MemoryR {
  A sums[WARPS];
  int last;
};

template <class T, int WARPS>
__device__ __forceinline__ void finish_reduction(const Job<T>& job, MemoryR<SumOf<T>, WARPS>& m, SumOf<T> sum,
                                                 int warp, int number, int threads) {
  using A = SumOf<T>;
  const int lane = dev::lane(), t = warp * 32 + lane;
  sum = warp_sum<A>(sum);
  if (lane == 0) m.sums[warp] = sum;
  dev::sync_some(number, threads);
  if (warp == 0) {
    sum = warp_sum<A>(lane < WARPS ? m.sums[lane] : A(0));
    if (lane == 0) {
      dev::post<A>(job.sums, dev::block(), sum, job.tag);
      dev::fence();
      m.last = dev::draw(job.ticket, dev::blocks() - 1) == (unsigned)dev::blocks() - 1;
      dev::fence();
    }
  }
  dev::sync_some(number, threads);
  if (!m.last) return;
  sum = 0;
  for (int other = t; other < dev::blocks(); other += threads) sum += dev::receive<A>(job.sums, other).value;
  dev::sync_warp();
  sum = warp_sum<A>(sum);
  if (lane == 0) m.sums[warp] = sum;
  dev::sync_some(number, threads);
  if (warp == 0) {
    sum = warp_sum<A>(lane < WARPS ? m.sums[lane] : A(0));
    if (lane == 0) job.out[0] = T(sum);
  }
}

// R1. Wide loads, FLIGHT of them under way in each thread: FLIGHT * 16 bytes * resident threads is what
// Little's law asks 40 KB of.
template <class T, int WARPS, int FLIGHT, int PER_SM, int HINT>
__global__ void __launch_bounds__(WARPS * 32, PER_SM)
    reduce_wide(const Job<T> job) {  // job.tiles counts vectors
  using A = SumOf<T>;
  auto& m = dev::shared<MemoryR<A, WARPS>>();
  const int all = WARPS * 32 * dev::blocks(), first = dev::block() * WARPS * 32 + dev::thread();
  const uint4* const in = (const uint4*)job.in;
  A sums[FLIGHT] = {};
  int i = first;
  for (; (long long)i + (long long)(FLIGHT - 1) * all < job.tiles; i += FLIGHT * all) {
    uint4 q[FLIGHT];
#pragma unroll
    for (int k = 0; k < FLIGHT; ++k) q[k] = dev::load16<HINT>(in + i + (long long)k * all);
#pragma unroll
    for (int k = 0; k < FLIGHT; ++k) sums[k] += sum16<T>(q[k]);
  }
  for (; i < job.tiles; i += all) sums[0] += sum16<T>(dev::load16<HINT>(in + i));
  A sum = 0;
#pragma unroll
  for (int k = 0; k < FLIGHT; ++k) sum += sums[k];
  finish_reduction<T, WARPS>(job, m, sum, dev::thread() / 32, 0, WARPS * 32);
}

// R2. The copy engine keeps SLOTS * BYTES under way in each SM, whatever the warps do.
template <class A, int SLOTS, int BYTES, int WARPS>
struct MemoryR2 {
  Ring<SLOTS, BYTES> ring;
  MemoryR<A, WARPS> finish;
};

template <class T, int WARPS, int R, int SLOTS, int PER_SM, int HINT>
__global__ void __launch_bounds__((WARPS + 1) * 32, PER_SM) reduce_ring(const Job<T> job) {
  using A = SumOf<T>;
  constexpr int bytes = WARPS * R * 512;
  auto& m = dev::shared<MemoryR2<A, SLOTS, bytes, WARPS>>();
  const int warp = dev::thread() / 32, lane = dev::lane();
  if (dev::thread() == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      dev::bar_init(&m.ring.full[s], 1);
      dev::bar_init(&m.ring.empty[s], WARPS);
    }
    dev::bars_ready();
  }
  dev::sync_block();
  if (warp == WARPS) {
    if (lane == 0) fill_ring<T, HINT, by_turns>(job, m.ring, 1);  // a fixed order: the same sum on every run
    return;
  }
  A sums[R] = {};
  for (int k = 0;; ++k) {
    const int s = k % SLOTS;
    if (wait_tile(job.watch, m.ring, k) >= job.tiles) break;
#pragma unroll
    for (int r = 0; r < R; ++r) sums[r] += sum16<T>(m.ring.tiles[s][(warp * R + r) * 32 + lane]);
    dev::sync_warp();
    if (lane == 0) dev::bar_arrive(&m.ring.empty[s]);
  }
  A sum = 0;
#pragma unroll
  for (int r = 0; r < R; ++r) sum += sums[r];
  finish_reduction<T, WARPS>(job, m.finish, sum, warp, 1, WARPS * 32);
}

// ---------------------------------------------------------------------------------------------------------------------
// K. Copies, for the ceiling: what a scan could reach if it had nothing to compute.
template <int WARPS, int R, int HINT>
__global__ void __launch_bounds__(WARPS * 32) copy_blocks(const Job<float> job) {  // a tile a block
  const long long stretch = ((long long)dev::block() * WARPS + dev::thread() / 32) * R * 32 + dev::lane();
  uint4 q[R];
#pragma unroll
  for (int r = 0; r < R; ++r) q[r] = dev::load16<HINT>((const uint4*)job.in + stretch + r * 32);
#pragma unroll
  for (int r = 0; r < R; ++r) dev::store16<HINT>((uint4*)job.out + stretch + r * 32, q[r]);
}

// Through the ring, in by the copy engine and out by it: two warps, no registers.
template <int SLOTS, int BYTES, int PER_SM, int HINT>
__global__ void __launch_bounds__(64, PER_SM) copy_ring(const Job<float> job) {
  auto& ring = dev::shared<Ring<SLOTS, BYTES>>();
  if (dev::thread() == 0) {
    for (int s = 0; s < SLOTS; ++s) {
      dev::bar_init(&ring.full[s], 1);
      dev::bar_init(&ring.empty[s], 1);
    }
    dev::bars_ready();
  }
  dev::sync_block();
  if (dev::lane() != 0) return;
  if (dev::thread() == 32) return fill_ring<float, HINT, when_needed>(job, ring, 1);
  for (int k = 0;; ++k) {
    const int s = k % SLOTS;
    const int tile = wait_tile(job.watch, ring, k);
    if (tile >= job.tiles) break;
    dev::bulk_store<HINT>((char*)job.out + (long long)tile * BYTES, ring.tiles[s], BYTES);
    dev::bulk_read<1>();
    if (k > 0) dev::bar_arrive(&ring.empty[(k - 1) % SLOTS]);
  }
  dev::bulk_done();
}

}  // namespace lab
