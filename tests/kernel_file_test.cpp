// Tests opening comments and what the catalogue computes from them: launches, memory, limits and constants.
// Uses made-up kernels and every kernel file.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "support/sentence.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace kernel_file_test {

namespace fs = std::filesystem;
const fs::path root = UPSWEEP_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns a kernel file. `fields` replaces default fields; a field with an empty text is left out.
std::string kernel_file(std::map<std::string, std::string> fields, const std::string& code = "") {
  const std::map<std::string, std::string> usual = {
      {"Idea", "x"},        {"Gives", "reduction"}, {"Elements", "2 per thread"},
      {"Variants", "none"}, {"Steps", "1"},         {"Operations", "n"},
      {"Watch", "x"},       {"Source", "x"}};
  fields.insert(usual.begin(), usual.end());
  std::string text = "// Title\n";
  for (const auto& [field, value] : fields)
    if (!value.empty()) text += "// " + field + "  " + value + "\n";
  return text +
         (code.empty()
              ? "template <class T>\n__global__ void test(Global<const T> in, Global<T> out, int n) {\n"
                "  Shared<T> temp;\n  __syncthreads();\n}\n"
              : code);
}

Algorithm parsed(std::map<std::string, std::string> fields, const std::string& code = "") {
  return parse_kernel("test", "kernels/test.cuh", kernel_file(std::move(fields), code));
}

std::string refusal(std::map<std::string, std::string> fields, const std::string& code = "") {
  return sentence<WorkError>([&] { parsed(fields, code); });
}

const std::string large = R"(
template <class T>
__global__ void scan_tiles(Global<const T> in, Global<T> out, Global<T> sums, int n) {
  Shared<T> temp;
}
template <class T>
__global__ void add_offsets(Global<T> out, Global<const T> offsets, int n) {
}
)";
const std::map<std::string, std::string> large_fields = {
    {"Gives", "exclusive scan"},
    {"Blocks", "any"},
    {"Names", "tile = 2 * block, tiles = ceil_div(n, tile)"},
    {"Buffers", "sums: tiles, offsets: tiles, status: tiles + 1 words"},
    {"Shared", "scan_tiles(temp: tile, last: 3, flag: 2 words); add_offsets(none)"},
    {"Launches",
     "scan_tiles<<<tiles, block>>>(in, out, sums, n); test(sums, offsets, tiles) if tiles > 1; "
     "add_offsets<<<tiles - 1, block / 2>>>(out, offsets, n) if tiles > 1"}};

TEST(KernelFile, SaysWhatIsLaunchedToAnyDepth) {
  const Algorithm a = parsed(large_fields, large);
  Settings s{.n = 1000, .block = 32};
  const Plan p = plan(a, s);  // 1,000 elements fill 16 tiles; the 16 sums fill 1 tile
  std::vector<std::string> names;
  for (const GlobalBuffer& b : p.buffers) names.push_back(b.name);
  EXPECT_EQ(names, (std::vector<std::string>{"in", "out", "sums", "offsets", "status", "sums.1", "offsets.1",
                                             "status.1"}));
  EXPECT_EQ(p.buffers[2], (GlobalBuffer{"sums", Cells::elements, 16}));
  EXPECT_EQ(p.buffers[4], (GlobalBuffer{"status", Cells::words, 17}));
  EXPECT_EQ(p.buffers[5], (GlobalBuffer{"sums.1", Cells::elements, 1}));
  ASSERT_EQ(p.launches.size(), 3u);
  EXPECT_EQ(p.launches[0].arguments, (std::vector<Argument>{{0, 0}, {1, 0}, {2, 0}, {-1, 1000}}));
  EXPECT_EQ(p.launches[1].arguments, (std::vector<Argument>{{2, 0}, {3, 0}, {5, 0}, {-1, 16}}));
  EXPECT_EQ(p.launches[2].arguments, (std::vector<Argument>{{1, 0}, {3, 0}, {-1, 1000}}));
  EXPECT_EQ(p.launches[2].kernel, "add_offsets");
  EXPECT_EQ(p.launches[2].blocks, 15);
  EXPECT_EQ(p.launches[2].threads, 16);
  EXPECT_EQ(p.launches[2].shared.bytes, 0u);
  const SharedShape& shared = p.launches[0].shared;
  EXPECT_EQ(shared.elements, 64);
  ASSERT_EQ(shared.more.size(), 2u);
  EXPECT_EQ(shared.more[0], (SharedRegion{"last", Cells::elements, 256, 3}));
  EXPECT_EQ(shared.more[1], (SharedRegion{"flag", Cells::words, 268, 2}));
  EXPECT_EQ(shared.bytes, 276u);

  s.n = 2147483647;  // six levels: 33,554,432 tiles; 524,288; 8,192; 128; 2; 1
  EXPECT_EQ(plan(a, s).launches.size(), 6u + 5u);
  EXPECT_EQ(plan(a, s).buffers.size(), 2u + 6 * 3);
  s.n = 1;
  EXPECT_EQ(plan(a, s).launches.size(), 1u);
}

TEST(KernelFile, HasDefaults) {
  const Algorithm a = parsed({});
  const Plan p = plan(a, {.n = 100, .block = 64});
  ASSERT_EQ(p.launches.size(), 1u);
  EXPECT_EQ(p.launches[0].kernel, "test");
  EXPECT_EQ(p.launches[0].blocks, 1);
  EXPECT_EQ(p.launches[0].threads, 64);
  EXPECT_EQ(p.launches[0].arguments, (std::vector<Argument>{{0, 0}, {1, 0}, {-1, 100}}));
  EXPECT_EQ(p.launches[0].shared.elements, 128);
  EXPECT_EQ(p.buffers[1].count, 1);
  EXPECT_EQ(plan(parsed({{"Elements", "1 per thread"}}), {.n = 30, .block = 32}).launches[0].shared.elements,
            30);
}

// The field `Gives` of a kernel file can name any result of results(). It also sets the algorithm's family.
TEST(KernelFile, FindsItsResultsInTheTable) {
  for (const Result& r : results()) {
    if (r.family.empty()) continue;
    const Algorithm a = parsed({{"Gives", std::string(r.name)}});
    EXPECT_EQ(result_of(a, {}), r);
    EXPECT_EQ(output_size(a, {.n = 40}), r == Result::reduction ? 1 : 40) << r.name;
    EXPECT_EQ(a.family, r.family);
    EXPECT_EQ(parsed({{"Gives", std::string(r.name)}, {"Family", "scan"}}).family, "scan");
    EXPECT_TRUE(parsed({{"Gives", std::string(r.name)}, {"Broken", "wrong result"}}).is_broken());
  }
}

TEST(KernelFile, RefusesWhatCannotBeMeant) {
  const std::pair<std::map<std::string, std::string>, const char*> cases[] = {
      {{{"Gives", "something"}}, "Gives"},
      {{{"Gives", "inclusive or something scan"}}, "Gives"},
      {{{"Gives", "or"}}, "Gives"},
      {{{"Family", "transform"}}, "one of: reduction, scan, application, bug"},
      {{{"Steps", ""}}, "lacks the field \"Steps\""},
      {{{"Steps", "log3(n)"}}, "Steps"},
      {{{"Span", "log3(n)"}}, "Span"},
      {{{"Color", "red"}}, "unknown field \"Color\""},
      {{{"Elements", "many"}}, "Elements"},
      {{{"Blocks", "two"}}, "Blocks"},
      {{{"Threads", "few"}}, "Threads"},
      {{{"Threads", "at least many"}}, "whole number"},
      {{{"Needs", "luck"}}, "Needs"},
      {{{"Largest", "big"}}, "whole number"},
      {{{"Names", "tiles"}}, "Names"},
      {{{"Names", "n = 3"}}, "not yet taken"},
      {{{"Names", "a = b, b = 1"}}, "expected a number"},
      {{{"Buffers", "sums"}}, "Buffers"},
      {{{"Buffers", "in: n"}}, "not yet taken"},
      {{{"Shared", "temp"}}, "Shared"},
      {{{"Shared", "flag: 1 words, temp: n"}}, "elements, then numbers"},
      {{{"Shared", "temp: n, other: 2 buffers of n"}}, "double buffer"},
      {{{"Shared", "test(temp: n); more: n"}}, "one list for all"},
      {{{"Launches", "other<<<1, block>>>(in, out, n)"}}, "no kernel named other"},
      {{{"Launches", "test<<<1>>>(in, out, n)"}}, "kernel<<<blocks, threads>>>"},
      {{{"Launches", "test<<<1, block>>>(in, out)"}}, "3 arguments"},
      {{{"Launches", "test<<<1, block>>>(in, sums, n)"}}, "memory for sums"},
      {{{"Variants", "way a|b"}, {"Broken", "wrong result at \"out[0]\" with c"}}, "option of a choice"},
      {{{"Variants", "way a|b"}, {"Broken", "wrong result at \"out[0]\" with a"}}, "not the first"},
      {{{"Launches", "test<<<1, block>>>(in, out, n) when n"}}, "if condition"},
      {{{"Launches", "test(in, out, n)"}}, "recursion that ends"},
      {{{"Buffers", "w: 1 words"}, {"Launches", "test<<<1, block>>>(in, w, n)"}}, "holds elements"},
      {{{"Variants", "fold"}}, "Variants"},
      {{{"Variants", "predicat"}},
       "none, layout, load pattern, predicate, capacity, or a name and its choices"},
      {{{"Variants", "fold 2"}}, "Variants"},
      {{{"Variants", "fold 2|four"}}, "Variants"},
      {{{"Variants", "fold 2|4, fold 2|8"}}, "Variants"},
      {{{"Variants", "way a(int32)|b"}}, "first choice is always allowed"},
      {{{"Variants", "way a|b(int33)"}}, "types and operators in the parentheses"},
      {{{"Broken", "race at \"Shared\""}}, "Broken"},
      {{{"Broken", "shared race"}}, "part of a line"},
      {{{"Broken", "shared race at \"nowhere\""}}, "is on 0 lines"},
      {{{"Right", "a kernel"}}, "Right"},
      {{{"Right", "reduce_unrolled, fold"}}, "such as: reduce_unrolled, fold 8"},
      {{{"Right", "8"}}, "Right"},
  };
  for (const auto& [fields, about] : cases)
    EXPECT_NE(refusal(fields).find(about), std::string::npos) << about << "\n" << refusal(fields);
  EXPECT_NE(refusal({{"Blocks", "any"}}).find("lacks the field \"Shared\""), std::string::npos);
  EXPECT_NE(refusal({}, "__global__ void test(Global<float> in) {}").find("which Upsweep does not support"),
            std::string::npos);
  EXPECT_EQ(refusal({{"Blocks", "any"}, {"Shared", "none"}}), "");
}

TEST(KernelFile, NamesTheRightKernel) {
  EXPECT_FALSE(parsed({}).right);
  const Algorithm a =
      parsed({{"Broken", "wrong result"}, {"Right", "reduce_unrolled, fold 8, tail warp_barrier"}});
  ASSERT_TRUE(a.right);
  EXPECT_EQ(a.right->algorithm, "reduce_unrolled");
  EXPECT_EQ(a.right->choices, (std::map<std::string, std::string>{{"fold", "8"}, {"tail", "warp_barrier"}}));
  EXPECT_EQ(parsed({{"Right", "scan_blelloch"}}).right->choices.size(), 0u);
}

TEST(KernelFile, VariantsBecomeConstants) {
  const Algorithm a =
      parsed({{"Gives", "inclusive or exclusive scan"},
              {"Variants",
               "layouts, load patterns, fold 2|4|8(float32), tail warp_barrier|volatile_tail, "
               "within shuffle|redux(int32 uint32 sum)"},
              {"Operations", "exclusive ? n : n * fold + redux"}});
  EXPECT_TRUE(a.choice("layout") && a.choice("load_pattern"));
  Settings s{.algorithm = "test", .block = 96};
  EXPECT_EQ(constants(a, s), (std::vector<Constant>{{"neighbours", 0, true},
                                                    {"exclusive", 0, true},
                                                    {"block_size", 96, false},
                                                    {"element_size", 4, false},
                                                    {"fold", 2, false},
                                                    {"warp_barrier", 1, true},
                                                    {"volatile_tail", 0, true},
                                                    {"shuffle", 1, true},
                                                    {"redux", 0, true}}));
  EXPECT_EQ(result_of(a, s), Result::inclusive_scan);
  s.choices = {{"fold", "8"}, {"tail", "volatile_tail"}, {"gives", "exclusive"}};
  s.choose("load_pattern", "neighbours");
  const std::vector<Constant> all = constants(a, s);
  EXPECT_EQ(all[0].value, 1);
  EXPECT_EQ(all[1].value, 1);
  EXPECT_EQ(all[4].value, 8);
  EXPECT_EQ(all[5].value, 0);
  EXPECT_EQ(all[6].value, 1);
  EXPECT_EQ(result_of(a, s), Result::exclusive_scan);
  const Choice& within = *a.choice("within");
  EXPECT_TRUE(within.options[1].allows({.type = Scalar::uint32}));
  EXPECT_FALSE(within.options[1].allows({.type = Scalar::float32}));
  EXPECT_FALSE(within.options[1].allows({.type = Scalar::uint32, .op = Operator::min}));
}

TEST(KernelFile, MessagesAreToldByTheRun) {
  const std::string code = R"(
template <class T>
__global__ void test(Global<const T> in, Global<T> out, Global<volatile Message<T>> sums, int run, int n) {
}
)";
  const std::map<std::string, std::string> fields = {
      {"Shared", "none"},
      {"Blocks", "any"},
      {"Buffers", "sums: 3 messages"},
      {"Launches", "test<<<3, block>>>(in, out, sums, run, n)"},
      {"Variants", "rows 2|4|8"},
      {"Tuning", "rows 4, 64 threads to 2^18; rows 8, 128 threads"}};
  const Algorithm a = parsed(fields, code);
  const Plan p = plan(a, {.n = 100, .block = 64});
  EXPECT_EQ(p.buffers[2], (GlobalBuffer{"sums", Cells::messages, 3}));
  EXPECT_EQ(p.launches[0].arguments, (std::vector<Argument>{{0}, {1}, {2}, {-1, 1, true}, {-1, 100}}));
  EXPECT_TRUE(a.has_messages() && a.waits_for_blocks());
  EXPECT_EQ(cell_bytes(Cells::messages, 2), 8);
  EXPECT_EQ(cell_bytes(Cells::messages, 4), 8);
  EXPECT_EQ(cell_bytes(Cells::messages, 8), 16);
  Settings wide{.algorithm = "scan_lookback_vectorized", .type = Scalar::float64};
  validate(wide);
  wide.op = Operator::affine;
  EXPECT_THROW(validate(wide), RequestError);
  ASSERT_EQ(a.tunings.size(), 2u);
  EXPECT_EQ(a.tunings[0].most_n, 1 << 18);
  EXPECT_EQ(a.tunings[0].threads, 64);
  EXPECT_EQ(a.tunings[1].choices.at("rows"), "8");
  for (const char* wrong :
       {"rows 3, 64 threads", "rows 4", "columns 4, 64 threads", "rows 4, 64 threads to 2^x"}) {
    auto changed = fields;
    changed["Tuning"] = wrong;
    EXPECT_THROW(parsed(changed, code), WorkError) << wrong;
  }
  auto words = fields;
  words["Buffers"] = "sums: 3 words";
  EXPECT_THROW(parsed(words, code), WorkError);
}

TEST(KernelFile, PixelsAreElementsOrBytes) {
  const std::string code = R"(
template <class T>
__global__ void test(Global<const Pixel<T>> in, Global<T> out, int n) {
}
)";
  const std::map<std::string, std::string> fields = {
      {"Shared", "none"}, {"Inputs", "in: n pixels"}, {"Variants", "pixels elements|bytes(int32 uint32)"}};
  const Algorithm a = parsed(fields, code);
  Settings s{.n = 100, .type = Scalar::int32};
  EXPECT_EQ(plan(a, s).buffers[0], (GlobalBuffer{"in", Cells::elements, 100}));
  s.choose("pixels", "bytes");
  EXPECT_EQ(plan(a, s).buffers[0], (GlobalBuffer{"in", Cells::pixels, 100}));
  EXPECT_EQ(cell_bytes(Cells::pixels, element_bytes(s)), 1);
  const std::vector<std::pair<std::string, std::string>> wrong_fields = {
      {"Variants", "none"},          {"Variants", "pixels elements|words"}, {"Inputs", "in: n"},
      {"Buffers", "more: n pixels"}, {"Outputs", "out: n pixels"},          {"Shared", "temp: n pixels"}};
  for (const auto& [field, wrong] : wrong_fields) {
    auto changed = fields;
    changed[field] = wrong;
    EXPECT_THROW(parsed(changed, code), WorkError) << field << " " << wrong;
  }
}

TEST(KernelFile, BarriersCanBeTakenOut) {
  const std::string code =
      "__global__ void test(Global<const T> in, Global<T> out, int n) {\n"
      "  __syncthreads();  // here\n  // no __syncthreads();\n  if (n > 0) __syncwarp(n);\n}\n";
  const Algorithm a = parsed({{"Shared", "none"}}, code);
  const int first = static_cast<int>(std::count(a.text.begin(), a.text.end(), '\n')) - 3;
  EXPECT_EQ(barrier_lines(a), (std::vector{first, first + 2}));
  Settings s{.without_barrier = first + 2};
  const std::string text = text_to_compile(a, s);
  EXPECT_EQ(text.size(), a.text.size());
  EXPECT_NE(text.find("if (n > 0)              ;"), std::string::npos) << text;
  EXPECT_NE(text.find("  __syncthreads();  // here"), std::string::npos);
}

TEST(KernelFile, ABlockIsNoSmallerThanItsWork) {
  EXPECT_EQ(smallest_block(parsed({}), 1000), 512);
  EXPECT_EQ(smallest_block(parsed({{"Elements", "1 per thread"}}), 1000), 1024);
  EXPECT_EQ(smallest_block(parsed({{"Elements", "1 per thread"}}), 1025), 1056) << "too large for any block";
  EXPECT_EQ(smallest_block(parsed({{"Elements", "8 per thread"}, {"Shared", "none"}}), 1000), 128);
  EXPECT_EQ(
      smallest_block(parsed({{"Threads", "power of two, at least 64"}, {"Elements", "1 per thread"}}), 70),
      128);
  EXPECT_EQ(smallest_block(parsed({{"Threads", "at least 64"}}), 1), 64);
  EXPECT_EQ(smallest_block(parsed({{"Elements", "1 per thread"}, {"Shared", "temp: n + 64"}}), 100), 128)
      << "more memory than elements needs no more threads";
  const Algorithm many = parsed({{"Blocks", "any"}, {"Shared", "none"}});
  EXPECT_EQ(smallest_block(many, 100), 64);
  EXPECT_EQ(smallest_block(many, 1 << 30), 256);
  EXPECT_EQ(smallest_block(parsed({{"Elements", "any"}, {"Shared", "none"}}), 1 << 20), 256);
}

// Returns the algorithms of all kernel files, including files that are not yet in the registry.
std::vector<Algorithm> all_kernels() {
  std::vector<Algorithm> all;
  for (const auto& entry : fs::directory_iterator(root / "kernels"))
    if (entry.path().extension() == ".cuh") {
      const std::string name = entry.path().stem();
      all.push_back(parse_kernel(name, "kernels/" + name + ".cuh", content(entry.path())));
    }
  return all;
}

TEST(EveryKernel, IsPlannedForAnySizeItAllows) {
  std::mt19937 random(3);
  for (const Algorithm& a : all_kernels())
    for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 1000, 1023, 1024, 1025, 65537, 1048583, 2147483647}) {
      Settings s{.algorithm = a.name, .n = static_cast<int>(n), .type = Scalar::int32};
      fit_kind(a, s);
      if (!a.many_blocks && a.elements_per_thread && n > largest_in_block(a)) continue;
      if (a.largest && n > *a.largest) continue;
      for (const int block : {32, 64, 96, 256, 1024}) {
        s.block = std::max(block, smallest_block(a, s));
        if (s.block < a.least_threads ||
            (a.power_of_two_threads && !std::has_single_bit(static_cast<unsigned>(s.block))))
          continue;
        s.grid = 1 + static_cast<int>(random() % 64);
        for (const Choice& v : a.choices) s.choices[v.name] = v.options[random() % v.options.size()].name;
        Plan p;
        const std::string refused = sentence<RequestError>([&] { p = plan(a, s); });
        if (!refused.empty()) {
          EXPECT_NE(refused.find("KiB of shared memory"), std::string::npos)
              << a.name << " " << n << ": " << refused;
          continue;
        }
        ASSERT_FALSE(p.launches.empty()) << a.name << " " << n;
        // If the keys have no values, the buffers for values are empty.
        const int least = s.choice("keys") == "alone" ? 0 : 1;
        for (const GlobalBuffer& b : p.buffers)
          EXPECT_GE(b.count, b.name.ends_with("values") ? least : 1) << a.name << " " << n << " " << b.name;
        if (std::has_single_bit(static_cast<std::uint64_t>(n))) {
          ASSERT_TRUE(promise(a, s)) << a.name << " " << n;
          EXPECT_GE(promise(a, s)->operations, 0) << a.name << " " << n;
          EXPECT_GE(promise(a, s)->steps.value_or(0), 0) << a.name << " " << n;
        }
      }
    }
}

TEST(EveryKernel, NamesItsConstantsOnceForAllMachines) {
  const std::string list = content(root / "kernels/vocabulary/variants.inc");
  std::set<std::string> used;
  std::map<std::string, std::string> variant_of;  // the choice to which each option belongs
  for (const Algorithm& a : all_kernels()) {
    for (const Constant& c : constants(a, {})) {
      const std::string line =
          std::string("\nUPSWEEP_CONSTANT(") + (c.is_bool ? "bool" : "int") + ", " + c.name + ")\n";
      EXPECT_NE(list.find(line), std::string::npos)
          << a.file << ": kernels/vocabulary/variants.inc lacks" << line;
      used.insert(c.name);
    }
    for (const Choice& v : a.choices)
      for (const Option& c : v.options)
        if (!v.is_number()) {
          EXPECT_EQ(variant_of.emplace(c.name, v.name).first->second, v.name) << a.file << ": " << c.name;
        }
  }
  const auto lines = std::count(list.begin(), list.end(), '(') - 1;  // the list's comment has one '('
  EXPECT_EQ(lines, static_cast<std::ptrdiff_t>(used.size())) << "a constant that no kernel has";
}

}  // namespace kernel_file_test
}  // namespace upsweep
