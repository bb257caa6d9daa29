#include "catalogue/inputs.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/own_operator.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

Value numbered(const GlobalBuffer& buffer, const Settings& s, std::size_t i) {
  Value v{};
  if (buffer.cells == Cells::words || buffer.cells == Cells::counts) v[0] = static_cast<std::uint32_t>(i);
  else set_scalar(v, s.type, 0, static_cast<long double>(i));
  return v;
}

void expect_bytes(const Settings& s, const std::vector<Value>& input) {
  for (std::size_t i = 0; i < input.size(); ++i)
    if (const long double x = scalar(input[i], s.type); x < 0 || x > UINT8_MAX)
      throw RequestError(tr(
          "in[{}] is {}, but a pixel of one byte holds 0 to 255: change the number, or give pixels=elements.",
          i, exact_text(input[i], s)));
}

}  // namespace

void expect_input(const Algorithm& a, const Settings& s, const std::vector<Value>& input) {
  expect_lawful(a, s, input);
  if (pixels_are_bytes(s)) expect_bytes(s, input);
  if (a.results.empty()) return;
  if (const Result& result = result_of(a, s); result.expect) result.expect(a, s, input);
}

Contents more_inputs(const Plan& plan, const Settings& s, const Inputs& given) {
  Contents all;
  for (const GlobalBuffer& buffer : plan.inputs().subspan(1)) {
    const auto count = static_cast<std::size_t>(buffer.count);
    if (given.more && all.size() < given.more->size()) {
      all.push_back((*given.more)[all.size()]);
      if (all.back().size() != count)
        throw RequestError(tr("The input {} has {} numbers, but this run needs {}.", buffer.name,
                              grouped(static_cast<std::int64_t>(all.back().size())), grouped(buffer.count)));
      continue;
    }
    std::vector<Value>& numbers = all.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = numbered(buffer, s, i);
  }
  return all;
}

}  // namespace upsweep
