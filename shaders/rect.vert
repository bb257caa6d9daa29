// A rounded rectangle with a stroke inside. a: left, top, right, bottom; b: radius, stroke width.
flat out vec4 form;  // half the size without the rounded corners, the radius, the stroke's width
flat out vec4 fill_colour, stroke_colour;
out vec2 at;  // from the middle

void main() {
  vec2 half_size = (a.zw - a.xy) / 2;
  form = vec4(half_size - b.x, b.xy);
  fill_colour = premultiplied(fill);
  stroke_colour = premultiplied(stroke);
  at = (corner() * 2 - 1) * (half_size + margin(a));
  place((a.xy + a.zw) / 2 + at);
}
