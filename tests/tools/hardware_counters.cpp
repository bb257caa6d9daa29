// hardware_counters [--metrics] [--n N] [ALGORITHM...]: predicts counts from a recording, and compares them
// with the GPU's own counters in a run without the recorder. Compares the counts of the whole run and of each
// line. By default, tests all correct algorithms. With --metrics, first lists all instruction metrics. Exits
// with 1 if a count differs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/gpu/counted.hpp"
#include "support/compile_cases.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

void print(const Counted& c) {
  constexpr const char* words[] = {"predicted", "same", "varies", "DIFFERENT"};
  const auto word = [&](Agreement a) { return words[static_cast<int>(a)]; };
  for (const RunCount& r : c.run)
    fmt::print("{:9} {:28} predicted {:10} measured {:10}  {}\n", word(r.agreement), in_words(r.what),
               r.predicted, r.measured.value_or(0), r.metric);
  fmt::print("          arbitration conflicts        measured {:31}\n", c.arbitration.value_or(0));
  for (const LinesCount& l : c.lines)
    if (l.agreement == Agreement::varies || l.agreement == Agreement::different)
      fmt::print("{:9} line {} predicted {} measured {}\n", word(l.agreement), fmt::join(l.lines, ", "),
                 fmt::join(l.predicted, " "), fmt::join(l.measured.value_or(LineNumbers{}), " "));
  fmt::print("          {} lines\n", c.lines.size());
}

// Returns settings for all variants of an algorithm. Leaves out variants that are wrong on purpose, and
// variants that the compiler changes (see below). If the algorithm allows elements of 8 or of 2 bytes, also
// returns settings with these elements.
std::vector<Settings> choices(const Algorithm& a) {
  std::vector<Settings> all = every_variant(a);
  std::erase_if(all, [&](const Settings& s) { return is_unsafe(a, s); });
  // Leaves out settings with which the compiler combines two neighbouring stores of a thread into one store
  // of 64 bits.
  std::erase_if(all, [&](const Settings& s) {
    return s.choice("load_pattern") == "neighbours" && s.choice("layout") == "none";
  });
  for (const Scalar type : {Scalar::float64, Scalar::float16}) {
    Settings s = all.front();
    s.type = type;
    if (allowed(s, a)) all.push_back(s);
  }
  return all;
}

}  // namespace
}  // namespace upsweep

int main(int argc, char** argv) {
  using namespace upsweep;
  std::vector<const Algorithm*> wanted;
  bool metrics = false;
  int n = 1000;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // writes each line at once, in case the program crashes
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument == "--metrics") metrics = true;
      else if (argument == "--n" && i + 1 < argc) n = std::stoi(argv[++i]);
      else wanted.push_back(&algorithm(argument));
    }
    if (wanted.empty()) wanted = correct_algorithms(Language::cuda);
    Gpu gpu;
    Counters counters;
    if (metrics)
      for (const auto& m : counters.line_metrics()) fmt::print("{}: {}\n", m.name, m.description);
    int different = 0;
    for (const Algorithm* a : wanted)
      for (Settings s : choices(*a)) try {
          s.n = a->many_blocks ? n : std::min(n, largest_in_block(*a));
          if (!a->many_blocks) s.block = smallest_block(*a, s);
          validate(s);
          fmt::print("{}\n", describe(s));
          const Counted c = counted(gpu, counters, *a, gpu.record(*a, s, upsweep::random_data(s, 7)));
          print(c);
          different += differences(c);
        } catch (const std::exception& e) { fmt::print("{}\n", in_words(e)), ++different; }
    fmt::print("{} numbers differ.\n", different);
    return different != 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", in_words(e));
    return 2;
  }
}
