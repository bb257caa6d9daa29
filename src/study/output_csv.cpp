#include "study/output_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/allotment.hpp"
#include "study/recording.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

const GlobalBuffer& output_buffer(const Trace& t) {
  return t.buffers[static_cast<std::size_t>(t.roles().first_output())];
}

// Returns how many numbers a row of two-dimensional output has. Returns 0 for other output.
std::size_t columns_of_rows(const Trace& t, const Result& result) {
  if (result == Result::summed_area_table)
    return static_cast<std::size_t>(data_columns(t.settings)) *
           static_cast<std::size_t>(channels(t.settings));
  return static_cast<std::size_t>(std::max<std::int64_t>(0, output_buffer(t).columns));
}

// Writes the one or two numbers of an element as text.
class Numbers {
 public:
  Numbers(const Trace& t, const Result& result) : cells_(output_buffer(t).cells), plain_(t.settings) {
    const bool two = cells_ == Cells::elements && !result.second_only;
    numbers_ = two ? scalars_per_element(t.settings.op) : 1;
    plain_.op = Operator::sum;  // so that an element is one number, not a pair
  }
  int per_element() const { return numbers_; }
  void add(std::string& text, const Value& v) const {
    if (numbers_ == 1) {
      text += exact_text(v, plain_, cells_);
      return;
    }
    for (int k = 0; k < numbers_; ++k) {
      Value alone{};
      set_scalar(alone, plain_.type, 0, scalar(v, plain_.type, k));
      text += (k > 0 ? "," : "") + exact_text(alone, plain_);
    }
  }

 private:
  Cells cells_;
  Settings plain_;
  int numbers_;
};

// Returns the names of the columns for the elements.
std::string names_of_numbers(const Trace& t, const Result& result, const Numbers& numbers) {
  if (numbers.per_element() == 2) return "a,b";
  if (result == Result::recurrence) return "y";
  if (result == Result::allocation) return "length,start,fits,left";
  if (result == Result::sorting) return "key";
  return output_buffer(t).name;
}

}  // namespace

std::string output_csv(const Trace& t) {
  const Result& result = result_of(t);
  const Numbers numbers(t, result);
  std::string text;
  if (const std::size_t columns = columns_of_rows(t, result); columns > 0) {
    for (std::size_t i = 0; i < t.output.size(); ++i) {
      numbers.add(text, t.output[i]);
      text += (i + 1) % columns == 0 ? '\n' : ',';
    }
    return text;
  }
  const std::size_t rows = defined_outputs(t, result);
  const auto has = [&](std::size_t k) {
    return k < t.more_outputs.size() && t.more_outputs[k].size() >= rows;
  };
  const bool pairs = result == Result::sorting && rows > 0 && has(0),
             requests = result == Result::allocation && has(0) && t.input.size() == rows;
  text =
      fmt::format("index,{}{}\n",
                  requests || result != Result::allocation ? names_of_numbers(t, result, numbers) : "start",
                  pairs ? ",value" : "");
  const auto whole = static_cast<double>(capacity(t.settings));
  double left = whole;  // the capacity that remains after the last request that fits
  for (std::size_t i = 0; i < rows; ++i) {
    fmt::format_to(std::back_inserter(text), "{},", i);
    if (requests) {
      numbers.add(text, t.input[i]);
      text += ',';
    }
    numbers.add(text, t.output[i]);
    if (pairs || requests) fmt::format_to(std::back_inserter(text), ",{}", t.more_outputs[0][i][0]);
    if (requests) {
      const double room = whole - request_start(t, i) - request_length(t, i);
      if (request_fits(t, i)) left = std::min(left, room);
      fmt::format_to(std::back_inserter(text), ",{:.0f}", left);
    }
    text += '\n';
  }
  return text;
}

}  // namespace upsweep
