// Reads the launches that a kernel file's opening comment states. Reader (kernel_file.cpp) is derived from
// this class, so this class also has the functions that all parts of Reader use.
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

  // Throws WorkError. The error's message contains the field's text and says what was expected.
  [[noreturn]] void fail(const char* field, const std::string& text, const std::string& expected) const;

  // Reads a formula. The formula may use the variables that were read before.
  Formula formula(const char* field, const std::string& text);
  // Returns {rows, columns} for a text "rows x columns". For any other text, returns only the text.
  static std::vector<std::string> split_extents(const std::string& text);
  // Returns the formula rows * columns for a text "rows x columns". For any other text, returns the text's
  // formula.
  Formula product(const char* field, const std::string& text);
  // Returns the formula of the columns for a text "rows x columns". For any other text, returns nullopt.
  std::optional<Formula> columns(const char* field, const std::string& text);

  // Returns whether a new variable may have this name. "x" is not allowed, because " x " separates rows from
  // columns.
  bool is_new(const std::string& name) const;
  bool is_input(const std::string& name) const;
  bool is_buffer(const std::string& name) const;
  const KernelSignature* kernel(const std::string& name) const;  // null if the file has no such kernel

  void read_launches(std::string text);

  Algorithm a_;
  std::vector<KernelSignature> kernels_;

 private:
  std::vector<LaunchRule> read_list(const std::string& text);
  LaunchRule read_rule(const std::string& item);
  LaunchRule read_loop(const std::string& item);
  std::vector<Formula> read_grid(const std::string& item, std::string text);
  LaunchRule::Argument read_argument(const std::string& item, const std::string& text, Parameter p);
  const BufferRule* buffer(const std::string& name) const;  // null if no buffer has this name
  std::string read_memory(const std::string& item, const std::string& name, Parameter p);
};

}  // namespace upsweep
