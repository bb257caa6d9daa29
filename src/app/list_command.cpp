#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {
namespace {

std::string entry(const Algorithm& a) {
  std::string variants;
  if (a.layouts)
    variants += "; --layout " + fmt::format("{}", fmt::join(layout_names, ", ")) + " or a formula in i";
  if (a.load_patterns)
    variants += "; --load-pattern " + fmt::format("{}", fmt::join(load_pattern_names, " or "));
  return fmt::format("{}  ({}: {}, {} element{} per thread{})\n  {}\n", a.name, a.title, a.gives,
                     a.elements_per_thread, a.elements_per_thread == 1 ? "" : "s", variants, a.idea);
}

}  // namespace

void ListCommand::add_to(CLI::App& app) { app.add_flag("--json", json); }

void ListCommand::run() const {
  if (json) return print(text_of(json_of(algorithms())));
  std::string text;
  for (const Algorithm& a : algorithms()) text += (text.empty() ? "" : "\n") + entry(a);
  print(text);
}

}  // namespace upsweep
