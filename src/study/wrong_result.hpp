// Finds the first wrong element of a result, and the place where the run first differs from the correct
// kernel's run.
#pragma once
#include <optional>

#include "analysis/wrong_result.hpp"
#include "base/job.hpp"
#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns the first wrong element of a trace's output. Returns nullopt if the output is correct, if the
// output has a wrong number of elements, or if this version cannot check the output.
//
// If the output is wrong, this function takes longer, because it also runs the correct kernel on the emulator
// with the same data and settings. The wrong kernel's file names the correct kernel (see Algorithm::right).
// If a barrier was removed, the correct kernel is the same kernel with this barrier.
//
// If only some blocks were recorded in full, the wrong run is recorded again with all blocks in full. Runs
// whose cost() exceeds 2^17 are not compared. Throws Cancelled if the job is cancelled meanwhile.
std::optional<WrongResult> wrong_result(const Trace& trace, Job* job = nullptr);

// Returns the message about the wrong element. The message says whether any thread wrote the element.
Message mistake_of(const WrongResult& wrong, const Settings& s);

// Returns the settings of the correct kernel's run. Returns nullopt if no correct kernel is known, or if it
// does not accept the settings.
std::optional<Settings> right_settings(const Algorithm& a, const Settings& wrong);

}  // namespace upsweep
