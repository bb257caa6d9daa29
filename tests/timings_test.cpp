// Tests the statistics of measurements, and files of measurements.
#include "timing/timings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.hpp"
#include "timing/shipped.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace timings_test {

Timing row(Contender contender, int n, double bytes, double seconds, Cache cache = Cache::cold) {
  Timing t;
  t.contender = contender;
  t.name = contender == Contender::copy ? "cudaMemcpy" : "scan_blelloch";
  t.settings.n = n;
  t.cache = cache;
  t.bytes = bytes;
  t.seconds = spread_of(std::vector{seconds});
  return t;
}

Timings some_timings() {
  Timings all;
  all.device = "NVIDIA H200";
  all.driver = "580.159.04";
  all.processor = "a CPU \"of quotes\" and \xc3\xa9";
  all.date = "2026-11-21T12:00:00Z";
  all.program = "0.1.0";
  all.memory_bandwidth = 4.8e12;
  all.launch_overhead = spread_of(std::vector{2e-6, 3e-6, 2.5e-6});
  all.rows = {row(Contender::copy, 1024, 8192, 1e-6), row(Contender::kernel, 1024, 8192, 1.0 / 3 * 1e-5)};
  all.rows[1].variant = "pad32";
  all.rows[1].settings.choices["items"] = "7";
  all.rows[1].excess_wavefronts = 775;
  Timing missing = row(Contender::library, 1 << 30, 8. * (1 << 30), 1);
  missing.seconds = {};
  missing.missing = plain("CUB was not built into this Upsweep.");
  all.rows.push_back(missing);
  return all;
}

TEST(Timings, AMedianAndQuartilesOfFewSamples) {
  EXPECT_EQ(spread_of({}), Spread());
  const Spread one = spread_of(std::vector{3.0});
  EXPECT_EQ(one, (Spread{3, 3, 3, 3, 3, 1}));
  EXPECT_EQ(spread_of(std::vector{4.0, 1.0}), (Spread{2.5, 1.75, 3.25, 1, 4, 2}));
  EXPECT_EQ(spread_of(std::vector{5.0, 1.0, 3.0}), (Spread{3, 2, 4, 1, 5, 3}));
  EXPECT_EQ(spread_of(std::vector{7.0, 7.0, 7.0, 7.0}), (Spread{7, 7, 7, 7, 7, 4}));
}

TEST(Timings, QuartilesCutRandomSamplesInFour) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t count = 1 + random() % 60;
    std::vector<double> samples(count);
    for (double& x : samples) x = std::ldexp(static_cast<double>(random() % 1000), -20);
    const Spread s = spread_of(samples);
    EXPECT_EQ(s.count, static_cast<int>(count));
    EXPECT_EQ(s.least, *std::min_element(samples.begin(), samples.end()));
    EXPECT_EQ(s.most, *std::max_element(samples.begin(), samples.end()));
    const auto below = [&](double x) {
      return static_cast<double>(
          std::count_if(samples.begin(), samples.end(), [&](double y) { return y < x; }));
    };
    const auto up_to = [&](double x) {
      return static_cast<double>(
          std::count_if(samples.begin(), samples.end(), [&](double y) { return y <= x; }));
    };
    const auto last = static_cast<double>(count - 1);
    for (const auto& [quantile, fraction] :
         {std::pair(s.lower_quartile, 0.25), std::pair(s.median, 0.5), std::pair(s.upper_quartile, 0.75)}) {
      EXPECT_LE(below(quantile), fraction * last + 1);
      EXPECT_GE(up_to(quantile), fraction * last);
    }
    std::shuffle(samples.begin(), samples.end(), random);
    EXPECT_EQ(spread_of(samples), s) << "the order does not matter";
  }
}

TEST(Timings, BytesThatHaveToBeMoved) {
  EXPECT_EQ(least_bytes(1 << 30, 1 << 30, 4), 8589934592.0) << "a scan: 2n";
  EXPECT_EQ(least_bytes(1 << 30, 1, 8), 8589934600.0) << "a reduction: n and the result";
  EXPECT_EQ(least_bytes(INT32_MAX, INT32_MAX, 16), 2. * 16 * INT32_MAX);
}

TEST(Timings, TheCeilingIsTheCopyOfAsManyBytes) {
  Timings all;
  all.rows = {row(Contender::copy, 1024, 8192, 1e-6), row(Contender::copy, 4096, 32768, 2e-6),
              row(Contender::copy, 4096, 32768, 1e-6, Cache::warm)};
  const Timing scan = row(Contender::kernel, 4096, 32768, 4e-6);
  EXPECT_EQ(ceiling_of(all, scan), &all.rows[1]);
  EXPECT_DOUBLE_EQ(share_of_ceiling(all, scan), 0.5);
  const Timing reduction = row(Contender::kernel, 2048, 8196, 1e-6);
  EXPECT_EQ(ceiling_of(all, reduction), &all.rows[0]) << "nearest in bytes, not in n";
  EXPECT_EQ(ceiling_of(all, row(Contender::kernel, 1 << 20, 8 << 20, 1)), &all.rows[1]);
  EXPECT_EQ(ceiling_of(all, row(Contender::library, 512, 4096, 1, Cache::warm)), &all.rows[2]);
  EXPECT_DOUBLE_EQ(share_of_ceiling(all, all.rows[1]), 1) << "a copy is its own ceiling";
}

TEST(Timings, TheBetterOfTwoCopies) {
  Timings all;
  all.rows = {row(Contender::copy, 1024, 8192, 2e-6), row(Contender::copy, 1024, 8192, 1e-6)};
  EXPECT_EQ(ceiling_of(all, row(Contender::kernel, 1024, 8192, 1)), &all.rows[1]);
}

TEST(Timings, WithoutACeiling) {
  Timings all;
  const Timing scan = row(Contender::kernel, 4096, 32768, 4e-6);
  EXPECT_EQ(ceiling_of(all, scan), nullptr);
  EXPECT_LT(share_of_ceiling(all, scan), 0);
  all.rows = {row(Contender::copy, 4096, 32768, 1e-6)};
  EXPECT_EQ(ceiling_of(all, row(Contender::processor, 4096, 32768, 1)), nullptr) << "another device";
  all.rows[0].seconds = {};
  all.rows[0].missing = plain("The GPU is gone.");
  EXPECT_EQ(ceiling_of(all, scan), nullptr);
  Timing unmeasured = scan;
  unmeasured.seconds = {};
  all.rows = {row(Contender::copy, 4096, 32768, 1e-6)};
  EXPECT_LT(share_of_ceiling(all, unmeasured), 0);
}

TEST(Timings, JsonGivesBackWhatItTook) {
  Timings all = some_timings();
  Timings back = timings_from_json(to_json(all, in_words), "h200.json");
  EXPECT_EQ(back.recorded, "h200.json");
  back.recorded.clear();
  EXPECT_EQ(back, all);
  EXPECT_EQ(to_json(all, in_words).find('\n'), to_json(all, in_words).size() - 1)
      << "one line, as those that come with the program are";
  const nlohmann::json json = nlohmann::json::parse(to_json(all, in_words));
  EXPECT_EQ(json["rows"][0]["share_of_ceiling"], 1);
  EXPECT_EQ(json["rows"][2]["seconds"], nullptr);
  EXPECT_EQ(json["rows"][2]["missing"], "CUB was not built into this Upsweep.");
  EXPECT_EQ(timings_from_json(to_json({}, in_words), "empty").rows.size(), 0u);
}

TEST(Timings, RandomTimingsSurviveJson) {
  std::mt19937_64 random(2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Timings all = some_timings();
    for (Timing& t : all.rows) {
      if (t.missing) continue;
      std::vector<double> samples(1 + random() % 9);
      for (double& x : samples) x = static_cast<double>(random() >> 11) * 0x1p-70 + 1e-9;
      t.seconds = spread_of(samples);
      t.settings.n = 1 + static_cast<int>(random() % INT32_MAX);
    }
    Timings back = timings_from_json(to_json(all, in_words), "");
    EXPECT_EQ(back, all);
  }
}

std::string refusal(const std::string& text) {
  try {
    timings_from_json(text, "my.json");
  } catch (const RequestError& e) {
    const std::string sentence = in_words(e);
    EXPECT_TRUE(sentence.starts_with("my.json ") && sentence.ends_with('.')) << sentence;
    return sentence;
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return "";
}

TEST(Timings, ATruncatedRecordingIsRefused) {
  const std::string whole = to_json(some_timings(), in_words);
  for (std::size_t length = 1; length + 2 < whole.size(); length += 7)
    EXPECT_NE(refusal(whole.substr(0, length)).find("is an incomplete file of measured times"),
              std::string::npos)
        << length;
  EXPECT_NE(refusal("").find("is empty"), std::string::npos);
}

TEST(Timings, WhatIsNoRecordingIsRefused) {
  for (const char* text :
       {"hello", "[1, 2]\n", "{}\n", "{\"format\": \"upsweep trace\"}\n", "null\n", "7", "\xff\xfe"})
    EXPECT_NE(refusal(text).find("is not a file of measured times"), std::string::npos) << text;
}

TEST(Timings, ANewerRecordingIsRefused) {
  nlohmann::json json = nlohmann::json::parse(to_json(some_timings(), in_words));
  json["version"] = Timings::version + 1;
  json.erase("rows");
  EXPECT_NE(refusal(json.dump()).find("newer"), std::string::npos);
}

TEST(Timings, ThoseThatComeWithTheProgramAreFoundByName) {
  for (const Timings& t : shipped_timings()) {
    EXPECT_EQ(open_timings(t.recorded), t);
    EXPECT_EQ(open_timings(t.recorded + ".json"), t);
    EXPECT_FALSE(t.device.empty() || t.rows.empty()) << t.recorded;
  }
  const auto refusal = [](const std::string& name) -> std::string {
    try {
      open_timings(name);
    } catch (const RequestError& e) { return in_words(e); }
    return "";
  };
  EXPECT_NE(refusal("nowhere.json").find("nowhere.json"), std::string::npos) << refusal("nowhere.json");
  EXPECT_EQ(refusal("nowhere.json").find("Among"), std::string::npos) << refusal("nowhere.json");
  if (shipped_timings().empty()) return;
  const std::string name = shipped_timings()[0].recorded;
  for (const std::string& near : {name + "0", name.substr(1) + ".json"})
    EXPECT_TRUE(refusal(near).ends_with("Upsweep comes with " + name + ".")) << refusal(near);
}

TEST(Timings, EveryMistakeInARecordingIsNamed) {
  const nlohmann::json good = nlohmann::json::parse(to_json(some_timings(), in_words));
  const auto wrong = [&](const char* pointer, const nlohmann::json& value, const char* about) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_NE(refusal(bad.dump()).find(about), std::string::npos) << pointer << " " << refusal(bad.dump());
  };
  wrong("/version", "one", "version");
  wrong("/version", 1.5, "version");
  wrong("/device", 7, "device");
  wrong("/rows", 7, "rows");
  wrong("/rows/0", "row", "row 0");
  wrong("/rows/1/contender", "me", "contender");
  wrong("/rows/1/cache", "tepid", "cache");
  wrong("/rows/1/bytes", -1, "bytes");
  wrong("/rows/1/bytes_of_all_passes", -1, "bytes_of_all_passes");
  wrong("/rows/1/settings/n", 0, "\"n\"");
  wrong("/rows/1/settings/n", 4e9, "\"n\"");
  wrong("/rows/1/settings/type", "float8", "type");
  wrong("/rows/1/settings/variants", {{"items", 7}}, "items");
  wrong("/rows/1/seconds/median", 1e300, "not in ascending order");
  wrong("/rows/1/seconds/count", -1, "count");
  wrong("/rows/1/seconds", nullptr, "must have either times or a reason");
  wrong("/rows/2/missing", nullptr, "must have either times or a reason");
  for (const auto& [key, value] : good["rows"][1].items()) {
    static constexpr const char* derived[] = {"bytes_per_second", "elements_per_second", "share_of_ceiling"};
    if (std::find(std::begin(derived), std::end(derived), key) != std::end(derived)) continue;
    nlohmann::json bad = good;
    bad["rows"][1].erase(key);
    EXPECT_NE(refusal(bad.dump()).find(key), std::string::npos);
  }
}

}  // namespace timings_test
}  // namespace upsweep
