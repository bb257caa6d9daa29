// Runs the real program with a command line.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/temporary_folder.hpp"

namespace upsweep {

namespace fs = std::filesystem;
using nlohmann::json;

// Returns a file's contents, or an empty string if there is no file.
std::string content(const fs::path& path);

// Each test has its own folder and runs lines of bash. In these lines, `upsweep` starts the program. The
// functions are in a .cpp file, because compiling the JSON parser and regular expressions takes seconds.
class CommandLine : public testing::Test {
 protected:
  struct Ran {
    int exit_code = -1;  // -1 if a signal ended the program
    std::string out, err;
  };

  Ran run(const std::string& line) const;
  json run_json(const std::string& line) const;
  void write(const std::string& name, const std::string& text) const;
  // Expects that the program prints one sentence that contains `about` to stderr, prints nothing to stdout,
  // and ends with this exit code.
  void expect_refusal(const std::string& line, const std::string& about, int exit_code = 2) const;

  TemporaryFolder folder_;
};

}  // namespace upsweep
