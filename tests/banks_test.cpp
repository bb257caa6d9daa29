// Compares the bank model with measured accesses and with a slow implementation of the same rule. Also tests
// the table that `upsweep banks` reads and prints.
#include "analysis/banks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "analysis/bank_csv.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace banks_test {

// Computes the cost of a request slowly: for each group of lanes, counts the different words in each bank.
BankCost slow_cost(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                   const BankModel& model = {}) {
  const auto agree = [&](int distance) {
    for (int l = 0; l < 32; ++l) {
      const int p = l ^ distance;
      if ((mask >> l & 1) && (mask >> p & 1) && addresses[l] != addresses[p]) return false;
    }
    return true;
  };
  int lanes = width <= 4 ? 32 : width == 8 ? 16 : 8;
  if (model == half_warp_banks) lanes /= 2;
  else if (load && width > 4 && (agree(1) || agree(2))) lanes *= 2;
  BankCost cost;
  for (int g = 0; g < 32; g += lanes) {
    std::map<int, std::set<std::uint32_t>> words;
    for (int l = g; l < g + lanes; ++l)
      if (mask >> l & 1)
        for (int b = 0; b < width; b += 4)
          words[static_cast<int>((addresses[l] + b) / 4) % model.banks].insert((addresses[l] + b) / 4);
    int degree = 0;
    for (const auto& [bank, set] : words) degree = std::max(degree, static_cast<int>(set.size()));
    cost.wavefronts += degree;
    cost.groups += degree > 0;
    cost.degree = std::max(cost.degree, degree);
  }
  return cost;
}

// Makes random requests with five patterns of addresses: a constant stride, a small range, equal addresses in
// pairs of lanes, arbitrary addresses, and neighbouring cells. In the last pattern, four neighbouring lanes
// access four neighbouring cells in a random order, and may access the same cell.
struct Random {
  std::mt19937 engine{7};
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine()); }
  int below(int n) { return static_cast<int>(engine() % n); }
  BankRequest request() {
    BankRequest r;
    r.load = below(2) == 0;
    r.width = 2 << below(4);
    const std::uint32_t masks[] = {~0u, bits(), bits() & bits(), 0x55555555u, 1u << below(32), 0};
    r.mask = masks[below(6)];
    const int pattern = below(5), stride = 1 + below(40), span = 1 + below(64), distance = 1 << below(5);
    for (int l = 0; l < 32; ++l) {
      int cell = l * stride;
      if (pattern == 1) cell = below(span);
      if (pattern == 2) cell = (l & ~distance) * stride;  // the two lanes of a pair have the same address
      if (pattern == 3) cell = below(1 << 20);
      if (pattern == 4) cell = l ^ below(4);
      r.addresses[l] = static_cast<std::uint32_t>(cell * r.width);
    }
    return r;
  }
};

TEST(Banks, AgreeWithEveryMeasuredAccess) {
  std::ifstream file(UPSWEEP_SOURCE_DIR "/tests/data/bank_wavefronts_h200.csv");
  const auto requests = read_bank_requests(file);
  ASSERT_EQ(requests.size(), 400u);
  std::ifstream again(UPSWEEP_SOURCE_DIR "/tests/data/bank_wavefronts_h200.csv");
  std::string line, measured;
  std::getline(again, line);
  ASSERT_EQ(line, "op,width_bytes,active_mask,wavefronts,conflicts,byte_addresses");
  while (std::getline(again, line)) {
    std::istringstream fields(line);
    std::string field[5];
    for (auto& f : field) std::getline(fields, f, ',');
    measured += field[3] + "," + field[4] + "\n";
  }
  EXPECT_EQ(bank_table(requests), measured);
}

TEST(Banks, RandomAccessesFollowTheRule) {
  Random random;
  for (int i = 0; i < 20000; ++i) {
    const auto r = random.request();
    const BankCost fast = bank_cost(r.load, r.width, r.mask, r.addresses);
    const BankCost slow = slow_cost(r.load, r.width, r.mask, r.addresses);
    ASSERT_EQ(fast.wavefronts, slow.wavefronts) << i;
    ASSERT_EQ(fast.groups, slow.groups) << i;
    ASSERT_EQ(fast.degree, slow.degree) << i;
  }
}

// GPUs of compute capability 1.x have 16 banks and serve half a warp at a time.
TEST(Banks, SixteenBanksServeHalfWarps) {
  Random random;
  int differ = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto r = random.request();
    const BankCost fast = bank_cost(r.load, r.width, r.mask, r.addresses, half_warp_banks);
    const BankCost slow = slow_cost(r.load, r.width, r.mask, r.addresses, half_warp_banks);
    ASSERT_EQ(fast.wavefronts, slow.wavefronts) << i;
    ASSERT_EQ(fast.groups, slow.groups) << i;
    ASSERT_EQ(fast.degree, slow.degree) << i;
    ASSERT_EQ(wavefronts(r.load, r.width, r.mask, r.addresses, half_warp_banks).size(),
              static_cast<std::size_t>(fast.wavefronts));
    if (r.width == 4) { EXPECT_LE(fast.degree, 16); }
    differ += fast.excess() != bank_cost(r.load, r.width, r.mask, r.addresses).excess();
  }
  EXPECT_GT(differ, 1000);
}

// Checks which layouts of scan_blelloch cause excess wavefronts, with 32 banks and with 16 banks.
TEST(Banks, EachPaddingSuitsItsBanks) {
  const auto excess = [](const char* layout, int n, const BankModel& model) {
    Settings s{.algorithm = "scan_blelloch", .n = n, .block = std::max(32, n / 2)};
    s.choose("layout", layout);
    const Trace trace = Emulator().record(s, seeded_data(s, 1));
    int sum = 0;
    for (const Event& e : trace.events)
      if (e.kind == Kind::shared_load || e.kind == Kind::shared_store)
        sum += bank_cost(trace, e, model).excess();
    return sum;
  };
  for (const int n : {64, 128, 256}) {
    EXPECT_EQ(excess("pad16", n, half_warp_banks), 0) << n;
    EXPECT_GT(excess("pad16", n, {}), 0) << n;
    EXPECT_EQ(excess("pad32", n, {}), 0) << n;
    EXPECT_EQ(excess("pad_macro", n, {}), excess("none", n, {})) << "it pads nothing";
    EXPECT_GT(excess("none", n, half_warp_banks), 0);
  }
  EXPECT_GT(excess("pad16", 512, half_warp_banks), 0) << "one pad per row is not enough for all strides";
  EXPECT_LT(excess("pad16", 512, half_warp_banks), excess("none", 512, half_warp_banks) / 10);
}

TEST(Banks, WavefrontsServeEveryWordOnceAndCountAsTheCost) {
  Random random;
  for (int i = 0; i < 5000; ++i) {
    const auto r = random.request();
    const auto waves = wavefronts(r.load, r.width, r.mask, r.addresses);
    ASSERT_EQ(static_cast<int>(waves.size()), bank_cost(r.load, r.width, r.mask, r.addresses).wavefronts);
    std::multiset<std::pair<int, std::uint32_t>> asked, served;  // pairs (lane, word)
    for (int l = 0; l < 32; ++l)
      if (r.mask >> l & 1)
        for (int b = 0; b < r.width; b += 4) asked.insert({l, (r.addresses[l] + b) / 4});
    for (const auto& wave : waves) {
      ASSERT_FALSE(wave.served.empty());
      int last = -1;
      for (const auto& s : wave.served) {
        ASSERT_GT(s.bank, last) << "one word per bank, by bank";
        last = s.bank;
        ASSERT_EQ(static_cast<int>(s.word % bank_count), s.bank);
        for (int l = 0; l < 32; ++l)
          if (s.lanes >> l & 1) served.insert({l, s.word});
      }
    }
    ASSERT_EQ(asked, served) << i;
  }
}

TEST(Banks, WordsOfABankAreServedByLowestLane) {
  Addresses a{};
  for (int l = 0; l < 4; ++l) a[l] = (3 - l) * 128;  // descending words of one bank
  const auto waves = wavefronts(true, 4, 0xf, a);
  ASSERT_EQ(waves.size(), 4u);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(waves[k].served.at(0).lanes, 1u << k);
}

TEST(Banks, RecordedRequestCountsOnlyItsActiveLanes) {
  Trace trace;
  trace.events = {
      {.kind = Kind::shared_load, .width = 4, .buffer = 0, .line = 1, .mask = 0x80000011u, .first = 1}};
  trace.lanes = {{}, {0}, {128}, {4}};
  const BankCost cost = bank_cost(trace, trace.events[0]);
  EXPECT_EQ(cost.wavefronts, 2);
  EXPECT_EQ(cost.excess(), 1);
  EXPECT_EQ(addresses_of(trace, trace.events[0])[31], 4u);
}

// --- the table that `upsweep banks` reads and prints ---

std::string zeros(int count = 32) {
  std::string text;
  for (int i = 0; i < count; ++i) text += i ? " 0" : "0";
  return text;
}
std::vector<BankRequest> read(const std::string& text) {
  std::istringstream in(text);
  return read_bank_requests(in);
}
std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const RequestError& e) { return in_words(e); }
  return "";
}
const std::string head = "op,width_bytes,active_mask,byte_addresses\n";

TEST(BankTable, ColumnsInAnyOrderAmongOthers) {
  const auto r = read(
      "\xEF\xBB\xBF"
      "byte_addresses,note,op,active_mask,width_bytes\r\n\"" +
      zeros(31) + " 0x20\",mine,store,7,16\r\n\r\n");
  ASSERT_EQ(r.size(), 1u);
  EXPECT_FALSE(r[0].load);
  EXPECT_EQ(r[0].width, 16);
  EXPECT_EQ(r[0].mask, 7u);
  EXPECT_EQ(r[0].addresses[31], 32u);
  EXPECT_EQ(bank_table(r), "1,0\n");
}

TEST(BankTable, InactiveLanesMayHoldAnyAddress) {
  EXPECT_EQ(read(head + "ld,8,0x7fffffff," + zeros(31) + " 3\n").size(), 1u);
}

TEST(BankTable, HeaderAloneGivesNothing) { EXPECT_EQ(bank_table(read(head)), ""); }

TEST(BankTable, MalformedRowsAreToldWithTheirLine) {
  const std::string good = "ld,4,0xff," + zeros() + "\n";
  const auto bad = [&](const std::string& row) { return complaint(head + good + row + "\n"); };
  EXPECT_EQ(complaint("").find("The table is empty"), 0u);
  EXPECT_EQ(complaint("\r\n\n").find("The table is empty"), 0u);
  EXPECT_EQ(complaint("op,width_bytes,byte_addresses\n").find("Line 1: there is no column active_mask"), 0u);
  EXPECT_EQ(bad("add,4,1," + zeros()), "Line 3: op is \"add\"; it must be ld or st.");
  EXPECT_EQ(bad("ld,5,1," + zeros()), "Line 3: width_bytes is \"5\"; it must be 2, 4, 8 or 16.");
  EXPECT_EQ(bad("ld,,1," + zeros()), "Line 3: width_bytes is \"\"; it must be 2, 4, 8 or 16.");
  EXPECT_EQ(bad("ld,4,0x1ffffffff," + zeros()).find("Line 3: active_mask is"), 0u);
  EXPECT_EQ(bad("ld,4,-1," + zeros()).find("Line 3: active_mask is"), 0u);
  EXPECT_EQ(bad("ld,4,1," + zeros(31)),
            "Line 3: there are 31 byte addresses; there must be 32, one for each lane.");
  EXPECT_EQ(bad("ld,4,1," + zeros(40)),
            "Line 3: there are 40 byte addresses; there must be 32, one for each lane.");
  EXPECT_EQ(bad("ld,4,1,"), "Line 3: there are 0 byte addresses; there must be 32, one for each lane.");
  EXPECT_EQ(bad("ld,4,1,x " + zeros(31)), "Line 3: byte address \"x\" is not a whole number below 2^32.");
  EXPECT_EQ(bad("ld,4,1,4294967296 " + zeros(31)).find("Line 3: byte address \"4294967296\""), 0u);
  EXPECT_EQ(bad("ld,8,1,12 " + zeros(31)),
            "Line 3: the byte address 12 of lane 0 is not a multiple of the width, 8.");
  EXPECT_EQ(bad("ld,4"), "Line 3: there are 2 fields, but the first line names 4 columns.");
  EXPECT_EQ(bad("ld,4,1," + zeros() + ",9"),
            "Line 3: there are 5 fields, but the first line names 4 columns.");
}

}  // namespace banks_test
}  // namespace upsweep
