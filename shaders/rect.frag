#version 330 core
flat in vec2 centre, half_size;
flat in vec3 form;
flat in vec4 fill_colour, stroke_colour;
in vec2 at;
uniform vec3 hatch;  // period along x, half the width of a line, opacity
uniform vec2 origin;
out vec4 pixel;

void main() {
  float radius = form.x, stroke_width = form.y;
  // Signed distance to the outline, negative inside; a pixel's coverage follows from it.
  vec2 beyond = abs(at - centre) - half_size + radius;
  float outside = length(max(beyond, 0)) + min(max(beyond.x, beyond.y), 0) - radius;
  float whole = clamp(0.5 - outside, 0, 1);
  float inner = clamp(0.5 - outside - stroke_width, 0, 1);
  vec4 colour = fill_colour;
  if (form.z > 0) {
    // Lines where x + y is a multiple of the period, rising to the right.
    float along = mod(at.x - origin.x + at.y - origin.y + hatch.x / 2, hatch.x) - hatch.x / 2;
    float line = clamp(hatch.y + 0.5 - abs(along) * 0.70711, 0, 1) * hatch.z;
    colour = stroke_colour * line + colour * (1 - stroke_colour.a * line);
  }
  pixel = colour * inner + stroke_colour * (whole - inner);
}
