#version 330 core
// Like rect.frag, with lines over the fill. The shader is separate, because a software driver executes both sides of an
// if.
flat in vec4 form;
flat in vec4 fill_colour, stroke_colour;
in vec3 at;
uniform vec3 hatch;  // period along x, half the width of a line, opacity
out vec4 pixel;

void main() {
  vec2 beyond = abs(at.xy) - form.xy;
  float outside = length(max(beyond, 0)) + min(max(beyond.x, beyond.y), 0) - form.z;
  float whole = clamp(0.5 - outside, 0, 1);
  float inner = clamp(0.5 - outside - form.w, 0, 1);
  // The lines are at multiples of the period in x + y, and rise to the right.
  float away = abs(mod(at.z + hatch.x / 2, hatch.x) - hatch.x / 2) * 0.70711;
  float line = clamp(hatch.y + 0.5 - away, 0, 1) * hatch.z;
  vec4 ground = stroke_colour * line + fill_colour * (1 - stroke_colour.a * line);
  pixel = ground * inner + stroke_colour * (whole - inner);
}
