#version 330 core
flat in ivec3 form;
in vec2 at;
uniform sampler2D cells;  // the cells of all grids, one after the other, in rows of 4,096
out vec4 pixel;

void main() {
  ivec2 cell = clamp(ivec2(at), ivec2(0), form.xy - 1);
  int index = form.z + cell.y * form.x + cell.x;
  vec4 colour = texelFetch(cells, ivec2(index & 4095, index >> 12), 0);
  pixel = vec4(colour.rgb * colour.a, colour.a);
}
