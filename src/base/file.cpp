#include "base/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

// `named` is the file's name for error messages.
[[noreturn]] void fail(const std::string& named) {
  throw WorkError(say::not_written(named, std::strerror(errno)));
}

void fill(std::FILE* file, std::string_view bytes, const std::string& named) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int why = errno;
  const bool closed = std::fclose(file) == 0;  // often the first sign that the disk is full
  if (!written) errno = why;
  if (!written || !closed) fail(named);
}

void write_to(const fs::path& path, std::string_view bytes, const std::string& named) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) fail(named);
  fill(file, bytes, named);
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const bool exists = fs::exists(path, error);
  if (exists && !fs::is_regular_file(path, error)) return write_to(path, bytes, path);
  const fs::path target = exists ? fs::canonical(path) : fs::path(path);  // the target if it is a link
  const fs::path part = target.string() + "." + std::to_string(getpid()) + ".part";
  try {
    write_to(part, bytes, path);
    fs::rename(part, target);
  } catch (const fs::filesystem_error& e) {
    fs::remove(part, error);
    throw WorkError(say::not_written(path, e.code().message()));
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
}

bool write_new_file(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wbx");
  if (!file && errno == EEXIST) return false;
  if (!file) fail(path);
  try {
    fill(file, bytes, path);
  } catch (...) {
    std::error_code error;
    fs::remove(path, error);
    throw;
  }
  return true;
}

}  // namespace upsweep
