#include "picture/small_scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace upsweep {
namespace {

// A direction, a place or a colour. The camera looks in the direction of z. y points up, and the floor is at
// y = 0.
struct Vector {
  float x = 0, y = 0, z = 0;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(float f, Vector a) { return {f * a.x, f * a.y, f * a.z}; }
float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(Vector a) { return 1 / std::sqrt(dot(a, a)) * a; }
Vector mix(Vector a, Vector b, float share) { return a + share * (b - a); }

// All spheres have the same size and lie on the floor.
struct Sphere {
  Vector centre, colour;
};
constexpr float radius = 0.6f;
constexpr Sphere spheres[] = {{{-1.17f, radius, sphere_depths[0]}, {0.93f, 0.40f, 0.14f}},
                              {{0.12f, radius, sphere_depths[1]}, {0.22f, 0.56f, 0.85f}},
                              {{2.04f, radius, sphere_depths[2]}, {0.22f, 0.66f, 0.42f}},
                              {{4.38f, radius, sphere_depths[3]}, {0.80f, 0.44f, 0.74f}}};
constexpr Vector eye{0, radius, 0}, light_tile{0.82f, 0.77f, 0.67f}, dark_tile{0.51f, 0.46f, 0.39f},
    high_sky{0.59f, 0.71f, 0.87f}, low_sky{0.43f, 0.56f, 0.80f};
const Vector to_light = unit({-0.6f, 0.9f, -0.7f});
constexpr float view_width = 1.2f;  // the width of the visible area at the depth 1
// The distance of the horizon from the top edge, as a fraction of the picture's height.
constexpr float horizon = 0.62f;

// Returns the smallest factor for which from + factor * ray is on the sphere. Returns nullopt if the ray
// misses the sphere.
std::optional<float> hit(const Sphere& sphere, Vector from, Vector ray) {
  const Vector away = from - sphere.centre;
  const float a = dot(ray, ray), b = dot(away, ray), root = b * b - a * (dot(away, away) - radius * radius);
  if (root < 0) return {};
  const float times = (-b - std::sqrt(root)) / a;
  return times > 0 ? std::optional(times) : std::nullopt;
}

struct Seen {
  Vector colour;
  float depth = farthest_depth;
};

// Returns the colour and the depth of the first thing that a ray from the eye meets. Requires ray.z = 1, so
// that the depth of the point eye + factor * ray equals the factor.
Seen seen_along(Vector ray) {
  Seen seen{mix(low_sky, high_sky, std::clamp(2 * ray.y, 0.f, 1.f))};
  if (const float depth = -eye.y / ray.y; ray.y < 0 && depth < farthest_depth) {
    const Vector place = eye + depth * ray;
    const bool is_light = (static_cast<int>(std::floor(3 * place.x) + std::floor(3 * place.z)) & 1) == 0;
    const bool in_shadow = std::any_of(std::begin(spheres), std::end(spheres),
                                       [&](const Sphere& s) { return hit(s, place, to_light).has_value(); });
    // Far tiles are smaller than a pixel. So beyond the depth 6, the colour of the floor fades to the mean of
    // the two tile colours.
    const Vector tile = mix(is_light ? light_tile : dark_tile, mix(light_tile, dark_tile, 0.5f),
                            std::clamp((depth - 6) / (farthest_depth - 6), 0.f, 1.f));
    seen = {(in_shadow ? 0.55f : 1) * tile, depth};
  }
  for (const Sphere& sphere : spheres)
    if (const auto depth = hit(sphere, eye, ray); depth && *depth < seen.depth) {
      const float light = dot(eye + *depth * ray - sphere.centre, to_light) / radius;
      seen = {(0.32f + 0.75f * std::max(light, 0.f)) * sphere.colour, *depth};
    }
  return seen;
}

std::uint8_t as_byte(float share) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.f, 1.f)));
}

}  // namespace

SmallScene small_scene(int rows, int columns, const Job* job) {
  SmallScene scene{black_picture(rows, columns, 3), {}};
  scene.depth.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  const float pixel = view_width / static_cast<float>(columns);
  std::uint8_t* to = scene.colour.values.data();
  for (int row = 0; row < rows; ++row) {
    if (job) job->check();
    for (int column = 0; column < columns; ++column) {
      // The pixel's colour is the mean colour of four rays. The pixel's depth is the smallest depth of the
      // four rays.
      Seen all{{}, farthest_depth};
      for (const auto& [x, y] : {std::pair(0.25f, 0.25f), {0.75f, 0.25f}, {0.25f, 0.75f}, {0.75f, 0.75f}}) {
        const Seen one =
            seen_along({pixel * (static_cast<float>(column) + x - static_cast<float>(columns) / 2),
                        pixel * (static_cast<float>(rows) * horizon - static_cast<float>(row) - y), 1});
        all = {all.colour + 0.25f * one.colour, std::min(all.depth, one.depth)};
      }
      for (const float share : {all.colour.x, all.colour.y, all.colour.z}) *to++ = as_byte(share);
      scene.depth.push_back(all.depth);
    }
  }
  return scene;
}

}  // namespace upsweep
