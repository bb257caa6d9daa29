#version 330 core
// This text precedes every vertex shader. All lengths are in pixels, and y goes downwards. Each instance is a
// quad of two triangles.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) in vec4 fill;
layout(location = 3) in vec4 stroke;
uniform vec2 viewport;

// Returns this vertex's corner of the unit square.
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1); }

// Returns the distance by which soft edges extend beyond a box: 0 for a box on whole pixels.
float margin(vec4 box) { return fract(box) == vec4(0) ? 0.0 : 0.5; }

void place(vec2 pixel) { gl_Position = vec4(pixel.x / viewport.x * 2 - 1, 1 - pixel.y / viewport.y * 2, 0, 1); }

vec4 premultiplied(vec4 colour) { return vec4(colour.rgb * colour.a, colour.a); }
