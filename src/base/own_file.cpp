#include "base/own_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"

namespace upsweep {

namespace fs = std::filesystem;

std::string own_file(const std::string& name) {
  const char* const data = std::getenv("XDG_DATA_HOME");
  if (data && *data == '/') return (fs::path(data) / "upsweep" / name).string();
  const char* const home = std::getenv("HOME");
  if (!home || *home != '/') return {};
  return (fs::path(home) / ".local/share/upsweep" / name).string();
}

void write_own_file(const std::string& path, const std::string& text) {
  std::error_code error;
  // If create_directories() fails, write_file() also fails and throws the error. So `error` is not examined.
  fs::create_directories(fs::path(path).parent_path(), error);
  write_file(path, text);
}

std::optional<std::string> set_aside(const std::string& path) {
  std::string aside = path + ".damaged";
  std::error_code error;
  for (int k = 2; fs::exists(aside, error); ++k) aside = fmt::format("{}.damaged-{}", path, k);
  fs::rename(path, aside, error);
  return error ? std::nullopt : std::optional(std::move(aside));
}

}  // namespace upsweep
