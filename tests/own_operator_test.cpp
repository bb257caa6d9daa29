// Tests operators that the user types: parsing, printing, and refusals. An operator must be refused if it is
// not associative, or if the user gave a wrong identity. On the emulator, typed operators must give the same
// results as built-in operators and sequential loops.
#include "catalogue/own_operator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "analysis/span.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/look_at.hpp"
#include "support/session_start.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "trace/settings_json.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace own_operator_test {

Settings with(Settings s, const std::string& expression, const std::string& identity) {
  choose_own(s, expression, identity);
  return s;
}
Settings settings(const std::string& algorithm, Scalar type, int n = 64) {
  Settings s;
  s.algorithm = algorithm;
  s.type = type;
  s.n = n;
  s.block =
      std::max(smallest_block(upsweep::algorithm(algorithm), s), upsweep::algorithm(algorithm).least_threads);
  return s;
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const std::exception& e) { return in_words(e); }
  return {};
}

Value whole(std::int64_t x, Scalar type) {
  Value v{};
  set_scalar(v, type, 0, static_cast<long double>(x));
  return v;
}

TEST(OwnOperator, IsPrintedWithNoMoreParenthesesThanItNeeds) {
  const std::pair<const char*, const char*> all[] = {{"a+b-a*b", "a + b - a * b"},
                                                     {"(a+(b))-(a*b)", "a + b - a * b"},
                                                     {"a-(b-1)", "a - (b - 1)"},
                                                     {"max(a,b)", "max(a, b)"},
                                                     {"a*b%1000003", "a * b % 1000003"},
                                                     {"a*(b%7)", "a * (b % 7)"},
                                                     {"b==0?a:b", "b == 0 ? a : b"},
                                                     {"(b==0?a:b)+0", "(b == 0 ? a : b) + 0"},
                                                     {"-(-a)", "--a"},
                                                     {"-(a+b)", "-(a + b)"},
                                                     {"a*0.5e1", "a * 5.0"},
                                                     {"a<b||b<a&&!a", "a < b || b < a && !a"},
                                                     {"a ? b : a ? 1 : 2", "a ? b : a ? 1 : 2"}};
  for (const auto& [typed, printed] : all) {
    EXPECT_EQ(OwnOperator(typed).text(), printed);
    EXPECT_EQ(OwnOperator(printed).text(), printed);
  }
}

// Makes a random expression as text with all its parentheses, and computes its value in 64 bits.
struct Random {
  std::mt19937& random;
  std::int64_t a, b;
  std::pair<std::string, std::int64_t> operator()(int depth) {
    const auto of = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    const unsigned kind = depth == 0 ? random() % 3 : 3 + random() % 11;
    if (kind == 0) return {"a", a};
    if (kind == 1) return {"b", b};
    if (kind == 2) {
      const auto k = static_cast<std::int64_t>(random() % 1000);
      return {std::to_string(k), k};
    }
    const auto [x, u] = (*this)(depth - 1);
    if (kind == 3) return {"(-" + x + ")", static_cast<std::int64_t>(-of(u))};
    const auto [y, v] = (*this)(depth - 1);
    switch (kind) {
      case 4: return {"(" + x + "+" + y + ")", static_cast<std::int64_t>(of(u) + of(v))};
      case 5: return {"(" + x + "-" + y + ")", static_cast<std::int64_t>(of(u) - of(v))};
      case 6: return {"(" + x + "*" + y + ")", static_cast<std::int64_t>(of(u) * of(v))};
      case 7:
        return {"(" + x + "/" + y + ")", v == 0 ? 0 : v == -1 ? static_cast<std::int64_t>(-of(u)) : u / v};
      case 8: return {"(" + x + "%" + y + ")", v == 0 || v == -1 ? 0 : u % v};
      case 9: return {"min(" + x + "," + y + ")", std::min(u, v)};
      case 10: return {"(" + x + "<" + y + ")", u < v};
      case 11: return {"(" + x + "^" + y + ")", u ^ v};
      case 12: return {"(" + x + ">=" + y + ")", u >= v};
      default: {
        const auto [z, w] = (*this)(depth - 1);
        return {"(" + x + "?" + y + ":" + z + ")", u != 0 ? v : w};
      }
    }
  }
};

TEST(OwnOperator, ComputesWhatItsTextSays) {
  std::mt19937 random(5);
  for (int k = 0; k < 3000; ++k) {
    const auto number = [&] {
      return static_cast<std::int64_t>(random() % 2 ? random() % 20
                                                    : std::uint64_t{random()} << 32 | random());
    };
    const std::int64_t a = number(), b = number();
    const auto [text, due] = Random{random, a, b}(static_cast<int>(random() % 5));
    const OwnOperator op(text);
    const auto result = [&](const OwnOperator& o) {
      return static_cast<std::int64_t>(
          scalar(o(Scalar::int64, whole(a, Scalar::int64), whole(b, Scalar::int64)), Scalar::int64));
    };
    ASSERT_EQ(result(op), due) << text << " a=" << a << " b=" << b;
    const OwnOperator again(op.text());
    EXPECT_EQ(again.text(), op.text());
    ASSERT_EQ(result(again), due) << text << " was printed as " << op.text();
  }
}

TEST(OwnOperator, OtherTextIsRefusedAndNeverReachesACompiler) {
  for (const char* text :
       {"", "a +", "a + c", "a; b", "a) * (b", "a // b", "a /* */ b", "asm(\"exit;\")", "a = b", "a++",
        "f(a, b)", "min(a)", "a.b", "1e999", "a \n#define x", "\"a\"", "a @ b", "0x", "1.2.3"})
    EXPECT_NE(refusal([&] { OwnOperator op(text); }), "") << text;
  EXPECT_NE(refusal([] { OwnOperator op("log2(a)"); }).find("min and max"), std::string::npos);
  EXPECT_NE(refusal([] { OwnOperator op("ceil_div(a, b)"); }).find("min and max"), std::string::npos);
  std::string deep = "a";
  for (int k = 0; k < 90; ++k) deep = "a+(" + deep + ")";
  EXPECT_NE(refusal([&] { OwnOperator op(deep); }).find("nested"), std::string::npos);

  // In the text for a GPU, only numbers, a, b and calls of Upsweep's functions may appear.
  std::mt19937 random(6);
  for (int k = 0; k < 200; ++k) {
    const std::string source = OwnOperator(Random{random, 1, 2}(4).first).cuda_source(Scalar::int64);
    std::string rest = source;
    for (const char* word : {"own::", "negate", "plus", "minus", "times", "over", "rest", "smaller", "less",
                             "more_equal", "bit_xor", "choose"})
      for (auto at = rest.find(word); at != rest.npos; at = rest.find(word))
        rest.erase(at, std::string(word).size());
    EXPECT_EQ(rest.find_first_not_of("ab(), -0123456789l"), rest.npos) << source;
    EXPECT_EQ(rest.find("--"), rest.npos) << source;
  }
}

void lawful(const Settings& s) { expect_lawful(algorithm(s.algorithm), s); }

TEST(OwnOperator, IsTakenIfItIsAssociative) {
  const Settings integers = settings("scan_blelloch", Scalar::int32),
                 floats = settings("scan_blelloch", Scalar::float32);
  for (const auto& [expression, identity] : {std::pair("a + b", "0"),
                                             {"a * b", "1"},
                                             {"a + b - a*b", "0"},
                                             {"max(a, b)", "0"},
                                             {"min(a, b)", "1000000000"},
                                             {"b == 0 ? a : b", "0"},
                                             {"a + b + 1", "-1"}}) {
    EXPECT_EQ(refusal([&] { lawful(with(integers, expression, identity)); }), "") << expression;
    EXPECT_EQ(refusal([&] { lawful(with(floats, expression, identity)); }), "") << expression;
  }
  EXPECT_EQ(refusal([&] { lawful(with(integers, "a ^ b", "0")); }), "");
  EXPECT_EQ(refusal([&] { lawful(with(settings("scan_blelloch", Scalar::int64), "a * b % 1000003", "1")); }),
            "");
}

TEST(OwnOperator, IsRefusedWithACounterexample) {
  const Settings s = settings("scan_blelloch", Scalar::int32);
  const std::string minus = refusal([&] { lawful(with(s, "a - b", "0")); });
  EXPECT_NE(minus.find("a - b is not associative for"), std::string::npos) << minus;
  const std::string mean = refusal([&] { lawful(with(s, "(a + b) / 2", "0")); });
  EXPECT_NE(mean.find("is not associative"), std::string::npos) << mean;
  // 0 is the identity of max(a - b, b - a), but this operator is not associative.
  const std::string distance = refusal([&] { lawful(with(s, "max(a - b, b - a)", "0")); });
  EXPECT_NE(distance.find("is not associative for int32: ("), std::string::npos) << distance;
  EXPECT_NE(distance.find(" op "), std::string::npos);
  // a * b % 1000003 is not associative for int32, because the product a * b overflows before the remainder is
  // taken.
  EXPECT_NE(refusal([&] { lawful(with(s, "a * b % 1000003", "1")); }).find("not associative for int32"),
            std::string::npos);
  EXPECT_NE(refusal([&] { lawful(with(s, "max(a, b)", "5")); }).find("5 op 2 is 5, expected 2"),
            std::string::npos);
  EXPECT_NE(refusal([&] { lawful(with(s, "a + b", "")); }).find("is not an identity"), std::string::npos);
  EXPECT_NE(refusal([&] { lawful(with(s, "a + b", "0.5")); }).find("not a number of type int32"),
            std::string::npos);
  EXPECT_NE(refusal([&] { lawful(with(s, "a + b", "3000000000")); }).find("not a number of type int32"),
            std::string::npos);
  EXPECT_NE(refusal([&] { lawful(with(s, "a * 0.5", "0")); }).find("choose one of float32"),
            std::string::npos);
  const Settings floats = settings("scan_blelloch", Scalar::float32);
  EXPECT_NE(refusal([&] { lawful(with(floats, "a * b % 7", "1")); }).find("uses %"), std::string::npos);
  EXPECT_NE(refusal([&] { validate(with(floats, "a - b", "0")); }).find("associative"), std::string::npos);
}

TEST(OwnOperator, IsTestedWithTheNumbersOfTheInput) {
  const Settings s = with(settings("scan_blelloch", Scalar::int32, 4), "max(a, b)", "0");
  const Algorithm& a = algorithm(s.algorithm);
  const auto numbers = [&](std::vector<int> all) {
    std::vector<Value> input;
    for (const int x : all) input.push_back(whole(x, s.type));
    return input;
  };
  EXPECT_EQ(refusal([&] { expect_lawful(a, s, numbers({3, 1, 7, 0})); }), "");
  EXPECT_NE(refusal([&] {
              expect_lawful(a, s, numbers({3, -1, 7, 0}));
            }).find("0 op -1 is 0, expected -1"),
            std::string::npos);
}

TEST(OwnOperator, IsCommutativeIfTheKernelNeedsThat) {
  const std::string last = "b == 0 ? a : b";
  const std::string why =
      refusal([&] { validate(with(settings("reduce_sequential", Scalar::int32), last, "0")); });
  EXPECT_NE(why.find("reduce_sequential reorders its operands"), std::string::npos) << why;
  EXPECT_NE(why.find("2 op 5 = 5, 5 op 2 = 2"), std::string::npos) << why;
  EXPECT_EQ(refusal([&] { validate(with(settings("reduce_interleaved", Scalar::int32), last, "0")); }), "");
  EXPECT_EQ(
      refusal([&] { validate(with(settings("reduce_sequential", Scalar::int32), "a + b - a*b", "0")); }), "");
}

// If a typed operator computes the same as a built-in operator, both must give the same bits.
TEST(OwnOperator, GivesWhatTheBuiltInOperatorGives) {
  Emulator emulator;
  int runs = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (const Scalar type :
         {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64})
      for (const auto& [op, text] : {std::pair(Operator::sum, "a + b"), {Operator::max, "max(a, b)"}}) {
        Settings s = first_settings(*a);
        if (!a->allows(Operator::own) || !a->allows(type)) continue;
        s.type = type;
        s.op = op;
        s.n = 33 + static_cast<int>(type) * 50;
        if (s.n > largest_in_block(*a) && !a->many_blocks) continue;
        s.block = std::max(smallest_block(*a, s), a->least_threads);
        const std::vector<Value> input = seeded_data(s, 3 + static_cast<unsigned>(type));
        const Settings own = with(s, text, op == Operator::sum ? "0" : exact_text(identity(s), s));
        SCOPED_TRACE(describe(own));
        validate(own);
        const Trace built_in = emulator.record(s, input, {}), typed = emulator.record(own, input, {});
        EXPECT_EQ(typed.output, built_in.output);
        EXPECT_EQ(typed.span, built_in.span);
        EXPECT_EQ(emulator.run(own, input), built_in.output);
        EXPECT_FALSE(check(*a, own, input, typed.output));
        EXPECT_EQ(combination(own)(input[0], input[1]), combination(s)(input[0], input[1]));
        ++runs;
      }
  EXPECT_GT(runs, 250);
}

// check() must find a wrong element, and must accept a difference that rounding can explain.
TEST(OwnOperator, ResultsAreChecked) {
  Emulator emulator;
  for (const Scalar type :
       {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64})
    for (const char* name : {"scan_blelloch", "reduce_interleaved", "scan_large", "scan_hillis_steele"}) {
      const Settings s = with(settings(name, type, 50), "a + b - a*b", "0");
      const std::vector<Value> input = seeded_data(s, 11);
      std::vector<Value> output = emulator.run(s, input);
      const Algorithm& a = algorithm(name);
      EXPECT_FALSE(check(a, s, input, output)) << describe(s);
      if (is_real(type)) continue;  // numbers leave the range of these types
      output.back() = whole(12345, type);
      EXPECT_TRUE(check(a, s, input, output)) << describe(s);
      EXPECT_EQ(wrong_elements(a, s, input, output), std::vector{output.size() - 1});
    }
  const Settings s = with(settings("scan_hillis_steele", Scalar::float32, 100), "a + b + 0.25", "-0.25");
  const std::vector<Value> input = seeded_data(s, 4);
  std::vector<Value> output = emulator.run(s, input);
  EXPECT_FALSE(check(s, input, output));
  set_scalar(output[50], s.type, 0, scalar(output[50], s.type) * 1.001L);
  EXPECT_TRUE(check(s, input, output));
}

// With the operator max(a, b) + 1, the result is the depth of the computation. Therefore the largest result
// must equal the span.
TEST(OwnOperator, ThatCountsItsDepthGivesTheSpan) {
  Emulator emulator;
  std::mt19937 random(9);
  RecordOptions all_blocks;
  all_blocks.blocks = UINT32_MAX;
  int runs = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (Settings s : every_choice(*a)) {
      if (!a->allows(Operator::own) || s.op != Operator::sum || chosen(*a, s, "within_warp") == "redux")
        continue;
      s.type = Scalar::int32;
      s.n = 1 + static_cast<int>(random() % 700);
      s.block = 32 << random() % 3;
      s.grid = 1 + static_cast<int>(random() % 5);
      try {
        validate(s);
      } catch (const RequestError&) { continue; }
      choose_own(s, "max(a, b) + 1", "0");
      const Trace trace = emulator.record(s, std::vector<Value>(static_cast<std::size_t>(s.n)), all_blocks);
      std::int64_t deepest = 0;
      for (const Event& e : trace.events)
        if (e.kind == Kind::operation ||
            (is_atomic(e.kind) && e.detail == static_cast<std::uint8_t>(Atomic::combine)))
          for_each_lane(e, [&](int, std::uint32_t entry) {
            deepest = std::max<std::int64_t>(deepest, trace.values[entry][0]);
          });
      EXPECT_EQ(trace.span, deepest) << describe(s) << " grid " << s.grid;
      EXPECT_EQ(span_of_events(trace)->length, deepest) << describe(s) << " grid " << s.grid;
      ++runs;
    }
  EXPECT_GT(runs, 40);
}

TEST(OwnOperator, IsKeptInFilesAndJson) {
  const Settings s = with(settings("scan_blelloch", Scalar::int32, 20), "a+b-a*b", "0");
  const Trace trace = Emulator().record(s, seeded_data(s, 1), {});
  EXPECT_FALSE(contradiction(trace));
  EXPECT_TRUE(unpack(pack(trace), "it") == trace);
  EXPECT_EQ(settings_json(s)["op"], "a + b - a * b");
  EXPECT_EQ(settings_json(s)["identity"], "0");
  EXPECT_FALSE(settings_json(settings("scan_blelloch", Scalar::int32)).contains("identity"));
}

TEST(OwnOperator, IsAskedForUndoneAndKeptInTheState) {
  Session session(start());
  const Settings before = session.settings();
  EXPECT_NE(session.set_own_operator("a+b-a*b", "0"), Answer::refused);
  session.settle(30);
  EXPECT_EQ(session.settings().op, Operator::own);
  EXPECT_EQ(session.settings().expression, "a + b - a * b");
  EXPECT_FALSE(session.recording().mistake);
  const Request kept = read_request(to_json(session.state()));
  EXPECT_EQ(kept, session.state());
  EXPECT_EQ(session.set_own_operator("a - b", "0"), Answer::refused);
  EXPECT_EQ(session.settings().expression, "a + b - a * b");
  session.undo();
  session.settle(30);
  EXPECT_EQ(session.settings(), before);
  EXPECT_NE(session.apply(kept), Answer::refused);
  session.settle(30);
  EXPECT_EQ(session.settings().expression, "a + b - a * b");
  EXPECT_NE(session.set_operator(Operator::max), Answer::refused);
  session.settle(30);
  EXPECT_EQ(session.settings().expression, "");
  EXPECT_EQ(session.settings().identity, "");
}

// NVRTC must compile every operation for every type. By default, for each type one kernel is compiled without
// the recorder, and the other kernel with the recorder.
TEST(OwnOperator, CompilesForAGpu) {
  if (sanitized) GTEST_SKIP() << "NVIDIA's compiler does the work.";
  if (!nvrtc_available())
    GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here.";
  const std::string common =
      "(-a < b ? max(a, b) : min(a, b)) + a - b * a / b + (a == b || a != b && !a) + (a <= b) + (a > b) + (a "
      ">= b)";
  for (const Scalar type :
       {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64})
    for (const Mode mode : {Mode::fast, Mode::traced}) {
      Settings s = settings("scan_blelloch", type);
      s.op = Operator::max;
      const std::string lowest = exact_text(identity(s), s);
      choose_own(s,
                 is_real(type) ? common + " + 0.5" : common + " + (a % b ^ a | b & ~a) + (a << 3) + (b >> 1)",
                 lowest);
      int turn = static_cast<int>(type) + (mode == Mode::fast);
      for (const char* kernel : {"scan_blelloch", "reduce_atomic"}) {
        if (turn++ % 2 != 0 && !tries_everything()) continue;
        s.algorithm = kernel;
        EXPECT_EQ(compile(program(algorithm(kernel), s, mode), "compute_90").log, "") << describe(s);
      }
    }
}

}  // namespace own_operator_test
}  // namespace upsweep
