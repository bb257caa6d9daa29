// Draws one picture of a view for each step of a run, or for each pair of steps of two runs. The pictures are
// saved as files.
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
  std::vector<StepPair> pairs;               // the pairs of steps of a comparison
  // The reader's place. Only the picture of the cursor's step shows the cursor's request. In the pictures of
  // other steps, no request is chosen.
  //
  // If a step's grid does not contain the cursor's block, the picture shows the grid's last block.
  Cursor cursor;
  int cursor_step = -1;  // the index of the cursor's step; in a comparison, the index of the pair
  std::shared_ptr<const LineCounters> measured;
  const Theme* theme = nullptr;
  float width = 0, height = 0;  // the size of the whole picture in dp
  bool has_caption = false;

  int count() const;  // returns the number of steps, or of pairs in a comparison
  // Returns the picture of the step or the pair with this index.
  Scene draw(int step) const;
  // Returns the part of the caption that describes the run: "Blelloch scan · n = 64 · ...".
  std::string run_caption() const;
  // Returns the part of the caption that describes a step: "step 5 of 15: up-sweep, stride 8".
  std::string step_caption(int step) const;

 private:
  Scene draw_view_of(int step, float height) const;
};

}  // namespace upsweep
