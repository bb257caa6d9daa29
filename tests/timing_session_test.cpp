// The timing half of the session without a window: whose times are shown, a sweep while the window goes on,
// and what is compared.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "made_up_timings.hpp"
#include "session_start.hpp"
#include "ui/timing_panel.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Times as `upsweep bench` would name them: of a real run every row says which algorithm it is of.
Timings recorded(std::vector<MadeUp> contenders = usual_contenders()) {
  Timings all = made_up_timings(contenders);
  for (Timing& t : all.rows) {
    t.settings.algorithm = t.contender == Contender::kernel ? t.name : "";
    if (t.variant == "pad32") t.settings.layout = t.variant;
  }
  all.recorded = "made up";
  return all;
}

// A session that has these recordings and measures like this.
Session::Start timed(std::vector<TimingSource> sources, Sweeper::Measure measure = {},
                     const std::string& algorithm = "scan_blelloch") {
  Session::Start s = start(64, algorithm);
  s.timing.recorded = std::move(sources);
  s.timing.measure = std::move(measure);
  return s;
}

// Waits for what a sweep does; the window would tick when it is woken.
template <class Condition>
void tick_until(Session& s, Condition condition) {
  const auto begin = Clock::now();
  while (!condition() && seconds_since(begin) < 20) {
    s.tick(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(condition());
}

// A sweep that adds a size whenever it is let, and ends when it is stopped.
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
        progress({all.rows.size(), rows, "a kernel", all});
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
        progress({all.rows.size(), rows, "", all});
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
  for (const TimingSource& s : shipped_timings()) {
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
  const std::string text = to_json(recorded());
  const File good(text);
  s.open(good.path());
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.timing.sources().size(), 2u);
  EXPECT_EQ(s.timing.source()->name, std::filesystem::path(good.path()).filename());
  s.open(good.path());
  EXPECT_EQ(s.timing.sources().size(), 2u) << "the same file again";
  EXPECT_FALSE(s.shows_opened());

  std::string newer = text;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  for (const std::string& broken :
       {text.substr(0, text.size() / 2), newer, std::string("{}"), std::string()}) {
    const File file(broken);
    s.timing.show(0);
    s.open(file.path());
    EXPECT_TRUE(s.error().ends_with(".")) << s.error();
    EXPECT_EQ(s.timing.source()->name, "one");
    EXPECT_EQ(s.timing.sources().size(), 2u);
    s.dismiss_error();
  }
  s.open("/nowhere/at/all.json");
  EXPECT_NE(s.error(), "");
}

TEST(TimingSources, TheNextOneComesAround) {
  Session s(timed({source_of("one", recorded()), source_of("two", recorded())}));
  s.next_timings();
  EXPECT_EQ(s.timing.source()->name, "two");
  s.next_timings();
  EXPECT_EQ(s.timing.source()->name, "one");
  Session none(timed({}));
  EXPECT_EQ(none.timing.source(), nullptr);
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
  EXPECT_LT(seconds_since(begin), 10);  // 0.2 s on a computer that has nothing else to do
}

TEST(LiveSweep, WithoutAGpuSaysWhyAndMeasuresTheCpu) {
  const auto without = [](const SweepRequest& r, const std::function<void(const SweepProgress&)>&,
                          std::stop_token) {
    Timings all;
    for (const SweepGroup& g : plan_sweep(r, {0, std::uint64_t{1} << 40, 0, "There is no GPU here.", ""}))
      for (Timing t : g.rows) {
        if (t.missing.empty()) t.seconds = made_up_spread(1e-3);
        all.rows.push_back(t);
      }
    return all;
  };
  Session s(timed({source_of("one", recorded())}, without));
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
  const Timings& all = *s.timing.source()->timings;
  EXPECT_EQ(why_not_there(all, s.settings()), "There is no GPU here.");
  EXPECT_EQ(matter_sentence(all, s.chosen_times(), -1, -1), "There is no GPU here.");
  EXPECT_EQ(full_size(all, s.chosen_times()), 1 << 28) << "the CPU's";
  s.next_timings();
  EXPECT_EQ(why_not_there(*s.timing.source()->timings, s.settings()), "") << "recorded ones are a key away";
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

TEST(Twin, OfAPaddedKernelIsTheUnpaddedOneAndViceVersa) {
  Session s(timed({}));
  EXPECT_EQ(s.chosen_times().twin->layout, "pad32");
  for (const char* padded : {"pad32", "pad16"}) {
    s.set_layout(padded);
    EXPECT_EQ(s.chosen_times().twin->layout, "none");
  }
  s.swap_twin();
  EXPECT_EQ(s.settings().layout, "none");
  EXPECT_EQ(s.chosen_times().twin->layout, "pad16") << "it is compared with what was there";
  s.swap_twin();
  EXPECT_EQ(s.settings().layout, "pad16");
  EXPECT_EQ(s.error(), "");
}

TEST(Twin, IsAnyVariantAndSwapsBack) {
  for (const Algorithm* a : correct_algorithms()) {
    Session s(timed({}, {}, "scan_blelloch"));
    s.set_algorithm(a->name);
    if (!s.error().empty()) continue;  // needs other data
    const Chosen first = s.chosen_times();
    const std::size_t choices = twins_of(*a, s.settings()).size();
    EXPECT_EQ(first.twin.has_value(), choices > 0) << a->name;
    s.swap_twin();
    EXPECT_EQ(s.error().empty(), choices > 0) << a->name << ": " << s.error();
    if (!first.twin || !s.error().empty()) continue;
    EXPECT_EQ(variant_name(s.settings()), variant_name(*first.twin)) << a->name;
    EXPECT_NE(name_beside(first.now, *first.twin), name_beside(*first.twin, first.now)) << a->name;
    s.swap_twin();
    EXPECT_EQ(variant_name(s.settings()), variant_name(first.now)) << a->name;
    for (std::size_t i = 0; i < choices && choices > 1; i++) s.next_twin();
    EXPECT_EQ(s.error(), "") << a->name;
  }
}

TEST(Twin, CostsWhatItsOwnRecordingSays) {
  Session s(timed({}));
  s.set_n(1024);
  const auto costs_of = [&] {
    s.follow_twin();
    tick_until(s, [&] { return s.twin_facts().twin_cost().has_value(); });
    return std::pair(*s.twin_facts().shown_cost(), *s.twin_facts().twin_cost());
  };
  const auto [plain, padded] = costs_of();
  const Totals& totals = s.recording().facts.totals;
  EXPECT_EQ(plain.wavefronts, totals.shared_load.wavefronts + totals.shared_store.wavefronts);
  EXPECT_EQ(plain.excess, totals.shared_load.excess + totals.shared_store.excess);
  EXPECT_GT(plain.excess, padded.excess);
  s.swap_twin();
  const auto [now, twin] = costs_of();
  EXPECT_EQ(now, padded);
  EXPECT_EQ(twin, plain);
}

TEST(Twin, DoesItMatterIsTheSameWhicheverIsOnTheScreen) {
  Session s(timed({source_of("one", recorded())}));
  const std::string sentence = matter_sentence(*s.timing.source()->timings, s.chosen_times(), 93, 53);
  EXPECT_TRUE(sentence.starts_with("Padding removes 40 of 93 wavefronts of a block and is ")) << sentence;
  s.swap_twin();
  EXPECT_EQ(matter_sentence(*s.timing.source()->timings, s.chosen_times(), 53, 93), sentence);
}

TEST(Twin, ThatWasNotRecordedIsNamed) {
  Session s(timed({source_of("one", recorded())}));
  s.set_layout("pad16");
  EXPECT_EQ(matter_sentence(*s.timing.source()->timings, s.chosen_times(), 1, 2),
            "These times have no scan_blelloch, pad16 of float32 sum.");
  s.set_type(Scalar::int32);
  EXPECT_NE(why_not_there(*s.timing.source()->timings, s.settings()).find("int32"), std::string::npos);
}

TEST(Selection, HasTheChosenKernelItsTwinAndItsPeersAlone) {
  Timings all = recorded(many_contenders());
  Session s(timed({}));
  const Selection sweep = rows_for_sweep(all, s.chosen_times());
  std::set<std::string> names;
  for (const Timing& t : sweep.timings.rows) names.insert(t.name);
  EXPECT_EQ(names,
            (std::set<std::string>{"cudaMemcpy", "scan_blelloch", "cub::DeviceScan", "std::inclusive_scan"}));
  EXPECT_EQ(sweep.timings.rows.at(static_cast<std::size_t>(sweep.chosen)).variant, "");
  for (std::size_t i = 0; i < sweep.rows.size(); i++)
    EXPECT_EQ(sweep.timings.rows[i], all.rows.at(static_cast<std::size_t>(sweep.rows[i])));

  const int n = full_size(all, s.chosen_times());
  EXPECT_EQ(n, 1 << 30);
  for (const int most : {0, 6, 8, 100}) {
    const Selection bars = rows_for_bars(all, s.chosen_times(), n, most);
    EXPECT_GE(bars.chosen, 0);
    EXPECT_LE(static_cast<int>(bars.rows.size()), std::max(most, 5));
    for (const Timing& t : bars.timings.rows) EXPECT_FALSE(t.name.starts_with("reduce")) << t.name;
  }
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
      if (t.id.what == Id::What::timing) {
        targets++;
        EXPECT_LT(static_cast<std::size_t>(p.rows.at(static_cast<std::size_t>(t.id.row))),
                  s.timing.source()->timings->rows.size());
      }
    EXPECT_GT(targets, 3);
  }
  // Points that came stay where they are as others come.
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
      if (t.box.w == 14) before.push_back(t);  // of points, not of names
    EXPECT_GE(before.size(), static_cast<std::size_t>(sizes));
  }
}

}  // namespace
}  // namespace upsweep
