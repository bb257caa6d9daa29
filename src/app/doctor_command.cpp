#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "base/language.hpp"
#include "window/doctor.hpp"
#include "words/in_words.hpp"

namespace upsweep {

void DoctorCommand::run() const {
  std::vector<Finding> findings = examine_machine();
  for (Finding& f : examine_drawing()) findings.push_back(std::move(f));
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("{}  {}\n         {}\n", f.found ? tr("found  ") : tr("missing"), in_words(f.what),
                        in_words(f.detail));
    if (f.consequence) text += tr("         Consequence: {}\n", in_words(f.consequence));
    if (!f.command.empty()) text += tr("         To install: {}\n", f.command);
  }
  print(text);
}

}  // namespace upsweep
