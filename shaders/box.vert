// A box on whole pixels in one colour. a: left, top, right, bottom.
flat out vec4 colour;

void main() {
  colour = premultiplied(fill);
  place(mix(a.xy, a.zw, corner()));
}
