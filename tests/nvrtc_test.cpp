// Kernels through NVRTC, without a GPU: everything compiles, the recorder costs nothing when it is off, and
// an error is a sentence.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "ptx.hpp"
#include "references.hpp"

namespace upsweep {
namespace {

#define NEEDS_NVRTC()     \
  if (!nvrtc_available()) \
  GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here."

constexpr const char* architectures[] = {"sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"};
constexpr Scalar scalars[] = {Scalar::int32, Scalar::uint32, Scalar::float32, Scalar::float64};
constexpr Operator operators[] = {Operator::sum, Operator::product, Operator::min, Operator::max,
                                  Operator::affine};

std::string describe(const Settings& s) {
  return s.algorithm + " " + std::string(name(s.type)) + " " + std::string(name(s.op)) + " " + s.layout +
         " " + s.load_pattern;
}

// Every layout, load pattern, type and operator that an algorithm has.
std::vector<Settings> variants(const Algorithm& a) {
  std::vector<Settings> all;
  for (const std::string_view layout : layout_names)
    for (const std::string_view pattern : load_pattern_names)
      for (const Scalar type : scalars)
        for (const Operator op : operators) {
          if ((!a.layouts && layout != "none") || (!a.load_patterns && pattern != "halves")) continue;
          if (a.commutative && op == Operator::affine) continue;
          Settings s;
          s.algorithm = a.name;
          s.layout = layout;
          s.load_pattern = pattern;
          s.type = type;
          s.op = op;
          all.push_back(s);
        }
  return all;
}

// One case per architecture, algorithm and share of its variants, so that they can run side by side.
struct Case {
  const char* architecture;
  const Algorithm* algorithm;
  int part, parts;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* architecture : architectures)
    for (const Algorithm& a : algorithms()) {
      const int parts = a.layouts ? 8 : 1;
      for (int part = 0; part < parts; ++part) all.push_back({architecture, &a, part, parts});
    }
  return all;
}

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.algorithm->name << " for " << c.architecture << ", part " << c.part + 1 << " of " << c.parts;
}

class Compiles : public testing::TestWithParam<Case> {};

TEST_P(Compiles, EveryVariantWithAndWithoutTheRecorder) {
  NEEDS_NVRTC();
  const Case& c = GetParam();
  const std::vector<Settings> all = variants(*c.algorithm);
  for (std::size_t i = static_cast<std::size_t>(c.part); i < all.size();
       i += static_cast<std::size_t>(c.parts)) {
    const Settings& s = all[i];
    for (const Mode mode : {Mode::fast, Mode::traced}) {
      SCOPED_TRACE(describe(s) + (mode == Mode::fast ? ", fast" : ", traced"));
      const Compiled compiled = compile(program(*c.algorithm, s, mode), c.architecture);
      EXPECT_EQ(compiled.log, "");
      const Sass code = sass(compiled.image, compiled.lowered_name.at(c.algorithm->name));
      EXPECT_GT(code.instructions, 20);
      EXPECT_LE(code.registers, 64) << "a block of 1,024 threads has 64 registers for each";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Compiles, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.architecture) + "_" + info.param.algorithm->name + "_" +
         std::to_string(info.param.part);
});

class FastIsFree : public testing::TestWithParam<Reference> {};

TEST_P(FastIsFree, SamePtxAsTheHandWrittenKernel) {
  NEEDS_NVRTC();
  for (const char* architecture : {"compute_75", "compute_90", "compute_100"}) {
    const std::string hand = ptx_instructions(compile(hand_written(GetParam()), architecture).image);
    ASSERT_GT(std::count(hand.begin(), hand.end(), '\n'), 30);
    EXPECT_EQ(ptx_instructions(compile(ours(GetParam(), Mode::fast), architecture).image), hand)
        << architecture;
    EXPECT_NE(ptx_instructions(compile(ours(GetParam(), Mode::traced), architecture).image), hand);
  }
}

TEST_P(FastIsFree, SameMachineCodeSizeAsTheHandWrittenKernel) {
  NEEDS_NVRTC();
  for (const char* architecture : architectures) {
    SCOPED_TRACE(architecture);
    const Compiled fast = compile(ours(GetParam(), Mode::fast), architecture);
    const Sass hand = sass(compile(hand_written(GetParam()), architecture).image, GetParam().algorithm);
    ASSERT_GT(hand.instructions, 30);
    EXPECT_EQ(sass(fast.image, fast.lowered_name.at(GetParam().algorithm)).instructions, hand.instructions);
    EXPECT_EQ(sass(fast.image, fast.lowered_name.at(GetParam().algorithm)).registers, hand.registers);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FastIsFree, testing::ValuesIn(references),
                         [](const auto& info) { return info.param.file; });

Algorithm kernel_with(const std::string& line) {
  Algorithm a;
  a.name = "broken";
  a.file = "kernels/broken.cuh";
  a.text =
      "// Broken\ntemplate <class T>\n__global__ void broken(Global<const T> in, Global<T> out, int n) {\n  "
      "Shared<T> temp;\n  " +
      line + "\n  out[0] = temp[0];\n}\n";
  return a;
}

TEST(Nvrtc, AnErrorNamesFileLineAndCause) {
  NEEDS_NVRTC();
  for (const Mode mode : {Mode::fast, Mode::traced}) {
    try {
      compile(program(kernel_with("temp[0] = inn[0];"), Settings{}, mode), "sm_90");
      FAIL() << "compiled";
    } catch (const WorkError& e) {
      EXPECT_NE(std::string(e.what()).find("kernels/broken.cuh(5): error: identifier \"inn\" is undefined"),
                std::string::npos)
          << e.what();
    }
  }
}

TEST(Nvrtc, ALateReadDoesNotCompileWithTheRecorder) {
  NEEDS_NVRTC();
  EXPECT_THROW(compile(program(kernel_with("auto x = temp[1]; temp[0] = in[0]; temp[2] = x;"), Settings{},
                               Mode::traced),
                       "sm_90"),
               WorkError);
  EXPECT_NO_THROW(
      compile(program(kernel_with("T x = temp[1]; temp[0] = in[0]; temp[2] = x;"), Settings{}, Mode::traced),
              "sm_90"));
}

TEST(Nvrtc, AnUnknownArchitectureIsRefusedWithThoseItKnows) {
  NEEDS_NVRTC();
  try {
    compile(program(algorithm("scan_blelloch"), Settings{}, Mode::fast), "sm_20");
    FAIL() << "compiled";
  } catch (const RequestError& e) {
    EXPECT_NE(std::string(e.what()).find("sm_20"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("90"), std::string::npos);
  }
}

TEST(Nvrtc, CompilesForTheGpusOwnArchitectureOrTheNearestOlderOne) {
  NEEDS_NVRTC();
  EXPECT_EQ(architecture_for(90), "sm_90");
  EXPECT_TRUE(architecture_for(999).starts_with("compute_"));
  EXPECT_THROW(architecture_for(10), RequestError);
}

TEST(Nvrtc, ATypedFormulaAndShiftsOutOfRangeCompile) {
  NEEDS_NVRTC();
  for (const char* layout :
       {"i + i / 7", "i + (i >> 40) + (i << 33)", "(i ^ 5) * 2 % 4096", "i + log2(i + 1)", "-(~i)"}) {
    Settings s;
    s.layout = layout;
    for (const Mode mode : {Mode::fast, Mode::traced})
      EXPECT_EQ(compile(program(algorithm("scan_blelloch"), s, mode), "sm_90").log, "") << layout;
  }
}

}  // namespace
}  // namespace upsweep
