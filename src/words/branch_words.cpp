#include "words/branch_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns a line of the source without the comment and without the bracket that opens the body.
std::string code_of(const std::string& text, int line) {
  std::string code = source_line(text, line);
  if (const auto comment = code.find("//"); comment != code.npos) code.resize(comment);
  while (!code.empty() && (code.back() == ' ' || code.back() == '{')) code.pop_back();
  return code;
}

std::string lines_text(const BranchSide& side) {
  return side.first == side.last ? tr("line {}", side.first) : tr("lines {}–{}", side.first, side.last);
}

}  // namespace

SideName side_name(const BranchCondition& condition, const BranchSide& side) {
  if (condition.line == 0) return {lines_text(side), lines_text(side)};
  const char* name = condition.is_else ? tr("else") : tr("if");
  return {tr("{}, line {}", name, condition.line), tr("the {} of line {}", name, condition.line)};
}

std::string both_sides_text(int warp, const std::vector<BranchSide>& sides, const std::string& text) {
  const KernelText read(text);
  std::vector<int> lanes, lines;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    lanes.push_back(std::popcount(sides[i].lanes));
    lines.push_back(condition_of(read, sides, i).line);
  }
  const bool one_condition = lines[0] > 0 && std::ranges::all_of(lines, [&](int l) { return l == lines[0]; });
  if (one_condition && sides.size() == 2)
    return tr("warp {warp} issues both sides of the branch in line {line}, {code}: for {lanes} lanes",
              fmt::arg("warp", warp), fmt::arg("line", lines[0]), fmt::arg("code", code_of(text, lines[0])),
              fmt::arg("lanes", fmt::format("{}", fmt::join(lanes, " + "))));
  return tr("warp {} issues {} sides of branches: for {} lanes", warp, sides.size(), fmt::join(lanes, " + "));
}

std::vector<std::string> side_lines(int lane, const std::vector<BranchSide>& sides, const std::string& text) {
  std::vector<std::string> lines;
  const KernelText read(text);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if ((sides[i].lanes >> lane & 1u) == 0) continue;
    const BranchCondition condition = condition_of(read, sides, i);
    lines.push_back(tr("takes {}{}", side_name(condition, sides[i]).exact,
                       condition.line > 0 ? ": " + code_of(text, condition.line) : ""));
    lines.push_back(tr("The warp issues {} for this side, with {} of 32 lanes.",
                       counted(sides[i].issued, "request or operation", "requests and operations"),
                       std::popcount(sides[i].lanes)));
  }
  return lines;
}

}  // namespace upsweep
