// Draws a question: the text, the choices, and the judgement of the learner's reply.
#pragma once
#include <cstdint>

#include "panels/chrome.hpp"
#include "study/session.hpp"

namespace upsweep {

// Returns the judgement of the latest reply, with a reason. Returns an empty text before the first reply.
std::string verdict_text(const Questioning& questioning);

// Returns the panel's height in logical pixels for a window of this height.
float question_height(float window_height);

// Draws the question, with buttons that mark answers, check the reply, show the answer and go on. In a
// presentation, the score is hidden.
//
// A panel that is narrower than `narrow_question` is part of a lesson. Such a panel ignores `height`, and has
// the height of its content.
inline constexpr float narrow_question = 560;
Panel question_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);

// Returns marks to draw over `scene`, which shows a view of the session's recording. Marks show the places
// that the learner has chosen. After the reply, ticks show correct places, crosses show wrong places, and
// rings show correct places that the learner did not choose.
Scene reply_marks(const Session& session, const Scene& scene, const Theme& theme);

}  // namespace upsweep
