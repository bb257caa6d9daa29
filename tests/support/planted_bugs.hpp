// Reads the kernels of tests/bugs. Each case has one bug or none, and blank lines separate the cases. A case
// begins with a comment: its title, then optional fields as in kernels/*.cuh, and these optional fields:
//   Broken  KIND at "a part of a line"   the finding that is expected; default: no finding
//   Since   Volta                        the finding is expected for independent lanes only, not for lockstep
//   Run     n 256, block 64              the settings; default: n 128, block 128
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "support/source_file.hpp"

namespace upsweep {

inline constexpr std::string_view planted_bug_files[] = {
    "shared_races", "shared_races_more", "global_races", "global_races_more", "barriers",
    "bounds",       "hopeless",          "correct",      "correct_more"};

// The files whose kernels run only on the emulator. The kernels of all other files also run on a GPU.
inline constexpr std::string_view planted_for_emulator[] = {"emulated_alone", "correct_long"};

struct PlantedBug {
  std::string name;  // the name of the case's last kernel
  std::string file;  // such as "shared_races"
  std::string kind;  // the expected hazard; empty: no finding is expected
  int line = 0;      // the line of the finding
  bool since_volta = false;
  Algorithm algorithm;
  Settings settings;
};

namespace planted {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

inline int number_behind(const std::string& text, const std::string& word, int otherwise) {
  const std::size_t at = text.find(word + " ");
  return at == text.npos ? otherwise : std::stoi(text.substr(at + word.size() + 1));
}

// Returns the case whose text is lines[begin] to lines[end - 1].
inline PlantedBug read(const std::string& file, const std::vector<std::string>& lines, std::size_t begin,
                       std::size_t end) {
  PlantedBug bug;
  bug.file = file;
  std::map<std::string, std::string> fields = {{"Idea", "A case for the hazard analysis."},
                                               {"Gives", "copy"},
                                               {"Elements", "any"},
                                               {"Blocks", "any"},
                                               {"Shared", "none"},
                                               {"Variants", "none"},
                                               {"Steps", "0"},
                                               {"Operations", "0"},
                                               {"Watch", "The findings."},
                                               {"Source", "Tests."}};
  std::size_t body = begin + 1;
  for (; lines[body].starts_with("//"); ++body) {
    const std::string rest = lines[body].substr(3);
    const std::size_t name_end = rest.find(' ');
    fields[rest.substr(0, name_end)] = rest.substr(rest.find_first_not_of(' ', name_end));
  }
  std::string text(begin, '\n'), kernels;  // empty lines keep the line numbers of the file
  for (std::size_t i = begin; i < end; ++i) {
    text += lines[i] + "\n";
    if (i >= body) kernels += lines[i] + "\n";
    const std::string global = "__global__ void ";
    if (const std::size_t at = lines[i].find(global); at != std::string::npos)
      bug.name = lines[i].substr(at + global.size(), lines[i].find('(', at) - at - global.size());
  }
  const auto taken = [&](const char* field) {
    const std::string value = fields[field];
    fields.erase(field);
    return value;
  };
  const std::string broken = taken("Broken"), run = taken("Run");
  bug.since_volta = taken("Since") == "Volta";
  if (!broken.empty()) {
    const std::size_t at = broken.find(" at \"");
    bug.kind = broken.substr(0, at);
    const std::string part = broken.substr(at + 5, broken.size() - at - 6);
    for (std::size_t i = body; i < end; ++i)
      if (lines[i].find(part) != std::string::npos) {
        if (bug.line != 0) throw std::runtime_error(bug.name + ": two lines have " + part);
        bug.line = static_cast<int>(i) + 1;
      }
    if (bug.line == 0) throw std::runtime_error(bug.name + ": no line has " + part);
  }
  std::string header = lines[begin] + "\n";
  for (const auto& [name, value] : fields) header += "// " + name + "  " + value + "\n";
  bug.algorithm = parse_kernel(bug.name, "tests/bugs/" + file + ".cuh", header + kernels);
  bug.algorithm.text = text;
  bug.settings.algorithm = bug.name;
  bug.settings.type = Scalar::int32;
  bug.settings.n = number_behind(run, "n", 128);
  bug.settings.block = number_behind(run, "block", 128);
  return bug;
}

}  // namespace planted

// Returns the cases of one file.
inline std::vector<PlantedBug> planted_bugs(std::string_view file) {
  std::vector<PlantedBug> bugs;
  const std::vector<std::string> lines =
      planted::lines_of(source_file("tests/bugs/" + std::string(file) + ".cuh"));
  std::vector<std::size_t> begins;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (lines[i - 1].empty() && lines[i].starts_with("// ")) begins.push_back(i);
  begins.push_back(lines.size());
  for (std::size_t b = 0; b + 1 < begins.size(); ++b)
    bugs.push_back(planted::read(std::string(file), lines, begins[b], begins[b + 1]));
  return bugs;
}

}  // namespace upsweep
