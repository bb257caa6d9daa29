#version 330 core
// One triangle that covers the whole target, so that every texel of the target gets a fragment.
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }
