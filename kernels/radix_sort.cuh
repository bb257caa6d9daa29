// Radix sort, one bit at a time
// Idea        Each block sorts one chunk of the keys in shared memory. For each bit, beginning with the lowest, a split puts the keys whose bit is 0 before the keys whose bit
//             is 1, and keeps the order within both groups. For each key, a scan counts the earlier keys whose bit is 0, and so finds the key's new place. A block stops as soon
//             as its chunk is sorted. Then blocks merge pairs of sorted parts of the array by bitonic networks: each round of merges halves the number of parts (rounded up).
// Gives       sorting
// Ladder      radix_sort: split_and_merge
// Elements    2 per thread
// Blocks      any
// Threads     power of two, at most 512
// Types       int32 uint32 float32
// Operators   sum
// Needs       scalar
// Names       chunk = 2 * block, chunks = ceil_div(n, chunk), rounds = chunks > 1 ? log2(chunks - 1) + 1 : 0
// Inputs      in: n, values: n words if pairs
// Outputs     out: n, out_values: n words if pairs
// Buffers     other: n, other_values: n words if pairs
// Shared      sort_chunks(keys: chunk, zeros: chunk counts, all_zeros: 1 count, unsorted: 1 word, beside: pairs * chunk words);
//             merge_runs(last_left: 1, keys: chunk, last_right: 1, places: chunk words)
// Launches    sort_chunks<<<chunks, block>>>(in, values, rounds % 2 ? other : out, rounds % 2 ? other_values : out_values, n);
//             for round < rounds { merge_runs<<<ceil_div(n, chunk << round + 1), block>>>((rounds - round) % 2 ? other : out, (rounds - round) % 2 ? other_values : out_values,
//             (rounds - round) % 2 ? out : other, (rounds - round) % 2 ? out_values : other_values, chunk << round, n) }
// Variants    keys alone|pairs
// Steps       64 * log2(chunk)
// Operations  at most 64 * chunks * (chunk - 1)
// Span        2 * log2(chunk) - 1
// Watch       In the step "move" of the view "Keys", the arrows of keys with the same bit do not cross, because a split keeps the order of
//             these keys. So these keys stay sorted by their lower bits, and equal keys keep their order. Each round of merges reads and writes every
//             key once. A bitonic network alone does not keep the order of equal keys, so the merge also compares the places of the keys.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.3.3
template <class T>
__global__ void sort_chunks(Global<const T> in, Global<const unsigned> values, Global<T> to, Global<unsigned> to_values, int n) {
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int chunk = 2 * half;
  const int begin = blockIdx.x * chunk;
  const int size = min(chunk, n - begin);  // the number of keys in this chunk
  const int a = t, b = t + half;           // this thread's places in the chunk
  Shared<T> keys;
  Shared<Count> zeros(keys, chunk);        // 1 for a key whose bit is 0; after the scan: the number of such keys before each key
  Shared<Count> all_zeros(zeros, chunk);
  Shared<unsigned> unsorted(all_zeros, 1);  // bit + 1 if the step "compare" for this bit finds keys out of order, else at most bit
  Shared<unsigned> beside(unsorted, 1);     // the value that belongs to each key

  step(Phase::load);
  T x = identity<T>(), y = identity<T>();
  unsigned v = 0, w = 0;
  if (a < size) {
    x = in[begin + a];
    keys[a] = x;
    if (pairs) beside[a] = values[begin + a];
  }
  if (b < size) {
    y = in[begin + b];
    keys[b] = y;
    if (pairs) beside[b] = values[begin + b];
  }
  if (t == 0) unsorted[0] = 0;

  for (int bit = 0; bit < 32; ++bit) {
    // Each thread compares each of its two keys with the next key of the chunk. If all keys are in order, the block is done.
    __syncthreads();
    step("compare", bit);
    bool descends = false;
    if (a < size) {
      x = keys[a];
      if (pairs) v = beside[a];
      if (a + 1 < size) {
        T next = keys[a + 1];
        descends = order_bits(x) > order_bits(next);
      }
    }
    if (b < size) {
      y = keys[b];
      if (pairs) w = beside[b];
      if (b + 1 < size) {
        T next = keys[b + 1];
        if (order_bits(y) > order_bits(next)) descends = true;
      }
    }
    descends = __any_sync(0xffffffff, descends);
    if (descends && t % 32 == 0) atomicMax(&unsorted[0], bit + 1);
    __syncthreads();
    if (static_cast<int>(unsorted[0]) <= bit) break;

    // The last chunk may have places without a key. Such a place counts as a key whose bit is 1, so no key moves to the place.
    step("split", bit);
    const bool a_is_zero = a < size && (order_bits(x) >> bit & 1) == 0;
    const bool b_is_zero = b < size && (order_bits(y) >> bit & 1) == 0;
    Count one = a_is_zero ? 1 : 0;
    zeros[a] = one;
    one = b_is_zero ? 1 : 0;
    zeros[b] = one;

    // An exclusive scan of the flags, as in scan_blelloch.
    int stride = 1;
    for (int d = half; d > 0; d /= 2) {
      __syncthreads();
      step(Phase::up_sweep, stride);
      if (t < d) {
        const int left = stride * (2 * t + 1) - 1;
        const int right = stride * (2 * t + 2) - 1;
        Count in_left = zeros[left];
        Count in_right = zeros[right];
        zeros[right] = op(in_left, in_right);
      }
      stride *= 2;
    }
    step(Phase::clear);
    if (t == 0) {
      Count all = zeros[chunk - 1];
      all_zeros[0] = all;
      zeros[chunk - 1] = identity<Count>();
    }
    for (int d = 1; d < chunk; d *= 2) {
      stride /= 2;
      __syncthreads();
      step(Phase::down_sweep, stride);
      if (t < d) {
        const int left = stride * (2 * t + 1) - 1;
        const int right = stride * (2 * t + 2) - 1;
        Count in_left = zeros[left];
        Count before = zeros[right];
        zeros[left] = before;
        zeros[right] = op(before, in_left);
      }
    }

    // A key whose bit is 0 goes after the earlier keys whose bit is 0. A key whose bit is 1 goes after all keys whose bit is 0, and after the earlier keys whose bit is 1.
    __syncthreads();
    step("move", bit);
    Count all = all_zeros[0];
    Count before_a = zeros[a];
    Count before_b = zeros[b];
    int to_a = before_a, to_b = before_b;
    if (!a_is_zero) to_a = all + a - before_a;
    if (!b_is_zero) to_b = all + b - before_b;
    if (a < size) {
      keys[to_a] = x;
      if (pairs) beside[to_a] = v;
    }
    if (b < size) {
      keys[to_b] = y;
      if (pairs) beside[to_b] = w;
    }
  }

  __syncthreads();
  step(Phase::store);
  if (a < size) {
    x = keys[a];
    to[begin + a] = x;
    if (pairs) to_values[begin + a] = beside[a];
  }
  if (b < size) {
    y = keys[b];
    to[begin + b] = y;
    if (pairs) to_values[begin + b] = beside[b];
  }
}

// Merges two neighbouring sorted runs of `length` keys, or of fewer keys at the end of the array. The upper half of the shared memory holds keys that are not yet stored. In each
// iteration, the block loads the next keys of one run into the lower half, in reverse. Then a bitonic network sorts both halves together. The block stores the lower half,
// because all keys that are not yet loaded come after the keys of the lower half.
template <class T>
__global__ void merge_runs(Global<const T> from, Global<const unsigned> values, Global<T> to, Global<unsigned> to_values, int length, int n) {
  const int t = threadIdx.x;
  const int half = blockDim.x;
  const int begin = 2 * blockIdx.x * length;
  const int middle = begin + min(length, n - begin);
  const int end = middle + min(length, n - middle);
  const unsigned nowhere = 0xffffffff;  // the place of a cell without a key; such a cell comes after all keys
  Shared<T> last_left;                     // the last loaded key of the first run
  Shared<T> keys(last_left, 1);
  Shared<T> last_right(keys, 2 * half);    // the last loaded key of the second run
  Shared<unsigned> places(last_right, 1);  // the place of each key in `from`

  step(Phase::load);
  T key = identity<T>();
  unsigned place = nowhere;
  if (begin + t < middle) {
    key = from[begin + t];
    place = begin + t;
  }
  keys[half + t] = key;
  places[half + t] = place;
  if (t == half - 1) last_left[0] = key;
  int left = begin + half;  // in each run, the first key that is not yet loaded
  int right = middle;

  for (int written = begin; written < end; written += half) {
    // Compare the last loaded keys of both runs, and load from the run with the lower key. If this run has no more keys, load from the other run. In the first iteration, load from the second run.
    step("choose");
    bool take_left = left < middle && right >= end;
    if (left < middle && right > middle && right < end) {
      T x = last_left[0];
      T y = last_right[0];
      take_left = order_bits(x) <= order_bits(y);
    }
    __syncthreads();
    step(Phase::load);
    const int next = (take_left ? left : right) + t;
    key = identity<T>();
    place = nowhere;
    if (next < (take_left ? middle : end)) {
      key = from[next];
      place = next;
    }
    keys[half - 1 - t] = key;
    places[half - 1 - t] = place;
    if (take_left) {
      if (t == half - 1) last_left[0] = key;
      left += half;
    } else {
      if (t == half - 1) last_right[0] = key;
      right += half;
    }

    for (int stride = half; stride > 0; stride /= 2) {
      __syncthreads();
      step("merge", stride);
      const int i = t / stride * 2 * stride + t % stride;
      const int j = i + stride;
      T x = keys[i], y = keys[j];
      const unsigned x_place = places[i], y_place = places[j];
      const unsigned x_bits = x_place == nowhere ? nowhere : order_bits(x);
      const unsigned y_bits = y_place == nowhere ? nowhere : order_bits(y);
      if (x_bits > y_bits || (x_bits == y_bits && x_place > y_place)) {
        keys[i] = y;
        keys[j] = x;
        places[i] = y_place;
        places[j] = x_place;
      }
    }

    __syncthreads();
    step(Phase::store);
    if (written + t < end) {
      key = keys[t];
      to[written + t] = key;
      if (pairs) {
        place = places[t];
        to_values[written + t] = values[place];
      }
    }
  }
}
