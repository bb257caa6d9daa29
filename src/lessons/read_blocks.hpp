// Reads the blocks of a lesson.
#pragma once
#include <vector>

#include "lessons/lesson.hpp"
#include "lessons/markdown.hpp"

namespace upsweep {

// These functions throw RequestError if the block makes no sense. Mistakes in single lines are added to
// `mistakes`.
ShowBlock read_show(const MarkdownPart& part);
AskBlock read_ask(const MarkdownPart& part, std::vector<Mistake>& mistakes);
OrderBlock read_order(const MarkdownPart& part, std::vector<Mistake>& mistakes);

}  // namespace upsweep
