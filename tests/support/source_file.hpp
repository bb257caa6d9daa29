// Reads files of the repository for tests.
#pragma once
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace upsweep {

// Returns the text of a file of the repository. `path` starts at the root of the repository in which the
// tests were built. If the tests were copied to another machine, `path` starts at the current folder.
inline std::string source_file(const std::string& path) {
  for (const std::string& folder : {std::string(UPSWEEP_SOURCE_DIR "/"), std::string()})
    if (std::ifstream file(folder + path); file) {
      std::ostringstream text;
      text << file.rdbuf();
      return text.str();
    }
  throw std::runtime_error(path + " cannot be read: run this in the repository's root.");
}

// Returns line `number` of a text, counted from 1, or an empty string if the text is shorter.
inline std::string text_line(const std::string& text, int number) {
  std::istringstream in(text);
  std::string line;
  for (; number > 0; --number)
    if (!std::getline(in, line)) return {};
  return line;
}

}  // namespace upsweep
