// Chooses names for new files, so that no file is overwritten.
#pragma once
#include <fmt/format.h>

#include <string>

namespace upsweep {

// Calls write("NAME"), write("NAME-2"), write("NAME-3"), ... until it returns true. `write` returns false,
// and writes nothing, if a file has this name; see write_new_file().
template <class Write>
void write_with_new_name(const std::string& name, Write write) {
  for (int i = 1; !write(i == 1 ? name : fmt::format("{}-{}", name, i)); ++i) {}
}

}  // namespace upsweep
