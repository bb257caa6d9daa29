#version 330 core
flat in vec4 colour;
flat in vec2 half_size;
in vec2 at;
out vec4 pixel;

void main() {
  vec2 covered = clamp(half_size + 0.5 - abs(at), 0, 1);
  pixel = colour * covered.x * covered.y;
}
