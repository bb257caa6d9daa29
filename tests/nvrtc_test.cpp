// Compiles kernels with NVRTC; needs no GPU. All kernels must compile, and errors must be reported in
// sentences. If the recorder is off, the machine code of a kernel must contain no code of the recorder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "base/error.hpp"
#include "machine/gpu/driver.hpp"
#include "measure/helper_kernels.hpp"
#include "measure/large_check.hpp"
#include "study/gpu_lens.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/ptx.hpp"
#include "support/references.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace nvrtc_test {

#define NEEDS_NVRTC()     \
  if (!nvrtc_available()) \
  GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here."

constexpr const char* architectures[] = {"sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"};

// By default, these tests compile only some programs, and each program only for one architecture. Many
// programs are compiled only to PTX, because PTX is enough to find errors in the text.
//
// With UPSWEEP_LONG (set by `./test --long`), the tests compile most variants for every architecture.
//
// With UPSWEEP_COMPILE_ALL, the tests compile every variant for every architecture, and every pair of type
// and operator for sm_90. This takes half an hour on one core. On a GPU, gpu_test.cpp compiles and runs every
// pair of type and operator.
bool compile_all() { return std::getenv("UPSWEEP_COMPILE_ALL") != nullptr; }
bool compile_long() { return compile_all() || tries_everything(); }

// Returns the architectures for which a program is compiled. By default, these are every second architecture
// from the first or the second architecture on.
std::vector<const char*> some_architectures(std::size_t first) {
  std::vector<const char*> some;
  for (std::size_t k = 0; k < std::size(architectures); ++k)
    if (k % 2 == first % 2 || compile_long()) some.push_back(architectures[k]);
  return some;
}

void compiles(const Algorithm& a, const Settings& s, Mode mode, const std::string& architecture) {
  SCOPED_TRACE(describe(s) + (mode == Mode::fast ? ", fast, " : ", traced, ") + architecture);
  const Program p = program(a, s, mode);
  ASSERT_FALSE(p.kernels.empty());
  const Compiled compiled = compile(p, architecture);
  EXPECT_EQ(compiled.log, "");
  if (architecture.starts_with("compute_")) return;  // there is no machine code in PTX
  for (const auto& [name, lowered] : compiled.lowered_name) {
    const Sass code = sass(compiled.image, lowered);
    EXPECT_GT(code.instructions, 5) << name;
    EXPECT_GT(code.registers, 0) << name;
    const int threads = a.text.find("__launch_bounds__") == std::string::npos ? 1024 : s.block;
    EXPECT_LE(code.registers * threads, 65536) << name << ": more registers than a multiprocessor has";
  }
}

std::vector<const Algorithm*> every_algorithm() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& a : cuda_algorithms()) all.push_back(&a);
  return all;
}
class Compiles : public testing::TestWithParam<const Algorithm*> {
 protected:
  void SetUp() override {
    const std::string& text = GetParam()->text;
    const bool starts_grids = text.find("launch_now(") != text.npos || text.find("launch_tail(") != text.npos;
    if (starts_grids && !open_nvjitlink())
      GTEST_SKIP() << "libnvJitLink is not installed: kernels that start grids cannot be linked here.";
  }
  // Returns the index of the algorithm. The index decides which programs are not compiled.
  std::size_t turn() const { return static_cast<std::size_t>(GetParam() - algorithms().data()); }
};

// Returns true if variant `i` of `of` variants is compiled for architecture `k`. If an algorithm has more
// than four variants, only an eighth of the variants, but at least one, is compiled by default.
bool has_its_turn(std::size_t i, std::size_t of, std::size_t k) {
  if (!compile_long()) {
    const std::size_t each = of > 4 ? std::min<std::size_t>(of, 8) : 1, turn = i / each;
    if (i % each != 0) return false;
    return (turn + turn / std::size(architectures)) % std::size(architectures) == k;
  }
  return compile_all() || of <= 12 || (i + i / 2 + k) % 2 == 0;
}

TEST_P(Compiles, EveryVariantForEveryArchitecture) {
  NEEDS_NVRTC();
  const std::vector<Settings> all = every_variant(*GetParam());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < std::size(architectures); ++k)
      if (has_its_turn(i + turn(), all.size(), k))
        compiles(*GetParam(), all[i], Mode::fast, architectures[k]);
}

TEST_P(Compiles, EveryVariantWithTheRecorder) {
  NEEDS_NVRTC();
  const std::vector<Settings> all = every_variant(*GetParam());
  const std::string extreme = turn() / 32 % 2 ? "sm_120" : "sm_75";
  if (!compile_long()) {  // compiles one variant of every eighth algorithm
    const std::string targets[] = {extreme, "sm_90", "compute_90", "compute_90"};
    const std::size_t k = turn() / 8;
    if (turn() % 8 == 0) compiles(*GetParam(), all[k % all.size()], Mode::traced, targets[k % 4]);
    return;
  }
  for (std::size_t k = 0; k < std::size(architectures); ++k) {
    const std::string architecture = architectures[k];
    for (std::size_t i = 0; i < all.size(); ++i)
      if (compile_all() || (architecture == "sm_90" && has_its_turn(i, all.size(), k)) ||
          (architecture == extreme && i == 0))
        compiles(*GetParam(), all[i], Mode::traced, architecture);
  }
}

TEST_P(Compiles, EveryTypeAndOperator) {
  NEEDS_NVRTC();
  std::map<Scalar, std::vector<Settings>> of_type;
  for (const Settings& s : every_type(*GetParam())) of_type[s.type].push_back(s);
  for (const auto& [type, all] : of_type) {
    const std::size_t first = turn() + static_cast<std::size_t>(type);
    // By default, `first` cannot choose the operator, because it is a multiple of 16 (see below).
    const std::size_t chosen = (compile_long() ? first : first / 16 + turn()) % all.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!compile_all() && i != chosen) continue;
      // By default, compiles only a part of the types: every second type if the algorithm has one operator.
      if (!compile_long() && first % (all.size() > 1 ? 16 : 2) != 0) continue;
      compiles(*GetParam(), all[i], Mode::fast, compile_long() || first % 32 == 0 ? "sm_90" : "compute_90");
      if (compile_all() || first % (compile_long() ? 2 : 32) == 0)
        compiles(*GetParam(), all[i], Mode::traced, compile_long() ? "sm_90" : "compute_90");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Compiles, testing::ValuesIn(every_algorithm()),
                         [](const auto& info) { return info.param->name; });

// By default, each kernel is compiled only for every second architecture. The next kernel is compiled for the
// other architectures.
class FastIsFree : public testing::TestWithParam<Reference> {
 protected:
  // Returns the index of the kernel. The index decides which architectures are left out.
  static std::size_t turn() {
    std::size_t i = 0;
    while (references[i].file != std::string_view(GetParam().file)) ++i;
    return i;
  }
};

TEST_P(FastIsFree, SamePtxAsTheHandWrittenKernel) {
  NEEDS_NVRTC();
  std::size_t k = turn();
  for (const char* architecture : {"compute_75", "compute_90", "compute_100"}) {
    if (k++ % 2 != 0 && !compile_long()) continue;
    const std::string hand = ptx_instructions(compile(hand_written(GetParam()), architecture).image);
    ASSERT_GT(std::count(hand.begin(), hand.end(), '\n'), 30);
    EXPECT_EQ(ptx_instructions(compile(ours(GetParam(), Mode::fast), architecture).image), hand)
        << architecture;
    EXPECT_NE(ptx_instructions(compile(ours(GetParam(), Mode::traced), architecture).image), hand);
  }
}

TEST_P(FastIsFree, SameMachineCodeSizeAsTheHandWrittenKernel) {
  NEEDS_NVRTC();
  for (const char* architecture : some_architectures(turn())) {
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

// The recorder cannot follow lanes that skip an operand of &&, || or ?: (see gpu_traced.cuh). Therefore such
// an operand must not contain anything that is recorded. Returns the first line that breaks this rule, or 0.
int hidden_access(const std::string& text) {
  static const std::regex recorded(
      R"([A-Za-z_]\w*\s*\[|\b(op|load_four|store_four|load_pack|stream_pack|atomic\w+|apply|__\w+_sync)\s*\()");
  static const std::regex array(R"(\n\s*(?:T|unsigned|int|Pack<T>|Message<\w+>) (\w+)\[[^\]]*\])");
  std::string names = "at";
  for (std::sregex_iterator m(text.begin(), text.end(), array), last; m != last; ++m)
    names += "|" + m->str(1);
  const std::regex registers("\\b(" + names + R"()\s*\[)");
  int number = 1;
  std::string code;
  for (std::istringstream in(text); std::getline(in, code); ++number) {
    code = code.substr(0, code.find("//"));
    for (std::size_t at = 0; at < code.size(); ++at) {
      const bool hides = code.compare(at, 2, "&&") == 0 || code.compare(at, 2, "||") == 0 || code[at] == '?';
      if (!hides) continue;
      std::size_t end = at;
      for (int depth = 0;
           end < code.size() && depth >= 0 && code[end] != ';' && !(depth == 0 && code[end] == ','); ++end)
        depth += (code[end] == '(') - (code[end] == ')');
      const std::string operand = std::regex_replace(code.substr(at, end - at), registers, "register");
      if (std::regex_search(operand, recorded)) return number;
    }
  }
  return 0;
}

TEST(Kernels, NothingRecordedIsHiddenInAnExpression) {
  EXPECT_EQ(hidden_access("\nif (a && b) x = in[i];\nT x = c ? y : z; temp[0] = op(x, y);"), 0);
  EXPECT_EQ(hidden_access("x;\nif (a && flags[0] == 1) y;"), 2);
  EXPECT_EQ(hidden_access("T x = t < n ? in[t] : identity<T>();"), 1);
  EXPECT_EQ(hidden_access("const bool c = a || (b || __any_sync(m, d));"), 1);
  EXPECT_EQ(hidden_access("\n  T q[4];\nif (a && q[0] > 1) x;"), 0);
  for (const Algorithm& a : cuda_algorithms()) EXPECT_EQ(hidden_access(a.text), 0) << a.file;
}

TEST(Nvrtc, DelaysCompile) {
  NEEDS_NVRTC();
  for (const Settings& s : every_type(algorithm("scan_decoupled_lookback")))
    if ((static_cast<int>(s.type) + static_cast<int>(s.op)) % 2 == 0 || compile_long())
      EXPECT_EQ(compile(program(algorithm(s.algorithm), s, Mode::delayed), "sm_90").log, "") << describe(s);
}

Algorithm kernel_with(const std::string& line) {
  Algorithm a;
  a.results = {&Result::copy};
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
      EXPECT_NE(in_words(e).find("kernels/broken.cuh(5): error: identifier \"inn\" is undefined"),
                std::string::npos)
          << in_words(e);
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
    EXPECT_NE(in_words(e).find("sm_20"), std::string::npos);
    EXPECT_NE(in_words(e).find("90"), std::string::npos);
  }
}

TEST(Nvrtc, CompilesForTheGpusOwnArchitectureOrTheNearestOlderOne) {
  NEEDS_NVRTC();
  EXPECT_EQ(architecture_for(90), "sm_90");
  EXPECT_TRUE(architecture_for(999).starts_with("compute_"));
  EXPECT_THROW(architecture_for(10), RequestError);
}

// By default, the formulas are compiled without and with the recorder in turns.
TEST(Nvrtc, ATypedFormulaAndShiftsOutOfRangeCompile) {
  NEEDS_NVRTC();
  int index = 0;
  for (const char* layout :
       {"i + i / 7", "i + (i >> 40) + (i << 33)", "(i ^ 5) * 2 % 4096", "i + log2(i + 1)", "-(~i)"}) {
    Settings s;
    s.choose("layout", layout);
    int turn = index++;
    for (const Mode mode : {Mode::fast, Mode::traced})
      if (turn++ % 2 == 0 || compile_long())
        EXPECT_EQ(compile(program(algorithm("scan_blelloch"), s, mode), "sm_90").log, "") << layout;
  }
}

TEST(Nvrtc, WhatMeasuringNeedsCompiles) {
  NEEDS_NVRTC();
  Program p;
  p.file = "helper kernels";
  p.text = helper_kernels;
  for (const char* architecture : some_architectures(0))
    EXPECT_EQ(compile(p, architecture).log, "") << architecture;
}

TEST(Nvrtc, DepthOfFieldCompiles) {
  NEEDS_NVRTC();
  for (const char* architecture : some_architectures(1))
    EXPECT_EQ(compile(lens_program(), architecture).log, "") << architecture;
}

TEST(Nvrtc, TheKernelsThatCheckLargeArraysCompileForEveryTypeAndOperator) {
  NEEDS_NVRTC();
  for (std::size_t type = 0; type < std::size(scalar_names); ++type)
    for (std::size_t op = 0; op < std::size(operator_names); ++op) {
      if (!compile_long() && op != type % std::size(operator_names)) continue;  // one operator of each type
      const Settings s{.n = 1 << 24, .type = static_cast<Scalar>(type), .op = static_cast<Operator>(op)};
      compiles(LargeCheck::kernels(Result::reduction), s, Mode::fast,
               compile_long() ? "sm_90" : "compute_90");
    }
}

// By default, two of these four kernels are compiled for each type.
TEST(Nvrtc, TheKernelsThatCheckApplicationsCompileForTheirTypes) {
  NEEDS_NVRTC();
  int turn = 0;
  for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32}) {
    Settings s{.n = 1 << 24, .type = type};
    for (const Result& result : {Result::selection, Result::sorting, Result::summed_area_table})
      if (turn++ % 2 == 0 || compile_long()) compiles(LargeCheck::kernels(result), s, Mode::fast, "sm_90");
    s.op = Operator::affine;
    if (turn % 2 == 0 || compile_long())
      compiles(LargeCheck::kernels(Result::recurrence), s, Mode::fast, "sm_90");
  }
}

}  // namespace nvrtc_test
}  // namespace upsweep
