// The help over the window: a page of keys, and pages that explain colours and terms (the glossary).
#pragma once
#include <string_view>

#include "panels/chrome.hpp"

namespace upsweep {

// Returns the number of pages in a window of this size.
int help_pages(float width, float height);
// Draws a page; page 0 shows the keys. A page number out of range gives the nearest page. The names of the
// pages are buttons. The rest of the window is a button that closes the help.
Panel help_panel(const Theme& theme, float width, float height, int page);
// Returns whether the help shows a sample of colour beside a term of the glossary.
bool has_swatch(std::string_view term);

}  // namespace upsweep
