// Finds recordings by name: first among the user's files, then among the recordings that come with the
// program.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/nearest.hpp"

namespace upsweep {

// Returns a name without this extension. If the name does not end with the extension, returns the name
// unchanged.
inline std::string_view stem(std::string_view name, std::string_view extension) {
  if (name.ends_with(extension)) name.remove_suffix(extension.size());
  return name;
}

// Returns read(name) if a file has this name. Otherwise looks for the name, without its extension, in
// `names`, and returns shipped(i) if the name equals names[i].
//
// If neither a file nor an element of `names` has the name, throws the error of read(). If a similar name is
// in `names`, the error's message also suggests this name.
template <class Read, class Shipped>
auto file_or_shipped(const std::string& name, std::string_view extension,
                     std::span<const std::string_view> names, Read read, Shipped shipped) {
  std::error_code error;
  if (std::filesystem::exists(name, error)) return read(name);
  const std::string_view bare = stem(name, extension);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == bare) return shipped(i);
  try {
    return read(name);
  } catch (const RequestError& e) {
    const std::string_view meant = nearest(bare, names);
    if (meant.empty()) throw;
    throw RequestError(say::sentences(std::vector<Message>{e.message, say::among_recordings(meant)}));
  }
}

}  // namespace upsweep
