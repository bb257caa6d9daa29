// The program speaks another language while an object of this class lives.
#pragma once
#include "base/language.hpp"

namespace upsweep {

class Speaking {
 public:
  explicit Speaking(TextLanguage language) { set_language(language); }
  ~Speaking() { set_language(TextLanguage::english); }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;
};

}  // namespace upsweep
