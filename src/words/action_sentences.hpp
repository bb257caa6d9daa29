// Joins the actions of a step into sentences.
#pragma once
#include <string>
#include <vector>

#include "analysis/actions.hpp"
#include "analysis/place.hpp"

namespace upsweep {

struct ActionSentences {
  std::vector<std::string> texts;
  std::size_t left_out = 0;  // the number of actions that the sentences do not mention
};

// Describes the actions of one step. A sentence has about 20 words, and there are at most about 7 sentences.
// `grid` must be the grid of the actions.
//
// Actions of the same threads share a sentence. Actions that differ only in their indices are joined: "read
// in[t, t+32 … t+96]".
ActionSentences action_sentences(const Trace& trace, int grid, const std::vector<StepAction>& actions);

// Returns the sentence for a step in which no thread of this block accesses memory. If another block has
// threads that access memory, the sentence names the first such block.
std::string idle_text(const Trace& trace, int grid, const Place& place);

}  // namespace upsweep
