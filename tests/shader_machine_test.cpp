// Runs the OpenGL scan once without the recorder and once with the recorder. Uses the OpenGL of this
// computer, usually Mesa's llvmpipe.
#include "machine/shader/shader_machine.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <optional>
#include <random>
#include <set>

#include "analysis/hazards.hpp"
#include "analysis/span.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/shader/pass_program.hpp"
#include "support/source_file.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace shader_machine_test {

constexpr RecordOptions all_blocks{.blocks = UINT32_MAX};
const char* const hybrid = "scan_opengl_hybrid";

class Shaders : public testing::Test {
 protected:
  // All tests share one machine. If the computer has no OpenGL, the tests are skipped.
  void SetUp() override {
    static std::string why;
    static const std::unique_ptr<ShaderMachine> machine = []() -> std::unique_ptr<ShaderMachine> {
      try {
        return std::make_unique<ShaderMachine>();
      } catch (const RequestError& e) { why = in_words(e); }
      return {};
    }();
    if (!machine) GTEST_SKIP() << why;
    machine_ = machine.get();
  }
  ShaderMachine* machine_ = nullptr;
};

Settings settings(int n, const std::string& steps = "4", Scalar type = Scalar::float32,
                  Operator op = Operator::sum) {
  Settings s{.algorithm = hybrid, .n = n, .type = type, .op = op};
  s.choose("reduce_steps", steps);
  s.block = smallest_block(algorithm(hybrid), s);
  validate(s);
  return s;
}

TEST_F(Shaders, FastIsRecordedIsExpected) {
  std::mt19937 random(11);
  std::vector<int> sizes = {1, 2, 3, 4, 5, 31, 32, 33, 64, 127, 1000, 1024, 1025, 4095, 4096, 4097, 5003};
  for (int i = 0; i < 8; ++i) sizes.push_back(1 + static_cast<int>(random() % 20000));
  std::uint64_t seed = 0;
  const Choice& steps = *algorithm(hybrid).choice("reduce_steps");
  for (const int n : sizes)
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32})
      for (const Operator op : {Operator::sum, Operator::product, Operator::min, Operator::max}) {
        Settings s = settings(n, steps.options[seed % steps.options.size()].name, type, op);
        if (seed % 3 == 1 && n > 96) s.block = 96;
        const std::vector<Value> input = random_data(s, ++seed);
        SCOPED_TRACE(fmt::format("n={} block={} {} {} steps={}", n, s.block, name(type), name(op),
                                 s.choice("reduce_steps")));
        const std::vector<Value> fast = machine_->run(s, input);
        const Trace trace = machine_->record(s, input);
        EXPECT_EQ(in_words(check(s, input, fast)), "");
        EXPECT_TRUE(fast == trace.output);
        EXPECT_EQ(trace.dropped, 0u);
        if (const auto promised = promise(algorithm(hybrid), s)) {
          EXPECT_EQ(work(trace).operations, promised->operations);
          if (promised->steps) EXPECT_EQ(work(trace).steps, *promised->steps);
          if (promised->span) EXPECT_EQ(trace.span, *promised->span);
        }
        if (HasFailure()) return;
      }
}

TEST_F(Shaders, RecordingsTellTheWholeRun) {
  for (const int n : {1, 2, 7, 64, 500, 2048, 4999})
    for (const char* steps : {"0", "1", "4", "20"}) {
      const Settings s = settings(n, steps, Scalar::uint32);
      const std::vector<Value> input = random_data(s, static_cast<std::uint64_t>(n));
      const Trace t = machine_->record(s, input, all_blocks);
      SCOPED_TRACE(fmt::format("n={} steps={}", n, steps));
      EXPECT_EQ(in_words(contradiction(t)), "");
      EXPECT_TRUE(unpack(pack(t), "it") == t);
      EXPECT_TRUE(hazards(t).findings.empty());
      const auto followed = span_of_events(t);
      ASSERT_TRUE(followed);
      EXPECT_EQ(followed->length, t.span);
      EXPECT_EQ(followed->operating, t.operating);
      // Replays the recording. Each fetch must read the value that an earlier pass wrote. Each operation must
      // combine the values of the two events that its origins name.
      std::vector<std::vector<std::optional<Value>>> memory;
      for (const GlobalBuffer& b : t.buffers) memory.emplace_back(static_cast<std::size_t>(b.count));
      for (std::size_t i = 0; i < input.size(); ++i) memory[0][i] = input[i];
      const Combination combine = combination(s);
      for (const Event& e : t.events) {
        const std::string line = text_line(t.text, e.line);
        EXPECT_EQ(e.flags, 0);
        for_each_lane(e, [&](int lane, std::uint32_t at) {
          const auto value_of = [&](Origin o) {
            return o == 0 ? identity(s) : t.values[entry_of(t.events[origin_event(o)], lane)];
          };
          const Lane& l = t.lanes[at];
          if (e.kind == Kind::operation) {
            EXPECT_NE(line.find("op("), line.npos) << line;
            EXPECT_EQ(t.values[at], combine(value_of(l.left), value_of(l.right)));
            return;
          }
          auto& texel = memory.at(e.buffer).at(static_cast<std::size_t>(l.address / 4));
          EXPECT_NE(line.find(e.kind == Kind::global_load ? "fetch(" : "write("), line.npos) << line;
          if (e.kind == Kind::global_load) {
            EXPECT_EQ(texel, t.values[at]);
          } else {
            EXPECT_EQ(value_of(l.left), t.values[at]);
            texel = t.values[at];
            EXPECT_EQ(l.address / 4, std::int64_t{e.block} * t.grids[e.grid].threads + 32 * e.warp + lane)
                << "a fragment writes only its own texel";
          }
        });
      }
      for (std::size_t i = 0; i < t.output.size(); ++i) EXPECT_EQ(memory[1][i], t.output[i]);
      if (HasFailure()) return;
    }
}

// According to GPU Gems 3, fragment shaders lack three features of CUDA: shared memory, barriers, and stores
// to any address.
TEST_F(Shaders, HaveNoSharedMemoryNoBarriersAndNoScatter) {
  const Settings s = settings(512);
  const Trace t = machine_->record(s, random_data(s, 1));
  for (const Count& c : t.counts)
    EXPECT_TRUE(c.kind == Kind::global_load || c.kind == Kind::global_store || c.kind == Kind::operation);
  for (const Grid& g : t.grids) EXPECT_EQ(g.shared.bytes, 0u);
  EXPECT_EQ(t.machine, MachineKind::opengl);
  EXPECT_EQ(t.device, machine_->device());
  EXPECT_EQ(t.file, "shaders/scan_opengl_hybrid.frag");
}

// The tree must show all passes. An output may depend only on elements whose index is not larger. Each
// partial sum must be drawn at the last element in the sum.
TEST_F(Shaders, OneTreeShowsAllPasses) {
  for (const int n : {1, 2, 16, 37, 200})
    for (const char* steps : {"0", "2", "20"}) {
      const Settings s = settings(n, steps, Scalar::int32);
      if (s.block < n) continue;
      const Trace t = machine_->record(s, random_data(s, 3));
      const int last = static_cast<int>(t.grids.size()) - 1;
      const Tree all = tree(t, last, 0);
      EXPECT_EQ(all.rows.size(), tree(t, 0, 0).rows.size());
      SCOPED_TRACE(fmt::format("n={} steps={}", n, steps));
      const int output = static_cast<int>(all.rows.size()) - 1;
      ASSERT_TRUE(all.rows.back().output);
      ASSERT_EQ(all.rows.back().nodes.size(), static_cast<std::size_t>(n));
      for (int k = 0; k < n; ++k) {
        std::set<int> elements;
        for (const TreeNode::Source& from : ancestors(all, {output, k})) {
          const TreeRow& row = all.rows[static_cast<std::size_t>(from.row)];
          const TreeNode& node = row.nodes[static_cast<std::size_t>(from.node)];
          EXPECT_LE(node.element, row.spread * (k / row.spread) + row.spread - 1);
          // A node without sources is a loaded element, or the copy of an element that has no other node.
          if (node.sources.empty())
            elements.insert(row.place == TreeRow::Place::loaded ? row.index_of(node.element)
                                                                : row.index_of(node.element) * row.spread);
        }
        EXPECT_EQ(elements.size(), static_cast<std::size_t>(k) + 1);
        EXPECT_EQ(*elements.rbegin(), k);
      }
    }
}

TEST_F(Shaders, CountBlocksOutOfFocus) {
  const Settings s = settings(3000, "3", Scalar::int32);
  const std::vector<Value> input = random_data(s, 4);
  const Trace whole = machine_->record(s, input, all_blocks),
              part = machine_->record(s, input, {.first_block = 2, .blocks = 1});
  EXPECT_EQ(whole.counts, part.counts);
  EXPECT_EQ(whole.operating, part.operating);
  EXPECT_EQ(whole.output, part.output);
  EXPECT_FALSE(part.events.empty());
  for (const Event& e : part.events) EXPECT_EQ(e.block, 2u);
}

// This pass has more texels than the machine draws at once (2^16), so the machine draws the pass in parts.
// The block size does not divide 2^16, so some blocks are in two parts.
TEST_F(Shaders, RecordLongPassesInParts) {
  Settings s = settings(150'001, "2", Scalar::int32);
  s.block = 352;
  const std::vector<Value> input = random_data(s, 9);
  const Trace t = machine_->record(s, input, {.first_block = 200, .blocks = 2});
  EXPECT_EQ(in_words(check(s, input, t.output)), "");
  EXPECT_EQ(in_words(contradiction(t)), "");
  const Grid& last = t.grids.back();
  EXPECT_EQ(last.blocks, (150'001 + 351) / 352);
  std::int64_t written = 0;
  for (const Count& c : t.counts)
    if (c.kind == Kind::global_store && c.step == last.first_step)
      written += static_cast<std::int64_t>(c.lanes);
  EXPECT_EQ(written, 150'001);
}

// GPU Gems 3 prints the algorithm without the addition in the down-sweep. Without this addition, the sums are
// wrong.
TEST_F(Shaders, TheAdditionInTheDownSweepIsNeeded) {
  std::string text = algorithm(hybrid).text;
  const std::string right = "sum = op(fetch(scanned, k / 2 - 1), sum)";
  ASSERT_NE(text.find(right), text.npos);
  text.replace(text.find(right), right.size(), "sum = fetch(scanned, k / 2 - 1)");
  const Algorithm printed = parse_kernel(hybrid, "shaders/printed.frag", text);
  const Settings s = settings(64, "4", Scalar::int32);
  const std::vector<Value> input = random_data(s, 2);
  EXPECT_TRUE(check(s, input, machine_->record(printed, s, input).output));
  EXPECT_FALSE(check(s, input, machine_->record(algorithm(hybrid), s, input).output));
}

TEST_F(Shaders, TimeOneRun) {
  const Settings s = settings(1 << 16);
  machine_->begin_timing(s);
  for (const bool cold : {false, true}) {
    const auto begin = std::chrono::steady_clock::now();
    const double seconds = machine_->time(cold);
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
    EXPECT_GT(seconds, 0);
    EXPECT_LT(seconds, whole.count() + 0.001);
  }
  machine_->end_timing();
}

TEST_F(Shaders, StopWhenTheJobIsCancelled) {
  const Settings s = settings(5000);
  Job job;
  job.cancel();
  EXPECT_THROW(machine_->record(s, random_data(s, 1), {.job = &job}), Cancelled);
  EXPECT_THROW(machine_->run(s, random_data(s, 1), &job), Cancelled);
  EXPECT_NO_THROW(machine_->run(s, random_data(s, 1)));
}

TEST_F(Shaders, RefuseWhatOpenGlCannotRun) {
  Settings s{.algorithm = "scan_blelloch"};
  EXPECT_THROW(machine_->record(s, random_data(s, 1)), RequestError);
  s = settings(INT32_MAX);  // more than 32,768 x 32,768 texels
  EXPECT_THROW(machine_->begin_timing(s), RequestError);
}

TEST(Languages, EachMachineRunsItsOwn) {
  const Settings s = settings(64);
  Emulator emulator;
  EXPECT_THROW(emulator.record(s, random_data(s, 1)), RequestError);
  EXPECT_EQ(machine_for(algorithm(hybrid), MachineChoice::automatic), MachineChoice::opengl);
  EXPECT_EQ(machine_for(algorithm("scan_blelloch"), MachineChoice::automatic), MachineChoice::automatic);
  for (const Algorithm& a : algorithms())
    EXPECT_EQ(a.language == Language::glsl, a.file.starts_with("shaders/")) << a.file;
}

TEST(Languages, ATexelHoldsThirtyTwoBits) {
  for (const Scalar type : {Scalar::int64, Scalar::float16, Scalar::float64})
    EXPECT_THROW(settings(64, "4", type), RequestError);
  EXPECT_THROW(settings(64, "4", Scalar::float32, Operator::affine), RequestError);
}

TEST(Languages, PassesAreReadFromTheText) {
  const Algorithm& a = algorithm(hybrid);
  const std::vector<KernelSignature> passes = kernels_of(a.file, a.text);
  ASSERT_EQ(passes.size(), 3u);
  EXPECT_EQ(passes[1].name, "scan");
  EXPECT_EQ(passes[1].names, (std::vector<std::string>{"from", "to", "stride"}));
  EXPECT_NE(pass_end(passes[2]).find("down_sweep(0, 1, 0);"), std::string::npos);
  // A pass must not read its own target, because OpenGL does not define the values that such a pass reads.
  PlannedLaunch launch;
  launch.arguments = {{3, 0}, {3, 0}, {-1, 1}};
  EXPECT_THROW(pass_arguments(passes[1], launch), WorkError);
}

}  // namespace shader_machine_test
}  // namespace upsweep
