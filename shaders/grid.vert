// A grid of equal cells with one colour each. a: left, top, right, bottom; b: columns, rows, index of the
// first cell among all cells.
flat out ivec3 form;
out vec2 at;  // in cells

void main() {
  form = ivec3(b.xyz);
  at = corner() * b.xy;
  place(mix(a.xy, a.zw, corner()));
}
