// Tests the part of the session that shows times: the choice of times, and a sweep that runs in another
// thread. Needs no window.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "panels/layout.hpp"
#include "panels/timing_panel.hpp"
#include "support/timed_session.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace timing_session_test {

// A made-up sweep that measures `let` sizes and then waits. The sweep continues when the test increases
// `let`, and ends when the sweep is stopped.
struct Slow {
  std::atomic<int> let = 0;
  Sweeper::Measure measure() {
    return [this](const SweepRequest& r, const std::function<void(const SweepProgress&)>& progress,
                  std::stop_token stop) {
      Timings all;
      all.date = "2026-11-21T10:00:00Z";
      const std::size_t rows = r.sizes.size() * r.kernels.size();
      int done = 0;
      for (const int n : r.sizes) {
        progress({all.rows.size(), rows, plain("a kernel"), all});
        while (done >= let && !stop.stop_requested())
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (stop.stop_requested()) break;
        done++;
        for (const Candidate& c : r.kernels) {
          Timing t =
              made_up_timing(Contender::kernel, c.settings.algorithm, variant_name(c.settings), n, 1e-5);
          t.settings = c.settings;
          t.settings.n = n;
          all.rows.push_back(t);
        }
        progress({all.rows.size(), rows, {}, all});
      }
      return all;
    };
  }
};

class File {
 public:
  explicit File(const std::string& text) : path_(std::filesystem::temp_directory_path() / name()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static std::string name() {
    return std::string("upsweep-times-") + std::to_string(Clock::now().time_since_epoch().count()) + ".json";
  }
  std::filesystem::path path_;
};

TEST(TimingSources, ThoseThatComeWithTheProgramCanBeRead) {
  for (const TimingSource& s : shipped_sources()) {
    EXPECT_FALSE(s.timings->rows.empty()) << s.name;
    EXPECT_FALSE(s.timings->device.empty()) << s.name;
    EXPECT_NE(short_text(s).find("recorded"), std::string::npos) << short_text(s);
  }
}

TEST(TimingSources, SayPlainlyWhetherTheyWereRecorded) {
  const TimingSource other = source_of("nvidia-h200", recorded());
  EXPECT_EQ(short_text(other), "NVIDIA H200, recorded 2026-11-20");
  EXPECT_EQ(origin_line(other), "recorded on NVIDIA H200, 2026-11-20 · driver 580.159.04");
  Timings here = recorded();
  here.device.clear();
  const TimingSource live = source_of("this computer", here, true);
  EXPECT_EQ(short_text(live), "this computer, live");
  EXPECT_TRUE(origin_line(live).starts_with("measured here, AMD EPYC, 2026-11-20")) << origin_line(live);
}

TEST(TimingSources, AFileIsShownAndABrokenOneChangesNothing) {
  Session s(timed({source_of("one", recorded())}));
  EXPECT_EQ(s.timing.source()->name, "one");
  const std::string text = to_json(recorded(), in_words);
  const File good(text);
  s.open(good.path());
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.timing.sources().size(), 2u);
  EXPECT_EQ(s.timing.source()->name, std::filesystem::path(good.path()).filename());
  s.open(good.path());
  EXPECT_EQ(s.timing.sources().size(), 2u) << "the same file again";
  EXPECT_FALSE(s.shows_opened());

  std::string newer = text;
  newer.replace(newer.find("\"version\":1"), 11, "\"version\":9");
  for (const std::string& broken :
       {text.substr(0, text.size() / 2), newer, std::string("{}"), std::string()}) {
    const File file(broken);
    s.timing.show(0);
    s.open(file.path());
    EXPECT_TRUE(s.error().ends_with(".")) << s.error();
    EXPECT_EQ(s.timing.source()->name, "one");
    EXPECT_EQ(s.timing.sources().size(), 2u);
    s.dismiss_banner();
  }
  s.open("/nowhere/at/all.json");
  EXPECT_NE(s.error(), "");
}

TEST(TimingSources, ALargeFileHoldsNobodyUp) {
  const File good(to_json(recorded(), in_words)), broken("{");
  Session::Start start = timed({source_of("one", recorded())});
  start.moment = 0;
  Session s(start);
  s.settle(60);
  EXPECT_NE(s.open(good.path()), Answer::refused);
  s.settle(60);
  EXPECT_EQ(s.timing.sources().size(), 2u);
  EXPECT_EQ(s.timing.shown(), 1);
  s.open(broken.path());
  s.settle(60);
  EXPECT_TRUE(s.error().ends_with(".")) << s.error();
  EXPECT_EQ(s.timing.sources().size(), 2u);
}

TEST(TimingSources, TheNextOneComesAround) {
  Session s(timed({source_of("one", recorded()), source_of("two", recorded())}));
  s.next_timings();
  EXPECT_EQ(s.timing.source()->name, "two");
  s.next_timings();
  EXPECT_EQ(s.timing.source()->name, "one");
  Session none(timed({}));
  EXPECT_EQ(none.timing.source(), nullptr);
  EXPECT_FALSE(shows_timing(1920, 1080, none.looks)) << "a panel without times takes no room";
  EXPECT_TRUE(shows_timing(1920, 1080, s.looks));
  EXPECT_TRUE(shows_timing(1280, 720, s.looks)) << "the key shows the times";
  none.next_timings();
  EXPECT_NE(none.error(), "");
}

TEST(LiveSweep, ComesSizeBySizeWhileTheWindowGoesOn) {
  Slow slow;
  Session s(timed({source_of("one", recorded())}, slow.measure()));
  const auto begin = Clock::now();
  s.measure_times();
  EXPECT_LT(seconds_since(begin), 5) << "it waited for the sweep";
  EXPECT_TRUE(s.timing.measuring());
  EXPECT_TRUE(s.timing.source()->live);
  const int least = s.timing.source()->least_n, most = s.timing.source()->most_n;
  EXPECT_EQ(least, 1024);
  EXPECT_EQ(most, 1 << 28);
  EXPECT_TRUE(s.step_by(+1)) << "the window goes on";
  for (int sizes = 1; sizes <= 3; sizes++) {
    slow.let = sizes;
    tick_until(s,
               [&] { return s.timing.source()->timings->rows.size() == 2 * static_cast<unsigned>(sizes); });
    EXPECT_EQ(s.timing.source()->least_n, least);
    EXPECT_EQ(s.timing.source()->most_n, most);
  }
  EXPECT_EQ(s.timing.progress().all, 38u);
  EXPECT_EQ(rows_of(*s.timing.source()->timings, s.settings()).size(), 3u);
  slow.let = 100;
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_EQ(s.timing.source()->timings->rows.size(), 38u);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.timing.sources().size(), 2u);
}

TEST(LiveSweep, MeasuresJustWhatIsOnTheScreenAndNotWhatSuitsASize) {
  const auto measure = [](const SweepRequest& r, const std::function<void(const SweepProgress&)>&,
                          std::stop_token) {
    Timings all;
    all.date = "2026-11-21T10:00:00Z";
    for (const SweepGroup& g :
         plan_sweep(r, {std::uint64_t{1} << 37, std::uint64_t{1} << 36, 132, {}, {}, {}}))
      for (const SweepRow& row : g.rows)
        if (row.contender == Contender::kernel) {
          all.rows.push_back(row);
          all.rows.back().seconds =
              made_up_timing(row.contender, row.name, row.variant, row.settings.n, 1e-5).seconds;
        }
    return all;
  };
  Session s(timed({}, measure, "scan_lookback_vectorized"));
  ASSERT_FALSE(algorithm("scan_lookback_vectorized").tunings.empty());
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_EQ(rows_of(*s.timing.source()->timings, s.settings()).size(), 19u);
  EXPECT_EQ(rows_of(*s.timing.source()->timings, *s.chosen_times().compared).size(), 19u);
}

TEST(LiveSweep, IsCancelledAndKeepsWhatItHas) {
  Slow slow;
  slow.let = 2;
  Session s(timed({}, slow.measure()));
  s.measure_times();
  tick_until(s, [&] { return s.timing.source()->timings->rows.size() == 4; });
  s.measure_times();
  EXPECT_TRUE(s.timing.cancelling());
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_EQ(s.timing.source()->timings->rows.size(), 4u);
  EXPECT_EQ(s.error(), "");
  s.measure_times();
  EXPECT_TRUE(s.timing.measuring()) << "and can be started again";
}

TEST(LiveSweep, ARealOneOfTheCpuEndsSoonWhenItIsCancelled) {
  Session s(timed({}, measure));
  s.measure_times();
  tick_until(s, [&] { return s.timing.progress().all > 0; });
  const auto begin = Clock::now();
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_LT(seconds_since(begin), 10);  // takes 0.2 s if the computer does nothing else
}

TEST(LiveSweep, WithoutAGpuSaysWhyAndMeasuresTheCpu) {
  const auto without = [](const SweepRequest& r, const std::function<void(const SweepProgress&)>&,
                          std::stop_token) {
    Timings all = planned_without_gpu(r);
    for (Timing& t : all.rows)
      if (!t.missing) t.seconds = made_up_spread(1e-3);
    return all;
  };
  Session s(timed({source_of("one", recorded())}, without));
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
  const Timings& all = *s.timing.source()->timings;
  EXPECT_EQ(why_not_there(all, s.settings()), "There is no GPU here.");
  EXPECT_EQ(matter_sentence(all, s.chosen_times(), -1, -1), "There is no GPU here.");
  EXPECT_EQ(full_size(all, s.chosen_times()), 1 << 28) << "the CPU's largest size";
  s.next_timings();
  EXPECT_EQ(why_not_there(*s.timing.source()->timings, s.settings()), "") << "a key shows recorded times";
}

TEST(LiveSweep, WhatGoesWrongIsASentence) {
  Session s(timed({}, [](const SweepRequest&, const auto&, std::stop_token) -> Timings {
    throw WorkError("The GPU is gone.");
  }));
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_EQ(s.error(), "The GPU is gone.");
}

TEST(LiveSweep, IsNotStartedForWhatHasNoTime) {
  Slow slow;
  Session broken(timed({}, slow.measure(), "bug_barrier_removed"));
  broken.measure_times();
  EXPECT_NE(broken.error().find("broken on purpose"), std::string::npos) << broken.error();
  Session s(timed({}, slow.measure()));
  s.toggle_barrier();
  s.measure_times();
  EXPECT_NE(s.error().find("barrier"), std::string::npos) << s.error();
  EXPECT_FALSE(s.timing.measuring());
}

TEST(Pins, StayWithTheirPointWhicheverTimesAreShown) {
  Session s(timed({source_of("one", recorded()), source_of("two", recorded(many_contenders()))}));
  s.pin_time(7);
  const Timing pinned = s.timing.source()->timings->rows.at(7);
  EXPECT_TRUE(s.timing.is_pinned(pinned));
  s.next_timings();
  int found = 0;
  for (const Timing& t : s.timing.source()->timings->rows) found += s.timing.is_pinned(t);
  EXPECT_EQ(found, 1);
  s.next_timings();
  s.pin_time(7);
  EXPECT_EQ(s.timing.pins(), 0u);
  s.pin_time(-1);
  s.pin_time(1 << 20);
  EXPECT_EQ(s.timing.pins(), 0u);
}

TEST(TimingPicture, NamesTheRowsOfItsTargetsAndStandsStillWhileTimesCome) {
  Slow slow;
  Session s(timed({source_of("one", recorded())}, slow.measure()));
  for (const TimingChart chart : {TimingChart::sweep, TimingChart::full_size, TimingChart::roofline}) {
    const TimingPicture p = timing_picture(s.timing, s.chosen_times(), chart, dark_theme(), 640, 200);
    int targets = 0;
    for (const Scene::Target& t : p.scene.targets)
      if (const auto* time = as<TimeId>(t.id)) {
        targets++;
        EXPECT_LT(static_cast<std::size_t>(p.rows.at(static_cast<std::size_t>(time->row))),
                  s.timing.source()->timings->rows.size());
      }
    EXPECT_GT(targets, 3);
  }
  // When points are added to the chart, the other points must not move.
  s.measure_times();
  std::vector<Scene::Target> before;
  for (int sizes = 1; sizes <= 4; sizes++) {
    slow.let = sizes;
    tick_until(s,
               [&] { return s.timing.source()->timings->rows.size() == 2 * static_cast<unsigned>(sizes); });
    const auto p = timing_picture(s.timing, s.chosen_times(), TimingChart::sweep, dark_theme(), 640, 200);
    for (const Scene::Target& old : before)
      EXPECT_TRUE(std::any_of(p.scene.targets.begin(), p.scene.targets.end(),
                              [&](const Scene::Target& t) { return t.box == old.box; }));
    before.clear();
    for (const Scene::Target& t : p.scene.targets)
      if (t.box.w == 14) before.push_back(t);  // a point is 14 dp wide, and a name is wider
    EXPECT_GE(before.size(), static_cast<std::size_t>(sizes));
  }
}

// From the times that come with the program, the window must offer two cases. In one case, fewer bank
// conflicts save time. In the other case, the conflicts cost no time.
TEST(Cases, OfTheShippedTimesPayAndAreHidden) {
  Session s(timed(shipped_sources()));
  const Timings& all = *s.timing.source()->timings;
  ASSERT_EQ(s.shown_case(), -1);
  perform(s, {Action::choose_case, 0});
  ASSERT_EQ(s.error(), "");
  EXPECT_EQ(s.shown_case(), 0);
  Chosen c = s.chosen_times();
  EXPECT_EQ(c.now.choice("layout"), "none");
  EXPECT_EQ(c.compared->choice("layout"), "pad32");
  const int n = full_size(all, c);
  EXPECT_GT(row_at(all, c.now, n)->excess_wavefronts, row_at(all, *c.compared, n)->excess_wavefronts);
  std::string sentence = matter_sentence(all, c, -1, -1);
  EXPECT_TRUE(sentence.starts_with("Padding is ")) << sentence;
  EXPECT_NE(sentence.find(" × faster"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("slower"), std::string::npos) << sentence;

  perform(s, {Action::choose_case, 1});
  ASSERT_EQ(s.error(), "");
  EXPECT_EQ(s.shown_case(), 1);
  c = s.chosen_times();
  EXPECT_EQ(difference(row_at(all, c.now, full_size(all, c))->seconds,
                       row_at(all, *c.compared, full_size(all, c))->seconds)
                .verdict,
            Verdict::same);
  sentence = matter_sentence(all, c, -1, -1);
  EXPECT_NE(sentence.find("waits for global memory"), std::string::npos) << sentence;
}

TEST(Cases, TheKeyGoesFromTheOneToTheOther) {
  Session s(timed(shipped_sources()));
  for (const int expected : {0, 1, 0, 1}) {
    perform(s, {Action::next_case, 0});
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.shown_case(), expected);
    EXPECT_TRUE(s.chosen_times().compared);
    EXPECT_GT(s.recording().facts.steps[static_cast<std::size_t>(s.cursor().step)].max_degree, 1)
        << "the example opens where its conflicts are seen";
    s.swap_compared();
    EXPECT_EQ(s.shown_case(), expected) << "both variants belong to the case";
  }
  s.show_case(0);
  const Settings compared = *s.chosen_times().compared;
  s.next_compared();
  EXPECT_NE(variant_name(*s.chosen_times().compared), variant_name(compared)) << "another variant at once";
  s.set_n(1000);
  perform(s, {Action::choose_case, 0});
  EXPECT_EQ(s.settings().n, 1000) << "a size that was chosen by hand stays";
}

TEST(Cases, AreFoundWhereThereAreSome) {
  EXPECT_EQ(cases_of({}).pays, std::nullopt);
  Timings all = recorded();
  EXPECT_EQ(cases_of(all).pays, std::nullopt) << "the bank conflicts are not known";
  for (Timing& t : all.rows)
    if (t.name == "scan_blelloch") t.excess_wavefronts = t.variant.empty() ? 1071 : 0;
  ASSERT_TRUE(cases_of(all).pays);
  EXPECT_EQ(cases_of(all).pays->outcome, "Padding, scan_blelloch: 1.4 × faster at 2^30");
  EXPECT_EQ(cases_of(all).hidden, std::nullopt);
  // In these times, the scan has three quarters of the copy's bandwidth with and without bank conflicts.
  // Therefore the conflicts cost no time.
  for (Timing& t : all.rows)
    if (t.name == "scan_blelloch") t.seconds = made_up_spread(t.bytes / 3.2e12 + 5e-6);
  EXPECT_EQ(cases_of(all).pays, std::nullopt);
  ASSERT_TRUE(cases_of(all).hidden);
  EXPECT_EQ(cases_of(all).hidden->outcome, "Padding, scan_blelloch: no difference at 2^30");
  // The case must show the variant with conflicts first, even if this variant is not the baseline.
  EXPECT_EQ(cases_of(all).hidden->now.choice("layout"), "none");
  for (Timing& t : all.rows)
    if (t.name == "scan_blelloch") t.excess_wavefronts = t.variant.empty() ? 0 : 1071;
  EXPECT_EQ(cases_of(all).hidden->now.choice("layout"), "pad32");
  EXPECT_EQ(cases_of(all).hidden->compared.choice("layout"), "none");
  Session none(timed({source_of("one", recorded())}));
  none.show_case(0);
  EXPECT_EQ(none.error(), "These times contain no example in which fewer bank conflicts save time.");
}

}  // namespace timing_session_test
}  // namespace upsweep
