// The question below the views: its text, its choices, and the judgement of the learner's reply.
#pragma once
#include <cstdint>

#include "panels/chrome.hpp"
#include "study/session.hpp"

namespace upsweep {

// Returns the judgement of the last reply with its reason, or an empty text before the first reply.
std::string verdict_text(const Questioning& questioning);

// Returns the height in dp that the panel needs in a window of this height.
float question_height(float window_height);

// Draws the question. The buttons mark answers, judge the reply, show the answer and go on. A presentation
// has no score. A narrow panel, beside the text of a lesson, is as high as its content, whatever `height` is.
inline constexpr float narrow_question = 560;
Panel question_panel(const Session& session, const Theme& theme, float width, float height, Point mouse);

// Returns marks to draw over `scene`: at the places that the learner has marked and, after the reply, at the
// right places (a tick), the wrong places (a cross) and the missing places (a ring). `scene` is a view of the
// session's recording.
Scene reply_marks(const Session& session, const Scene& scene, const Theme& theme);

}  // namespace upsweep
