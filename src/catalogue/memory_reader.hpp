// Reads the fields of a kernel file's opening comment that describe memory: Inputs, Outputs, Buffers, Shared.
#pragma once
#include <string>
#include <vector>

#include "catalogue/choice_reader.hpp"

namespace upsweep {

class MemoryReader : public ChoiceReader {
 protected:
  using ChoiceReader::ChoiceReader;

  // Each function reads the text of one field. If the field is missing, the text is empty.
  void read_inputs(const std::string& text);
  void read_outputs(const std::string& text);
  void read_buffers(const std::string& text);
  void read_shared(const std::string& text);

 private:
  std::vector<BufferRule> read_data(const char* field, const std::string& text);
  BufferRule read_buffer(const char* field, const std::string& text);
  std::vector<RegionRule> read_regions(const std::string& text);
  void expect_pixels(const char* field, const std::string& text) const;
};

}  // namespace upsweep
