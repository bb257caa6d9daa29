// The views: (recording, facts, cursor, size) to a scene. One file each; the table below is all a new view
// adds to.
#pragma once
#include <span>
#include <string>

#include "analysis/facts.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "scene/cursor.hpp"
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A recording and everything derived from it once, shared by all views.
struct Recording {
  Trace trace;
  Facts facts;
  Tree tree;
  Work work;
  // What the catalogue's formulas say for this n, to set beside what was counted; -1 where it says nothing.
  double expected_operations = -1, expected_steps = -1;
  std::string title;  // "Blelloch scan"
};

struct ViewInput {
  const Recording& recording;
  const Cursor& cursor;
  const Theme& theme;
  float width, height;  // dp
};

struct View {
  const char* name;   // on the command line: "tree"
  const char* title;  // in the window: "Tree"
  Scene (*draw)(const ViewInput&);
};

// All views, in the window's order: tree, memory, banks, warps, source, profile, words, work.
std::span<const View> views();

// The index into Trace::events of the request that the cursor looks at: its chosen one, or else the costliest
// shared request of the step (most wavefronts; the first of equals); -1 if the step has no shared request.
int request_event(const Recording& recording, const Cursor& cursor);

// One paragraph that says what happens in the cursor's step, with its numbers: the Words view as text. First
// sentence is the step's name.
std::string words(const Recording& recording, const Cursor& cursor);

}  // namespace upsweep
