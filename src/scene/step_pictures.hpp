// Draws a view in each step of a run, or of two runs side by side, as pictures for files.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "analysis/step_match.hpp"
#include "scene/cursor.hpp"
#include "scene/theme.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The height in dp of the caption below a picture.
inline constexpr float step_caption_height = 34;

struct StepPictures {
  const View* view = nullptr;
  std::shared_ptr<const Recording> recording;
  std::shared_ptr<const Recording> changed;  // the other run of a comparison; null without a comparison
  std::vector<StepPair> pairs;               // of a comparison; its steps are these pairs
  // The reader's place. The picture of the cursor's own step shows the cursor's request. The picture of
  // another step looks as after a move to this step. If a step's grid has no block with the cursor's number,
  // the grid's last block is shown.
  Cursor cursor;
  int cursor_step = -1;  // the step of `cursor`, or the index of its pair
  std::shared_ptr<const LineCounters> measured;
  const Theme* theme = nullptr;
  float width = 0, height = 0;  // of the whole picture in dp
  bool has_caption = false;

  int count() const;  // of steps or pairs
  // Returns the picture of a step, or of a pair, by its index.
  Scene draw(int step) const;
  // Returns the part of the caption that describes the run: "Blelloch scan · n = 64 · ...".
  std::string run_caption() const;
  // Returns the part of the caption that describes a step: "step 5 of 15: up-sweep, stride 8".
  std::string step_caption(int step) const;

 private:
  Scene draw_view_of(int step, float height) const;
};

}  // namespace upsweep
