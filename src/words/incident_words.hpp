// Short texts for the drawing of a hazard. Each text is a part of the drawing, so most are no sentences.
#pragma once
#include <string>

#include "analysis/hazards.hpp"
#include "analysis/incidents.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns "thread 3". If the finding's threads are in different blocks, returns "thread 3, block 1"; if they
// are in different launches, "thread 3, launch 2".
std::string party_text(const Trace& trace, const HazardFinding& finding, const HazardParty& party);
// Returns "writes 14", "reads 9" or "changes 3 to 4"; "writes" if the value is not known.
std::string access_text(const Trace& trace, const Incident& incident, const IncidentAccess& access);
// Returns the result of one order: "thread 35 reads 14", "temp[7] is 14", or why it is not known.
std::string result_text(const Trace& trace, const HazardFinding& finding, const Incident& incident,
                        const OrderResult& result);
// Returns which order is missing between the two accesses: "no barrier between them".
std::string missing_order_text(const HazardFinding& finding);
// Returns "__syncthreads() belongs between line 33 and line 41"; empty if no barrier removes the hazard.
std::string missing_barrier_text(const HazardFinding& finding);
// Says that both orders have the same result with the numbers of this run; empty if the results differ.
std::string agreement_text(const Trace& trace, const Incident& incident);

// group_name() returns "Threads 0–31"; in a deadlock of several blocks, "Threads 0–31, block 2". group_text()
// returns what these threads do: "wait at the barrier in line 23", "have left the kernel".
std::string group_name(const Trace& trace, const HazardFinding& finding, const ThreadGroup& group);
std::string group_text(const ThreadGroup& group);

// Returns the sentence about the recorded rounds of an endless loop: "stride is 32 in each of the 2 recorded
// rounds." If the recording does not contain the values of the condition, the sentence says so.
std::string rounds_text(const Trace& trace, const LoopRounds& loop);
// Returns whether the condition in the loop's head reads the number of the loop's steps.
bool condition_reads_number(const Trace& trace, const LoopRounds& loop);

}  // namespace upsweep
