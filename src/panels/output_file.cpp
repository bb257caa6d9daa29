#include "panels/output_file.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "panels/new_name.hpp"
#include "study/output_csv.hpp"

namespace upsweep {

std::string save_output(const Trace& trace, const std::filesystem::path& folder) {
  const std::string table = output_csv(trace), name = "upsweep-" + trace.settings.algorithm;
  std::filesystem::path file;
  write_with_new_name(name, [&](const std::string& free) {
    file = folder / (free + ".csv");
    return write_new_file(file.string(), table);
  });
  return fmt::format("The output was saved as {}.", file.string());
}

}  // namespace upsweep
