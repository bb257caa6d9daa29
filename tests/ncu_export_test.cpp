// Tests how exports of Nsight Compute are read. tests/ncu contains exports that ncu 2025.3 wrote on an NVIDIA
// H200 with --set full. One export is from a run of scan_blelloch with n = 1,024. The other export is from a
// run of scan_large with n = 10,000, which has three launches.
#include "machine/gpu/ncu_export.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/file.hpp"

namespace upsweep {
namespace ncu_export_test {

std::string page(const std::string& name) {
  return read_text_file(UPSWEEP_SOURCE_DIR "/tests/ncu/" + name + ".csv", 1 << 20);
}

Trace recorded(const std::string& name) {
  const Settings s = name == "scan_large" ? Settings{.algorithm = name, .n = 10'000, .block = 256}
                                          : Settings{.algorithm = name, .n = 1024, .block = 512};
  return Emulator().record(s, seeded_data(s, 1), {.blocks = UINT32_MAX});
}

Counted compared(const std::string& algorithm, const std::string& text) {
  return beside_export(upsweep::algorithm(algorithm), recorded(algorithm), read_ncu_page(text, "page"));
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const RequestError& e) { return in_words(e); }
  return "not refused";
}

TEST(NcuExport, AgreesWithTheRecordingOfTheSameRun) {
  for (const std::string name : {"scan_blelloch", "scan_large"}) {
    SCOPED_TRACE(name);
    const Counted run = compared(name, page(name + "-raw"));
    EXPECT_EQ(differences(run), 0);
    for (const RunCount& c : run.run) EXPECT_EQ(c.measured, c.predicted) << c.metric;
    const Counted lines = compared(name, page(name + "-source"));
    EXPECT_EQ(differences(lines), 0);
    EXPECT_GE(lines.lines.size(), 12u);
    for (const LinesCount& l : lines.lines) {
      EXPECT_EQ(l.lines.size(), 1u);
      EXPECT_EQ(l.agreement, Agreement::same) << l.lines.front();
    }
  }
  const Counted sums = compared("scan_blelloch", page("scan_blelloch-sass"));
  ASSERT_EQ(sums.lines.size(), 1u);
  EXPECT_EQ(sums.lines[0].agreement, Agreement::same);
  EXPECT_EQ((*sums.lines[0].measured)[0], 1593u) << "wavefronts, as in the page raw";
}

TEST(NcuExport, PagesOfOneExportBelongTogether) {
  const auto file = [](const std::string& name) { return UPSWEEP_SOURCE_DIR "/tests/ncu/" + name + ".csv"; };
  const NcuExport both = read_ncu_pages({file("scan_large-source"), file("scan_large-raw")});
  EXPECT_TRUE(both.has_metrics && both.has_lines && both.has_code);
  EXPECT_EQ(both.capability, "9.0");
  ASSERT_EQ(both.launches.size(), 3u);
  EXPECT_EQ(both.launches[1].kernel, "scan_tiles");
  EXPECT_EQ(both.launches[1].blocks, 1);
  EXPECT_EQ(both.launches[2].kernel, "add_offsets");
  EXPECT_EQ(differences(beside_export(algorithm("scan_large"), recorded("scan_large"), both)), 0);
  EXPECT_NE(refusal([&] {
              read_ncu_pages({file("scan_large-raw"), file("scan_blelloch-source")});
            }).find("different kernels"),
            std::string::npos);
}

TEST(NcuExport, OfAnotherRunIsRefused) {
  const std::string raw = page("scan_blelloch-raw");
  EXPECT_NE(
      refusal([&] { compared("scan_large", raw); }).find("Give the same settings as in the run with ncu."),
      std::string::npos);
  const Settings s{.algorithm = "scan_blelloch", .n = 512, .block = 256};
  const Trace other = Emulator().record(s, seeded_data(s, 1));
  EXPECT_EQ(refusal([&] { beside_export(algorithm("scan_blelloch"), other, read_ncu_page(raw, "page")); }),
            "The export has 1 launch, scan_blelloch (1 x 512). The recording has 1 launch, scan_blelloch (1 "
            "x 256). "
            "Give the same settings as in the run with ncu.");
}

// If the count of a line differs, the comparison must report the difference and the line.
TEST(NcuExport, FindsADifference) {
  std::string raw = page("scan_blelloch-raw");
  const std::size_t at = raw.find("\"987\"");
  ASSERT_NE(at, std::string::npos);
  raw.replace(at, 5, "\"988\"");
  EXPECT_EQ(differences(compared("scan_blelloch", raw)), 1);
  std::string source = page("scan_blelloch-source");
  const std::size_t load = source.find("@!P3  LDS R8, [R8]"), wavefronts = source.find("\"191\"", load);
  ASSERT_NE(wavefronts, std::string::npos);
  source.replace(wavefronts, 5, "\"192\"");
  const Counted c = compared("scan_blelloch", source);
  for (const LinesCount& l : c.lines)
    EXPECT_EQ(l.agreement, l.lines == std::vector{39} ? Agreement::different : Agreement::same)
        << l.lines.front();
}

TEST(NcuExport, ThatIsDamagedIsRefusedOrRead) {
  for (const char* text :
       {"", "a,b\n1,2\n", "\"ID\",\"x\n", "==PROF== only messages\n", "\"ID\",\"Kernel Name\"\n\"0\"\n",
        "\"Kernel Name\",\"k(int)\"\n\"Address\",\"Source\"\n", "Line No,Source\n1,x\n"})
    EXPECT_NE(
        refusal([&] { read_ncu_page(text, "page"); }).find(" of page cannot be read as an export of ncu: "),
        std::string::npos)
        << text;
  std::mt19937 random(1);
  const std::string whole[] = {page("scan_blelloch-raw"), page("scan_blelloch-source"),
                               page("scan_large-source")};
  const Trace trace = recorded("scan_blelloch");
  for (int i = 0; i < 60; ++i) {
    std::string text = whole[i % 3];
    if (i % 2) text.resize(random() % text.size());
    for (int k = 0; k < 20 && !text.empty(); ++k)
      text[random() % text.size()] = static_cast<char>("\",\n09x="[random() % 7]);
    try {
      beside_export(algorithm("scan_blelloch"), trace, read_ncu_page(text, "page"));
    } catch (const RequestError& e) { EXPECT_TRUE(in_words(e).ends_with(".")) << in_words(e); }
  }
}

}  // namespace ncu_export_test
}  // namespace upsweep
