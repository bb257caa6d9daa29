// Reads and writes measurements as JSON. docs/command-line/bench.md names the keys.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "timing/timings.hpp"
#include "trace/settings_json.hpp"

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "upsweep timings";
constexpr std::string_view contender_names[] = {"kernel", "part", "copy", "library", "processor"};
constexpr std::string_view cache_names[] = {"warm", "cold"};

template <class E>
std::string_view name_of(std::span<const std::string_view> names, E value) {
  return names[static_cast<std::size_t>(value)];
}

Json json_of(const Spread& s) {
  return {{"median", s.median},
          {"lower_quartile", s.lower_quartile},
          {"upper_quartile", s.upper_quartile},
          {"least", s.least},
          {"most", s.most},
          {"count", s.count}};
}

Json json_of(const Timings& all, const Timing& t, Words words) {
  const double share = share_of_ceiling(all, t);
  const auto if_known = [](double x, bool known) { return known ? Json(x) : Json(nullptr); };
  Json row = {{"contender", name_of(contender_names, t.contender)},
              {"name", t.name},
              {"variant", t.variant},
              {"settings", settings_json(t.settings)},
              {"cache", name_of(cache_names, t.cache)},
              {"seconds", was_measured(t) ? json_of(t.seconds) : Json(nullptr)},
              {"bytes", t.bytes},
              {"bytes_per_second", if_known(t.bytes_per_second(), was_measured(t))},
              {"elements_per_second", if_known(t.elements_per_second(), was_measured(t))},
              {"share_of_ceiling", if_known(share, share >= 0)},
              {"excess_wavefronts", if_known(t.excess_wavefronts, t.excess_wavefronts >= 0)},
              {"missing", t.missing ? Json(words(t.missing)) : Json(nullptr)}};
  if (t.bytes_of_all_passes > 0) row["bytes_of_all_passes"] = t.bytes_of_all_passes;
  return row;
}

// Reads the keys of one JSON object. Every error message names the place of the mistake.
class Reader {
 public:
  Reader(const Json& json, std::string source, std::string place)
      : json_(json), source_(std::move(source)), place_(std::move(place)) {
    if (!json.is_object()) refuse(tr("{} is not an object", place_));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw RequestError(
        tr("{} is not a readable file of measured times: {}. Give a file that `upsweep bench --json` wrote.",
           source_, what));
  }
  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse(tr("{} has no \"{}\"", place_, key));
    return *found;
  }
  Reader object(const char* key) const { return Reader(at(key), source_, tr("\"{}\" of {}", key, place_)); }
  std::string text(const char* key) const {
    if (!at(key).is_string()) refuse(tr("\"{}\" of {} is not a text", key, place_));
    return at(key).get<std::string>();
  }
  // Reads a number, which must be finite and at least `least`.
  double number(const char* key, double least) const {
    const double x = at(key).is_number() ? at(key).get<double>() : std::nan("");
    if (!(x >= least) || !std::isfinite(x))
      refuse(tr("\"{}\" of {} is not a number of at least {}", key, place_, least));
    return x;
  }
  int whole(const char* key, int least) const {
    const double x = number(key, least);
    if (x > INT32_MAX || x != std::floor(x))
      refuse(tr("\"{}\" of {} is not a whole number below 2^31", key, place_));
    return static_cast<int>(x);
  }
  bool has(const char* key) const { return json_.contains(key); }
  bool is_null(const char* key) const { return at(key).is_null(); }
  template <class E>
  E one_of(const char* key, std::span<const std::string_view> names) const {
    const std::string typed = text(key);
    const auto found = std::find(names.begin(), names.end(), typed);
    if (found == names.end())
      refuse(tr("\"{}\" of {} is \"{}\", which is not an allowed value", key, place_, typed));
    return static_cast<E>(found - names.begin());
  }

 private:
  const Json& json_;
  std::string source_, place_;
};

Spread spread(const Reader& r) {
  Spread s;
  s.median = r.number("median", 0);
  s.lower_quartile = r.number("lower_quartile", 0);
  s.upper_quartile = r.number("upper_quartile", 0);
  s.least = r.number("least", 0);
  s.most = r.number("most", 0);
  s.count = r.whole("count", 0);
  const bool in_order = s.least <= s.lower_quartile && s.lower_quartile <= s.median &&
                        s.median <= s.upper_quartile && s.upper_quartile <= s.most;
  if (!in_order || (s.count > 0 && !(s.median > 0)))
    r.refuse(tr("the extremes, the quartiles and the median are not in ascending order"));
  return s;
}

Settings settings(const Reader& r) {
  Settings s;
  s.algorithm = r.text("algorithm");
  s.n = r.whole("n", 1);
  s.block = r.whole("block", 0);
  s.type = r.one_of<Scalar>("type", scalar_names);
  s.op = r.one_of<Operator>("op", operator_names);
  s.grid = r.whole("grid", 0);
  const Json& variants = r.at("variants");
  if (!variants.is_object()) r.refuse(tr("\"variants\" is not an object"));
  for (const auto& [key, choice] : variants.items()) {
    if (!choice.is_string()) r.refuse(tr("the variant \"{}\" is not a text", key));
    s.choices[key] = choice.get<std::string>();
  }
  for (const ChoiceWithField& c : choices_with_field) s.choose(std::string(c.name), r.text(c.name.data()));
  s.without_barrier = r.whole("without_barrier", 0);
  if (r.has("columns")) s.columns = r.whole("columns", 1);
  return s;
}

Timing timing(const Reader& r) {
  Timing t;
  t.contender = r.one_of<Contender>("contender", contender_names);
  t.name = r.text("name");
  t.variant = r.text("variant");
  t.settings = settings(r.object("settings"));
  t.cache = r.one_of<Cache>("cache", cache_names);
  if (!r.is_null("seconds")) t.seconds = spread(r.object("seconds"));
  t.bytes = r.number("bytes", 0);
  if (r.has("bytes_of_all_passes")) t.bytes_of_all_passes = r.number("bytes_of_all_passes", 0);
  if (!r.is_null("excess_wavefronts")) t.excess_wavefronts = r.number("excess_wavefronts", 0);
  if (!r.is_null("missing")) t.missing = plain(r.text("missing"));
  if (was_measured(t) == bool(t.missing))
    r.refuse(tr("the row of {} must have either times or a reason why times are missing", t.name));
  return t;
}

[[noreturn]] void refuse_text(const std::string& where) {
  throw RequestError(
      tr("{} is not a file of measured times: give a file that `upsweep bench --json` wrote.", where));
}

Json parsed(std::string_view text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    if (e.byte <= text.size() || !text.starts_with('{')) refuse_text(where);
    throw RequestError(
        tr("{} is an incomplete file of measured times: copy the whole file, or measure again.", where));
  } catch (const Json::out_of_range&) {
    throw RequestError(
        tr("{} is not a readable file of measured times: the file has a number that is too large.", where));
  }
}

constexpr std::size_t most_bytes = 64 << 20;  // the maximum size of a file of times

}  // namespace

std::string to_json(const Timings& t, Words words) {
  Json rows = Json::array();
  for (const Timing& row : t.rows) rows.push_back(json_of(t, row, words));
  const Json json{
      {"format", format_name},
      {"version", Timings::version},
      {"device", t.device},
      {"driver", t.driver},
      {"processor", t.processor},
      {"date", t.date},
      {"program", t.program},
      {"memory_bandwidth", t.memory_bandwidth},
      {"launch_overhead", t.launch_overhead.count > 0 ? json_of(t.launch_overhead) : Json(nullptr)},
      {"rows", rows}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Timings timings_from_json(std::string_view text, const std::string& where) {
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    throw RequestError(tr("{} is empty: give a file that `upsweep bench --json` wrote.", where));
  const Json json = parsed(text, where);
  if (!json.is_object() || json.value("format", Json()) != Json(format_name)) refuse_text(where);
  const Reader r(json, where, tr("the file"));
  const int version = r.whole("version", 1);
  if (version > Timings::version)
    throw RequestError(
        tr("{} was written by a newer Upsweep (format {}; this Upsweep reads up to {}): use the "
           "newer Upsweep, or measure again.",
           where, version, Timings::version));
  Timings t;
  t.device = r.text("device");
  t.driver = r.text("driver");
  t.processor = r.text("processor");
  t.date = r.text("date");
  t.program = r.text("program");
  t.memory_bandwidth = r.number("memory_bandwidth", 0);
  if (!r.is_null("launch_overhead")) t.launch_overhead = spread(r.object("launch_overhead"));
  t.recorded = where;
  const Json& rows = r.at("rows");
  if (!rows.is_array()) r.refuse(tr("\"rows\" is not a list"));
  for (std::size_t i = 0; i < rows.size(); ++i)
    t.rows.push_back(timing(Reader(rows[i], where, tr("row {}", i))));
  return t;
}

Timings read_timings(const std::string& path) {
  return timings_from_json(read_text_file(path, most_bytes), path);
}

}  // namespace upsweep
