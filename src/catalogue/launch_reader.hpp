// Reads what a kernel file launches. A part of the reader of its opening comment, with what the parts share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"

namespace upsweep {

class LaunchReader {
 protected:
  LaunchReader(std::string name, std::string file, std::string text);

  // Throws WorkError: the file says this in that field, and it must be something else.
  [[noreturn]] void fail(const char* field, const std::string& text, const std::string& expected) const;

  // A formula in the variables known so far.
  Formula formula(const char* field, const std::string& text);
  // "rows x columns": both; else the text alone.
  static std::vector<std::string> split_extents(const std::string& text);
  // Of a text that may be "rows x columns": how many in all, and how many in a row.
  Formula product(const char* field, const std::string& text);
  std::optional<Formula> columns(const char* field, const std::string& text);

  // Whether a variable may have this name: " x " stands between extents.
  bool is_new(const std::string& name) const;
  bool is_buffer(const std::string& name) const;
  const KernelSignature* kernel(const std::string& name) const;  // or nullptr

  void read_launches(std::string text);

  Algorithm a_;
  std::vector<KernelSignature> kernels_;

 private:
  std::vector<LaunchRule> read_list(const std::string& text);
  LaunchRule read_rule(const std::string& item);
  LaunchRule read_loop(const std::string& item);
  std::vector<Formula> read_grid(const std::string& item, std::string text);
  LaunchRule::Argument read_argument(const std::string& item, const std::string& text, Parameter p);
  std::string read_memory(const std::string& item, const std::string& name, Parameter p) const;
};

}  // namespace upsweep
