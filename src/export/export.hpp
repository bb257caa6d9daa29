// Exports scenes as SVG, in which text stays text, and as PDF, with Cairo.
#pragma once
#include <string>

#include "scene/scene.hpp"

namespace upsweep {

// Returns the scene as an SVG document. Equal scenes produce equal bytes on every machine.
std::string svg(const Scene& scene);

// Returns the scene as a PDF document of one page. 1 dp is 0.75 pt.
std::string pdf(const Scene& scene);

}  // namespace upsweep
