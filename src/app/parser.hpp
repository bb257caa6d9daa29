// The interface through which a command declares its options. Only its implementation, command_line.cpp,
// includes CLI11, which takes several seconds to compile.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace upsweep {

// Declares options. If an option is given, its variable is set. The variable must outlive the parser. A name
// is "--long", "-s,--long", or "NAME" for an argument without dashes.
class ArgumentParser {
 public:
  explicit ArgumentParser(CLI::App& app) : app_(app) {}
  void add_option(const char* name, std::string& value);
  void add_option(const char* name, std::optional<std::string>& value);
  // Adds an option that may be given several times, each time with one value.
  void add_option(const char* name, std::vector<std::string>& values);
  void add_flag(const char* name, bool& value);

 private:
  CLI::App& app_;
};

}  // namespace upsweep
