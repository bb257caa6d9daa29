// The views: (recording, facts, cursor, size) to a scene. One file each; the table below is all a new view
// adds to.
#pragma once
#include <span>

#include "analysis/recording.hpp"
#include "scene/cursor.hpp"
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "scene/views/line_counters.hpp"

namespace upsweep {

struct ViewInput {
  const Recording& recording;
  const Cursor& cursor;
  const Theme& theme;
  float width, height;  // dp
  // Other views that can stand in this one's place, by index into views(): named beside the title, to be
  // clicked.
  std::span<const int> alternatives = {};
  // What else can stand there and is no view, such as charts of times: its name is a target of
  // Id::What::timing.
  const char* also = nullptr;
  // Of the source: whether the hardware's counters can be asked for; and what they say, while that is wanted.
  bool offers_counters = false;
  const LineCounters* counters = nullptr;
};

struct View {
  const char* name;   // on the command line: "tree"
  const char* title;  // in the window: "Tree"
  Scene (*draw)(const ViewInput&);
  // Whether a recording has anything of what the view shows; null: always.
  bool (*has_something)(const Recording&) = nullptr;
};

// All views, in the order of their keys.
std::span<const View> views();

}  // namespace upsweep
