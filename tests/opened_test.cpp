// Saves recordings and opens them again: recordings of every kernel, recordings in the window, and random
// recordings.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "support/long_tests.hpp"
#include "support/random_trace.hpp"
#include "support/sanitizers.hpp"
#include "support/session_start.hpp"
#include "support/slow_machine.hpp"
#include "support/temporary_folder.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "trace/provenance.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace opened_test {

namespace fs = std::filesystem;

// Returns random settings that the algorithm accepts.
Settings random_settings(const Algorithm& a, RandomTrace& random) {
  while (true) {
    Settings s;
    s.algorithm = a.name;
    s.n = 1 + random.any(400);
    s.block = 32 * (1 << random.any(4));
    s.type = static_cast<Scalar>(random.any(std::size(scalar_names)));
    s.op = static_cast<Operator>(random.any(5));
    if (a.uses_grid) s.grid = 1 + random.any(5);
    for (const Choice& v : a.choices)
      s.choose(v.name,
               v.options[static_cast<std::size_t>(random.any(static_cast<int>(v.options.size())))].name);
    try {
      validate(s);
      return s;
    } catch (const RequestError&) {}
  }
}

TEST(Kept, EveryKernelComesBackAsItWas) {
  Emulator emulator;
  RandomTrace random(1);
  for (const Algorithm& a : cuda_algorithms())
    for (int i = 0; i < (a.is_broken() ? 1 : 2); ++i) {
      const Settings s = random_settings(a, random);
      if (!can_be_emulated(s)) continue;
      RecordOptions options;
      options.blocks = static_cast<std::uint32_t>(1 + random.any(8));
      Trace trace = emulator.record(s, seeded_data(s, 3), options);
      add_provenance(trace);
      ASSERT_FALSE(contradiction(trace)) << a.name << " n = " << s.n << " block = " << s.block;
      EXPECT_TRUE(unpack(pack(trace), "x") == trace) << a.name;
    }
}

// Draws every view of a recording at no more than `at_most` steps, starting with step `first`. Also writes
// all sentences about the recording.
void look_at(const Recording& r, int first = 0, int at_most = INT32_MAX) {
  r.find_hazards();
  const int steps = static_cast<int>(r.trace.steps.size());
  for (int step = first; step < steps && at_most > 0; step += std::max(1, steps / 6), --at_most) {
    Cursor cursor;
    cursor.step = step;
    cursor.block = r.trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1;
    for (const View& view : views()) {
      const Scene scene = draw_view(view, {r, cursor, light_theme(), 900, 600});
      for (std::size_t i = 0; i < scene.targets.size(); i += 1 + scene.targets.size() / 8)
        tip_of({r, cursor}, scene.targets[i].id), click_on({r, cursor}, scene.targets[i].id);
    }
    words(r, cursor);
  }
  verdict(r.trace);
}

// Before each test, creates a file with a recording.
class OpenedRecording : public testing::Test {
 protected:
  OpenedRecording() {
    Settings s;
    s.n = 100;
    s.block = 64;
    s.choose("layout", "pad32");
    trace_ = Emulator().record(s, seeded_data(s, 77));
    trace_.machine = MachineKind::gpu;
    trace_.device = "NVIDIA H200";
    trace_.date = "2026-11-21T13:23:15Z";
    file_ = keep("kept.upsweep", trace_);
  }

  std::string keep(const std::string& name, const Trace& trace) const {
    write_trace((folder_ / name).string(), trace);
    return (folder_ / name).string();
  }

  TemporaryFolder folder_;
  Trace trace_;
  std::string file_;
};

TEST_F(OpenedRecording, IsShownWithItsSettings) {
  Session s(start(64, "scan_hillis_steele"));
  s.last();
  s.open(file_);
  EXPECT_EQ(s.error(), "");
  EXPECT_TRUE(s.shows_opened());
  EXPECT_TRUE(s.recording().trace == trace_);
  EXPECT_EQ(s.settings(), trace_.settings);
  EXPECT_EQ(s.opened().name, "kept.upsweep");
  EXPECT_EQ(s.algorithm().title, "Blelloch scan");
  EXPECT_EQ(label(s.data(), s.settings().n), "as recorded");
}

TEST_F(OpenedRecording, IsLeftForARunWithItsNumbersAndFoundAgain) {
  Session s(start());
  s.open(file_);
  s.go_to(5);
  const Step here = s.step();
  s.next_choice("layout");
  EXPECT_FALSE(s.shows_opened());
  EXPECT_NE(s.banner().text.find("To return to kept.upsweep, open the list of machines"), std::string::npos)
      << s.banner().text;
  EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
  EXPECT_EQ(s.recording().trace.input, trace_.input);
  EXPECT_EQ(s.settings().n, 100);
  EXPECT_NE(s.settings().choice("layout"), "pad32");
  EXPECT_EQ(s.step(), here);
  s.set_choice("layout", "none");
  EXPECT_EQ(s.banner().text, "") << "said once";
  s.set_n(50);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().n, 50);
  EXPECT_EQ(s.recording().trace.input, seeded_data(s.settings(), s.data().seed))
      << "new numbers, because the recorded numbers do not fit";
  s.show_opened();
  EXPECT_TRUE(s.shows_opened());
  EXPECT_EQ(s.settings(), trace_.settings);
  EXPECT_TRUE(s.recording().trace == trace_);
}

// If the opened recording has one layout and the user chooses another layout, the window stops showing this
// recording. A sentence says so, but this sentence is not a refusal.
TEST_F(OpenedRecording, WhatLeavesItStaysChosen) {
  Session s(start());
  s.open(file_);
  s.set_choice("layout", "pad16");
  EXPECT_NE(s.banner().text, "");
  EXPECT_EQ(s.error(), "");
  ASSERT_EQ(s.settings().choice("layout"), "pad16");
  s.set_n(50);
  EXPECT_EQ(s.settings().choice("layout"), "pad16");
  EXPECT_EQ(s.set_n(0), Answer::refused);
  EXPECT_NE(s.error(), "");
}

TEST_F(OpenedRecording, TheKeyOfMachinesLeavesItAndComesBack) {
  Session s(start());
  s.open(file_);
  s.next_machine();
  EXPECT_FALSE(s.shows_opened());
  EXPECT_EQ(s.settings(), trace_.settings);
  EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
  EXPECT_EQ(s.recording().trace.output, trace_.output);
  s.next_machine();
  EXPECT_TRUE(s.shows_opened());
}

TEST_F(OpenedRecording, WhatCannotBeOpenedLeavesEverything) {
  Session s(start());
  const auto before = s.shared_recording();
  s.open((folder_ / "no.upsweep").string());
  EXPECT_NE(s.error().find("cannot be read"), std::string::npos) << s.error();
  std::ofstream(folder_ / "text.upsweep") << "no recording";
  s.open((folder_ / "text.upsweep").string());
  EXPECT_NE(s.error().find("is not a recording"), std::string::npos) << s.error();
  EXPECT_EQ(s.shared_recording(), before);
  EXPECT_FALSE(s.opened());
  s.show_opened();  // no recording is open
  EXPECT_EQ(s.shared_recording(), before);
  s.open(file_);
  const auto opened = s.shared_recording();
  s.open((folder_ / "text.upsweep").string());
  EXPECT_EQ(s.shared_recording(), opened);
  EXPECT_TRUE(s.shows_opened());
}

TEST_F(OpenedRecording, CanBeWhatTheWindowBeginsWith) {
  Session::Start begin = start();
  begin.opened = std::make_shared<const Recording>(make_recording(read_trace(file_)));
  begin.opened_from = "kept.upsweep";
  begin.step = 7;
  Session s(begin);
  EXPECT_TRUE(s.shows_opened());
  EXPECT_EQ(s.cursor().step, 7);
  begin.step = 700;
  EXPECT_THROW(Session{begin}, RequestError);
}

TEST_F(OpenedRecording, OfATextThatThisVersionHasNotIsShownByItsOwnText) {
  Trace other = trace_;
  other.settings.algorithm = "scan_of_tomorrow";
  other.text = std::regex_replace(other.text, std::regex("scan_blelloch"), "scan_of_tomorrow");
  other.text.replace(0, other.text.find('\n'), "// Scan of tomorrow");
  Session s(start());
  s.open(keep("other.upsweep", other));
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.algorithm().title, "Scan of tomorrow");
  EXPECT_EQ(s.recording().title, "Scan of tomorrow");
  const auto opened = s.shared_recording();
  s.set_n(50);
  EXPECT_NE(s.error().find("scan_of_tomorrow"), std::string::npos) << "it cannot be run here: " << s.error();
  EXPECT_EQ(s.shared_recording(), opened);
  other.text = "not even CUDA\n" + other.text;
  s.open(keep("stranger.upsweep", other));
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.algorithm().title, "scan_of_tomorrow");
  s.set_algorithm("reduce_sequential");
  EXPECT_NE(s.banner().text.find("To return to"), std::string::npos) << s.banner().text;
  EXPECT_FALSE(s.shows_opened());
  EXPECT_EQ(s.recording().title, s.algorithm().title);
}

TEST_F(OpenedRecording, IsNotReplacedByARunThatWasUnderWay) {
  Session::Start begin = start();
  begin.machine = MachineChoice::gpu;
  begin.patience = begin.moment = 0;
  begin.open = [](MachineChoice) -> std::unique_ptr<Machine> {
    return std::make_unique<SlowMachine>(
        [](Job*) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); });
  };
  Session s(begin);
  EXPECT_TRUE(s.recording_under_way());
  s.open(file_);
  s.settle(5);
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_TRUE(s.shows_opened());
  s.set_n(32);
  EXPECT_TRUE(s.recording_under_way());
  s.settle(5);
  EXPECT_FALSE(s.shows_opened());
  EXPECT_EQ(s.recording().trace.settings.n, 32);
}

TEST(Shipped, EveryRecordingIsOfAGpuAndCanBeLookedAt) {
  std::size_t bytes = 0;
  int looks = 0;
  for (const Shipped& s : shipped_recordings()) {
    SCOPED_TRACE(s.name);
    Trace t = open_recording(s.name + ".upsweep");
    EXPECT_EQ(t.machine, MachineKind::gpu);
    EXPECT_NE(t.device, "");
    EXPECT_NE(t.date, "");
    EXPECT_EQ(t.settings.algorithm, s.settings.algorithm);
    EXPECT_EQ(algorithm(s.settings.algorithm).title, s.title);
    if (!algorithm(s.settings.algorithm).is_broken()) { EXPECT_FALSE(verdict(t).value_or(Message{})); }
    // With sanitizers, look_at() takes most of a second, so it sees only every third recording.
    if (!sanitized || looks++ % 3 == 0 || tries_everything()) look_at(make_recording(std::move(t)));
    bytes += s.bytes;
  }
  EXPECT_LT(bytes, 2000000u);
}

}  // namespace opened_test
}  // namespace upsweep
