// Chooses the rows to show from many measured ones: the rows of the chosen kernel, of the compared variant,
// and of the peers of both.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "timing/timings.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Returns variants of the same algorithm that compute the same from the same data, the most instructive
// first: for a padded kernel the variant without padding, and for a kernel without padding the padded
// variants.
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

// Some rows in a fixed order: the peers', the chosen kernel's, the compared variant's. So each row keeps its
// colour.
struct Selection {
  Timings timings;
  std::vector<int> rows;  // timings.rows[i] is row rows[i] of the source
  int chosen = -1;        // a row of the chosen kernel, or -1
  Cache cache = Cache::cold;
};
// Returns the rows of the chosen kernel, the compared variant, the copy and the peers that compute the same.
// If the kernel's choices were never measured, the rows with the tuning of each size replace the kernel's
// rows, under their own name.
Selection rows_for_sweep(const Timings& all, const Chosen& chosen);
// Like rows_for_sweep() at one size, with the best of the other kernels that compute the same; at most `most`
// rows.
Selection rows_for_bars(const Timings& all, const Chosen& chosen, int n, int most);
// Returns the largest size at which the chosen kernel was measured, or the rows that replace it. Without such
// rows, returns the largest size with most of the kernel's peers; 0 if it has no peers.
int full_size(const Timings& all, const Chosen& chosen);

// Returns a row named after the choices with which it ran. The request for the row may have left some choices
// open.
Timing as_run(Timing t);
// rows_of() returns the rows that ran with these choices, one for each size. row_at() returns the row at size
// n, or null.
std::vector<Timing> rows_of(const Timings& all, const Settings& s);
const Timing* row_at(const Timings& all, const Settings& s, int n);
// Returns the measured row at the largest size at which `other` was measured, too; else at the row's own
// largest size.
std::optional<Timing> largest_row(const Timings& all, const Settings& s, const Settings& other);

// Returns a sentence that says why there is nothing to compare or to show; empty if there is something.
std::string why_not_there(const Timings& all, const Settings& s);

// Returns the sentence that says whether the difference matters here. The wavefronts are counted in one block
// of each variant, or in its whole run; -1 if they are not known.
std::string matter_sentence(const Timings& all, const Chosen& chosen, double wavefronts_now,
                            double wavefronts_compared, bool whole_runs = false);

}  // namespace upsweep
