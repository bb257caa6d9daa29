// The help over the window: a page of keys, and pages that explain colours and terms (the glossary).
#pragma once
#include <string_view>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns how many pages the help has in a window of this size.
int help_pages(float width, float height);
// Draws a page. Page 0 shows the keys. For a page number out of range, draws the nearest page. The names of
// the pages are buttons. The rest of the window is one button that closes the help.
Panel help_panel(const Theme& theme, float width, float height, int page);
// Returns whether the help shows a colour sample beside a term of the glossary.
bool has_swatch(std::string_view term);

}  // namespace upsweep
