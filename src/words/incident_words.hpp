// Returns short texts for the drawing of a hazard. Most of these texts are not complete sentences.
#pragma once
#include <string>

#include "analysis/hazards.hpp"
#include "analysis/incidents.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns "thread 3". If the finding's threads are in different blocks, returns "thread 3, block 1". If the
// threads are in different launches, returns "thread 3, block 1, launch 2".
std::string party_text(const Trace& trace, const HazardFinding& finding, const HazardParty& party);
// Returns "writes 14", "reads 9" or "changes 3 to 4"; "writes" if the value is not known.
std::string access_text(const Trace& trace, const Incident& incident, const IncidentAccess& access);
// Returns the result of one order of the accesses: "thread 35 reads 14" or "temp[7] is 14". If the result is
// not known, the text says why.
std::string result_text(const Trace& trace, const HazardFinding& finding, const Incident& incident,
                        const OrderResult& result);
// Says what is missing to put the two accesses in order: "no barrier between them".
std::string missing_order_text(const HazardFinding& finding);
// Returns "__syncthreads() belongs between line 33 and line 41"; empty if no barrier removes the hazard.
std::string missing_barrier_text(const HazardFinding& finding);
// Says that both orders of the accesses have the same result with the numbers of this run; empty if the
// results differ.
std::string agreement_text(const Trace& trace, const Incident& incident);

// group_name() returns the subject of a sentence: "Threads 0–31", or "Threads 0–31, block 2" in a deadlock of
// a grid with several blocks. group_text() returns the rest of the sentence: "wait at the barrier in line
// 23", "have left the kernel".
std::string group_name(const Trace& trace, const HazardFinding& finding, const ThreadGroup& group);
std::string group_text(const ThreadGroup& group);

// Returns a sentence about the condition of an endless loop. The sentence names a variable in the condition
// and its values in the recorded iterations, or states the number of recorded reads of memory. If the
// recording contains neither, the sentence says so.
std::string rounds_text(const Trace& trace, const LoopRounds& loop);
// Returns whether the condition in the loop's head contains the variable that numbers the steps, such as
// `stride`.
bool condition_reads_number(const Trace& trace, const LoopRounds& loop);

}  // namespace upsweep
