// Reads the choices that a kernel file's opening comment states under Variants, and the types and operators
// that an algorithm or an option allows.
#pragma once
#include <string>
#include <vector>

#include "catalogue/launch_reader.hpp"

namespace upsweep {

class ChoiceReader : public LaunchReader {
 protected:
  using LaunchReader::LaunchReader;

  void read_variants(const std::string& text);
  // Reads names of types and operators that are separated by spaces, and appends them to the lists. If a list
  // is null, the text must not contain names for this list. An empty text adds nothing.
  void read_kinds(const char* field, const std::string& text, std::vector<Scalar>* types,
                  std::vector<Operator>* operators) const;

 private:
  [[noreturn]] void bad_variant(const std::string& item) const;
  Option read_option(const std::string& item, const std::string& text) const;
};

}  // namespace upsweep
