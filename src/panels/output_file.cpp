#include "panels/output_file.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "study/output_csv.hpp"

namespace upsweep {

std::string save_output(const Trace& trace, const std::filesystem::path& folder) {
  const std::string table = output_csv(trace), name = "upsweep-" + trace.settings.algorithm;
  for (int i = 1;; ++i) {
    const auto file = folder / (i == 1 ? name + ".csv" : fmt::format("{}-{}.csv", name, i));
    if (write_new_file(file.string(), table))
      return fmt::format("The output was saved as {}.", file.string());
  }
}

}  // namespace upsweep
