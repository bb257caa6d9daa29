// Defines the types of the values in a session's state.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "analysis/recording.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "study/request.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// The look of the window, without its contents.
struct Looks {
  bool dark = true;
  bool contrast = false;  // the theme has high contrast
  float text_scale = 1;   // everything is drawn larger or smaller by this factor, 0.8 to 2
  bool presentation = false;
  // These fields are for a presentation. `added` has the views beside the large view; -1 means no view. If
  // `pen` is true, the mouse draws. If `black` is true, the screen is black. `notes` says if another window
  // shows notes for the speaker: 1 yes, 0 no, -1 yes if the computer has two displays.
  std::array<int, 2> added{-1, -1};
  bool pen = false, black = false;
  int notes = -1;
  bool help = false;
  int help_page = 0;  // 0: the page of keys; the next pages are the glossary
  int chosen = -1;    // the view that fills the left area, as an index into views(); -1 shows all views
  // The view that the user chose for each home (a place of the window). -1 means that the program chooses.
  std::array<int, home_count> tabs = [] {
    std::array<int, home_count> none{};
    none.fill(-1);
    return none;
  }();
  // The positions of the splitters, as fractions. layout.hpp keeps every part large enough to be legible.
  float column = 0.6625f;     // the left column's width
  float rows[4] = {};         // the heights of the left column's views; if all are 0, each fits its content
  float source = 0;           // the source view's height in the right column; 0 to fit the window
  bool timing_large = false;  // the measured times fill the left side
  int timing = -1;  // the measured times at the lower right: 1 shown, 0 hidden, -1 shown if there is room
  int motion = -1;  // values move from step to step: 1 yes, 0 no, -1 decided by `prefers_still`
  bool counters = false;       // the source view shows what the hardware counted
  bool comparing = false;      // two runs are shown side by side
  bool asking = false;         // questions are asked about the run
  bool posed = false;          // the question belongs to a lesson, see Session::pose()
  bool lesson = false;         // the panel of lessons is beside the views
  bool cards = false;          // the start page covers the window
  bool prefers_still = false;  // the system asks for less motion

  bool operator==(const Looks&) const = default;
};

inline constexpr float least_text_scale = 0.8f, most_text_scale = 2;

// Returns whether values move from step to step.
inline bool values_move(const Looks& looks) {
  return looks.motion >= 0 ? looks.motion > 0 : !looks.prefers_still;
}

// The recording that the user opened last: a file, or a recording that comes with the program.
struct Opened {
  std::string name;  // the file's name
  std::shared_ptr<const Recording> recording;
  std::shared_ptr<const Algorithm> algorithm;  // see algorithm_of()
  explicit operator bool() const { return recording != nullptr; }
};

// A message above the views.
struct Banner {
  enum class Severity { notice, error } severity = Severity::notice;
  std::string text;  // one or more sentences; empty if there is no message
};

// The comparison that was shown before a request for a new comparison. If the new comparison cannot be
// recorded, the window shows the earlier state again.
struct ComparisonBefore {
  Request change;
  bool comparing = false, timing_large = false, asking = false;
  // The comparison that is being recorded: Looks::comparing, and a text that describes the change.
  bool next_comparing = false;
  std::string next_change{};
};

// The run that the user wants.
struct WantedRun {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  bool opened = false;                         // the user wants to see the opened recording, not a run
  std::map<std::string, std::string> choices;  // all options ever chosen, even for other algorithms
  bool n_chosen = false;                       // the user chose n
  bool block_chosen = false;                   // the user chose the block size
  bool answer = false;                         // the user wants to see what is wrong in this broken kernel
  std::uint32_t first_block = 0;               // the first block that is recorded in full
};

// The outcome of a request.
enum class Answer {
  refused,  // the request makes no sense or failed: nothing has changed, and the banner says why
  begun,    // the run is being recorded
  shown
};

// The progress of a recording. The window shows the progress if the recording takes longer than 0.2 s
// (Session::stands_in_after).
struct RecordingProgress {
  double share = 0;         // 0 to 1; it never decreases
  double seconds_left = 0;  // an estimate; 0 if it is not known yet
  int n = 0;                // n of the run that is being recorded; 0 if a file is being opened
  int shown_n = 0;          // n of the run that is shown meanwhile
};

}  // namespace upsweep
