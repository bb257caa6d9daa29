// Tests trace files. Reading must return the trace that was written, or a sentence if the file is damaged.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

#include "base/error.hpp"
#include "support/packed.hpp"
#include "support/random_trace.hpp"
#include "support/temporary_folder.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "trace/provenance.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace trace_file_test {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const std::string& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// Succeeds if the sentence contains at least one of these parts.
testing::AssertionResult says(const std::string& sentence, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (sentence.find(part) != sentence.npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "it says \"" << sentence << "\"";
}
testing::AssertionResult says(const std::string& sentence, std::string_view part) {
  return says(sentence, {part});
}

// Returns the sentence that refuses the bytes, or an empty string if the bytes can be read.
std::string refusal(std::string_view bytes) {
  try {
    unpack(bytes, "x.upsweep");
    return "";
  } catch (const RequestError& e) { return in_words(e); }
}
std::string file_refusal(const std::string& path) {
  try {
    read_trace(path);
    return "";
  } catch (const RequestError& e) { return in_words(e); }
}

TEST(TraceFile, HoldsEverythingThatATraceHolds) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const Trace trace = RandomTrace(seed).make();
    ASSERT_FALSE(contradiction(trace)) << seed;
    EXPECT_TRUE(unpack(pack(trace), "x") == trace) << seed;
  }
}

TEST(TraceFile, IsWrittenAndRead) {
  const TemporaryFolder folder;
  Trace trace = RandomTrace(1).make();
  add_provenance(trace);
  EXPECT_TRUE(std::regex_match(trace.date, std::regex("20[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+Z")))
      << trace.date;
  write_trace(folder / "a.upsweep", trace);
  EXPECT_TRUE(read_trace(folder / "a.upsweep") == trace);
  const Trace other = RandomTrace(2).make();
  write_trace(folder / "a.upsweep", other);
  EXPECT_TRUE(read_trace(folder / "a.upsweep") == other);
  EXPECT_EQ(folder.files(), 1u) << "something was left behind";
}

TEST(TraceFile, EveryTruncationIsASentence) {
  const TemporaryFolder folder;
  const std::string whole = pack(RandomTrace(3).make());
  ASSERT_EQ(refusal(whole), "");
  EXPECT_EQ(refusal(""), "The recording x.upsweep is empty.");
  for (std::size_t size = 1; size < whole.size(); ++size)
    ASSERT_TRUE(says(refusal(std::string_view(whole).substr(0, size)), "is cut off")) << size;
  EXPECT_TRUE(says(refusal(whole + "x"), "more data follows its end"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, header_bytes, whole.size() - 1}) {
    put(folder / "cut.upsweep", std::string_view(whole).substr(0, size));
    EXPECT_TRUE(says(file_refusal(folder / "cut.upsweep"), {"is cut off", "is empty"})) << size;
  }
}

TEST(TraceFile, EveryFlippedByteIsASentenceOrHarmless) {
  RandomTrace random(4);
  const Trace trace = random.make();
  const std::string whole = pack(trace);
  int harmless = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string bytes = whole;
    char& byte = bytes[random.bits() % bytes.size()];
    byte = static_cast<char>(byte ^ (1 + random.any(255)));
    try {
      ASSERT_TRUE(unpack(bytes, "x") == trace) << "a flip went unnoticed";
      ++harmless;
    } catch (const RequestError& e) {
      EXPECT_TRUE(says(in_words(e),
                       {"is damaged", "is cut off", "is not a recording", "made by a newer", "of memory"}));
    }
  }
  EXPECT_LT(harmless, 200) << "only unused bytes of the header and the minor version may change unnoticed";
}

TEST(TraceFile, NonsenseWithARightChecksumIsASentence) {
  RandomTrace random(5);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    static std::string whole, body;
    if (i % 100 == 0) body = body_of(whole = pack(random.make()));
    std::string broken = body;
    for (int k = 1 + random.any(3); k > 0; --k)
      broken[random.bits() % broken.size()] = static_cast<char>(random.bits());
    try {
      EXPECT_FALSE(contradiction(unpack(with_body(whole, broken), "x")));
    } catch (const RequestError&) { ++refused; }
  }
  EXPECT_GT(refused, 1500);
}

// Tests each way in which a trace can be inconsistent. The sentence that refuses the trace must contain the
// expected word.
TEST(TraceFile, AContradictionIsNamed) {
  Trace sound;
  for (unsigned seed = 0;; ++seed) {  // finds a trace that contains everything that this test changes
    sound = RandomTrace(seed).make();
    const auto has = [&](auto which) { return std::any_of(sound.events.begin(), sound.events.end(), which); };
    if (sound.grids.size() > 2 && !sound.snapshots.empty() &&
        has([](const Event& e) { return is_shared(e.kind) && e.flags == 0; }) &&
        has([](const Event& e) { return is_global(e.kind) && e.flags == 0; }) &&
        has([](const Event& e) { return e.kind == Kind::shuffle; }) && sound.grids[0].shared.elements > 1)
      break;
  }
  const auto event = [](Trace& t, auto which) -> Event& {
    return *std::find_if(t.events.begin(), t.events.end(), which);
  };
  const auto shared = [](const Event& e) { return is_shared(e.kind) && e.flags == 0; };
  const auto global = [](const Event& e) { return is_global(e.kind) && e.flags == 0; };
  const auto with_lanes = [](const Event& e) { return has_lanes(e.kind); };
  const auto shuffle = [](const Event& e) { return e.kind == Kind::shuffle; };
  const auto stopped_at = [](StoppedThreads p) { return Stopped{Stop::deadlock, {std::move(p)}, 0, 0, 0}; };
  const std::vector<std::pair<const char*, std::function<void(Trace&)>>> wrong = {
      {"elements", [](Trace& t) { t.settings.n = 0; }},
      {"elements", [](Trace& t) { t.input.pop_back(); }},
      {"threads", [](Trace& t) { t.settings.block = 4096; }},
      {"type", [](Trace& t) { t.settings.type = static_cast<Scalar>(6); }},
      {"operator", [](Trace& t) { t.settings.op = static_cast<Operator>(255); }},
      {"input and output", [](Trace& t) { t.buffers.resize(1); }},
      {"cells", [](Trace& t) { t.buffers[2].count = -1; }},
      {"output", [](Trace& t) { t.output.push_back({}); }},
      {"launches", [](Trace& t) { t.grids.clear(); }},
      {"blocks", [](Trace& t) { t.grids[0].blocks = 0; }},
      {"threads", [](Trace& t) { t.grids[0].threads = -5; }},
      {"blocks",
       [](Trace& t) {
         t.grids[0].blocks = INT32_MAX;
         t.runs.clear();
       }},
      {"blocks", [](Trace& t) { t.grids[0].blocks = t.grids[1].blocks = INT32_MAX; }},
      {"text", [](Trace& t) { t.text += std::string(70000, 'x'); }},
      {"text",
       [](Trace& t) {
         for (int i = 0; i < 70000; ++i) t.text += i % 80 ? 'x' : '\n';
       }},
      {"later", [](Trace& t) { t.grids[1].parent = 2; }},
      {"depth", [](Trace& t) { t.grids[0].depth = 3; }},
      {"follow", [](Trace& t) { t.grids[1].first_step += 1; }},
      {"steps", [](Trace& t) { t.steps.pop_back(); }},
      {"steps", [](Trace& t) { t.grids.back().steps = 0xffffffff; }},
      {"shared memory", [](Trace& t) { t.grids[0].shared.bytes = 0; }},
      {"shared memory", [](Trace& t) { t.grids[0].shared.buffers = 1 << 30; }},
      {"cells", [](Trace& t) { t.grids[0].shared.cell[0] = 0xffffffff; }},
      {"cells", [](Trace& t) { t.grids[0].shared.cell.pop_back(); }},
      {"phase", [](Trace& t) { t.steps[0].phase = Phase(""); }},
      {"phase", [](Trace& t) { t.steps[0].phase = "Not a name"; }},
      {"phases",
       [](Trace& t) {
         t.grids.back().steps += 300;
         for (int i = 0; i < 300; ++i) t.steps.push_back({Phase(fmt::format("phase_{}", i)), 0});
       }},
      {"values", [](Trace& t) { t.values.pop_back(); }},
      {"kind", [](Trace& t) { t.events[0].kind = static_cast<Kind>(13); }},
      {"launch", [](Trace& t) { t.events[0].grid = 4; }},
      {"block", [](Trace& t) { t.events[0].block = 3; }},
      {"warp", [](Trace& t) { t.events[0].warp = 99; }},
      {"step", [](Trace& t) { t.events[0].step = 99; }},
      {"line", [](Trace& t) { t.events[0].line = 0; }},
      {"line", [](Trace& t) { t.events[0].line = 99; }},
      {"lanes", [](Trace& t) { t.events[0].mask = 0; }},
      {"order", [](Trace& t) { t.events.push_back(t.events.front()); }},
      {"parts", [&](Trace& t) { event(t, with_lanes).parts = 5; }},
      {"each cell of", [&](Trace& t) { event(t, shared).width = event(t, shared).width == 2 ? 4 : 2; }},
      {"steps but only",
       [](Trace& t) {
         t.grids.back().steps += 100000;
         t.steps.resize(t.steps.size() + 100000, {Phase::scan, 1});
       }},
      {"do not fill whole rows",
       [](Trace& t) {
         t.grids[0].shared.elements = 0;
         t.grids[0].shared.cell.clear();
         t.grids[0].shared.columns = 3;
       }},
      {"overlaps the array before it",
       [](Trace& t) {
         const std::uint32_t bytes = t.grids[0].shared.bytes;
         t.grids[0].shared.more = {{"a", Cells::words, bytes, 4}, {"b", Cells::words, bytes, 4}};
         t.grids[0].shared.bytes += 16;
       }},
      {"overlaps the array before it",
       [](Trace& t) {
         t.grids[0].shared.more = {{"a", Cells::words, 0, 1}};
       }},
      {"width", [&](Trace& t) { event(t, shared).width = 5; }},
      {"entries", [&](Trace& t) { event(t, with_lanes).first = 0xfffffff0; }},
      {"shares",
       [&](Trace& t) {
         for (Event& e : t.events) e.first = 0;
       }},
      {"outside", [&](Trace& t) { t.lanes[event(t, shared).first].address = 1 << 25; }},
      {"outside", [&](Trace& t) { t.lanes[event(t, global).first].address = -4; }},
      {"outside",
       [&](Trace& t) {
         event(t, global).flags = is_outside;
         t.lanes[event(t, [](const Event& e) { return is_global(e.kind); }).first].address = INT64_MAX;
       }},
      {"buffer", [&](Trace& t) { event(t, global).buffer = 200; }},
      {"shared array", [&](Trace& t) { event(t, shared).buffer = 200; }},
      {"lane", [&](Trace& t) { t.lanes[event(t, shuffle).first].address = 32; }},
      {"value", [&](Trace& t) { t.lanes[event(t, with_lanes).first].left = 0x3fffffff; }},
      {"snapshot", [](Trace& t) { t.snapshots[0].step = 99; }},
      {"snapshot", [](Trace& t) { t.snapshots[0].bytes.push_back(0); }},
      {"block", [](Trace& t) { t.runs[0].block = 77; }},
      {"ended", [](Trace& t) { std::swap(t.runs[0].begin, t.runs[0].end); }},
      {"not in the order of launches", [](Trace& t) { t.runs.push_back(t.runs[0]); }},
      {"clock", [](Trace& t) { t.clock = {1}; }},
      {"clock",
       [](Trace& t) {
         t.clock.assign(t.events.size(), 5);
         t.clock.back() = 4;
       }},
      {"totals", [](Trace& t) { t.counts[0].line = 99; }},
      {"totals", [](Trace& t) { t.counts[0].units = UINT64_MAX; }},
      {"totals", [](Trace& t) { t.counts.push_back(t.counts[0]); }},
      {"stopped", [](Trace& t) { t.stopped.kind = static_cast<Stop>(99); }},
      {"stopped",
       [&](Trace& t) {
         t.stopped = stopped_at({Wait::loop, 99, 0, 0, {}});
       }},
      {"stopped",
       [&](Trace& t) {
         t.stopped = stopped_at({Wait::loop, 9, 77, 0, {}});
       }},
      {"stopped",
       [&](Trace& t) {
         t.stopped = stopped_at({Wait::loop, 9, 0, 0, {4096}});
       }},
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Trace t = sound;
    wrong[i].second(t);
    EXPECT_TRUE(says(in_words(contradiction(t)), wrong[i].first)) << i;
    EXPECT_TRUE(says(refusal(pack(t)), {"contradicts itself", "damaged"})) << i;
    EXPECT_THROW(write_trace("/dev/null", t), WorkError) << i;
  }
}

TEST(TraceFile, ANewerFormatIsNamedAndANewerMinorOneIsRead) {
  const Trace trace = RandomTrace(6).make();
  std::string bytes = pack(trace);
  bytes[version_at + 2] = 7;
  EXPECT_TRUE(unpack(bytes, "x") == trace);
  bytes[version_at] = 3;
  EXPECT_EQ(refusal(bytes),
            "The recording x.upsweep was made by a newer Upsweep (format 3; this Upsweep reads up to 2).");
}

// In a newer minor version of the format, tables may have more fields, which the reader must ignore. In front
// of the existing body, this test adds a new root table that has four more fields.
TEST(TraceFile, UnknownFieldsArePassedOver) {
  const Trace trace = RandomTrace(7).make();
  const std::string whole = pack(trace), body = body_of(whole);
  const auto u32 = [&](std::size_t at) {
    std::uint32_t x = 0;
    std::memcpy(&x, body.data() + at, 4);
    return x;
  };
  const auto u16 = [&](std::size_t at) {
    std::uint16_t x = 0;
    std::memcpy(&x, body.data() + at, 2);
    return x;
  };
  const std::size_t root = u32(0), table_of_fields = root - u32(root);
  const std::size_t known = (u16(table_of_fields) - 4u) / 2;
  ASSERT_GT(known, 20u);
  // The new bytes are the offset of the root, a list of field offsets (vtable) with four more fields, and a
  // new root. The fields of the new root point into the old body.
  const std::size_t fields = known + 4, table = 8, new_root = (table + 4 + 2 * fields + 7) / 8 * 8;
  const std::size_t length = 8 + 8 * fields;
  std::string before((new_root + length + 15) / 16 * 16, '\0');
  const auto set = [&](std::size_t at, auto x) { std::memcpy(before.data() + at, &x, sizeof x); };
  set(0, static_cast<std::uint32_t>(new_root));
  set(table, static_cast<std::uint16_t>(4 + 2 * fields));
  set(table + 2, static_cast<std::uint16_t>(length));
  set(new_root, static_cast<std::int32_t>(new_root - table));
  for (std::size_t f = 0; f < fields; ++f) {
    const std::size_t at = 8 + 8 * f;
    const std::size_t old = f < known ? u16(table_of_fields + 4 + 2 * f) : 0;
    if (f < known && old == 0) continue;  // this field is absent
    set(table + 4 + 2 * f, static_cast<std::uint16_t>(at));
    // Fields 21, 23 and 24 contain numbers. All other known fields contain offsets.
    if (f == 21) set(new_root + at, trace.dropped);
    else if (f == 23) set(new_root + at, trace.driver);
    else if (f == 24) set(new_root + at, trace.nvrtc);
    else if (f < known)
      set(new_root + at,
          static_cast<std::uint32_t>(before.size() + root + old + u32(root + old) - (new_root + at)));
    else set(new_root + at, std::uint64_t{0x1234567812345678});
  }
  EXPECT_TRUE(unpack(with_body(whole, before + body, before.size()), "x") == trace);
}

TEST(TraceFile, WhatCannotBeReadIsASentence) {
  const TemporaryFolder folder;
  EXPECT_EQ(file_refusal(folder / "no.upsweep"),
            (folder / "no.upsweep").string() + " cannot be read: No such file or directory.");
  EXPECT_TRUE(says(file_refusal(folder / ""), " cannot be read: Is a directory."));
  put(folder / "empty.upsweep", "");
  EXPECT_TRUE(says(file_refusal(folder / "empty.upsweep"), " is empty."));
  put(folder / "text.upsweep", "3 1 7 0 4 1 6 3\n");
  EXPECT_TRUE(says(file_refusal(folder / "text.upsweep"), " is not a recording. "));
  EXPECT_TRUE(says(file_refusal("/dev/zero"), " is not a recording. "));
  EXPECT_TRUE(says(file_refusal("/dev/null"), " is empty."));
  put(folder / "secret.upsweep", pack(RandomTrace(9).make()));
  fs::permissions(folder / "secret.upsweep", fs::perms::none);
  if (geteuid() != 0) {
    EXPECT_TRUE(says(file_refusal(folder / "secret.upsweep"), " cannot be read: Permission denied."));
  }
}

TEST(TraceFile, WhatCannotBeWrittenLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const Trace trace = RandomTrace(10).make();
  EXPECT_THROW(write_trace("/dev/full", trace), WorkError);
  EXPECT_THROW(write_trace(folder / "no/such/folder.upsweep", trace), WorkError);
  EXPECT_THROW(write_trace(folder / "", trace), WorkError);
  put(folder / "kept.upsweep", "before");
  Trace nonsense = trace;
  nonsense.events.front().step = 99;
  EXPECT_THROW(write_trace(folder / "kept.upsweep", nonsense), WorkError);
  EXPECT_EQ(content(folder / "kept.upsweep"), "before");
  // The file exists, but no other file can be created in its folder.
  fs::create_directory(folder / "full");
  const std::string target = folder / "full/kept.upsweep";
  put(target, "before");
  fs::permissions(folder / "full", fs::perms::owner_read | fs::perms::owner_exec);
  if (geteuid() != 0) {
    EXPECT_THROW(write_trace(target, trace), WorkError);
    EXPECT_EQ(content(target), "before");
  }
  fs::permissions(folder / "full", fs::perms::owner_all);
}

}  // namespace trace_file_test
}  // namespace upsweep
