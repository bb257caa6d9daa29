// The marks of hazards, which several views show: a triangle with an exclamation mark. Also makes the entries
// of the view Hazards: first the wrong result, if the run has a wrong result, and then the findings.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "scene/views/views.hpp"

namespace upsweep {

// Draws the mark. `width` is in dp.
void hazard_mark(Pen& p, const Theme& theme, Point middle, float width);
void dashed_line(Pen& p, Point from, Point to, Colour colour, float width);
// Draws a line with an arrowhead at `to`.
void arrow(Pen& p, Point from, Point to, Colour colour, float width);

// An entry of the view Hazards. `finding` is null for the wrong result.
struct HazardEntry {
  int number = 0;  // see Place::finding
  const HazardFinding* finding = nullptr;
  const Incident* incident = nullptr;
  int step = -1;  // the step to which a click goes; -1 if the recording has no such step
  FindingId id() const { return {step, number}; }
};
// Returns the entries that may be shown. Returns none while the answer is hidden. As long as the search for
// hazards has not ended, returns only the wrong result.
std::vector<HazardEntry> hazard_entries(const Recording& recording, const Place& place);
// Returns whether the entry is in this step.
bool is_in_step(const Recording& recording, const HazardEntry& entry, int step);

// A place in memory that has a mark.
struct MarkedPlace {
  FindingId id;
  int step = 0, grid = 0, block = 0;
  bool shared = false;
  int buffer = 0;          // the buffer of global memory, or the region of shared memory
  std::int64_t cell = -1;  // the index there; in region 0 of shared memory, padding counts, too
  bool departs = false;    // the run first differs from the right kernel's run here
};
// Returns the places of all entries that have a cell. A race has one place for each of its two threads.
std::vector<MarkedPlace> marked_places(const Recording& recording, const Place& place);
// Returns the cells with marks in this step and block, as indices into cell_places(), each with its entry.
std::map<int, FindingId> marked_cells(const Recording& recording, const Place& place);
// If the run first differs from the right kernel's run at this cell (an index into cell_places()), returns
// the right run's value in this cell as text. Returns an empty text for all other cells.
std::string expected_in_cell(const Recording& recording, const Place& place, int cell);
// Returns the lines of the entries, each with its first entry.
std::map<int, FindingId> marked_lines(const Recording& recording, const Place& place);

// Returns the lines of the tip of an entry, and the effect of a click on it.
Lines finding_tip(const Reading& at, const Id& id);
Click click_on_finding(const Reading& at, const Id& id);

}  // namespace upsweep
