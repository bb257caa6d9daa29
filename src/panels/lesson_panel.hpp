// Draws the lessons beside the views: the list of lessons, or the text and the question of one step.
#pragma once
#include "lessons/player.hpp"
#include "panels/chrome.hpp"

namespace upsweep {

// The panel, and the rectangle in the panel that contains the question. The panel's buttons include the
// question's buttons.
struct LessonPanel {
  Panel panel;
  Box question;  // empty if the panel shows no question
  // The height in logical pixels of the part of the text or list that does not fit into the panel. The
  // argument `scroll` of lesson_panel() may be from 0 to this height.
  float hidden = 0;
};

// Draws a step of the player's lesson. If the player has no lesson, draws the list LessonPlayer::listed()
// instead. `chosen` is the index of the lesson that the user chose with the arrow keys. `scroll` is the
// distance in logical pixels by which the text is moved up.
LessonPanel lesson_panel(const Session& session, const LessonPlayer& player, const LearnerProgress& progress,
                         const Theme& theme, float width, float height, Point mouse, int chosen,
                         float scroll);

}  // namespace upsweep
