// A straight line with square ends. a: both ends; b: width.
flat out vec4 colour;
flat out vec2 half_size;
out vec2 at;  // the distance from the middle of the line, along and across the line

void main() {
  vec2 span = a.zw - a.xy;
  float len = length(span);
  vec2 along = len > 0 ? span / len : vec2(1, 0);
  // A line that is thinner than a pixel is drawn one pixel wide and fainter.
  half_size = vec2(len, max(b.x, 1)) / 2;
  colour = premultiplied(fill) * min(b.x, 1);
  at = (corner() * 2 - 1) * (half_size + 0.5);
  place((a.xy + a.zw) / 2 + along * at.x + vec2(-along.y, along.x) * at.y);
}
