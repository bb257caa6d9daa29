// A rounded rectangle with a stroke inside it. a: left, top, right, bottom; b: radius, stroke width, 1 if hatched.
flat out vec2 centre, half_size;
flat out vec3 form;
flat out vec4 fill_colour, stroke_colour;
out vec2 at;

void main() {
  centre = (a.xy + a.zw) / 2;
  half_size = (a.zw - a.xy) / 2;
  form = b.xyz;
  fill_colour = premultiplied(fill);
  stroke_colour = premultiplied(stroke);
  at = mix(a.xy - 0.5, a.zw + 0.5, corner());
  place(at);
}
