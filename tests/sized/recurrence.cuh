// Recurrence
// Idea        y[j] = a[j] * y[j - 1] + b[j]. An element is the pair (a, b), and y is a single number.
// Gives       copy
// Elements    1 per thread
// Variants    none
// Inputs      in: n, start: 1 number
// Outputs     out: n numbers, seconds: n numbers, last: 1 number
// Buffers     maps: n
// Shared      temp: n, ys: n numbers, done: 1 word
// Launches    recurrence<<<1, block>>>(in, start, out, seconds, last, maps, n)
// Steps       1
// Operations  n
// Watch       The numbers.
// Source      A test of numbers beside pairs.
template <class T>
__global__ void recurrence(Global<const T> in, Global<const Number<T>> start, Global<Number<T>> out, Global<Number<T>> seconds,
                           Global<Number<T>> last, Global<T> maps, int n) {
  Shared<T> temp;
  Shared<Number<T>> ys(temp, n);
  Shared<unsigned> done(ys, n);
  const int t = threadIdx.x;
  step(Phase::load);
  if (t == 0) done[0] = 0;
  if (t < n) temp[t] = in[t];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    step(Phase::scan, stride);
    T sum = identity<T>();
    if (t < n) sum = temp[t];
    T left = identity<T>();
    if (t >= stride && t < n) left = temp[t - stride];
    __syncthreads();
    if (t >= stride && t < n) temp[t] = op(left, sum);
  }
  __syncthreads();
  step("apply");
  if (t < n) {
    const T map = temp[t];
    const Number<T> y_before = start[0];
    const Number<T> y = apply(map, y_before);
    ys[t] = y;
    maps[t] = map;
    seconds[t] = second(map);
    if (t == n - 1) done[0] = n;
  }
  __syncthreads();
  step(Phase::store);
  if (t < n) out[t] = ys[t];
  if (t == 0) {
    Number<T> y = identity<Number<T>>();
    if (done[0] == n) y = ys[n - 1];
    last[0] = y;
  }
}
