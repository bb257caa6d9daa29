// A filled triangle in its bounding box. a: two corners; b: the third corner.
flat out vec4 colour;
flat out vec3 edges[3];  // the distance from edge i is dot(edges[i], vec3(at, 1)), positive inside
out vec2 at;

vec3 edge(vec2 from, vec2 to, vec2 inside) {
  vec2 normal = normalize(vec2(from.y - to.y, to.x - from.x));
  vec3 line = vec3(normal, -dot(normal, from));
  return dot(line, vec3(inside, 1)) < 0 ? -line : line;
}

void main() {
  vec2 p = a.xy, q = a.zw, r = b.xy;
  colour = premultiplied(fill);
  edges[0] = edge(p, q, r);
  edges[1] = edge(q, r, p);
  edges[2] = edge(r, p, q);
  at = mix(min(p, min(q, r)) - 0.5, max(p, max(q, r)) + 0.5, corner());
  place(at);
}
