// A recording: the trace of one run, and everything that is derived from it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts.hpp"
#include "analysis/hazards.hpp"
#include "analysis/place.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
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

// The tree at a place: of its block, in the grid of its step.
const Tree& tree_at(const Recording& recording, const Place& place);

}  // namespace upsweep
