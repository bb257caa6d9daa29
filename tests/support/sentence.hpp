// Helps to test the sentences of exceptions.
#pragma once
#include <string>

#include "words/in_words.hpp"

namespace upsweep {

// Runs f and returns the sentence of its exception of type E, or "" if f throws nothing.
template <class E, class F>
std::string sentence(F f) {
  try {
    f();
  } catch (const E& e) { return in_words(e); }
  return {};
}

}  // namespace upsweep
