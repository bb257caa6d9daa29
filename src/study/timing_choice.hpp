// Chooses which of many measured rows are shown: the rows of the chosen kernel, of the compared variant, and
// of their peers (the copy, CUB and the CPU).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "timing/timings.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {

// Returns settings that compute the same result from the same data: variants of the same algorithm, and other
// algorithms of its ladder (see catalogue/ladder.hpp). The most instructive variant is first: for a rung of a
// ladder the previous rung, for a padded kernel the variant without padding, and for a kernel without padding
// the padded variants.
std::vector<Settings> comparable_with(const Algorithm& a, const Settings& now);
// Returns `now` with the algorithm, layout, load pattern and variants of `other`.
Settings with_choices_of(const Settings& now, const Settings& other);

// The chosen kernel, and the compared variant, if there is one.
struct Chosen {
  Settings now;
  std::optional<Settings> compared;
  bool operator==(const Chosen&) const = default;
};

// Returns a name that distinguishes the variant `s` from the variant `other`: "pad32", "no padding", "brent
// kung".
std::string name_beside(const Settings& s, const Settings& other);
// Two variants in the order "without the change, with the change", and the name of the change, such as
// "Padding".
struct Pair {
  Settings before, after;
  std::string change;
};
Pair pair_of(const Settings& one, const Settings& other);

// Some rows in a fixed order: first the rows of the peers (the copy, CUB and the CPU), then the rows of the
// chosen kernel, then the rows of the compared variant. Because the order is fixed, each contender keeps its
// colour.
struct Selection {
  Timings timings;
  std::vector<int> rows;  // rows[i] is the index of timings.rows[i] among all measured rows
  int chosen = -1;        // a row of the chosen kernel, or -1
  std::vector<int> kept;  // the rows of the chosen kernel and of the compared variant in `timings`
  Cache cache = Cache::cold;
};
// Returns the rows of the chosen kernel, of the compared variant and of the peers. In two cases, other rows
// of the kernel replace those of the chosen kernel: the rows that were measured with the recommended options
// of each size. The variant name of these rows is "tuned for each n". In the first case, the kernel was never
// measured with its chosen options. In the second case, the chosen options are the recommended options for
// the chosen n, and were measured only for smaller n than the options that are recommended for larger n.
Selection rows_for_sweep(const Timings& all, const Chosen& chosen);
// Returns the rows of rows_for_sweep() at one size. Adds rows of the fastest other kernels of the same
// family, until there are `most` rows.
Selection rows_for_bars(const Timings& all, const Chosen& chosen, int n, int most);
// Returns the largest size at which the chosen kernel has a row. Rows with the variant name "tuned for each
// n" also count (see rows_for_sweep()). If there are no such rows, finds the sizes with the most peers, and
// returns the largest of these sizes. Returns 0 if there are no peers.
int full_size(const Timings& all, const Chosen& chosen);

// Returns a copy of the row. The variant's name in the copy contains all choices of the run, including
// choices that the request for the row did not set.
Timing as_run(Timing t);
// rows_of() returns the rows that were measured with the choices of `s`, one row for each size. row_at()
// returns the row at size n, or null.
std::vector<Timing> rows_of(const Timings& all, const Settings& s);
const Timing* row_at(const Timings& all, const Settings& s, int n);
// Returns the row of `s` at the largest size at which both `s` and `other` were measured. If there is no such
// size, returns the row at the largest size of `s`, or nullopt if `s` was not measured.
std::optional<Timing> largest_row(const Timings& all, const Settings& s, const Settings& other);

// Returns true if no kernel was measured, or if users can choose the operator of at least one measured
// kernel.
bool has_operator(const Timings& all);

// Returns a sentence that says why there are no times of `s`. Returns an empty text if there are times.
std::string why_not_there(const Timings& all, const Settings& s);

// Returns a sentence that says whether the change between the two variants matters for the times. Returns an
// empty text if there is no compared variant. `wavefronts_now` and `wavefronts_compared` are the wavefronts
// of whole runs; -1 means that the number is not known.
std::string matter_sentence(const Timings& all, const Chosen& chosen, double wavefronts_now,
                            double wavefronts_compared);

}  // namespace upsweep
