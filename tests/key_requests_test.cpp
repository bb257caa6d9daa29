// Tests how keys, and requests to the session, change the state of the session. Needs no window.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "panels/keys.hpp"
#include "study/request.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace key_requests_test {

// A key or a request, and the part of the state that is expected afterwards.
struct Act {
  Chord key;
  const char* request;
  const char* then;
};

void play(Session& s, std::initializer_list<Act> acts) {
  int number = 0;
  for (const Act& act : acts) {
    ++number;
    if (act.key.key != 0) { EXPECT_TRUE(perform(s, command_of(act.key, false))) << number; }
    if (*act.request) {
      EXPECT_NE(s.apply(read_request(act.request)), Answer::refused) << number << s.error();
    }
    const nlohmann::json is = nlohmann::json::parse(to_json(s.state()));
    nlohmann::json wanted = is;
    wanted.merge_patch(nlohmann::json::parse(to_json(read_request(act.then))));
    EXPECT_EQ(is, wanted) << number;
  }
}

constexpr Chord none{0, 0};
constexpr Chord undo{key::left, key::alt}, redo{key::right, key::alt};

TEST(KeyRequests, Stepping) {
  Session s(start());
  play(s, {{{key::right}, "", R"({"step": 1, "request": -1})"},
           {{key::left}, "", R"({"step": 0})"},
           {{key::page_down}, "", R"({"step": 1})"},
           {{key::page_up}, "", R"({"step": 0})"},
           {{key::right}, "", R"({"step": 1})"},
           {{key::right, key::shift}, "", R"({"step": 7})"},  // step 7 is the step `clear`
           {{key::right, key::shift}, "", R"({"step": 8})"},  // step 8 is the first step of the down-sweep
           {{key::left, key::shift}, "", R"({"step": 7})"},
           {{key::left, key::shift}, "", R"({"step": 1})"},
           {{key::right, key::control}, "", R"({"step": 1, "request": 0})"},
           {{key::left, key::control}, "", R"({"step": 0})"},
           {{key::end}, "", R"({"step": 14, "request": -1})"},
           {{key::home}, "", R"({"step": 0})"},
           {undo, "", R"({"step": 0})"}});
}

TEST(KeyRequests, ChoosingAndUndoing) {
  Session s(start());
  play(s,
       {{none, R"({"step": 3})", R"({"step": 3})"},
        {{key::letter('L')}, "", R"({"layout": "pad32", "step": 3})"},
        {{key::letter('L')}, "", R"({"layout": "pad16"})"},
        {none, R"({"algorithm": "scan_large"})", R"({"algorithm": "scan_large", "n": 256, "at_block": 0})"},
        {{key::down}, "", R"({"at_block": 1})"},
        {{key::down}, "", R"({"at_block": 2})"},
        {{key::up}, "", R"({"at_block": 1})"},
        {none, R"({"variants": {"block_scan": "brent_kung"}})",
         R"({"variants": {"block_scan": "brent_kung"}})"},
        {undo, "", R"({"variants": {"block_scan": "blelloch"}, "at_block": 1})"},
        {undo, "", R"({"at_block": 0, "algorithm": "scan_large"})"},
        {undo, "", R"({"algorithm": "scan_blelloch", "n": 64, "layout": "pad16", "step": 3})"},
        {undo, "", R"({"layout": "pad32"})"},
        {undo, "", R"({"layout": "none", "step": 3})"},
        {redo, "", R"({"layout": "pad32", "step": 3})"},
        {redo, "", R"({"layout": "pad16"})"},
        {redo, "", R"({"algorithm": "scan_large", "n": 256})"},
        {redo, "", R"({"at_block": 1})"},
        {redo, "", R"({"variants": {"block_scan": "brent_kung"}})"}});
}

TEST(KeyRequests, LookingAndPlaying) {
  Session s(start());
  play(s, {{{key::digit(2)}, "", R"({"view": "memory"})"},
           {{key::digit(2)}, "", R"({"view": ""})"},
           {{key::letter('I')}, "", R"({"view": "because"})"},
           {{key::letter('I')}, "", R"({"view": ""})"},
           {{key::letter('T')}, "", R"({"dark": false})"},
           {{key::letter('P')}, "", R"({"presentation": true})"},
           {{key::escape}, "", R"({"presentation": false})"},
           {{key::f1}, "", R"({"help": true})"},
           {{key::escape}, "", R"({"help": false})"},
           {{key::letter('C')}, "", R"({"timing_large": true})"},
           {{key::letter('C'), key::shift}, "", R"({"chart": "full size"})"},
           {{key::letter('C')}, "", R"({"timing_large": false})"},
           {{key::letter('W')}, "", R"({"counters": true})"},
           {{key::equal}, "", R"({"speed": 4})"},
           {{key::minus}, "", R"({"speed": 2})"},
           {{key::space}, "", R"({"playing": true})"},
           {{key::space}, "", R"({"playing": false})"},
           {{key::letter('X')}, "", R"({})"},
           {undo, "", R"({"without_barrier": 0, "counters": true})"}});
}

}  // namespace key_requests_test
}  // namespace upsweep
