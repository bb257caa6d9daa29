// Tests the sentences of “Does it matter?” for made-up cases of every kind.
#include "words/does_it_matter.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "support/made_up_timings.hpp"

namespace upsweep {
namespace does_it_matter_test {

// Timings of two variants at n = 2^10, 2^12, 2^14 up to 2^30. At 2^k, the variants take old_time(k) and
// new_time(k) seconds.
struct Case {
  std::vector<Timing> before, after;
  Timings all;

  Case(const std::function<double(int)>& old_time, const std::function<double(int)>& new_time,
       double width = 0.002) {
    all = made_up_timings();
    for (int k = 10; k <= 30; k += 2) {
      before.push_back(made_up_timing(Contender::kernel, "scan_blelloch", "", 1 << k, old_time(k), width));
      after.push_back(
          made_up_timing(Contender::kernel, "scan_blelloch", "pad32", 1 << k, new_time(k), width));
    }
  }
  std::string text() const { return does_it_matter(all, {"Padding", before, after}); }
  // Returns the text of “Does it matter?”. Both numbers of wavefronts were counted in runs of `n` elements,
  // with the block size of the timings.
  std::string text(double wavefronts_before, double wavefronts_after, int n) const {
    const int block = before.empty() ? 0 : before[0].settings.block;
    return does_it_matter(all,
                          {"Padding", before, after, wavefronts_before, wavefronts_after, n, block, block});
  }
};

// Returns the time in seconds of a slow kernel for n = 2^k: its bandwidth is far below the bandwidth of a
// copy.
double slow(int k) { return 8.0 * std::exp2(k) / 0.5e12 + 8e-6; }
// Returns the time in seconds of a fast kernel for n = 2^k: its bandwidth is 94 % of the bandwidth of a copy.
double near_the_copy(int k) { return 8.0 * std::exp2(k) / 4e12 + 2e-6; }

TEST(Difference, CountsBeyondTheQuartilesAndFromOnePercentOn) {
  const auto of = [](double before, double after, double width) {
    return difference(made_up_spread(before, width), made_up_spread(after, width)).verdict;
  };
  EXPECT_EQ(of(2e-6, 1e-6, 0.1), Verdict::faster);
  EXPECT_EQ(of(1e-6, 2e-6, 0.1), Verdict::slower);
  EXPECT_EQ(of(1.05e-6, 1e-6, 0.1), Verdict::same) << "the quartiles overlap";
  EXPECT_EQ(of(1.05e-6, 1e-6, 0.001), Verdict::faster);
  EXPECT_EQ(of(1.005e-6, 1e-6, 0.0001), Verdict::same) << "half a percent";
  EXPECT_EQ(difference({}, made_up_spread(1)).verdict, Verdict::same) << "not measured";
  EXPECT_NEAR(difference(made_up_spread(3e-6), made_up_spread(2e-6)).factor, 1.5, 1e-9);
  EXPECT_NEAR(difference(made_up_spread(2e-6), made_up_spread(3e-6)).factor, 1.5, 1e-9);
}

TEST(DoesItMatter, FasterEverywhere) {
  EXPECT_EQ(Case(slow, [](int k) { return slow(k) / 1.8; }).text(),
            "Padding is 1.8 × faster at every size from "
            "2^10 to 2^30.");
}

TEST(DoesItMatter, FasterAtOneSizeAndSlowerInTheEndNearTheCopyCeiling) {
  const Case c(near_the_copy, [](int k) {
    return near_the_copy(k) * (k == 14 ? 1 / 1.8 : k >= 24 ? 1.02 : 1.0);
  });
  EXPECT_EQ(c.text(),
            "Padding is 1.8 × faster at 2^14, but 2 % slower from 2^24 on: there the kernel waits for global "
            "memory, and moves 95 % of the bytes that a copy moves in that time. At 2^10 and 2^12 the change "
            "makes no difference: there the launch takes 85 % of the time.");
}

TEST(DoesItMatter, NoDifferenceInTheEnd) {
  const Case c(near_the_copy,
               [](int k) { return near_the_copy(k) / (k < 20 ? 1 + 0.1 * (k - 9) / 2 : 1.0); });
  EXPECT_EQ(
      c.text(),
      "Padding is up to 1.4 × faster from 2^10 to "
      "2^18, but makes no "
      "difference from 2^20 on: there the kernel waits for global memory, and moves 95 % of the bytes that "
      "a copy moves in that time.");
}

TEST(DoesItMatter, NoDifferenceAnywhere) {
  EXPECT_EQ(Case(slow, slow).text(),
            "Padding makes no difference in time at any "
            "size from 2^10 to "
            "2^30.");
}

// The text states the numbers of wavefronts and compares times. These times must be measured at the n for
// which the wavefronts were counted.
TEST(DoesItMatter, TheWavefrontsAreThoseOfTheSameSize) {
  const Case c(slow, [](int k) { return slow(k) / (k >= 20 ? 1.8 : k == 14 || k == 16 ? 1 / 1.5 : 1); });
  const std::string all = "Padding is 1.8 × faster from 2^20 on, but 1.5 × slower at 2^14 and 2^16.";
  EXPECT_EQ(
      c.text(1593, 522, 1 << 24),
      "Padding removes 1,071 of the run's 1,593 wavefronts at n = 2^24 and is 1.8 × faster there. " + all);
  EXPECT_EQ(
      c.text(1593, 522, 1 << 16),
      "Padding removes 1,071 of the run's 1,593 wavefronts at n = 2^16 but is 1.5 × slower there. " + all);
  EXPECT_EQ(c.text(1593, 522, 1 << 18),
            "Padding removes 1,071 of the run's 1,593 wavefronts at n = 2^18 but makes no difference in time "
            "there. " +
                all);
  EXPECT_EQ(c.text(21, 21, 1 << 18),
            "Padding does not change the run's 21 wavefronts at n = 2^18 and makes no difference in "
            "time there. " +
                all);
  EXPECT_EQ(c.text(21, 36, 1 << 24),
            "Padding adds 15 to the run's 21 wavefronts at n = 2^24 but is 1.8 × faster there. " + all);
  EXPECT_EQ(c.text(37, 37, 8),
            "Padding does not change the run's 37 wavefronts at n = 8. No time was measured for this "
            "n and block size. " +
                all);
  const int block = c.before[0].settings.block;
  EXPECT_NE(does_it_matter(c.all, {"Padding", c.before, c.after, 9, 4, 1 << 24, block, block * 2})
                .find("No time was measured for this n and block size."),
            std::string::npos);
  EXPECT_EQ(c.text(0, 0, 1 << 24), all) << "no sentence about 0 wavefronts";
  EXPECT_EQ(c.text(-1, 4, 1 << 24), all);
}

TEST(DoesItMatter, SlowerThoughItRemovesWavefronts) {
  EXPECT_EQ(Case(slow, [](int k) { return slow(k) * 1.04; }).text(),
            "Padding is 4 % slower at every size from 2^10 "
            "to 2^30.");
}

TEST(DoesItMatter, WhatHoldsForLargeArraysIsAlwaysSaid) {
  const Case again(slow, [](int k) { return slow(k) / (k <= 12 ? 4 : k >= 24 ? 1.05 : 1); });
  EXPECT_EQ(again.text(), "Padding is 4.0 × faster at 2^10 and 2^12, and 5 % faster from 2^24 on.");
  const Case both(slow, [](int k) { return slow(k) * (k == 10 ? 0.9 : k >= 24 ? 1.5 : 1); });
  EXPECT_EQ(both.text(), "Padding is 1.5 × slower from 2^24 on, but 11 % faster at 2^10.");
}

// Each letter of `runs` stands for three consecutive sizes at which the new variant is faster (f), slower (s)
// or equally fast (=).
TEST(DoesItMatter, ReadsWellInEveryOrder) {
  const auto of = [](const std::string& runs) {
    Case c(slow, slow);
    c.before.clear(), c.after.clear();
    for (std::size_t i = 0; i < 3 * runs.size(); i++) {
      const int n = 1 << (10 + i);
      const char run = runs[i / 3];
      const double factor = run == 'f' ? 0.5 : run == 's' ? 1.25 : 1;
      c.before.push_back(made_up_timing(Contender::kernel, "scan_blelloch", "", n, 1e-4));
      c.after.push_back(made_up_timing(Contender::kernel, "scan_blelloch", "pad32", n, 1e-4 * factor));
    }
    return c.text();
  };
  const std::pair<const char*, const char*> all[] = {
      {"f", "is 2.0 × faster at every size from 2^10 to 2^12."},
      {"s", "is 1.2 × slower at every size from 2^10 to 2^12."},
      {"=", "makes no difference in time at any size from 2^10 to 2^12."},
      {"f=", "is 2.0 × faster from 2^10 to 2^12, but makes no difference from 2^13 on."},
      {"fs", "is 2.0 × faster from 2^10 to 2^12, but 1.2 × slower from 2^13 on."},
      {"s=", "is 1.2 × slower from 2^10 to 2^12, but makes no difference from 2^13 on."},
      {"sf", "is 2.0 × faster from 2^13 on, but 1.2 × slower from 2^10 to 2^12."},
      {"=f", "is 2.0 × faster from 2^13 on."},
      {"=s", "is 1.2 × slower from 2^13 on."},
      {"f=f", "is 2.0 × faster from 2^10 to 2^12, and from 2^16 on."},
      {"f=s", "is 2.0 × faster from 2^10 to 2^12, but 1.2 × slower from 2^16 on."},
      {"fsf", "is 2.0 × faster from 2^10 to 2^12, and from 2^16 on, but 1.2 × slower from 2^13 to 2^15."},
      {"fs=",
       "is 2.0 × faster from 2^10 to 2^12, but 1.2 × slower from 2^13 to 2^15, and makes no difference from "
       "2^16 on."},
      {"s=s", "is 1.2 × slower from 2^10 to 2^12, and from 2^16 on."},
      {"s=f", "is 2.0 × faster from 2^16 on, but 1.2 × slower from 2^10 to 2^12."},
      {"sfs", "is 2.0 × faster from 2^13 to 2^15, but 1.2 × slower from 2^10 to 2^12, and from 2^16 on."},
      {"sf=",
       "is 2.0 × faster from 2^13 to 2^15, but 1.2 × slower from 2^10 to 2^12, and makes no difference from "
       "2^16 on."},
      {"=f=", "is 2.0 × faster from 2^13 to 2^15, but makes no difference from 2^16 on."},
      {"=fs", "is 2.0 × faster from 2^13 to 2^15, but 1.2 × slower from 2^16 on."},
      {"=s=", "is 1.2 × slower from 2^13 to 2^15, but makes no difference from 2^16 on."},
      {"=sf", "is 2.0 × faster from 2^16 on, but 1.2 × slower from 2^13 to 2^15."},
      {"f=f=f", "is up to 2.0 × faster at 9 of 15 sizes, including the largest."},
      {"s=f=s", "is 2.0 × faster from 2^16 to 2^18, but 1.2 × slower from 2^10 to 2^12, and from 2^22 on."},
      {"f=sfs=f=",
       "is up to 2.0 × faster at 9 of 24 sizes, including the largest, but 1.2 × slower from 2^16 to "
       "2^18, and from 2^22 to 2^24."},
  };
  for (const auto& [runs, sentence] : all) EXPECT_EQ(of(runs), fmt::format("Padding {}", sentence)) << runs;
}

TEST(DoesItMatter, ADifferenceThatASizeHasAloneCountsBeyondItsNeighboursQuartiles) {
  const auto at_2_to_the_20 = [](double factor, double width) {
    return Case(
               slow, [=](int k) { return slow(k) / (k == 20 ? factor : 1); }, width)
        .text();
  };
  EXPECT_EQ(at_2_to_the_20(1.03, 0.012),
            "Padding makes no difference in time at any size from 2^10 to 2^30.");
  EXPECT_EQ(at_2_to_the_20(1.03, 0.002),
            "Padding is 3 % faster at 2^20, but makes no difference from 2^22 on.");
  EXPECT_EQ(at_2_to_the_20(1.8, 0.012),
            "Padding is 1.8 × faster at 2^20, but makes no difference from 2^22 on.");
  const Case rising(
      slow, [](int k) { return slow(k) / (k == 30   ? 1.03
                                          : k == 28 ? 1.016
                                                    : 1); }, 0.012);
  EXPECT_EQ(rising.text(), "Padding is 3 % faster at 2^30.") << "the neighbouring size is faster, too";
  const Case two(
      slow, [](int k) { return slow(k) / (k == 20 || k == 22 ? 1.03 : 1); }, 0.012);
  EXPECT_EQ(two.text(), "Padding is 3 % faster at 2^20 and 2^22, but makes no difference from 2^24 on.");
}

// These are times of scan_blelloch on an H200. At 2^11, the quartiles of the two variants do not overlap. The
// text must state such a difference only if a neighbouring size confirms it. At 2^10, the quartiles overlap,
// but the medians differ by more than their uncertainties. This must be enough to confirm the difference at
// 2^11.
TEST(DoesItMatter, ANeighbourBearsADifferenceOutByItsMedians) {
  const auto text = [](int runs) {
    Case c(slow, slow);
    const auto row = [&](const char* variant, int n, double lower, double median, double upper) {
      Timing t = made_up_timing(Contender::kernel, "scan_blelloch", variant, n, median * 1e-6);
      t.seconds.lower_quartile = lower * 1e-6;
      t.seconds.upper_quartile = upper * 1e-6;
      t.seconds.count = runs;
      return t;
    };
    c.before = {row("", 1 << 10, 6.02, 6.22, 6.63), row("", 1 << 11, 7.23, 7.46, 7.87)};
    c.after = {row("pad32", 1 << 10, 5.63, 5.95, 6.28), row("pad32", 1 << 11, 6.43, 6.69, 6.98)};
    return c.text();
  };
  EXPECT_EQ(text(200), "Padding is 12 % faster at 2^11.");
  EXPECT_EQ(text(5).substr(0, 27), "Padding makes no difference")
      << "the medians of 5 runs are too uncertain";
}

TEST(DoesItMatter, WaitingForMemoryIsNoReasonToBeMuchSlower) {
  const auto waits = [](double factor) {
    const Case c(near_the_copy, [=](int k) { return near_the_copy(k) * factor; });
    return c.text().find("waits for global memory") != std::string::npos;
  };
  EXPECT_TRUE(waits(1));
  EXPECT_TRUE(waits(1.04));
  EXPECT_FALSE(waits(1.4));
}

TEST(DoesItMatter, TheSameReasonIsNotGivenTwice) {
  const Case twice(near_the_copy, [](int k) { return near_the_copy(k) * (k == 20 ? 1.1 : 1); });
  const std::string text = twice.text();
  EXPECT_NE(text.find("waits for global memory"), std::string::npos) << text;
  EXPECT_EQ(text.find("waits for global memory"), text.rfind("waits for global memory")) << text;
}

TEST(DoesItMatter, OneSizeAndNone) {
  Case c(slow, [](int k) { return slow(k) / 1.1; });
  c.before.resize(1);
  EXPECT_EQ(c.text(), "Padding is 10 % faster at 2^10.");
  c.before.clear();
  EXPECT_EQ(c.text(1593, 522, 64),
            "Padding removes 1,071 of the run's 1,593 wavefronts at n = 64; no size has been measured both "
            "with and without this change.");
  EXPECT_EQ(c.text(), "Padding: no size has been measured both with and without this change.");
}

TEST(DoesItMatter, SizesThatOnlyOneHasAreLeftOut) {
  Case c(slow, [](int k) { return slow(k) / 2; });
  for (std::size_t i = 5; i < c.after.size(); i++)
    c.after[i] = missing_timing(Contender::kernel, "scan_blelloch", c.after[i].settings.n, "out of memory");
  EXPECT_EQ(c.text(), "Padding is 2.0 × faster at every size from 2^10 to 2^18.");
}

TEST(DoesItMatter, IsAWholeSentenceWhateverWasMeasured) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; round++) {
    const double steps[] = {0.3, 0.97, 1, 1, 1.004, 1.2, 40};
    Case c(
        near_the_copy, [&](int k) { return near_the_copy(k) * steps[random() % 7]; },
        0.001 * (random() % 50));
    const std::string text =
        c.text(static_cast<double>(random() % 2000) - 200, static_cast<double>(random() % 2000) - 200,
               random() % 2 ? 1 << (10 + random() % 21) : static_cast<int>(1 + random() % 5000));
    SCOPED_TRACE(text);
    EXPECT_EQ(text.find("Padding"), 0u);
    EXPECT_EQ(text.back(), '.');
    for (const char* wrong :
         {"  ", "..", " ,", "nan", "inf", " 0 %", "1.0 ×", "and and", ", but, ", ", and,"})
      EXPECT_EQ(text.find(wrong), std::string::npos) << wrong;
  }
}

}  // namespace does_it_matter_test
}  // namespace upsweep
