// The real program, run as a person would type it.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace upsweep {

namespace fs = std::filesystem;
using nlohmann::json;

// What a file holds; empty where there is none.
std::string content(const fs::path& path);

// A folder of its own for each test, and lines of bash in which `upsweep` is the program. Compiled once, for
// JSON's parser and regular expressions take seconds.
class CommandLine : public testing::Test {
 protected:
  CommandLine();
  ~CommandLine() override;

  struct Ran {
    int exit_code = -1;  // -1 where a signal ended it
    std::string out, err;
  };

  Ran run(const std::string& line) const;
  json run_json(const std::string& line) const;
  void write(const std::string& name, const std::string& text) const;
  // One sentence that names `about`, nothing on standard output, and an exit code.
  void expect_refusal(const std::string& line, const std::string& about, int exit_code = 2) const;

  fs::path folder_;
};

}  // namespace upsweep
