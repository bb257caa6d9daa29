// Draws the start page. The page contains cards, and each card asks a question that a recording answers.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "panels/chrome.hpp"
#include "panels/recent_files.hpp"

namespace upsweep {

// The bars on a card. Each bar shows a count for one step of the card's recording.
struct CardPicture {
  std::vector<float> bars;    // one number from 0 to 1 for each step
  std::vector<float> others;  // the bars of the other run, if the card compares two runs
  int shown = -1;             // the index of the step that the card opens; -1 for none
  std::string what;           // the name of the count that the bars show
};
// Computes the bars of all shipped cards. Throws Cancelled if the job is cancelled.
std::vector<CardPicture> card_pictures(Job& job);

// Draws the start page below the top bar. `pictures` may be empty while another thread computes the pictures.
// `chosen` is the index of the card that the user chose with the arrow keys.
Panel cards_panel(const Theme& theme, float width, float height, const std::vector<CardPicture>& pictures,
                  const RecentFiles& recent, Point mouse, int chosen);

}  // namespace upsweep
