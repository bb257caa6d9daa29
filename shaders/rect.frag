#version 330 core
flat in vec4 form;
flat in vec4 fill_colour, stroke_colour;
in vec2 at;
out vec4 pixel;

void main() {
  // The signed distance to the outline, negative inside. This distance determines the pixel's coverage.
  vec2 beyond = abs(at) - form.xy;
  float outside = length(max(beyond, 0)) + min(max(beyond.x, beyond.y), 0) - form.z;
  float whole = clamp(0.5 - outside, 0, 1);
  float inner = clamp(0.5 - outside - form.w, 0, 1);
  pixel = fill_colour * inner + stroke_colour * (whole - inner);
}
