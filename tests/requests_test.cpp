// Tests requests to a session, which change its settings or its view. Tests their JSON, their effects, undo
// and redo.
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "study/request.hpp"
#include "support/long_tests.hpp"
#include "support/session_start.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace requests_test {

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string text() {
    std::string s;
    for (int i = any(8); i > 0; --i) s += static_cast<char>(32 + any(95));
    return s + (any(4) == 0 ? "\n\"\\é" : "");
  }
  void fill(std::string& to) { to = text(); }
  void fill(std::int64_t& to) { to = static_cast<std::int64_t>(random_()); }
  void fill(int& to) { to = static_cast<int>(random_()); }
  void fill(bool& to) { to = any(2) == 0; }
  void fill(double& to) { to = static_cast<double>(random_()) / 8; }
  void fill(float& to) { to = static_cast<float>(any(1 << 20)) / 64; }
  void fill(Scalar& to) { to = static_cast<Scalar>(any(6)); }
  void fill(Operator& to) { to = static_cast<Operator>(any(5)); }
  void fill(MachineChoice& to) { to = static_cast<MachineChoice>(any(3)); }
  void fill(DataSource& to) { to = {static_cast<DataSource::Kind>(any(7)), random_(), text()}; }
  void fill(std::map<std::string, std::string>& to) {
    for (int i = 1 + any(3); i > 0; --i) to[text()] = text();
  }
  template <class T, std::size_t count>
  void fill(std::array<T, count>& to) {
    for (T& each : to) fill(each);
  }
  template <class T>
  void fill(std::optional<T>& to) {
    fill(to.emplace());
  }

 private:
  std::mt19937_64 random_;
};

TEST(Request, IsTheSameAfterJson) {
  Random random(7);
  std::string list = "[";
  std::vector<Request> all;
  for (int i = 0; i < 300; ++i) {
    Request r;
    for_each_field(r, [&](const char*, auto& field) {
      if (random.any(4) == 0) random.fill(field);
    });
    const std::string json = to_json(r);
    EXPECT_EQ(json.find('\n'), std::string::npos);
    EXPECT_EQ(read_request(json), r) << json;
    list += (i > 0 ? "," : "") + json;
    all.push_back(r);
  }
  EXPECT_EQ(read_requests(list + "]"), all);
}

TEST(Request, TakesTheFieldsThatAllJsonHas) {
  const Request r =
      read_request(R"({"layout": "pad32", "load_pattern": "neighbours", "variants": {"fold": "4"}})");
  EXPECT_EQ(r.choices, (std::map<std::string, std::string>{
                           {"layout", "pad32"}, {"load_pattern", "neighbours"}, {"fold", "4"}}));
}

TEST(Request, HostileJsonGetsASentence) {
  for (const char* json : {"",
                           "{",
                           "[]",
                           "7",
                           "null",
                           "\"n\"",
                           R"({"n": "64"})",
                           R"({"n": 1.5})",
                           R"({"n": 1e99})",
                           R"({"n": null})",
                           R"({"n": 9223372036854775808})",
                           R"({"block": 2147483648})",
                           R"({"block": -2147483649})",
                           R"({"type": "int128"})",
                           R"({"op": 3})",
                           R"({"machine": "abacus"})",
                           R"({"data": "seed 3"})",
                           R"({"data": {"kind": "dice"}})",
                           R"({"data": {"seed": -1}})",
                           R"({"data": {"seeds": 1}})",
                           R"({"choices": ["layout"]})",
                           R"({"choices": {"layout": 32}})",
                           R"({"variants": 1})",
                           R"({"playing": 1})",
                           R"({"speed": "fast"})",
                           R"({"tabs": [1, 2]})",
                           R"({"rows": [0, 0, 0, "x"]})",
                           R"({"stepp": 1})",
                           R"({"column": 1e300})"})
    try {
      read_request(json);
      ADD_FAILURE() << json;
    } catch (const RequestError& e) {
      const std::string sentence = in_words(e);
      EXPECT_TRUE(sentence.ends_with(".") && sentence.size() > 20) << json << ": " << sentence;
    }
  EXPECT_THROW(read_requests("{}"), RequestError);
  try {
    read_request(R"({"stepp": 1})");
  } catch (const RequestError& e) { EXPECT_NE(in_words(e).find("did you mean step?"), std::string::npos); }
}

TEST(Request, DifferenceIsWhatHasToBeAskedFor) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    Request a, b;
    for (Request* r : {&a, &b}) for_each_field(*r, [&](const char*, auto& field) { random.fill(field); });
    EXPECT_EQ(fields_of(difference(a, a)), std::vector<std::string>{});
    Request mixed = a;
    if (i % 2) mixed.step = b.step;
    if (i % 3) mixed.rows = b.rows;
    std::vector<std::string> expected;
    if (i % 2) expected.push_back("step");
    if (i % 3) expected.push_back("rows");
    EXPECT_EQ(fields_of(difference(a, mixed)), expected);
  }
}

TEST(Apply, TakesARequestWholeOrNotAtAll) {
  Session s(start());
  EXPECT_EQ(
      s.apply(read_request(R"({"algorithm": "scan_large", "n": 300, "block": 64, "type": "int32", "op": "max",
      "variants": {"gives": "exclusive", "block_scan": "blelloch"}, "layout": "pad32", "step": 3, "view": "tree",
      "speed": 8, "dark": false, "data": {"kind": "seed", "seed": 17}})")),
      Answer::shown)
      << s.error();
  EXPECT_EQ(s.settings().algorithm, "scan_large");
  EXPECT_EQ(s.settings().n, 300);
  EXPECT_EQ(s.settings().block, 64);
  EXPECT_EQ(s.settings().choice("layout"), "pad32");
  EXPECT_EQ(s.settings().choice("gives"), "exclusive");
  EXPECT_EQ(s.cursor().step, 3);
  EXPECT_FALSE(s.looks.dark);
  EXPECT_EQ(s.recording().trace.settings, s.settings());
  const Request before = s.state();
  const auto recording = s.shared_recording();
  for (const char* json :
       {R"({"n": 0, "step": 1})", R"({"n": 3000000000})", R"({"algorithm": "scan_lagre"})",
        R"({"block": 33})", R"({"layout": "i /"})", R"({"variants": {"fold": "2"}})",
        R"({"variants": {"gives": "both"}})", R"({"op": "affine", "variants": {"block_scan": "none_such"}})",
        R"({"step": 100000})", R"({"step": -1})", R"({"view": "telescope"})", R"({"chart": "pie"})",
        R"({"speed": 0})", R"({"column": 2})", R"({"without_barrier": 1})",
        R"({"data": {"kind": "typed", "text": "one two"}})",
        R"({"data": {"kind": "preset", "text": "none"}})", R"({"dark": true, "n": -5})"}) {
    EXPECT_EQ(s.apply(read_request(json)), Answer::refused) << json;
    EXPECT_TRUE(s.error().ends_with(".")) << json << ": " << s.error();
    EXPECT_EQ(to_json(s.state()), to_json(before)) << json;
    EXPECT_EQ(s.shared_recording(), recording) << json;
  }
}

TEST(Apply, WhatIsThereAlreadyIsNotRunAgain) {
  Session s(start());
  const auto recording = s.shared_recording();
  EXPECT_EQ(s.apply(s.state()), Answer::shown);
  EXPECT_EQ(s.shared_recording(), recording);
  EXPECT_FALSE(s.undo());
}

TEST(Apply, AStateBringsAnotherSessionToTheSamePlace) {
  Session s(start());
  for (const char* json :
       {R"({"algorithm": "reduce_unrolled", "n": 500})", R"({"variants": {"fold": "4"}})",
        R"({"type": "int32"})", R"({"step": 2})", R"({"view": "banks", "presentation": true})"})
    ASSERT_NE(s.apply(read_request(json)), Answer::refused) << json << s.error();
  Session other(start());
  EXPECT_EQ(other.apply(read_request(to_json(s.state()))), Answer::shown) << other.error();
  EXPECT_EQ(to_json(other.state()), to_json(s.state()));
  EXPECT_EQ(other.recording().trace.output, s.recording().trace.output);
}

// A session that applies the state of another session must reach the same state. This also holds if the user
// zoomed the tree and then chose a smaller tree.
TEST(Apply, AnyStateIsTheSameInAnotherSession) {
#ifdef __SANITIZE_THREAD__
  constexpr int rounds = 5;
#else
  const int rounds = tries_everything() ? 30 : 12;
#endif
  Random random(5);
  int zoomed = 0, clipped = 0;
  for (int round = 0; round < rounds; ++round) {
    Session s(start());
    ASSERT_NE(
        s.apply({.algorithm = round % 2 ? "scan_large" : "reduce_two_pass", .n = 130 + random.any(300)}),
        Answer::refused)
        << s.error();
    for (int i = 0; i < 25; ++i) switch (random.any(9)) {
        case 0:
        case 1: s.step_block(random.any(7) - 3); break;
        case 2:
        case 3: s.zoom_tree(random.any(3) ? 0.6f : 1.4f, static_cast<float>(random.any(100)) / 99); break;
        case 4: s.pan_tree(static_cast<float>(random.any(200) - 100)); break;
        case 5: s.set_block(32 << random.any(3)); break;
        case 6: s.scroll_source(random.any(30) - 10, 5); break;
        case 7:
          s.apply({.first_element = random.any(200) - 50, .element_count = random.any(400) - 50});
          break;
        default: random.any(2) ? s.step_by(random.any(9) - 4) : s.step_request(1);
      }
    const Request state = s.state();
    Session other(start());
    ASSERT_EQ(other.apply(read_request(to_json(state))), Answer::shown) << other.error();
    EXPECT_EQ(to_json(other.state()), to_json(state));
    EXPECT_EQ(s.apply(state), Answer::shown);
    EXPECT_EQ(to_json(s.state()), to_json(state));
    const VisibleColumns here = s.visible_columns(), there = other.visible_columns();
    EXPECT_EQ(std::pair(here.first, here.count), std::pair(there.first, there.count));
    zoomed += state.element_count > 0;
    clipped += state.element_count > 0 && state.element_count != here.count;
  }
  EXPECT_GT(zoomed, rounds / 6);
  EXPECT_GE(clipped, 1);
}

TEST(Zoom, ComesBackBehindASmallerTree) {
  Session s(start());
  ASSERT_NE(s.apply({.algorithm = "scan_large", .n = 300, .block = 64}), Answer::refused) << s.error();
  s.apply({.first_element = 40, .element_count = 80});
  s.set_block(32);
  EXPECT_EQ(s.visible_columns().count, 64);
  s.pan_tree(3);
  s.apply({.dark = false});
  EXPECT_TRUE(s.undo());
  EXPECT_TRUE(s.undo());
  EXPECT_EQ(s.visible_columns().count, 80);
  EXPECT_TRUE(s.redo());
  EXPECT_EQ(s.visible_columns().count, 64);
  s.set_block(64);
  EXPECT_EQ(s.visible_columns().first, 40);
  EXPECT_EQ(s.visible_columns().count, 80);
  s.set_block(32);
  s.zoom_tree(0.5f, 1);
  EXPECT_EQ(s.visible_columns().first, 32);
  EXPECT_EQ(s.visible_columns().count, 32);
}

TEST(Undo, GoesBackOneIntentionAtATime) {
  Session s(start());
  EXPECT_FALSE(s.undo());
  EXPECT_FALSE(s.redo());
  s.step_by(1);
  s.step_by(1);
  s.step_phase(1);
  const int there = s.cursor().step;
  s.set_n(32);
  s.apply({.view = "tree"});
  ASSERT_TRUE(s.undo());
  EXPECT_EQ(s.looks.chosen, -1);
  EXPECT_EQ(s.settings().n, 32);
  ASSERT_TRUE(s.undo());
  EXPECT_EQ(s.settings().n, 64);
  EXPECT_EQ(s.cursor().step, there) << "where the reader was before n changed";
  ASSERT_TRUE(s.undo());
  EXPECT_EQ(s.cursor().step, 0) << "three steps are one intention";
  EXPECT_FALSE(s.undo());
  ASSERT_TRUE(s.redo());
  EXPECT_EQ(s.cursor().step, there);
  ASSERT_TRUE(s.redo());
  EXPECT_EQ(s.settings().n, 32);
  s.step_by(1);
  EXPECT_FALSE(s.redo()) << "another way was taken";
  ASSERT_TRUE(s.undo());
  ASSERT_TRUE(s.undo());
  EXPECT_EQ(s.settings().n, 64);
}

// A request may ask for the numbers of an opened recording although no recording is open. In this case, the
// session makes numbers from the seed.
TEST(Apply, RecordedNumbersThatAreNotHere) {
  Session s(start());
  EXPECT_NE(s.apply(read_request(R"({"data": {"kind": "recorded", "seed": 5}, "n": 48})")), Answer::refused);
  EXPECT_EQ(s.data().kind, DataSource::Kind::seed);
  EXPECT_EQ(s.recording().trace.settings.n, 48);
}

TEST(Undo, WhatWasRefusedIsNoIntention) {
  Session s(start());
  s.set_n(0);
  s.set_block(7);
  EXPECT_FALSE(s.undo());
}

// After any sequence of requests, undoing all requests must restore the first state. Redoing all requests
// must restore the last state.
TEST(Undo, EveryWayBackEndsAtTheBeginning) {
  Random random(11);
  for (int round = 0; round < 4; ++round) {
    Session s(start());
    const std::string beginning = to_json(s.state());
    for (int i = 0; i < 40; ++i) switch (random.any(12)) {
        case 0: s.set_n(1 + random.any(100)); break;
        case 1: s.set_block(32 << random.any(4)); break;
        case 2: s.set_algorithm(algorithms()[static_cast<std::size_t>(random.any(20))].name); break;
        case 3: s.next_choice("layout"); break;
        case 4: s.toggle_barrier(); break;
        case 5: s.set_type(static_cast<Scalar>(random.any(6))); break;
        case 6: s.set_data({DataSource::Kind::typed, 3, "3 1 7 0 4 1 6 3"}); break;
        case 7: s.set_data({DataSource::Kind::seed, static_cast<std::uint64_t>(random.any(9)), {}}); break;
        case 8: s.apply({.view = random.any(2) ? "tree" : "", .dark = random.any(2) == 0}); break;
        case 9: s.zoom_tree(0.5f, 0.5f); break;
        case 10: s.step_block(random.any(3) - 1); break;
        default: random.any(2) ? s.step_by(random.any(7) - 3) : s.step_request(1);
      }
    const std::string end = to_json(s.state());
    int ways = 0;
    while (s.undo()) ASSERT_LT(++ways, 100);
    EXPECT_EQ(to_json(s.state()), beginning);
    while (s.redo()) ASSERT_GT(--ways, -100);
    EXPECT_EQ(to_json(s.state()), end);
  }
}

}  // namespace requests_test
}  // namespace upsweep
