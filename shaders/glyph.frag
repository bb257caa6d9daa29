#version 330 core
flat in vec4 colour;
in vec2 texel;
uniform sampler2D atlas;
out vec4 pixel;

void main() { pixel = colour * texelFetch(atlas, ivec2(texel), 0).r; }
