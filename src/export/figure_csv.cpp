#include "export/figure_csv.hpp"

#include <fmt/format.h>

#include "scene/charts/sweep_series.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// Returns a number as text. Returns an empty text if the number is not positive.
std::string number(double value) { return value > 0 ? fmt::format("{:.9g}", value) : ""; }

std::string preamble(const Figure& f, const std::string& where, const std::vector<std::string>& notes) {
  std::string text = fmt::format("# {}{}\n", f.title, where.empty() ? "" : ", " + where);
  for (const std::string& note : notes) text += "# " + note + "\n";
  return text;
}

}  // namespace

std::string figure_csv(const Figure& f, const Timings& rows, const std::vector<EntryCounts>& counted) {
  std::string text = preamble(f, origin_text(rows), figure_notes(f, rows, counted));
  text +=
      "figure,label,contender,variant,n,type,op,median_us,lower_quartile_us,upper_quartile_us,runs,"
      "published_us,missing\n";
  const auto us = [](double seconds) { return number(seconds * 1e6); };
  for (const FigureEntry& e : f.entries)
    for (const Timing& t : rows.rows) {
      if (t.name != e.label) continue;
      const Spread& s = t.seconds;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", f.name, quoted(e.label), e.name,
                          quoted(e.variant), t.settings.n, name(f.type), name(t.settings.op), us(s.median),
                          us(s.lower_quartile), us(s.upper_quartile), s.count,
                          us(published(f, e, t.settings.n)), quoted(in_words(t.missing)));
    }
  return text;
}

std::string figure_csv(const Figure& f, const std::vector<WorkCount>& counts) {
  std::string text = preamble(f, "", figure_notes(f, counts));
  text +=
      "figure,label,algorithm,n,operations,formula_operations,steps,formula_steps,span,formula_span,"
      "average_parallelism,formula_average_parallelism,peak_parallelism,formula_peak_parallelism\n";
  for (const WorkCount& c : counts) {
    const FigureEntry& e = f.entries[static_cast<std::size_t>(c.entry)];
    const auto average = [](double operations, double span) {
      return number(span > 0 ? operations / span : 0);
    };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", f.name, quoted(e.label), e.name, c.n,
                        number(c.operations), number(c.formula_operations), number(c.steps),
                        number(c.formula_steps), number(c.span), number(c.formula_span),
                        average(c.operations, c.span), average(c.formula_operations, c.formula_span),
                        number(c.peak), number(e.peak_share * c.n));
  }
  return text;
}

}  // namespace upsweep
