#include "trace/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "base/language.hpp"

namespace upsweep {

void add_provenance(Trace& trace) {
  trace.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));  // ISO 8601, UTC
  trace.program = UPSWEEP_VERSION;
}

std::string day_of(const std::string& date) {
  static constexpr const char* months[] = {tr_noop("January"), tr_noop("February"), tr_noop("March"),
                                           tr_noop("April"),   tr_noop("May"),      tr_noop("June"),
                                           tr_noop("July"),    tr_noop("August"),   tr_noop("September"),
                                           tr_noop("October"), tr_noop("November"), tr_noop("December")};
  int year = 0, month = 0, day = 0;
  if (std::sscanf(date.c_str(), "%4d-%2d-%2dT", &year, &month, &day) != 3) return date;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return date;
  return tr("{0} {1} {2}", day, tr(months[month - 1]), year);
}

}  // namespace upsweep
