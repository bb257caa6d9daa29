// Draws the mark of a hazard, which several views show: a triangle with an exclamation mark.
//
// Also makes the entries of the view "Hazards". If the run has a wrong result, the wrong result is the first
// entry. The findings follow.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/views/views.hpp"

namespace upsweep {

// Draws the mark of a hazard. `width` is in dp.
void hazard_mark(Pen& p, const Theme& theme, Point middle, float width);
void dashed_line(Pen& p, Point from, Point to, Colour colour, float width);
// Draws a line with an arrowhead at `to`.
void arrow(Pen& p, Point from, Point to, Colour colour, float width);

// An entry of the view "Hazards". If the entry is the wrong result, `finding` is null.
struct HazardEntry {
  int number = 0;  // see Place::finding
  const HazardFinding* finding = nullptr;
  const Incident* incident = nullptr;
  int step = -1;  // the step to which a click goes; -1 if the recording has no such step
  FindingId id() const { return {step, number}; }
};
// Returns the entries of the view "Hazards". If the kernel is broken on purpose and Place::hides_answer is
// true, returns no entries. Until the search for hazards has ended, returns only the entry of the wrong
// result.
std::vector<HazardEntry> hazard_entries(const Recording& recording, const Place& place);
// Returns true if the entry belongs to this step.
bool is_in_step(const Recording& recording, const HazardEntry& entry, int step);

// A place in memory at which views draw the mark of a hazard.
struct MarkedPlace {
  FindingId id;
  int step = 0, grid = 0, block = 0;
  bool shared = false;
  int buffer = 0;  // the buffer of global memory, or the region of shared memory
  // The index of the cell in its buffer (global memory) or in its region (shared memory). In region 0 (the
  // main array), padding cells are counted, too.
  std::int64_t cell = -1;
  bool departs = false;  // true if the run first differs from the correct kernel's run at this place
};
// Returns the marked places of all entries. An entry without a cell, such as a deadlock, has no marked place.
// A race has a second place if its two threads access the cell in different steps or blocks.
std::vector<MarkedPlace> marked_places(const Recording& recording, const Place& place);
// Returns the cells of shared memory that have a mark in the step and the block of `place`. The keys are
// indices into cell_places(). The values name the entries of the view "Hazards".
std::map<int, FindingId> marked_cells(const Recording& recording, const Place& place);
// `cell` is an index into cell_places(). If the run first differs from the correct kernel's run at this cell,
// returns the correct value as text. Returns an empty text for all other cells.
std::string expected_in_cell(const Recording& recording, const Place& place, int cell);
// Returns the lines of the kernel's text that entries of the view "Hazards" name. The key is the line's
// number, and the value is the first entry that names the line.
std::map<int, FindingId> marked_lines(const Recording& recording, const Place& place);

// finding_tip() returns the tooltip of an entry. click_on_finding() returns the effect of a click on an
// entry.
Lines finding_tip(const Reading& at, const Id& id);
Click click_on_finding(const Reading& at, const Id& id);

}  // namespace upsweep
