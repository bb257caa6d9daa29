// Draws the help over the window: a page of keys, and pages that explain colours and terms (the glossary).
#pragma once
#include <string_view>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns the number of help pages in a window of this size.
int help_pages(float width, float height);
// Draws a page of the help. Page 0 shows the keys. If `page` is not a valid number, draws the nearest page.
//
// The names of the pages are buttons. A click on any other place in the window closes the help.
Panel help_panel(const Theme& theme, float width, float height, int page);
// Returns true if the help shows a colour sample beside this term of the glossary.
bool has_swatch(std::string_view term);

}  // namespace upsweep
