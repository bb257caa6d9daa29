#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "options/options.hpp"
#include "study/command_text.hpp"
#include "study/shipped.hpp"
#include "trace/provenance.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string option_line(const Choice& c) {
  std::vector<std::string_view> names;
  for (const Option& o : c.options) names.push_back(o.name);
  const std::string_view typed = typed_words(c.typed);
  return fmt::format("  {}{}{}{}\n", command_line_option(c.name),
                     fmt::join(names, typed.empty() ? tr(" or ") : ", "), typed.empty() ? "" : tr(" or "),
                     typed);
}

std::string entry(const Algorithm& a) {
  std::string text = fmt::format("{}  ({}: {})\n  {}\n", a.name, tr(a.title), tr(a.gives), tr(a.idea));
  for (const Choice& c : a.choices) text += option_line(c);
  for (const Algorithm* rung : rungs_of(a.ladder)) {
    if (rung->mends.empty()) continue;
    text += tr("  With method={}: {}\n", rung->rung, rung->mends);
    for (const Choice& c : rung->choices)
      if (!a.choice(c.name) || option_line(*a.choice(c.name)) != option_line(c))
        text += "  " + option_line(c);
  }
  return text;
}

// Returns a line for each recording that comes with the program.
std::string recordings() {
  if (shipped_recordings().empty()) return tr("This Upsweep was built without any recordings.\n");
  Table table("LLRL");
  table.row({tr("recording"), tr("algorithm"), "n", tr("recorded on")});
  for (const Shipped& s : shipped_recordings())
    table.row({s.name, tr(s.title), grouped(s.settings.n), s.device + tr(", ") + day_of(s.date)});
  return table.text();
}

std::string_view heading(std::string_view family) {
  if (family == "reduction") return tr("Reductions");
  if (family == "application") return tr("Applications");
  return family == "scan" ? tr("Scans") : tr("Broken on purpose");
}

}  // namespace

void ListCommand::add_to(ArgumentParser& parser) {
  parser.add_flag("--json", json);
  parser.add_flag("--traces", traces);
}

void ListCommand::run() const {
  if (traces) return print(json ? text_of(json_of(shipped_recordings())) : recordings());
  if (json) return print(text_of(json_of(algorithms())));
  std::string text;
  for (const std::string_view family : families) {
    std::string group;
    for (const Algorithm& a : algorithms())
      if (a.family == family && is_listed(a)) group += "\n" + entry(a);
    if (!group.empty()) text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", heading(family), group);
  }
  print(text);
}

}  // namespace upsweep
