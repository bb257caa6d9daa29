// Draws a hazard: its threads, its cell, and the order or barrier that is missing between the threads. The
// drawing of a race shows both orders with their results.
#pragma once
#include <string>

#include "analysis/incidents.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The tools of all drawings. Text and lines grow with the box.
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
  // Creates a pen for a drawing without a finding: of a stopped run or of a wrong result.
  HazardPen(Painter& painter, const ViewInput& in, const Box& box, float size)
      : HazardPen(painter, in, box, no_finding, no_incident, size) {}

 protected:
  // Returns the largest legible text size at which a drawing of `columns` x `rows` em fits into the box.
  static float size_in(const Box& box, float columns, float rows);
  float small() const { return std::max(10.5f, size * 0.82f); }
  float stroke() const { return std::max(1.5f, size * 0.12f); }
  // Draws one line of text, cut to `room`. `at` is the left end at half the height of the capitals.
  // Returns the width.
  float say(Point at, const std::string& text, float room, Colour colour, float text_size,
            Face face = Face::regular) const;
  // Draws a box with centred text: filled if a thread writes, outlined if it reads, as in Shared memory.
  void chip(const Box& at, const std::string& text, bool writes, float text_size) const;
  // Returns the number and the text of a line of the kernel.
  std::string line_text(int line) const;

  Painter& p;
  const Theme& t;
  const Trace& trace;
  const Box box;
  const HazardFinding& f;
  const Incident& i;
  const float size;  // of the text

 private:
  static const HazardFinding no_finding;
  static const Incident no_incident;
};

// Draws a finding into the box. Draws nothing if the box is too small to be legible.
void draw_hazard(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& finding,
                 const Incident& incident);
// Draws the place where the run first differs from the right kernel's run, and the first wrong elements, each
// with the expected value below.
void draw_wrong_result(Painter& p, const ViewInput& in, const Box& box);

// One drawing for each kind of hazard; draw_hazard() chooses.
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
