// Tests algorithms with several inputs and outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>

#include "analysis/hazards.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/sized_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "measure/ready_launch.hpp"
#include "study/recording.hpp"
#include "support/compile_cases.hpp"
#include "support/source_file.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace buffers_test {

constexpr Scalar every_type[] = {Scalar::float16, Scalar::float32, Scalar::int64, Scalar::uint32};

Algorithm parsed(const std::string& text) { return parse_kernel("reverse_pairs", "x.cuh", text); }
const std::string& text() {
  static const std::string all = source_file("tests/sized/reverse_pairs.cuh");
  return all;
}
const Algorithm& reverse_pairs() {
  static const Algorithm a = parsed(text());
  return a;
}

Settings settings(int n, int block, Scalar type = Scalar::int32, const char* keys = "pairs") {
  Settings s{.algorithm = "reverse_pairs", .n = n, .block = block, .type = type};
  s.choices["keys"] = keys;
  return s;
}

std::vector<Value> words(const std::vector<std::uint32_t>& numbers) {
  std::vector<Value> all;
  for (const std::uint32_t n : numbers) all.push_back({n});
  return all;
}
std::vector<Value> reversed(std::vector<Value> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

Trace recorded(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) {
  return Emulator().record(reverse_pairs(), *sized_kernels("reverse_pairs"), s, inputs, options);
}

// Returns the sentence of the error that f throws, or an empty string if f throws nothing.
std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) { return in_words(e); }
  return {};
}
// Replaces `from` by `to` in a kernel file. Returns the sentence that refuses the changed file.
std::string refusal(const std::string& from, const std::string& to) {
  std::string changed = text();
  const auto at = changed.find(from);
  EXPECT_NE(at, changed.npos) << from;
  changed.replace(at, from.size(), to);
  return refusal([&] { parsed(changed); });
}

TEST(Buffers, AreSortedByRole) {
  const Plan p = plan(reverse_pairs(), settings(100, 32));
  std::vector<std::string> names;
  for (const GlobalBuffer& b : p.buffers) names.push_back(b.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "values", "out", "out_values", "turns", "ticket"}));
  EXPECT_EQ(p.roles, (BufferRoles{2, 3}));
  EXPECT_EQ(p.inputs()[1], (GlobalBuffer{"values", Cells::words, 100}));
  EXPECT_EQ(p.outputs()[2], (GlobalBuffer{"turns", Cells::words, 4}));
  EXPECT_EQ(p.roles.of(1), BufferRole::input);
  EXPECT_EQ(p.roles.of(2), BufferRole::output);
  EXPECT_EQ(p.roles.of(4), BufferRole::output);
  EXPECT_EQ(p.roles.of(5), BufferRole::scratch);
  EXPECT_FALSE(reverse_pairs().writes_input);
  const Plan alone = plan(reverse_pairs(), settings(100, 32, Scalar::int32, "alone"));
  EXPECT_EQ(alone.inputs()[1].count, 0);
  EXPECT_EQ(alone.outputs()[1].count, 0);
  EXPECT_EQ(alone.outputs()[2].count, 4);
}

TEST(Buffers, KeepWhatARunReadsAndWrites) {
  std::mt19937 random(4);
  for (int run = 0; run < 12; ++run) {
    const int n = 1 + static_cast<int>(random() % 300), block = 32 << random() % 3;
    const Settings s = settings(n, block, every_type[run % 4], run % 3 == 2 ? "alone" : "pairs");
    const bool pairs = s.choices.at("keys") == "pairs", given = run % 2 == 0 && pairs;
    SCOPED_TRACE(describe(s));
    const std::vector<Value> input = random_data(s, random());
    std::vector<std::uint32_t> numbers(pairs ? static_cast<std::size_t>(n) : 0);
    std::iota(numbers.begin(), numbers.end(), 0u);
    if (given) std::generate(numbers.begin(), numbers.end(), std::ref(random));
    const Contents values = {words(numbers)};
    const Inputs inputs = given ? Inputs(input, values) : Inputs(input);
    const Trace t = recorded(s, inputs, {.schedule = run % 4 == 3 ? random() : 0});
    ASSERT_FALSE(t.stopped);
    ASSERT_EQ(in_words(contradiction(t)), "");
    EXPECT_EQ(t.roles(), (BufferRoles{2, 3}));
    EXPECT_EQ(t.input, input);
    EXPECT_EQ(t.more_inputs, values);
    EXPECT_EQ(t.output, reversed(input));
    EXPECT_EQ(t.more_outputs[0], reversed(values[0]));
    std::vector<Value> turns = t.more_outputs[1];
    std::sort(turns.begin(), turns.end());
    for (std::size_t i = 0; i < turns.size(); ++i)
      EXPECT_EQ(turns[i], (Value{static_cast<std::uint32_t>(i)}));
    EXPECT_TRUE(hazards(t).findings.empty());
    EXPECT_TRUE(unpack(pack(t), "x") == t);
    const Contents all = Emulator().run_all(reverse_pairs(), *sized_kernels("reverse_pairs"), s, inputs);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0], t.output);
    EXPECT_EQ(all[1], t.more_outputs[0]);
    EXPECT_EQ(make_recording(Trace(t)).trace.more_outputs, t.more_outputs);
  }
}

TEST(Buffers, AnInputOfTheWrongSizeIsRefused) {
  const Settings s = settings(40, 32);
  const Contents few = {words({1, 2, 3})};
  EXPECT_EQ(refusal([&] {
              recorded(s, {seeded_data(s, 1), few});
            }),
            "The input values has 3 numbers, but this run needs 40.");
}

TEST(Buffers, AFileThatContradictsItselfIsRefused) {
  const Settings s = settings(40, 32);
  const Trace good = recorded(s, seeded_data(s, 1));
  const std::vector<std::function<void(Trace&)>> wrong = {
      [](Trace& t) { t.more_inputs[0].pop_back(); }, [](Trace& t) { t.more_outputs[1].push_back({}); },
      [](Trace& t) { t.more_inputs.clear(); },       [](Trace& t) { t.more_outputs.resize(9); },
      [](Trace& t) { t.input.pop_back(); },          [](Trace& t) { t.buffers.resize(3); },
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Trace t = good;
    wrong[i](t);
    EXPECT_NE(in_words(contradiction(t)), "") << i;
    EXPECT_THROW(unpack(pack(t), "x"), RequestError) << i;
  }
}

TEST(Buffers, AReadOfAnOutputThatNobodyWroteIsFound) {
  Settings s = settings(40, 32);
  Trace t = recorded(s, seeded_data(s, 1));
  for (Event& e : t.events)
    if (e.kind == Kind::global_load && e.buffer == 1) e.buffer = 3;  // loads out_values instead of values
  const Hazards h = hazards(t);
  EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(), [](const HazardFinding& f) {
    return f.kind == Hazard::uninitialised_read || f.kind == Hazard::global_race;
  }));
}

TEST(Buffers, TheirFieldsAreChecked) {
  const std::string inputs = "in: n, values: n words if pairs",
                    outputs = "out: n, out_values: n words if pairs, turns: tiles words";
  EXPECT_EQ(refusal(inputs, inputs), "");
  EXPECT_NE(refusal(inputs, "in: n words, values: n words"), "") << "the first input must hold elements";
  EXPECT_NE(refusal(inputs, "in: n, values: n messages"), "");
  EXPECT_NE(refusal(inputs, "in: n, in: n, values: n words"), "");
  EXPECT_NE(refusal(inputs, "in: n if pairs, values: n words"), "");
  EXPECT_NE(refusal(inputs, "in: n, out: n, values: n words"), "");
  EXPECT_NE(refusal(inputs, "in: n, values: n"), "") << "the kernel takes words";
  EXPECT_NE(refusal(inputs, "in: n"), "") << "the launch names values";
  EXPECT_NE(refusal(outputs, "out: n, values: n words, turns: tiles words"), "");
  EXPECT_NE(refusal(outputs, "out: n, out_values: n words, turns: tiles messages"), "");
  EXPECT_NE(refusal(outputs, "out: n, out_values: n words, turns: tilse words"), "");
  EXPECT_NE(refusal("ticket: 1 word", "turns: 1 word, ticket: 1 word"), "");
  std::string writing = text();
  writing.replace(writing.find("const unsigned"), 14, "unsigned");
  EXPECT_TRUE(parsed(writing).writes_input) << "a further input is overwritten";
}

TEST(Buffers, AreInThreePiecesOfAGpusMemory) {
  const Plan p = plan(reverse_pairs(), settings(1000, 32, Scalar::int64));
  const MemoryLayout layout = memory_layout(p, 8);
  EXPECT_EQ(layout.at[0], 0u);
  EXPECT_EQ(layout.at[1], aligned(8000));
  EXPECT_EQ(layout.inputs, aligned(8000) + aligned(4000));
  EXPECT_EQ(layout.at[2], 0u);
  EXPECT_EQ(layout.at[4], aligned(8000) + aligned(4000));
  EXPECT_EQ(layout.outputs, aligned(8000) + aligned(4000) + aligned(4 * 32));
  EXPECT_EQ(layout.at[5], 0u);
  EXPECT_EQ(layout.scratch, aligned(4));
  EXPECT_EQ(layout.word_bytes, layout.scratch);
}

// The buffers of an algorithm must not overlap on a GPU. Buffers of words and buffers of messages must be
// inside the memory that is cleared before a run.
TEST(Buffers, DoNotOverlapOnAGpu) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    Settings s = first_settings(*a);
    s.n = a->many_blocks ? 100'000 : s.n;
    const Plan p = plan(*a, s);
    const int width = element_bytes(s);
    const MemoryLayout layout = memory_layout(p, width);
    struct Piece {
      BufferRole role;
      std::size_t begin, end;
      bool operator<(const Piece& o) const {
        return std::tie(role, begin, end) < std::tie(o.role, o.begin, o.end);
      }
    };
    std::vector<Piece> pieces;
    for (std::size_t b = 0; b < p.buffers.size(); ++b) {
      const BufferRole role = p.roles.of(static_cast<int>(b));
      const Cells cells = p.buffers[b].cells;
      const std::size_t end =
          layout.at[b] + static_cast<std::size_t>(p.buffers[b].count * cell_bytes(cells, width));
      pieces.push_back({role, layout.at[b], end});
      const std::size_t size[] = {layout.inputs, layout.outputs, layout.scratch};
      EXPECT_LE(end, size[static_cast<int>(role)]) << a->name;
      if (role == BufferRole::scratch && is_signal(cells))
        EXPECT_LE(end, layout.word_bytes + layout.zero_bytes) << a->name << ", buffer " << b;
    }
    std::sort(pieces.begin(), pieces.end());
    for (std::size_t i = 1; i < pieces.size(); ++i)
      EXPECT_TRUE(pieces[i].role != pieces[i - 1].role || pieces[i].begin >= pieces[i - 1].end) << a->name;
  }
}

}  // namespace buffers_test
}  // namespace upsweep
