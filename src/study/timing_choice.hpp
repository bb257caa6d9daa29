// Which of many measured rows belong on the screen: the chosen kernel's, those of the variant that it is
// compared with, and what both are measured against.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "timing/timings.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// The variants of the same algorithm that compute the same from the same data, the most telling first: of a
// padded kernel the unpadded one, of an unpadded one the padded ones.
std::vector<Settings> twins_of(const Algorithm& a, const Settings& now);
// `now` with the layout, load pattern and variants of another one.
Settings with_choices_of(const Settings& now, const Settings& other);

// What is chosen on the screen, and what that is compared with, if anything.
struct Chosen {
  Settings now;
  std::optional<Settings> twin;
  bool operator==(const Chosen&) const = default;
};

// What the one is called beside the other: "pad32", "no padding", "brent kung".
std::string name_beside(const Settings& s, const Settings& other);
// Of two variants the one that the other is a change of, and what that change is called: "Padding".
struct Pair {
  Settings before, after;
  std::string change;
};
Pair pair_of(const Settings& one, const Settings& other);

// Rows of some timings in an order of their own: the peers', the chosen kernel's, its twin's, so that each
// keeps its colour.
struct Selection {
  Timings timings;
  std::vector<int> rows;  // timings.rows[i] was row rows[i]
  int chosen = -1;        // a row of the chosen kernel; -1 where there is none
  Cache cache = Cache::cold;
};
// The chosen kernel, its twin, the copy and the peers that compute the same. Where its choices were never
// measured, the same kernel as suits each size stands in, under that name.
Selection rows_for_sweep(const Timings& all, const Chosen& chosen);
// Of one size: these, and of the other kernels that compute the same the best, `most` rows in all.
Selection rows_for_bars(const Timings& all, const Chosen& chosen, int n, int most);
// The largest size at which the chosen kernel was measured, or what stands in; without it the largest at
// which most of its peers were; 0 if there is none.
int full_size(const Timings& all, const Chosen& chosen);

// A row by the name of the choices that it ran with: what was asked for may have left some to suit the size.
Timing as_run(Timing t);
// The rows that ran with these choices, whatever was asked for, each size once; and the one at size n, if it
// was measured.
std::vector<Timing> rows_of(const Timings& all, const Settings& s);
const Timing* row_at(const Timings& all, const Settings& s, int n);
// The measured row at the largest size that another variant was measured at, too; else at the largest of its
// own.
std::optional<Timing> largest_row(const Timings& all, const Settings& s, const Settings& other);

// Why there is nothing to compare or to show, as a sentence; empty where there is.
std::string why_not_there(const Timings& all, const Settings& s);

// Does it matter here? The sentence, with wavefronts of one block of each, -1 where they are not known.
std::string matter_sentence(const Timings& all, const Chosen& chosen, double wavefronts_now,
                            double wavefronts_twin);

}  // namespace upsweep
