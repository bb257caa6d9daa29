// A glyph, with one texel per pixel. a: left, top, right, bottom on whole pixels; b: left and top in the
// atlas, in texels.
flat out vec4 colour;
out vec2 texel;

void main() {
  colour = premultiplied(fill);
  texel = b.xy + corner() * (a.zw - a.xy);
  place(mix(a.xy, a.zw, corner()));
}
