#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "window/doctor.hpp"

namespace upsweep {

void DoctorCommand::run() const {
  std::vector<Finding> findings = examine_machine();
  for (Finding& f : examine_drawing()) findings.push_back(std::move(f));
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("{}  {}\n         {}\n", f.found ? "found  " : "missing", f.what, f.detail);
    if (!f.consequence.empty()) text += fmt::format("         It follows: {}\n", f.consequence);
    if (!f.command.empty()) text += fmt::format("         Install it: {}\n", f.command);
  }
  print(text);
}

}  // namespace upsweep
