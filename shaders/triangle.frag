#version 330 core
flat in vec4 colour;
flat in vec3 edges[3];
in vec2 at;
out vec4 pixel;

void main() {
  vec3 here = vec3(at, 1);
  float inside = min(dot(edges[0], here), min(dot(edges[1], here), dot(edges[2], here)));
  pixel = colour * clamp(inside + 0.5, 0, 1);
}
