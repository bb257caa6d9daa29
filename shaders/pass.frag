// This text precedes every pass. The generated text before this text defines Number (float, int or uint), Sampler,
// bits_of(), and combine(), which applies the operator.
#define Texture int  // the number of a texture
#define Target int   // the number of a target
uniform Sampler texture_0, texture_1, texture_2, texture_3;
uniform int width_log;  // every texture has rows of 2^width_log texels
uniform int first_row;  // the target's row that is drawn as row 0
layout(location = 0) out Number drawn;

// Returns the index of the texel that this fragment draws.
int texel() { return ((int(gl_FragCoord.y) + first_row) << width_log) + int(gl_FragCoord.x); }

Number texel_of(Texture from, int i) {
  ivec2 at = ivec2(i & ((1 << width_log) - 1), i >> width_log);
  if (from == 0) return Number(texelFetch(texture_0, at, 0).x);
  if (from == 1) return Number(texelFetch(texture_1, at, 0).x);
  if (from == 2) return Number(texelFetch(texture_2, at, 0).x);
  return Number(texelFetch(texture_3, at, 0).x);
}
