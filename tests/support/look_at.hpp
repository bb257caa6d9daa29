// Computes everything that the program derives from a recording. Tests measure how much time and memory this
// work takes.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "scene/views/views.hpp"
#include "study/recording.hpp"
#include "support/any_id.hpp"
#include "support/sanitizers.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"
#include "words/words.hpp"

namespace upsweep {

// Returns the CPU time of this process in seconds. A limit on CPU time also works on a busy computer.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
inline long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

// Analyses, describes and draws a recording. Calls begin(name) before each part of this work.
template <class Random, class Begin>
void look_at(Trace trace, int step, Random&& any, Begin begin) {
  begin("analysis");
  const Recording r = make_recording(std::move(trace));
  begin("hazards");
  const Hazards& hazards = r.find_hazards();
  for (std::size_t i = 0; i < std::min<std::size_t>(4, hazards.findings.size()); ++i) {
    const HazardFinding& f = hazards.findings[any(hazards.findings.size())];
    what_happens(r.trace, f);
    advice_text(r.trace, f);
  }
  begin("sentences");
  if (r.trace.stopped) in_words(r.trace.stopped);
  if (r.mistake) in_words(r.mistake);
  Cursor cursor;
  cursor.step = step;
  const int blocks = r.trace.grid_of(static_cast<std::uint32_t>(step)).blocks;
  if (any(2)) cursor.block = static_cast<int>(any(static_cast<std::size_t>(blocks)));
  words(r, cursor);
  if (any(2)) {
    std::mt19937 ids(static_cast<unsigned>(any(1 << 30)));
    cursor.hover = any_id(ids);
  }
  for (const View& view : views()) {
    begin(view.name);
    const Scene scene = draw_view(view, {r, cursor, light_theme(), 900, 600});
    for (std::size_t i = 0; i < scene.targets.size(); i += 1 + scene.targets.size() / 4)
      tip_of({r, cursor}, scene.targets[i].id), click_on({r, cursor}, scene.targets[i].id);
    motion_of(view, {r, cursor, light_theme(), 900, 600});
  }
}

}  // namespace upsweep
