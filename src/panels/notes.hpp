// The notes that a speaker sees on another display during a presentation.
#pragma once
#include "scene/scene.hpp"
#include "scene/theme.hpp"
#include "study/session.hpp"

namespace upsweep {

// Draws the sentences of this step and of the next step, the kernel's idea, what to watch, and what is wrong
// in a kernel that is broken on purpose (even while the window hides it). Above them are the step's number
// and the time since the presentation began.
Scene notes_scene(const Session& session, const Theme& theme, float width, float height, double seconds);

}  // namespace upsweep
