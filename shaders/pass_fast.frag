// The version of the pass without the recorder: a pass only computes.
#define T Number
#define fetch(from, i) texel_of(from, i)
#define op(left, right) combine(left, right)
#define write(to, x) drawn = x
#define begin()
#define end()
