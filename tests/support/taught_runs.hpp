// Records kernels with the settings that the window uses when a user opens a kernel.
#pragma once
#include <vector>

#include "catalogue/catalogue.hpp"
#include "study/teaching.hpp"
#include "support/drawn_views.hpp"

namespace upsweep {

inline Recording taught(const Algorithm& a, bool many = true) {
  Settings s;
  s.algorithm = a.name;
  fit_kind(a, s);
  teach(a, s, many, 32);
  RecordOptions options;
  options.rounds = 200;
  Recording r = make_recording(Emulator().record(s, seeded_data(s, 3), options));
  r.find_hazards();
  return r;
}

inline std::vector<const Algorithm*> broken_kernels() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& a : algorithms())
    if (a.is_broken()) all.push_back(&a);
  return all;
}

}  // namespace upsweep
