// Tests how branches, loops and step marks are found in the text of a kernel.
#include "trace/kernel_text.hpp"

#include <gtest/gtest.h>

#include <map>

#include "catalogue/catalogue.hpp"

namespace upsweep {
namespace kernel_text_test {

const std::string_view sample = R"(template <class T>
__global__ void sample(Global<const T> in, Global<volatile unsigned> flag, int n) {
  Shared<T> temp;
  Shared<unsigned> last(temp, blockDim.x);  // a { b
  const int t = threadIdx.x;
  const int warp = t / 32, lane = t % 32;
  T x = identity<T>(), y = x;
  int many = n, few = t;
  if (n > 3) {
    step(Phase::load);
    if (t < n) x = in[t];
  }
  if (warp == 0 && n > 0) {
    if (lane < 3) y = x;
  } else {
    many = 2;
  }
  if (many > 1) step("transpose", 4);
  if (t < 64) x = y;
  if (t < 40) x = y;
  if (last[0] == 1) x = y;
  if (flag[0] == 1) x = y;
  for (int i = 0; i < n; i += 2) {
    for (int k = t; k < n; ++k)
      x = op(x, y);
    if (few > 2) break;
  }
  while (flag[0] == 0) __nanosleep(20);
  for (int k = 0; k < 100 && flag[0] == 0; ++k) __nanosleep(20);
  int ns = 8;
  while (flag[t] == 0) {
    __nanosleep(ns);
    ns *= 2;
  }
  for (int stride = n; stride > 0; stride >> 1) x = op(x, y);
  for (int stride = n; stride > 0; stride >>= 1) x = op(x, y);
  for (;;) x = y;
  for (;;) {
    if (n > 2) break;
  }
}
)";

using Kind = KernelText::Statement::Kind;

// Returns the statement of this kind that begins in this line, or null if there is none.
const KernelText::Statement* statement(const KernelText& text, Kind kind, int line) {
  for (const KernelText::Statement& s : text.statements())
    if (s.kind == kind && s.first == line) return &s;
  return nullptr;
}

TEST(KernelText, SaysWhoTakesABranchTogether) {
  const KernelText text(sample);
  const std::map<int, Together> branches = {
      {9, Together::block},  {11, Together::nobody}, {13, Together::warp}, {14, Together::nobody},
      {15, Together::warp},  {18, Together::warp},   {19, Together::warp}, {20, Together::nobody},
      {21, Together::block}, {22, Together::nobody}};
  for (const auto& [line, together] : branches) {
    const auto* found = statement(text, Kind::branch, line);
    ASSERT_NE(found, nullptr) << line;
    EXPECT_EQ(found->together, together) << line;
  }
  EXPECT_EQ(statement(text, Kind::branch, 9)->last, 12);
  // Because `few` differs between threads, the break in line 26 ends the loop of line 23 at different times.
  EXPECT_EQ(statement(text, Kind::loop, 23)->together, Together::nobody);
  EXPECT_EQ(statement(text, Kind::loop, 24)->together, Together::nobody);
  EXPECT_EQ(statement(text, Kind::loop, 36)->together, Together::block);
}

TEST(KernelText, FindsLoopsAndMarks) {
  const KernelText text(sample);
  const auto line_of = [&](int loop) {
    return loop < 0 ? 0 : text.statements()[static_cast<std::size_t>(loop)].first;
  };
  EXPECT_EQ(line_of(text.loop_around(25, 25)), 24);
  EXPECT_EQ(line_of(text.loop_around(25, 26)), 23);
  EXPECT_EQ(line_of(text.loop_around(11, 25)), 0);
  ASSERT_EQ(text.marks().size(), 2u);
  EXPECT_EQ(text.marks()[0].line, 10);
  EXPECT_EQ(text.marks()[0].phase, "load");
  EXPECT_EQ(text.marks()[1].phase, "transpose");
  EXPECT_NE(text.function_of(20), KernelText::none);
  EXPECT_EQ(text.function_of(1), KernelText::none);
}

TEST(KernelText, KnowsLoopsThatOnlyOthersCanEnd) {
  const KernelText text(sample);
  EXPECT_TRUE(text.only_waits(28));
  EXPECT_FALSE(text.only_waits(29)) << "the loop ends after 100 rounds";
  EXPECT_TRUE(text.only_waits(31)) << "the length of the sleep does not end the loop";
  EXPECT_FALSE(text.only_waits(5));
}

TEST(KernelText, KnowsLoopsThatNeverEnd) {
  const KernelText text(sample);
  EXPECT_TRUE(text.never_ends(35));
  EXPECT_FALSE(text.never_ends(36));
  EXPECT_FALSE(text.never_ends(28)) << "another thread may write the flag";
  EXPECT_TRUE(text.never_ends(37));
  EXPECT_FALSE(text.never_ends(38)) << "the loop has a break";
}

// The parser must accept any name and any number in a condition.
TEST(KernelText, ReadsNumbersOfAnySize) {
  for (const char* number : {"x99999", "99999999999999999999", "0x20", "32u"})
    KernelText(std::string("{\n  const int t = threadIdx.x;\n  if (t < ") + number +
               ") {\n    temp[t] = 0;\n  }\n}\n");
}

// The parser must find an endless loop in only one kernel of the catalogue, which is broken on purpose. The
// parser must find every step mark.
TEST(KernelText, ReadsTheCatalogue) {
  for (const Algorithm& a : cuda_algorithms()) {
    const KernelText text(a.text);
    int endless = 0, functions = 0;
    for (const KernelText::Statement& s : text.statements()) {
      EXPECT_LE(s.first, s.last) << a.name;
      EXPECT_LT(s.last, std::count(a.text.begin(), a.text.end(), '\n') + 1) << a.name;
      if (s.kind == Kind::loop) endless += text.never_ends(s.first);
      functions += s.kind == Kind::function;
    }
    EXPECT_EQ(endless, a.name == "bug_missing_shift_assign") << a.name;
    EXPECT_GE(functions, 1) << a.name;
    std::size_t marks = 0;
    for (auto at = a.text.find(" step("); at != std::string::npos; at = a.text.find(" step(", at + 1))
      ++marks;
    EXPECT_EQ(text.marks().size(), marks) << a.name;
  }
}

}  // namespace kernel_text_test
}  // namespace upsweep
