// Makes recordings on the emulator and draws views of them.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "scene/views/views.hpp"
#include "study/recording.hpp"

namespace upsweep {

inline Recording record(const std::string& name, int n, Settings s = {}, std::uint64_t seed = 3,
                        int block = 0) {
  s.algorithm = name;
  s.n = n;
  s.grid = 4;
  fit_kind(algorithm(name), s);
  s.block = block > 0 ? block : smallest_block(algorithm(name), s);
  Recording r = make_recording(Emulator().record(s, seeded_data(s, seed)));
  r.find_hazards();
  return r;
}

inline const View& view(std::string_view name) {
  for (const View& v : views())
    if (v.name == name) return v;
  throw std::runtime_error(fmt::format("no view is called {}", name));
}

inline Scene draw(std::string_view name, const Recording& r, const Cursor& c, float w, float h,
                  const Theme& t = dark_theme()) {
  return draw_view(view(name), {r, c, t, w, h});
}

inline Cursor at_step(int step) {
  Cursor c;
  c.step = step;
  return c;
}

inline Cursor at_end(const Recording& r) { return at_step(static_cast<int>(r.trace.steps.size()) - 1); }

}  // namespace upsweep
