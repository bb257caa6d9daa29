#include "words/bank_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/banks.hpp"
#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {

std::string_view layout_note(const Trace& trace, std::int64_t excess) {
  if (excess == 0) return {};
  const std::string layout = trace.settings.choice("layout");
  if (layout == "pad16")
    return tr(
        "This padding is meant for the 16 banks of compute capability 1.x: with 32 banks, conflicts "
        "remain.");
  if (layout == "pad_macro")
    return tr("In this macro, C computes + before >>, so the offset is always 0 and nothing is padded.");
  return {};
}

std::string wavefronts_text(std::int64_t requests, std::int64_t wavefronts) {
  const std::string all = counted(requests, "request"), needed = counted(wavefronts, "wavefront");
  return requests == 1 ? tr("{} to shared memory takes {}", all, needed)
                       : tr("{} to shared memory take {}", all, needed);
}

std::string bank_model_text(const Trace& trace, const std::vector<int>& requests, const BankModel& model) {
  int wavefronts = 0, degree = 0;
  for (const int event : requests) {
    const BankCost cost = bank_cost(trace, trace.events[static_cast<std::size_t>(event)], model);
    wavefronts += cost.wavefronts;
    degree = std::max(degree, cost.degree);
  }
  const auto few = static_cast<int>(requests.size());
  const std::string conflicts =
      degree > 1 ? tr("the worst is a {}-way bank conflict", degree)
      : wavefronts > few
          ? tr("there is no bank conflict, but the parts of a request are served one after the other")
          : tr("there is no bank conflict");
  return tr("With {banks}, {requests_take_wavefronts}: {conflicts}.", fmt::arg("banks", banks_text(model)),
            fmt::arg("requests_take_wavefronts", wavefronts_text(std::ssize(requests), wavefronts)),
            fmt::arg("conflicts", conflicts));
}

}  // namespace upsweep
