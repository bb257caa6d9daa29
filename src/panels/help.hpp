// The help over the window: a page of keys, and pages with the meaning of colours and terms (the glossary).
#pragma once
#include <string_view>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns the number of pages in a window of this size.
int help_pages(float width, float height);
// Draws a page, the keys being page 0; another page than there is becomes the nearest. The names of the pages
// are buttons, and so is everything else, which closes the help.
Panel help_panel(const Theme& theme, float width, float height, int page);
// Returns whether a term of the glossary is explained with a sample of its colour.
bool has_swatch(std::string_view term);

}  // namespace upsweep
