// Tests the limits of trace files. A small file must not take much memory, and the file of a very regular run
// must be readable.
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "support/packed.hpp"
#include "support/random_trace.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace trace_limits_test {

// Returns the sentence that refuses the bytes, or an empty string if the bytes can be read.
std::string refusal(std::string_view bytes) {
  try {
    unpack(bytes, "x.upsweep");
    return "";
  } catch (const RequestError& e) { return in_words(e); }
}
bool says(const std::string& sentence, std::string_view part) { return sentence.find(part) != sentence.npos; }

TEST(TraceLimits, NoLengthTakesAllMemory) {
  const std::string whole = pack(RandomTrace(8).make());
  const auto with = [&](std::size_t at, std::uint64_t x) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &x, sizeof x);
    return refusal(bytes);
  };
  EXPECT_TRUE(says(with(unpacked_at, UINT64_MAX), "more than half of this computer's memory"));
  EXPECT_TRUE(says(with(unpacked_at, 1), "is damaged"));
  EXPECT_TRUE(says(with(packed_at, UINT64_MAX), "is damaged"));
  // The unpacked body is much larger than the header states.
  EXPECT_TRUE(says(refusal(with_body(whole, std::string(std::size_t{1} << 28, '\0'))), "is damaged"));
}

// If all numbers of a run are zero, the file is very small, but the recording takes much memory.
// Nevertheless, the limits must not reject the file.
TEST(TraceLimits, WhatIsVeryRegularIsReadAsWell) {
  Trace trace = RandomTrace(11).make();
  trace.settings.n = 5 << 20;
  trace.settings.columns = 0;
  trace.input.assign(5 << 20, Value{});
  trace.buffers[0] = {"in", Cells::elements, 5 << 20};
  ASSERT_FALSE(contradiction(trace)) << in_words(contradiction(trace));
  const std::string bytes = pack(trace);
  EXPECT_GT(bytes.size(), std::size_t{((80u << 20) - (32u << 20)) / 64});
  EXPECT_TRUE(unpack(bytes, "x") == trace);
  Trace steps = RandomTrace(12).make();
  const std::size_t more = 150000;
  Grid& last = steps.grids.back();
  for (std::size_t i = 0; i < more; ++i) {
    steps.steps.push_back({Phase::scan, 1});
    steps.counts.push_back({.step = last.first_step + last.steps++, .line = 1, .kind = Kind::barrier});
  }
  ASSERT_FALSE(contradiction(steps)) << in_words(contradiction(steps));
  EXPECT_TRUE(unpack(pack(steps), "x") == steps);
}

TEST(TraceLimits, WhatASmallFileClaimsIsNotBelieved) {
  std::string whole = pack(RandomTrace(13).make());
  const std::uint64_t claimed = std::uint64_t{1} << 30;
  std::memcpy(whole.data() + unpacked_at, &claimed, 8);
  EXPECT_TRUE(says(refusal(whole), " bytes cannot contain 1,024 MB of data."));
}

}  // namespace trace_limits_test
}  // namespace upsweep
