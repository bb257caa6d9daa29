// Describes layouts of shared memory, and the banks of older architectures, in sentences.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns why the recording's layout does not avoid all bank conflicts. `excess` is the number of wavefronts
// that the conflicts add. Returns an empty text if `excess` is 0 or no reason is known.
std::string_view layout_note(const Trace& trace, std::int64_t excess);

// Returns "6 requests to shared memory take 12 wavefronts".
std::string wavefronts_text(std::int64_t requests, std::int64_t wavefronts);
// Returns "With 16 banks, half-warps (compute capability 1.x), 6 requests to shared memory take 12
// wavefronts: there is no bank conflict." `requests` are loads and stores of shared memory, as indices into
// Trace::events.
std::string bank_model_text(const Trace& trace, const std::vector<int>& requests, const BankModel& model);

}  // namespace upsweep
