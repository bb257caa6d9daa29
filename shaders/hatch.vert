// A hatched rounded rectangle with a stroke inside. a: left, top, right, bottom; b: radius, stroke width.
uniform vec2 origin;
flat out vec4 form;  // half the size without the rounded corners, the radius, the stroke's width
flat out vec4 fill_colour, stroke_colour;
out vec3 at;  // x, y: the distance from the middle; z: x + y from `origin`, so that the lines of all shapes are aligned

void main() {
  vec2 half_size = (a.zw - a.xy) / 2;
  form = vec4(half_size - b.x, b.xy);
  fill_colour = premultiplied(fill);
  stroke_colour = premultiplied(stroke);
  vec2 centre = (a.xy + a.zw) / 2, from_centre = (corner() * 2 - 1) * (half_size + margin(a));
  at = vec3(from_centre, dot(centre + from_centre - origin, vec2(1)));
  place(centre + from_centre);
}
