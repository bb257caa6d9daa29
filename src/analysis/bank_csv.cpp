#include "analysis/bank_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

constexpr std::string_view column_names[] = {"op", "width_bytes", "active_mask", "byte_addresses"};
enum Column { op, width_bytes, active_mask, byte_addresses };

std::string_view trimmed(std::string_view text, std::string_view what = " \t\r") {
  const auto first = text.find_first_not_of(what);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(what) - first + 1);
}

// Splits a line into its fields, and removes the quotes around the fields. A comma between quotes also ends a
// field, because no valid field contains a comma.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = line.find(',');
    fields.push_back(trimmed(trimmed(line.substr(0, comma)), "\""));
    if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
  }
  return fields;
}

std::optional<std::uint32_t> number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != text.end()) return std::nullopt;
  return value;
}

class CsvReader {
 public:
  explicit CsvReader(std::istream& in) : in_(in) {}

  std::vector<BankRequest> table() {
    std::string line;
    if (!next(line)) throw RequestError(say::empty_table());
    header(line);
    std::vector<BankRequest> requests;
    while (next(line)) requests.push_back(row(line));
    if (in_.bad()) throw WorkError(say::table_not_read());
    return requests;
  }

 private:
  [[noreturn]] void fail(const Message& why) const { throw RequestError(say::table_line(line_, why)); }

  // Reads the next line that is not blank.
  bool next(std::string& line) {
    while (std::getline(in_, line)) {
      if (++line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
      if (!trimmed(line).empty()) return true;
    }
    return false;
  }

  void header(const std::string& line) {
    const auto names = fields_of(line);
    for (std::size_t c = 0; c < std::size(column_names); ++c) {
      const auto found = std::find(names.begin(), names.end(), column_names[c]);
      if (found == names.end()) fail(say::no_column(column_names[c]));
      where_[c] = found - names.begin();
    }
    columns_ = names.size();
  }

  BankRequest row(const std::string& line) const {
    const auto fields = fields_of(line);
    if (fields.size() != columns_) fail(say::other_field_count(fields.size(), columns_));
    const auto field = [&](Column c) { return fields[where_[c]]; };

    BankRequest request;
    const auto name = field(op);
    request.load = name == "ld" || name == "load";
    if (!request.load && name != "st" && name != "store") fail(say::bad_op(name));

    const auto width = number(field(width_bytes));
    if (width != 2u && width != 4u && width != 8u && width != 16u)
      fail(say::bad_width_bytes(field(width_bytes)));
    request.width = static_cast<int>(*width);

    const auto mask = number(field(active_mask));
    if (!mask) fail(say::bad_active_mask(field(active_mask)));
    request.mask = *mask;

    addresses(field(byte_addresses), request);
    return request;
  }

  void addresses(std::string_view text, BankRequest& request) const {
    std::size_t lane = 0;
    for (text = trimmed(text); !text.empty(); ++lane) {
      const auto word = text.substr(0, text.find_first_of(" \t"));
      text = trimmed(text.substr(word.size()));
      const auto address = number(word);
      if (!address) fail(say::bad_byte_address(word));
      if (lane >= request.addresses.size()) continue;  // only counts further addresses, for the error message
      if ((request.mask >> lane & 1) != 0 && *address % request.width != 0)
        fail(say::misaligned_address(*address, lane, request.width));
      request.addresses[lane] = *address;
    }
    if (lane != request.addresses.size()) fail(say::other_address_count(lane));
  }

  std::istream& in_;
  int line_ = 0;  // the number of the current line, for error messages
  std::size_t columns_ = 0;
  std::size_t where_[std::size(column_names)] = {};
};

}  // namespace

std::vector<BankRequest> read_bank_requests(std::istream& in) { return CsvReader(in).table(); }

std::string bank_table(const std::vector<BankRequest>& requests, const BankModel& model) {
  std::string table;
  for (const BankRequest& r : requests) {
    const BankCost cost = bank_cost(r.load, r.width, r.mask, r.addresses, model);
    fmt::format_to(std::back_inserter(table), "{},{}\n", cost.wavefronts, cost.excess());
  }
  return table;
}

}  // namespace upsweep
