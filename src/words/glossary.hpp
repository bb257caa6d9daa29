// The glossary explains each term of the window and the documents in one or two sentences. The text of the
// glossary is docs/glossary.md, or docs/zh/glossary.md in Chinese.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

struct GlossaryTerm {
  std::string term, meaning;  // without the markup of Markdown
};

struct GlossarySection {
  std::string title;
  std::vector<GlossaryTerm> terms;
};

// Returns all sections in the order of the text. The first section explains the colours.
std::span<const GlossarySection> glossary();

// Returns the sections of the page "What this model leaves out", docs/model.md.
std::span<const GlossarySection> what_the_model_leaves_out();

// Reads the sections (lines "## Title") and terms (lines "- **term**: meaning") of a text.
std::vector<GlossarySection> read_glossary(std::string_view markdown);

}  // namespace upsweep
