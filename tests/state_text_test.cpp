// Tests texts that contain a state. A text that was copied in one window must show the same state in another
// window. Texts of earlier versions must work, and a hostile text must be refused with an error sentence.
#include "study/state_text.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "study/recording.hpp"
#include "support/session_start.hpp"
#include "support/temporary_folder.hpp"
#include "trace/file.hpp"

namespace upsweep {
namespace state_text_test {

std::string refusal(std::string_view text) {
  try {
    read_state_text(text);
  } catch (const RequestError& e) { return in_words(e); }
  return "not refused";
}

// Opens the text of session `s` in another session. Expects that the state of the other session becomes the
// same.
void expect_shown_again(Session& s) {
  const std::string text = state_text(s.state());
  SCOPED_TRACE(text);
  Session other(start());
  other.apply({.view = "source", .dark = false, .added = {{view_index("warps"), -1}}});
  EXPECT_NE(other.apply(read_state_text("  " + text + "\n")), Answer::refused) << other.error();
  other.settle(20);
  EXPECT_EQ(shared_part(other.state()), shared_part(s.state()));
  EXPECT_FALSE(other.looks.dark) << "the theme is the reader's own";
}

TEST(StateText, IsShort) {
  Session s(start(64, "scan_blelloch"));
  s.go_to(4);
  EXPECT_EQ(state_text(s.state()).find("upsweep:1?algorithm=scan_blelloch&n=64&block=32"), 0u)
      << state_text(s.state());
  EXPECT_LT(state_text(s.state()).size(), 250u);
}

TEST(StateText, OfEveryAlgorithmIsShownAgain) {
  for (const Algorithm& a : algorithms()) {
    if (!is_listed(a) || a.language != Language::cuda) continue;
    SCOPED_TRACE(a.name);
    Session s(start());
    s.apply({.algorithm = a.name});
    s.settle(20);
    s.go_to(s.step_count() / 2);
    expect_shown_again(s);
  }
}

TEST(StateText, HasThePlaceTheViewsAndTheComparison) {
  Session s(start(64, "scan_blelloch"));
  s.apply({.choices = {{"layout", "pad32"}}, .data = DataSource{DataSource::Kind::typed, 1, "3 1 -7,5"}});
  s.settle(20);
  s.apply(
      {.step = 3, .request = 1, .half_warps = true, .view = "memory", .added = {{view_index("banks"), -1}}});
  expect_shown_again(s);
  Request change;
  change.choices = {{"layout", "none"}};
  s.apply({.comparing = true, .change = to_json(change)});
  s.settle(20);
  ASSERT_TRUE(s.compares());
  EXPECT_NE(state_text(s.state()).find("change.choices.layout=none"), std::string::npos)
      << state_text(s.state());
  expect_shown_again(s);
  Session own(start(16, "scan_hillis_steele"));
  own.apply({.op = Operator::own, .expression = "max(a, b) & 7", .identity = "0"});
  own.settle(20);
  expect_shown_again(own);
}

// These texts come from this version and from earlier versions. Never change these texts, because users still
// have them.
TEST(StateText, OfEarlierVersionsOpens) {
  struct Fixture {
    const char* text;
    const char* algorithm;
    std::int64_t n;
    int step;
    const char* view;
  };
  const Fixture fixtures[] = {
      {"upsweep:1?algorithm=scan_blelloch&n=64&step=5", "scan_blelloch", 64, 5, ""},
      {"upsweep:1?algorithm=scan_blelloch&n=1024&block=512&type=float32&op=sum&choices.layout=pad32&choices."
       "load_pattern=halves&"
       "data.kind=seed&data.seed=1&data.text=&step=4&view=memory&added=banks,none",
       "scan_blelloch", 1024, 4, "memory"},
      {"upsweep:1?algorithm=reduce_sequential&n=5&data.kind=typed&data.seed=1&data.text=3%201%204%201%205&"
       "view=tree",
       "reduce_sequential", 5, 0, "tree"},
      {"upsweep:1?open=reduce_two_pass&step=2&view=blocks", "reduce_two_pass", 0, 2, "blocks"},
  };
  for (const Fixture& f : fixtures) {
    SCOPED_TRACE(f.text);
    Session s(start());
    EXPECT_NE(s.apply(read_state_text(f.text)), Answer::refused) << s.error();
    s.settle(20);
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.recording().trace.settings.algorithm, f.algorithm);
    if (f.n > 0) { EXPECT_EQ(s.recording().trace.settings.n, f.n); }
    EXPECT_EQ(s.cursor().step, f.step);
    EXPECT_EQ(s.state().view, f.view);
  }
}

TEST(StateText, ThatCannotBeReadIsRefusedInASentence) {
  EXPECT_EQ(refusal("upsweep:2?algorithm=scan_blelloch"),
            "This text has version 2, but this Upsweep reads version 1: update Upsweep.");
  EXPECT_NE(refusal("http://upsweep").find("is not a text of Upsweep"), std::string::npos);
  EXPECT_NE(refusal("upsweep:").find("A text of Upsweep begins with upsweep:1?"), std::string::npos);
  EXPECT_NE(refusal("upsweep:0?").find("A text of Upsweep begins with"), std::string::npos);
  EXPECT_NE(refusal("upsweep:1?n").find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(refusal("upsweep:1?n=%zz").find("hexadecimal"), std::string::npos);
  EXPECT_NE(refusal("upsweep:1?n=many").find("The field \"n\" of a request must be a whole number"),
            std::string::npos);
  EXPECT_NE(refusal("upsweep:1?colour=red").find("colour"), std::string::npos);
  EXPECT_NE(refusal("upsweep:1?a.b.c.d.e=1").find("no field"), std::string::npos);
  EXPECT_NE(refusal("upsweep:1?data.text=" + std::string(100'000, '1')).find("too long"), std::string::npos);
  std::mt19937 random(1);
  Session s(start());
  const std::string text =
      state_text(s.state()) +
      "&view=memory&change.choices.layout=none&tabs=tree,none,none,none,none,none,none,none";
  for (int i = 0; i < 2000; ++i) {
    std::string changed = text;
    for (int k = 0; k < 1 + i % 4; ++k)
      changed[random() % changed.size()] = static_cast<char>("&=.%?:,-1az\xff\n"[random() % 13]);
    try {
      s.apply(read_state_text(changed));
    } catch (const RequestError& e) { EXPECT_TRUE(in_words(e).ends_with(".")) << in_words(e); }
    if (i % 50 == 0) s.settle(20);
  }
}

TEST(StateText, NeedsDataThatAnotherComputerHas) {
  const TemporaryFolder folder;
  std::ofstream(folder / "numbers.txt") << "1 2 3 4";
  Session s(start());
  s.apply({.data = DataSource{DataSource::Kind::file, 1, (folder / "numbers.txt").string()}});
  s.settle(20);
  EXPECT_THROW(state_text(s.state()), RequestError);
  s.apply({.data = DataSource{DataSource::Kind::seed, 2, ""}});
  s.settle(20);
  EXPECT_NO_THROW(state_text(s.state()));
}

TEST(StateText, InAFileShowsThePlace) {
  const TemporaryFolder folder;
  Session s(start(64, "scan_blelloch"));
  s.apply({.step = 6, .view = "memory"});
  Trace trace = s.recording().trace;
  trace.state = place_text(s.state());
  EXPECT_EQ(trace.state, "upsweep:1?step=6&view=memory");
  const auto opened = [&](const std::string& name, const std::string& state) {
    trace.state = state;
    write_trace((folder / name).string(), trace);
    Session other(start());
    other.open((folder / name).string());
    other.settle(20);
    EXPECT_TRUE(other.shows_opened()) << other.error();
    return std::pair(other.cursor().step, *other.state().view);
  };
  EXPECT_EQ(opened("a.upsweep", trace.state), std::pair(6, std::string("memory")));
  EXPECT_EQ(opened("b.upsweep", "upsweep:1?step=99&view=nothing").first, 0) << "a place that is not there";
  EXPECT_EQ(opened("c.upsweep", "upsweep:9?step=6").first, 0) << "of a newer version";
  EXPECT_EQ(opened("d.upsweep", "upsweep:1?algorithm=reduce_serial&n=7&step=6").first, 6)
      << "the run is the file's";
  trace.state = std::string(100'000, 'x');
  EXPECT_THROW(write_trace((folder / "e.upsweep").string(), trace), WorkError);
}

}  // namespace state_text_test
}  // namespace upsweep
