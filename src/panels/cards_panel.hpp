// The start page: cards, each with a question that a recording answers.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "panels/chrome.hpp"
#include "panels/recent_files.hpp"

namespace upsweep {

// The bars of a card: a count of each step of its recording.
struct CardPicture {
  std::vector<float> bars;    // from 0 to 1, one for each step
  std::vector<float> others;  // of the other run, if the card compares two
  int shown = -1;             // the step that the card opens
  std::string what;           // what the bars count
};
// Makes the pictures of the shipped cards. Throws Cancelled if the job is cancelled.
std::vector<CardPicture> card_pictures(Job& job);

// Draws the start page below the top bar. `pictures` may be empty while another thread makes them. `chosen`
// is the card that the arrow keys have chosen.
Panel cards_panel(const Theme& theme, float width, float height, const std::vector<CardPicture>& pictures,
                  const RecentFiles& recent, Point mouse, int chosen);

}  // namespace upsweep
