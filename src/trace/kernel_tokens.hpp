// Splits a kernel's text into the tokens of C++.
#pragma once
#include <string_view>
#include <vector>

namespace upsweep {

struct KernelToken {
  std::string_view text;  // a part of the kernel's text
  int line;               // the line of the token, from 1
};

// Returns the tokens in order, without comments and preprocessor lines.
std::vector<KernelToken> kernel_tokens(std::string_view text);

// Returns whether a token is a name or a keyword.
inline bool is_identifier(std::string_view t) {
  return !t.empty() && (t[0] == '_' || (t[0] >= 'a' && t[0] <= 'z') || (t[0] >= 'A' && t[0] <= 'Z'));
}

}  // namespace upsweep
