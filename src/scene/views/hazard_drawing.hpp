// Draws a hazard: the threads, the cell, and the missing order or the missing barrier between the threads.
// The drawing of a race shows both possible orders with their results.
#pragma once
#include <algorithm>
#include <string>

#include "analysis/incidents.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The pen for all drawings of hazards. In a larger box, the text and the lines are larger.
class HazardPen {
 public:
  HazardPen(Painter& painter, const ViewInput& in, const Box& box, const HazardFinding& finding,
            const Incident& incident, float size)
      : p(painter),
        t(painter.theme),
        trace(in.recording.trace),
        box(box),
        f(finding),
        i(incident),
        size(size) {}
  // Creates a pen for a drawing without a finding: the drawing of a stopped run or of a wrong result.
  HazardPen(Painter& painter, const ViewInput& in, const Box& box, float size)
      : HazardPen(painter, in, box, no_finding, no_incident, size) {}

 protected:
  // Returns the largest text size at which a drawing fits into the box. `columns` and `rows` are the width
  // and the height of the drawing as multiples of the text size.
  static float size_in(const Box& box, float columns, float rows);
  float small() const { return std::max(10.5f, size * 0.82f); }
  float stroke() const { return std::max(1.5f, size * 0.12f); }
  // Draws one line of text, cut to `room` dp. `at` is the left end of the text, at half the height of the
  // capitals. Returns the width of the text.
  float say(Point at, const std::string& text, float room, Colour colour, float text_size,
            Face face = Face::regular) const;
  // Draws a box with centred text. The box is filled if a thread writes, and outlined if a thread reads, as
  // in the view "Shared memory".
  void chip(const Box& at, const std::string& text, bool writes, float text_size) const;
  // Returns the number and the text of a line in the kernel's text.
  std::string line_text(int line) const;

  Painter& p;
  const Theme& t;
  const Trace& trace;
  const Box box;
  const HazardFinding& f;
  const Incident& i;
  const float size;  // the size of the text in dp

 private:
  static const HazardFinding no_finding;
  static const Incident no_incident;
};

// Draws a finding into the box. Draws nothing if the drawing would be too small to read.
void draw_hazard(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& finding,
                 const Incident& incident);
// Draws the place at which the run first differs from the run of the correct kernel. Also draws the first
// wrong elements, with the expected value below each element.
void draw_wrong_result(Painter& p, const ViewInput& in, const Box& box);

// One function for each kind of hazard. draw_hazard() calls the function for the finding's kind.
void draw_race(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i);
void draw_waiting(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i);
void draw_rounds(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i);
void draw_lanes(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i);
void draw_memory_end(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f,
                     const Incident& i);
void draw_unwritten(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f,
                    const Incident& i);
void draw_alignment(Painter& p, const ViewInput& in, const Box& box);
void draw_launch_depths(Painter& p, const ViewInput& in, const Box& box);

}  // namespace upsweep
