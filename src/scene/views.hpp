// The views: (recording, facts, cursor, size) to a scene. One file each; the table below is all a new view
// adds to.
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts.hpp"
#include "analysis/hazards.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "scene/cursor.hpp"
#include "scene/line_counters.hpp"
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A recording and everything derived from it, shared by all views. Not for two threads at once: trees are
// grown when they are first asked for.
struct Recording {
  Trace trace;
  Facts facts;
  Work work;
  Hazards hazards;
  // What the catalogue's formulas say for this n, to set beside what was counted; -1 where it says nothing.
  double expected_operations = -1, expected_steps = -1;
  std::string mistake;        // where the output is not what a sequential loop gives, as a sentence; or empty
  std::string title;          // "Blelloch scan"
  std::string text;           // the kernel's text with all its barriers; empty if it is the trace's
  std::vector<int> barriers;  // lines with a barrier that can be taken out

  const Tree& tree(int grid = 0, int block = 0) const;

 private:
  mutable std::map<std::pair<int, int>, Tree> trees_;  // by grid and block
};

// The tree at the cursor: of its block, in the grid of its step.
const Tree& tree_at(const Recording& recording, const Cursor& cursor);

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

// One paragraph that says what happens in the cursor's step, with its numbers: the Words view as text. First
// sentence is the step's name.
std::string words(const Recording& recording, const Cursor& cursor);

}  // namespace upsweep
