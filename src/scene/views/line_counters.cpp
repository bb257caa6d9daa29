#include "scene/views/line_counters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {

std::string summary(const LineCounters& c) {
  if (c.under_way) return tr("Whole run: the hardware's counters are being read …");
  if (!c.predicted_only.empty()) return tr("Whole run, predicted only. ") + c.predicted_only;
  if (c.entries.empty()) return tr("Whole run: {} counted no access to memory, as predicted.", c.device);
  const auto count = [&](Agreement a) {
    return std::count_if(c.entries.begin(), c.entries.end(), [&](const auto& e) { return e.agreement == a; });
  };
  const auto all = static_cast<std::int64_t>(c.entries.size());
  const auto varies = count(Agreement::varies), other = count(Agreement::different);
  if (varies + other == 0)
    return tr("Whole run: on {}, the measured counts of every line equal the predicted counts", c.device);
  std::string text = tr("Whole run, compared with {}'s counters:", c.device);
  if (other > 0) text += tr(" different counts in {} of {}", grouped(other), counted(all, "line"));
  if (varies > 0)
    text += (other > 0 ? tr(", ") : " ") +
            (varies == 1 ? tr("one varies from run to run") : tr("{} vary from run to run", grouped(varies)));
  return text;
}

std::string brief_summary(const LineCounters& c) {
  const std::string all = summary(c);
  const std::size_t colon = all.find(": ");
  return c.predicted_only.empty() || colon == all.npos ? all : all.substr(0, colon) + tr(".");
}

std::string difference_text(const LineCounters::Entry& e, bool brief) {
  if (e.agreement == Agreement::same) return {};
  std::vector<std::string> parts;
  for (const LineCounters::Number& n : e.numbers)
    if (n.measured != n.predicted && (parts.empty() || !brief))
      parts.push_back(fmt::format("{} {}", grouped(n.measured), n.what));
  return tr("measured{} {}", e.lines.size() > 1 ? tr(" on lines {}:", fmt::join(e.lines, ", ")) : "",
            fmt::join(parts, tr(", ")));
}

}  // namespace upsweep
