// OpenGL hybrid scan
// Idea        Reduce the array a few times, each time to half its length. Scan the short array with the double-buffered scan. Then pass the sums back to the whole array, level by level. Every pass reads textures and draws one texture.
// Gives       inclusive scan
// Elements    1 per thread
// Blocks      any
// Types       int32 uint32 float32
// Operators   sum product min max
// Variants    reduce_steps 4|0|1|2|3|5|6|8|10|14|20
// Names       is_long = ceil_div(whole, 1 << reduce_steps) < n, half = ceil_div(n, 2), rounds = is_long ? 0 : n > 2 ? log2(n - 1) + 1 : 1, levels = min(reduce_steps, log2(n)), rest = n >> levels
// Buffers     sums: is_long * half, scanned: is_long * half, other: rounds > 1 ? n : 0
// Launches    reduce<<<ceil_div(half, block), min(half, block)>>>(in, sums, n) if is_long;
//             scan_opengl_hybrid(sums, scanned, half) if is_long;
//             down_sweep<<<ceil_div(n, block), min(n, block)>>>(scanned, in, out) if is_long;
//             for round < rounds { scan<<<ceil_div(n, block), min(n, block)>>>(round == 0 ? in : (rounds - round) % 2 ? other : out, (rounds - round) % 2 ? out : other, 1 << round) }
// Steps       2 * levels + log2(rest) - (levels > 0 && rest == 1)
// Operations  2 * (n - rest) - levels + rest * log2(rest) - (rest - 1)
// Span        2 * levels + log2(rest) - (levels > 0 && rest == 2) - (rest == 1) * min(levels, 2)
// Watch       A fragment can read any texel, but it draws only its own texel, so each step is a pass over whole textures. There is no shared memory, no
//             barrier and no scattered write. So every partial sum goes to global memory and back: for n = 1,024 the passes move 1,516 sectors, while
//             scan_blelloch moves 256 sectors. The book leaves out the addition in the down-sweep, but without this addition the result is wrong. Upsweep
//             shows 32 fragments in a row as a warp. Sectors are counted as if texels were stored row by row, although a GPU stores textures in another order.
// Source      [GEMS] GPU Gems 3, ch. 39, section 39.2.6, algorithms 5 and 6; Sengupta, Lefohn, Owens: A Work-Efficient Step-Efficient Prefix Sum Algorithm, 2006

// Algorithm 5: texel k becomes the sum of texels 2k and 2k + 1. So the target has half as many texels (rounded up).
void reduce(Texture from, Target to, int n) {
  int k = texel();
  T sum = fetch(from, 2 * k);
  if (2 * k + 1 < n) sum = op(sum, fetch(from, 2 * k + 1));
  write(to, sum);
}

// Algorithm 2 (the double-buffered scan), for one stride.
void scan(Texture from, Target to, int stride) {
  int k = texel();
  T sum = fetch(from, k);
  if (k >= stride) sum = op(fetch(from, k - stride), sum);
  write(to, sum);
}

// Algorithm 6: computes the scan of all elements from the scan of the sums of pairs.
void down_sweep(Texture scanned, Texture from, Target to) {
  int k = texel();
  T sum;
  if (k % 2 == 1) {
    sum = fetch(scanned, k / 2);
  } else {
    sum = fetch(from, k);
    if (k > 0) sum = op(fetch(scanned, k / 2 - 1), sum);
  }
  write(to, sum);
}
