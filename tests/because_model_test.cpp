// Upsweep explains the cost of each request. Compares these explanations with a model. The model knows the
// kernels' accesses, the layouts and the banks, but uses no recorded address. With UPSWEEP_LONG=1, the test
// compares 2,000 random runs instead of a few.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "analysis/because.hpp"
#include "analysis/shared_request.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "support/long_tests.hpp"
#include "words/because_words.hpp"

namespace upsweep {
namespace because_model_test {

// --- the model of the kernels

// An access to shared memory in the kernel's text. element(t) returns the index of the element that thread t
// accesses, or nullopt if thread t makes no access. Index 0 is the first element of the kernel's array.
struct Access {
  bool loads;
  std::function<std::optional<int>(int t)> element;
};
// The accesses of one step, in the order of their lines in the kernel's text.
using Accesses = std::vector<Access>;
struct ModelStep {
  Phase phase;
  int stride;
  Accesses accesses;
};

std::optional<int> when(bool condition, int element) {
  return condition ? std::optional(element) : std::nullopt;
}

int width_of(int n) {
  int width = 2;
  while (width < n) width *= 2;
  return width;
}

// Returns two accesses of each thread t: to the elements t and t + half, or to the elements 2t and 2t + 1 if
// `neighbours` is true.
Accesses both(bool loads, int half, bool neighbours = false, int n = 1 << 30) {
  return {
      {loads, [=](int t) { return when(t < half && (neighbours ? 2 * t : t) < n, neighbours ? 2 * t : t); }},
      {loads, [=](int t) {
         const int b = neighbours ? 2 * t + 1 : t + half;
         return when(t < half && b < n, b);
       }}};
}

// Adds the up-sweep and the down-sweep of Blelloch's scan over `width` leaves.
void sweeps(std::vector<ModelStep>& steps, int width) {
  for (int stride = 1, d = width / 2; d > 0; d /= 2, stride *= 2) {
    const auto a = [=](int t) { return when(t < d, stride * (2 * t + 1) - 1); };
    const auto b = [=](int t) { return when(t < d, stride * (2 * t + 2) - 1); };
    steps.push_back({Phase::up_sweep, stride, {{true, a}, {true, b}, {false, b}}});
  }
  steps.push_back({Phase::clear, 0, {{false, [=](int t) { return when(t == 0, width - 1); }}}});
  for (int stride = width / 2, d = 1; d < width; d *= 2, stride /= 2) {
    const auto a = [=](int t) { return when(t < d, stride * (2 * t + 1) - 1); };
    const auto b = [=](int t) { return when(t < d, stride * (2 * t + 2) - 1); };
    steps.push_back({Phase::down_sweep, stride, {{true, a}, {true, b}, {false, a}, {true, b}, {false, b}}});
  }
}

std::vector<ModelStep> model_of(const Settings& s) {
  const int n = s.n, width = width_of(n), half = width / 2;
  const bool neighbours = s.choice("load_pattern") == "neighbours";
  std::vector<ModelStep> steps;
  if (s.algorithm == "scan_blelloch") {
    steps.push_back({Phase::load, 0, both(false, half, neighbours)});
    sweeps(steps, width);
    steps.push_back({Phase::store, 0, both(true, half, neighbours, n)});
  } else if (s.algorithm == "scan_vector4") {
    const int fours = width_of((n + 3) / 4);
    steps.push_back({Phase::load, 0, {}});
    steps.push_back({Phase::fold, 0, both(false, fours / 2)});
    sweeps(steps, fours);
    steps.push_back({Phase::offset, 0, both(true, fours / 2)});
  } else if (s.algorithm == "scan_hillis_steele") {
    steps.push_back({Phase::load, 0, {{false, [=](int t) { return when(t < n, t); }}}});
    for (int stride = 1; stride < n; stride *= 2) {
      const auto own = [=](int t) { return when(t >= stride && t < n, t); };
      steps.push_back(
          {Phase::scan, stride, {{true, [=](int t) { return when(t >= stride && t < n, t - stride); }}}});
      steps.push_back({Phase::scan, stride, {{true, own}, {false, own}}});
    }
    steps.push_back({Phase::store, 0, {{true, [=](int t) { return when(t < n, t); }}}});
  } else if (s.algorithm == "scan_double_buffer") {
    int from = 0, to = n;
    const auto at = [=](int begin, int back, int least) {
      return [=](int t) { return when(t < n && t >= least, begin + t - back); };
    };
    steps.push_back({Phase::load, 0, {{false, at(from, 0, 0)}}});
    for (int stride = 1; stride < n; stride *= 2) {
      steps.push_back({Phase::scan,
                       stride,
                       {{true, at(from, 0, 0)}, {true, at(from, stride, stride)}, {false, at(to, 0, 0)}}});
      std::swap(from, to);
    }
    steps.push_back({Phase::store, 0, {{true, at(from, 0, 0)}}});
  } else if (s.algorithm == "scan_brent_kung") {
    steps.push_back({Phase::load, 0, both(false, half)});
    for (int stride = 1; stride < width; stride *= 2) {
      const auto at = [=](int back) {
        return [=](int t) {
          const int i = (t + 1) * stride * 2 - 1;
          return when(i < width, i - back);
        };
      };
      steps.push_back({Phase::reduce, stride, {{true, at(stride)}, {true, at(0)}, {false, at(0)}}});
    }
    for (int stride = half / 2; stride > 0; stride /= 2) {
      const auto at = [=](int on) {
        return [=](int t) {
          const int i = (t + 1) * stride * 2 - 1;
          return when(i + stride < width, i + on);
        };
      };
      steps.push_back({Phase::reverse, stride, {{true, at(0)}, {true, at(stride)}, {false, at(stride)}}});
    }
    steps.push_back({Phase::store, 0, both(true, half, false, n)});
  } else if (s.algorithm == "scan_sklansky") {
    steps.push_back({Phase::load, 0, both(false, half)});
    for (int stride = 1; stride < width; stride *= 2) {
      const auto at = [=](bool own) {
        return [=](int t) {
          const int middle = t / stride * stride * 2 + stride;
          return when(t < half, own ? middle + t % stride : middle - 1);
        };
      };
      steps.push_back({Phase::scan, stride, {{true, at(false)}, {true, at(true)}, {false, at(true)}}});
    }
    steps.push_back({Phase::store, 0, both(true, half, false, n)});
  } else if (s.algorithm == "reduce_sequential") {
    steps.push_back({Phase::load, 0, both(false, half)});
    for (int stride = half; stride > 0; stride /= 2) {
      const auto at = [=](int on) { return [=](int t) { return when(t < stride, t + on); }; };
      steps.push_back({Phase::reduce, stride, {{true, at(0)}, {true, at(stride)}, {false, at(0)}}});
    }
  } else {  // the kernel is reduce_interleaved or reduce_strided
    const bool strided = s.algorithm == "reduce_strided";
    steps.push_back({Phase::load, 0, both(false, half)});
    for (int stride = 1; stride < width; stride *= 2) {
      const auto at = [=](int on) {
        return [=](int t) {
          const int i = strided ? 2 * stride * t : 2 * t;
          const bool works = strided ? i < width : t < half && 2 * t % (2 * stride) == 0;
          return when(works, i + on);
        };
      };
      steps.push_back({Phase::reduce, stride, {{true, at(0)}, {true, at(stride)}, {false, at(0)}}});
    }
  }
  return steps;
}

// --- the model of the layouts

struct Layout {
  const char* text;
  std::function<int(int)> cell;
};
const std::vector<Layout> layouts = {
    {"none", [](int i) { return i; }},
    {"pad32", [](int i) { return i + i / 32; }},
    {"pad16", [](int i) { return i + i / 16; }},
    {"pad32x2", [](int i) { return i + i / 32 + i / 1024; }},
    {"2 * i", [](int i) { return 2 * i; }},
    {"i + (i >> 3)", [](int i) { return i + i / 8; }},
    {"i + i / 7", [](int i) { return i + i / 7; }},
    {"i ^ (i >> 5 & 31)", [](int i) { return i ^ (i / 32 % 32); }},
    {"3 * i + 5", [](int i) { return 3 * i + 5; }},
};

// --- the model of the banks

struct Model {
  std::array<std::optional<int>, 32> element{}, word{};
  std::optional<int> stride;
  std::set<int> banks;
  int wavefronts = 0;
};

// For each group of lanes, counts the distinct words in each bank, and finds the largest of these counts. The
// number of wavefronts is the sum of the largest counts of all groups.
void count_wavefronts(Model& m, bool loads, int bytes) {
  int lanes = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  for (const int apart : {1, 2}) {
    bool agree = loads && bytes > 4;
    for (int lane = 0; lane < 32; ++lane) {
      const auto &a = m.word[static_cast<std::size_t>(lane)],
                 &b = m.word[static_cast<std::size_t>(lane ^ apart)];
      agree = agree && (!a || !b || *a == *b);
    }
    if (agree) {
      lanes *= 2;
      break;
    }
  }
  for (int first = 0; first < 32; first += lanes) {
    std::map<int, std::set<int>> words;
    std::size_t most = 0;
    for (int lane = first; lane < first + lanes; ++lane)
      if (const auto& word = m.word[static_cast<std::size_t>(lane)])
        for (int k = 0; k < std::max(1, bytes / 4); ++k) {
          words[(*word + k) % 32].insert(*word + k);
          m.banks.insert((*word + k) % 32);
          most = std::max(most, words[(*word + k) % 32].size());
        }
    m.wavefronts += static_cast<int>(most);
  }
}

Model model_of_request(const Access& access, int warp, int threads, const std::function<int(int)>& cell,
                       int bytes) {
  Model m;
  std::optional<int> last;
  std::set<int> distances;
  for (int lane = 0; lane < 32 && 32 * warp + lane < threads; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    m.element[i] = access.element(32 * warp + lane);
    if (!m.element[i]) continue;
    m.word[i] = cell(*m.element[i]) * bytes / 4;
    if (last) distances.insert(*m.word[i] - *last);
    last = m.word[i];
  }
  if (distances.size() == 1) m.stride = *distances.begin();
  count_wavefronts(m, access.loads, bytes);
  return m;
}

// --- the comparison

// Finds `pattern`, a regular expression, in the text. Returns the numbers of its groups in parentheses, or an
// empty list if the text does not contain the pattern. The numbers in the text may have thousands separators.
std::vector<int> numbers_after(const std::string& text, const std::string& pattern) {
  std::smatch match;
  std::vector<int> all;
  if (std::regex_search(text, match, std::regex(pattern)))
    for (std::size_t i = 1; i < match.size(); ++i) {
      std::string digits = match[i];
      std::erase(digits, ',');
      all.push_back(std::atoi(digits.c_str()));
    }
  return all;
}

void expect_numbers(const std::string& reason, const Model& m, int active) {
  const auto waves = numbers_after(reason, "([0-9,]+) wavefront");
  ASSERT_EQ(waves, std::vector{m.wavefronts}) << reason;
  if (const auto apart = numbers_after(reason, "words(?: that)? are ([0-9,]+) apart"); !apart.empty()) {
    ASSERT_TRUE(m.stride) << reason;
    EXPECT_EQ(apart[0], std::abs(*m.stride)) << reason;
  }
  const auto banks = numbers_after(reason,
                                   "and ([0-9]+) banks is ([0-9]+), so the ([0-9]+) words are in only "
                                   "32 / ([0-9]+) = ([0-9]+) bank");
  if (!banks.empty()) {
    const int divisor = std::gcd(*m.stride, 32);
    EXPECT_EQ(banks, (std::vector{32, divisor, active, divisor, static_cast<int>(m.banks.size())})) << reason;
  }
  if (const auto used = numbers_after(reason, "different words? in ([0-9]+) bank"); !used.empty())
    EXPECT_EQ(used[0], static_cast<int>(m.banks.size())) << reason;
  if (const auto fullest = numbers_after(reason, "Bank ([0-9]+) holds ([0-9]+) of them"); !fullest.empty()) {
    EXPECT_EQ(fullest[1], m.wavefronts) << reason;
    EXPECT_TRUE(m.banks.contains(fullest[0])) << reason;
  }
}

void expect_request(const Recording& r, int event, const Model& m) {
  const Because b = because(r, event);
  int active = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const LaneAccess& a = b.lanes[lane];
    ASSERT_EQ(a.active, m.element[lane].has_value()) << "lane " << lane;
    if (!a.active) continue;
    ++active;
    ASSERT_EQ(a.word, *m.word[lane]) << "lane " << lane;
    EXPECT_EQ(a.bank, *m.word[lane] % 32);
    const SharedShape& shape = r.trace.grids[0].shared;
    ASSERT_TRUE(a.element);
    EXPECT_EQ(*a.element, *m.element[lane] % shape.elements) << "lane " << lane;
  }
  EXPECT_EQ(b.stride_words.has_value(), m.stride.has_value());
  if (b.stride_words && m.stride) EXPECT_EQ(*b.stride_words, *m.stride);
  EXPECT_EQ(b.banks, static_cast<int>(m.banks.size()));
  EXPECT_EQ(b.wavefronts, m.wavefronts);
  expect_numbers(reason_text(b), m, active);
}

struct Totals {
  int runs = 0, requests = 0, conflicts = 0, wide = 0;
};

// Compares all requests to shared memory of one run with the model.
void compare(const Settings& s, const Layout& layout, Totals& totals) {
  SCOPED_TRACE(fmt::format("{} n = {}, block {}, layout {}", s.algorithm, s.n, s.block, layout.text));
  const Recording r = make_recording(Emulator().record(s, random_data(s, 7), {}));
  const int bytes = r.trace.element_bytes(), threads = r.trace.grids[0].threads;
  ++totals.runs;
  const std::vector<ModelStep> model = model_of(s);
  for (std::size_t step = 0; step < r.trace.steps.size(); ++step) {
    const std::vector<int> events = shared_requests(r.trace, 0, static_cast<int>(step));
    if (step >= model.size()) {  // the last step of some algorithms only stores a result
      EXPECT_LE(events.size(), 1u);
      continue;
    }
    ASSERT_TRUE(r.trace.steps[step].phase == model[step].phase &&
                r.trace.steps[step].stride == model[step].stride);
    std::size_t next = 0;
    for (int warp = 0; 32 * warp < threads; ++warp)
      for (const Access& access : model[step].accesses) {
        const Model m = model_of_request(access, warp, threads, layout.cell, bytes);
        if (m.wavefronts == 0) continue;  // no lane of the warp is active
        SCOPED_TRACE(fmt::format("step {}, request {}", step + 1, next + 1));
        ASSERT_LT(next, events.size());
        expect_request(r, events[next++], m);
        if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) return;
        ++totals.requests;
        totals.conflicts += m.wavefronts > std::max(1, bytes / 4);
        totals.wide += bytes > 4;
      }
    EXPECT_EQ(next, events.size()) << "step " << step + 1;
  }
}

TEST(BecauseModel, AgreesForRandomSettings) {
  constexpr const char* algorithms[] = {"scan_blelloch",      "scan_vector4",       "scan_hillis_steele",
                                        "scan_double_buffer", "scan_brent_kung",    "scan_sklansky",
                                        "reduce_sequential",  "reduce_interleaved", "reduce_strided"};
  constexpr std::pair<Scalar, Operator> types[] = {
      {Scalar::float32, Operator::sum},    {Scalar::int32, Operator::max},
      {Scalar::float16, Operator::sum},    {Scalar::float64, Operator::sum},
      {Scalar::float32, Operator::affine}, {Scalar::float64, Operator::affine},
      {Scalar::int64, Operator::min}};
  std::mt19937_64 random(11);
  const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const int wanted = tries_everything() ? 2000 : 30;
  Totals totals;
  for (int tries = 0; totals.runs < wanted && tries < 20 * wanted; ++tries) {
    Settings s{.algorithm = algorithms[any(std::size(algorithms))]};
    const Algorithm& a = algorithm(s.algorithm);
    std::tie(s.type, s.op) = types[any(std::size(types))];
    if (!a.allows(s.type) || !a.allows(s.op)) continue;
    fit_kind(a, s);
    s.n = 1 + static_cast<int>(any(any(2) == 0 ? 70 : 1024));
    const Choice* padding = a.choice("layout");
    const Layout& layout = padding ? layouts[any(layouts.size())] : layouts[0];
    if (padding) s.choose("layout", layout.text);
    if (a.choice("load_pattern") && any(2) == 0) s.choose("load_pattern", "neighbours");
    try {
      s.block = smallest_block(a, s);
      if (any(3) == 0) s.block = std::min(1024, 2 * s.block);
      validate(s);
    } catch (const RequestError&) { continue; }
    compare(s, layout, totals);
    if (HasFailure()) return;
  }
  EXPECT_GE(totals.runs, wanted);
  EXPECT_GT(totals.conflicts, 20 * totals.runs / 10);
  EXPECT_GT(totals.wide, totals.runs);
  std::printf("%d runs, %d requests, %d with conflicts, %d with more than 4 bytes\n", totals.runs,
              totals.requests, totals.conflicts, totals.wide);
}

}  // namespace because_model_test
}  // namespace upsweep
