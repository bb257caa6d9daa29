// The lessons beside the views: the list of lessons, or the text and the question of a step.
#pragma once
#include "lessons/player.hpp"
#include "panels/chrome.hpp"

namespace upsweep {

// The panel, and the box of the question in it. The panel's buttons include the buttons of the question.
struct LessonPanel {
  Panel panel;
  Box question;      // empty if no question is shown
  float hidden = 0;  // how many dp of the text or the list do not fit; `scroll` may be from 0 to this
};

// Draws the list of LessonPlayer::listed() if the player has no lesson, else the step of its lesson. `chosen`
// is the index of the lesson that the arrow keys have chosen. `scroll` says how far the text is moved up, in
// dp.
LessonPanel lesson_panel(const Session& session, const LessonPlayer& player, const LearnerProgress& progress,
                         const Theme& theme, float width, float height, Point mouse, int chosen,
                         float scroll);

}  // namespace upsweep
