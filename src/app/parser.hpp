// The interface through which a command declares its options. command_line.cpp implements it, so that only
// that file includes CLI11, which takes several seconds to compile.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace upsweep {

// Options that are given set the variables, which must outlive the parser. A name is "--long", "-s,--long",
// or "NAME" for an argument without dashes.
class ArgumentParser {
 public:
  explicit ArgumentParser(CLI::App& app) : app_(app) {}
  void add_option(const char* name, std::string& value);
  void add_option(const char* name, std::optional<std::string>& value);
  // The option may be given several times, each time with one value.
  void add_option(const char* name, std::vector<std::string>& values);
  void add_flag(const char* name, bool& value);

 private:
  CLI::App& app_;
};

}  // namespace upsweep
