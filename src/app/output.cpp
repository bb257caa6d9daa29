#include "app/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/language.hpp"

namespace upsweep {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw ClosedOutput();
  throw WorkError(tr("The output could not be written: {}.", std::strerror(errno)));
}

}  // namespace upsweep
