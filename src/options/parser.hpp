// Defines the interface through which a command, or a block of text in a lesson, declares its options.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace upsweep {

// Declares options. If an option is given, its variable is set. The variable must outlive the parser. A name
// is "--long", "-s,--long", or "NAME" for an argument without dashes.
class ArgumentParser {
 public:
  virtual ~ArgumentParser() = default;
  virtual void add_option(const char* name, std::string& value) = 0;
  virtual void add_option(const char* name, std::optional<std::string>& value) = 0;
  // Adds an option that may be given several times, each time with one value.
  virtual void add_option(const char* name, std::vector<std::string>& values) = 0;
  virtual void add_flag(const char* name, bool& value) = 0;
};

}  // namespace upsweep
