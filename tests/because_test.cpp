// Tests the reasons for the costs of requests. For every request to shared memory of every algorithm,
// compares the reason with the recorded addresses. For some requests with a known reason, also checks the
// sentence.
#include "analysis/because.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/shared_request.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "words/because_words.hpp"

namespace upsweep {
namespace because_test {

Recording recorded(const std::string& name, int n, int block, Scalar type, const std::string& layout = "") {
  Settings s{.algorithm = name};
  fit_kind(algorithm(name), s);
  s.n = n;
  s.block = block;
  if (algorithm(name).allows(type)) s.type = type;
  if (!layout.empty()) s.choose("layout", layout);
  validate(s);
  return make_recording(Emulator().record(s, random_data(s, 1), {}));
}

// Returns the byte address of an element in the region of shared memory that a request accesses.
std::int64_t byte_of(const Trace& t, const Event& e, std::int64_t element, int buffer) {
  const SharedShape& shape = t.grids[e.grid].shared;
  if (e.buffer > 0) {
    const SharedRegion& region = shape.more[e.buffer - 1u];
    const std::int64_t cell =
        region.columns == 0 ? element : element / region.columns * region.pitch + element % region.columns;
    return region.first + cell * cell_bytes(region.cells, t.element_bytes());
  }
  return (std::int64_t{buffer} * shape.cells_per_buffer + shape.cell[static_cast<std::size_t>(element)]) *
         cell_bytes(shape.cells, t.element_bytes());
}

void expect_reason(const Recording& r, int event) {
  const Trace& t = r.trace;
  const Event& e = t.events[static_cast<std::size_t>(event)];
  const Because b = because(r, event);
  std::vector<std::int64_t> words, elements;
  std::set<std::int64_t> banks;
  for (int lane = 0; lane < 32; ++lane) {
    const LaneAccess& access = b.lanes[static_cast<std::size_t>(lane)];
    ASSERT_EQ(access.active, (e.mask >> lane & 1) == 1);
    if (!access.active) {
      EXPECT_FALSE(access.element);
      continue;
    }
    const std::int64_t address = t.lanes[entry_of(e, lane)].address;
    EXPECT_EQ(access.word, address / 4);
    EXPECT_EQ(access.bank, address / 4 % 32);
    ASSERT_TRUE(access.element) << t.settings.algorithm;
    const int buffers = e.buffer > 0 ? 1 : t.grids[e.grid].shared.buffers;
    bool found = false;
    for (int buffer = 0; buffer < buffers; ++buffer)
      found = found || byte_of(t, e, *access.element, buffer) == address;
    EXPECT_TRUE(found) << t.settings.algorithm;
    words.push_back(access.word);
    elements.push_back(*access.element);
    for (int byte = 0; byte < e.width; ++byte) banks.insert((address + byte) / 4 % 32);
  }
  EXPECT_EQ(b.active, static_cast<int>(words.size()));
  EXPECT_EQ(b.banks, static_cast<int>(banks.size()));
  std::set<std::int64_t> distances;
  for (std::size_t i = 1; i < words.size(); ++i) distances.insert(words[i] - words[i - 1]);
  EXPECT_EQ(b.stride_words.has_value(), distances.size() == 1);
  if (distances.size() == 1) EXPECT_EQ(*b.stride_words, *distances.begin());
  const std::string reason = reason_text(b);
  EXPECT_NE(reason.find(std::to_string(b.wavefronts) + " wavefront"), reason.npos) << reason;
  // If all lanes are in one group, the bank with the most words decides the cost. Otherwise, each group takes
  // at least one wavefront.
  if (b.groups == 1) EXPECT_EQ(b.most_words, b.wavefronts);
  EXPECT_GE(b.wavefronts, b.groups);
}

TEST(Because, AgreesWithTheAddressesOfEveryRequest) {
  std::mt19937_64 random(5);
  std::map<std::string, int> requests;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    for (const Scalar type : {Scalar::float32, Scalar::float16, Scalar::float64}) {
      const int n = std::min(a->largest.value_or(300), 40 + static_cast<int>(random() % 260));
      Settings s{.algorithm = a->name};
      fit_kind(*a, s);
      s.n = n;
      s.block = smallest_block(*a, s);
      const Recording r = recorded(a->name, n, s.block, type);
      for (std::size_t i = 0; i < r.trace.events.size(); ++i) {
        const Event& e = r.trace.events[i];
        if (e.kind != Kind::shared_load && e.kind != Kind::shared_store) continue;
        ++requests[a->name];
        expect_reason(r, static_cast<int>(i));
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(requests.size(), 20u);
}

// Returns the reason for the cost of the most expensive request in the up-sweep step with this stride.
std::string reason(const std::string& layout, int stride) {
  const Recording r = recorded("scan_blelloch", 1024, 512, Scalar::float32, layout);
  for (std::size_t step = 0; step < r.trace.steps.size(); ++step)
    if (r.trace.steps[step] == Step{Phase::up_sweep, stride})
      return reason_text(because(r, request_event(r, {.step = static_cast<int>(step)})));
  return "no such step";
}

TEST(Because, LeadsFromTheStrideToTheWavefronts) {
  EXPECT_EQ(reason("none", 16),
            "Neighbouring active lanes access words that are 32 apart. The distance 32 and the 32 banks have "
            "the greatest common divisor 32, so the 32 words are in only 32 / 32 = 1 bank. Bank 15 holds 32 "
            "of these words, and serves one word in each wavefront: 32 wavefronts.");
  EXPECT_EQ(reason("pad32", 16),
            "Neighbouring active lanes access elements that are 32 apart; with padding, their words are 33 "
            "apart. The lanes access 32 words, each in a different bank, so 1 wavefront serves all lanes.");
}

}  // namespace because_test
}  // namespace upsweep
