// Draws the speaker's notes, which another display shows during a presentation.
#pragma once
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "study/session.hpp"

namespace upsweep {

// Draws the speaker's notes: the number of the step, the time since the presentation began, the sentences of
// this step and of the next step, the kernel's idea, and what to watch. For a kernel that is broken on
// purpose, the notes also say what is wrong, even while the window hides the answer.
Scene notes_scene(const Session& session, const Theme& theme, float width, float height, double seconds);

}  // namespace upsweep
