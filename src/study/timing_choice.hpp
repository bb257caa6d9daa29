// Chooses the rows to show from many measured ones: those of the chosen kernel, of the variant that it is
// compared with, and of the peers of both.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "timing/timings.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Returns variants of the same algorithm that compute the same from the same data, the most instructive
// first: for a padded kernel the one without padding, for one without padding the padded ones.
std::vector<Settings> comparable_with(const Algorithm& a, const Settings& now);
// Returns `now` with the layout, load pattern and variants of other settings.
Settings with_choices_of(const Settings& now, const Settings& other);

// The chosen kernel, and the variant that it is compared with, if any.
struct Chosen {
  Settings now;
  std::optional<Settings> compared;
  bool operator==(const Chosen&) const = default;
};

// Returns a name that distinguishes one variant from the other: "pad32", "no padding", "brent kung".
std::string name_beside(const Settings& s, const Settings& other);
// Two variants, ordered so that the second one is a change of the first, and the name of the change:
// "Padding".
struct Pair {
  Settings before, after;
  std::string change;
};
Pair pair_of(const Settings& one, const Settings& other);

// Some rows in a fixed order: the peers', the chosen kernel's, those of the compared variant, so that each
// keeps its colour.
struct Selection {
  Timings timings;
  std::vector<int> rows;  // timings.rows[i] is row rows[i] of the source
  int chosen = -1;        // a row of the chosen kernel, or -1
  Cache cache = Cache::cold;
};
// Returns the rows of the chosen kernel, the compared variant, the copy and the peers that compute the same.
// If the kernel's choices were never measured, the rows with the tuning of each size replace it, under their
// own name.
Selection rows_for_sweep(const Timings& all, const Chosen& chosen);
// Returns these rows at one size, and the best of the other kernels that compute the same; `most` rows in
// all.
Selection rows_for_bars(const Timings& all, const Chosen& chosen, int n, int most);
// Returns the largest size at which the chosen kernel, or the rows that replace it, were measured; without
// them the largest size with most of its peers; 0 if there is none.
int full_size(const Timings& all, const Chosen& chosen);

// Returns a row named after the choices with which it ran. The variant that was asked for may have left some
// choices open.
Timing as_run(Timing t);
// Returns the rows that ran with these choices, whatever was asked for, one for each size; and the one at
// size n, if it was measured.
std::vector<Timing> rows_of(const Timings& all, const Settings& s);
const Timing* row_at(const Timings& all, const Settings& s, int n);
// Returns the measured row at the largest size at which another variant was measured, too; else at its own
// largest size.
std::optional<Timing> largest_row(const Timings& all, const Settings& s, const Settings& other);

// Returns a sentence that says why there is nothing to compare or to show; empty if there is.
std::string why_not_there(const Timings& all, const Settings& s);

// Returns the sentence that says whether the difference matters here. The wavefronts are those of one block
// of each; -1 if they are not known.
std::string matter_sentence(const Timings& all, const Chosen& chosen, double wavefronts_now,
                            double wavefronts_compared);

}  // namespace upsweep
