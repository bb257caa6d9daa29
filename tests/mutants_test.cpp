// Changes files and recordings at random. Every changed file or recording must be refused, or must be
// analysed and drawn without a crash, within limits of time and memory.
//
// UPSWEEP_MUTANTS=1000000 sets the number of changed recordings (mutants). UPSWEEP_FIRST_MUTANT=7 starts with
// mutant 7.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <variant>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "base/error.hpp"
#include "study/shipped.hpp"
#include "support/long_tests.hpp"
#include "support/look_at.hpp"
#include "support/mutant.hpp"
#include "support/packed.hpp"
#include "support/random_trace.hpp"
#include "support/session_start.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace mutants_test {

constexpr double longest = 2 * sanitizers_cost;  // seconds
// The number of mutants of each shard.
std::uint64_t usual_count() { return tries_everything() ? 400 : 200; }
constexpr long most_megabytes = 500;
constexpr int shards = 4;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* typed = std::getenv(name);
  return typed ? std::strtoull(typed, nullptr, 10) : otherwise;
}

// The number of the current mutant, which is printed if the program crashes.
std::uint64_t mutant = 0;
void tell() {
  std::fprintf(stderr, "This happened with UPSWEEP_FIRST_MUTANT=%llu\n",
               static_cast<unsigned long long>(mutant));
}
void tell_of_death() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(tell);
#else
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL})
    std::signal(signal, [](int number) {
      tell();
      std::signal(number, SIG_DFL);
      std::raise(number);
    });
#endif
}

struct Source {
  Trace trace;
  std::string file, body;
};

// Returns the recordings to be mutated, sorted by the size of their files.
const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    std::vector<Source> made;
    const auto add = [&](Trace t) {
      made.push_back({std::move(t), {}, {}});
      made.back().file = pack(made.back().trace);
      made.back().body = body_of(made.back().file);
    };
    for (const Shipped& s : shipped_recordings())
      if (s.bytes < 40000 || std::getenv("UPSWEEP_MUTANTS")) add(open_recording(s.name));
    for (unsigned seed = 0; seed < 60; ++seed) add(RandomTrace(seed).make());
    std::sort(made.begin(), made.end(),
              [](const Source& a, const Source& b) { return a.file.size() < b.file.size(); });
    return made;
  }();
  return all;
}
const Source& some_source(Mutation& random) {
  const std::size_t count = sources().size();
  return sources()[std::min({random.any(count), random.any(count), random.any(count)})];
}

// Returns a mutated recording, or the sentence that refuses the recording.
std::variant<Trace, std::string> made(Mutation& random) {
  const Source& source = some_source(random);
  try {
    const std::size_t way = random.any(20);
    if (way < 4) {
      std::string bytes = way < 2 ? source.file : source.body;
      for (std::size_t k = 1 + random.any(4); k > 0; --k) random.change(bytes);
      return unpack(way < 2 ? bytes : with_body(source.file, bytes), "x");
    }
    Trace t = source.trace;
    for (std::size_t k = 1 + random.any(random.any(4) ? 2 : 5); k > 0; --k)
      random.change(t, some_source(random).trace);
    if (way == 4) return unpack(pack(t), "x");
    if (const Message why = contradiction(t)) return in_words(why);
    return t;
  } catch (const RequestError& e) { return in_words(e); }
}

class EachMutant : public testing::TestWithParam<int> {};

TEST_P(EachMutant, DoesNoHarm) {
  tell_of_death();
  const std::uint64_t count = from_environment("UPSWEEP_MUTANTS", usual_count() * shards) / shards,
                      first =
                          from_environment("UPSWEEP_FIRST_MUTANT", static_cast<std::uint64_t>(GetParam()));
  sources();
  const double begin = cpu_seconds();
  double worst = 0;
  long peak = peak_megabytes();
  const long peak_before = peak;
  std::uint64_t looked = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    mutant = first + k * shards;
    Mutation random(mutant);
    const double before = cpu_seconds();
    auto now = made(random);
    if (Trace* t = std::get_if<Trace>(&now)) {
      ++looked;
      const int step = static_cast<int>(random.any(t->steps.size()));
      look_at(
          std::move(*t), step, [&](std::size_t below) { return random.any(below); }, [](const char*) {});
    } else {
      EXPECT_LT(std::get<std::string>(now).size(), 2000u) << std::get<std::string>(now);
    }
    const double took = cpu_seconds() - before;
    worst = std::max(worst, took);
    EXPECT_LT(took, longest) << "UPSWEEP_FIRST_MUTANT=" << mutant;
    EXPECT_LT(peak_megabytes(), peak + most_megabytes) << "UPSWEEP_FIRST_MUTANT=" << mutant;
    peak = std::max(peak, peak_megabytes());
  }
  const double took = cpu_seconds() - begin;
  if (count >= 100) { EXPECT_GT(looked, count / 10); }
  std::printf(
      "%llu mutants, %llu of them accepted: %.0f per CPU second, at worst %.3f s; peak memory %ld MB, %ld MB "
      "more than at first\n",
      static_cast<unsigned long long>(count), static_cast<unsigned long long>(looked),
      static_cast<double>(count) / took, worst, peak, peak - peak_before);
}

TEST(Mutants, AreOpenedLikeAnyFile) {
  const std::string path = testing::TempDir() + "upsweep-mutant.upsweep";
  Session session(start());
  int opened = 0;
  for (std::uint64_t k = 0; opened < 4; ++k) {
    Mutation random(k);
    const auto now = made(random);
    const Trace* t = std::get_if<Trace>(&now);
    if (!t) continue;
    std::ofstream(path, std::ios::binary) << pack(*t);
    const double before = cpu_seconds();
    session.open(path);
    EXPECT_TRUE(session.shows_opened()) << session.error();
    session.last();
    session.settle(1);
    EXPECT_LT(cpu_seconds() - before, longest) << k;
    ++opened;
  }
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Shard, EachMutant, testing::Range(0, shards));

}  // namespace mutants_test
}  // namespace upsweep
