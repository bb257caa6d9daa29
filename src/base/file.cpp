#include "base/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

constexpr int longest_wait = 3000;  // milliseconds

// Throws WorkError with the system's text for the error number `why`. `named` is the file's name for the
// error message.
[[noreturn]] void fail(const std::string& named, int why = errno) {
  throw WorkError(say::not_written(named, std::strerror(why)));
}

void fill(std::FILE* file, std::string_view bytes, const std::string& named) {
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int why = errno;
  const bool closed = std::fclose(file) == 0;  // often the first call that fails if the disk is full
  if (!written) errno = why;
  if (!written || !closed) fail(named);
}

// The file to which write_file() writes: the given file, or the file to which a chain of links leads.
struct Target {
  fs::path path;                   // the path at the end of the chain of links
  std::optional<struct stat> old;  // the existing file, if any
  bool is_file() const { return !old || S_ISREG(old->st_mode); }
  fs::path folder() const { return path.has_parent_path() ? path.parent_path() : fs::path("."); }
};

Target target_of(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0)
    return {S_ISREG(found.st_mode) ? fs::canonical(path) : fs::path(path), found};
  if (errno != ENOENT) fail(path);
  // The path may be a link to a file that does not exist yet. So this code follows such links, at most 40.
  Target target{path, {}};
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(target.path, error); ++links) {
    const fs::path next = fs::read_symlink(target.path, error);
    target.path = next.is_absolute() ? next : target.folder() / next;
  }
  return target;
}

void expect_writable(const Target& target, const std::string& named) {
  if (target.old && S_ISDIR(target.old->st_mode)) fail(named, EISDIR);
  if (target.is_file()) {
    if (access((target.folder() / ".").c_str(), W_OK | X_OK) != 0) fail(named);
    if (!target.path.has_filename()) fail(named, named.empty() ? ENOENT : EISDIR);
    struct statvfs disk {};
    if (statvfs(target.folder().c_str(), &disk) == 0 && disk.f_blocks > 0 && disk.f_bavail == 0)
      fail(named, ENOSPC);
  }
  // A file that no user has permission to write is protected on purpose. So this function refuses such a
  // file, even if a superuser runs the program and could write the file.
  if (target.old && (target.old->st_mode & 0222) == 0) fail(named, EACCES);
  if (target.old && access(target.path.c_str(), W_OK) != 0) fail(named);
}

// A new file in the same folder as the target. The new file replaces the target when the new file is
// complete. If a signal ends the program earlier, the new file is removed, either by this class or by a
// signal handler that calls remove_incomplete_file().
class PartFile {
 public:
  PartFile(const Target& target, const std::string& named) : named_(named) {
    static std::atomic<unsigned> made = 0;
    path_ =
        (target.folder() / (".upsweep-" + std::to_string(getpid()) + "-" + std::to_string(++made) + ".part"))
            .string();
    for (std::size_t i = 0; i < signals.size(); ++i) {
      before_[i] = std::signal(signals[i], remove_and_end);
      if (before_[i] != SIG_DFL)
        std::signal(signals[i], before_[i]);  // restores the earlier handler, or ignores the signal again
    }
    unfinished = path_.c_str();
  }
  ~PartFile() {
    if (unfinished.exchange(nullptr)) unlink(path_.c_str());
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (before_[i] == SIG_DFL) std::signal(signals[i], SIG_DFL);
  }
  PartFile(const PartFile&) = delete;

  void write(std::string_view bytes, const Target& target) {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    if (!file) fail(named_);
    if (target.old) {
      // Keeps the owner of the old file. Only a superuser may give a file to another user. If fchown() fails,
      // the new file belongs to the current user.
      if (fchown(fileno(file), target.old->st_uid, target.old->st_gid) != 0) errno = 0;
      fchmod(fileno(file), target.old->st_mode & 07777);
    }
    fill(file, bytes, named_);
    if (std::rename(path_.c_str(), target.path.c_str()) != 0) fail(named_);
    unfinished = nullptr;
  }
  static void remove_unfinished() {
    if (const char* path = unfinished.exchange(nullptr)) unlink(path);
  }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  static inline std::atomic<const char*> unfinished = nullptr;
  static void remove_and_end(int signal) {
    remove_unfinished();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }

  const std::string& named_;
  std::string path_;
  std::array<void (*)(int), signals.size()> before_{};
};

// Returns true for control characters that are not white space, because no text file contains these bytes.
// Bytes above 127 are parts of UTF-8 characters.
bool never_in_text(char c) {
  return static_cast<unsigned char>(c) < ' ' &&
         std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
}

}  // namespace

void expect_writable(const std::string& path) { expect_writable(target_of(path), path); }

void write_file(const std::string& path, std::string_view bytes) {
  const Target target = target_of(path);
  expect_writable(target, path);
  if (!target.is_file()) {
    // If the file is a pipe that no process reads, open() without O_NONBLOCK would wait, perhaps forever.
    // With O_NONBLOCK, open() fails instead.
    const int opened = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0) fail(path);
    fcntl(opened, F_SETFL, O_WRONLY);
    std::FILE* file = fdopen(opened, "wb");
    if (!file) fail(path);
    return fill(file, bytes, path);
  }
  static std::mutex one_after_another;  // only one write at a time, because each signal has only one handler
  const std::lock_guard lock(one_after_another);
  PartFile(target, path).write(bytes, target);
}

void remove_incomplete_file() { PartFile::remove_unfinished(); }

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

OpenFile open_to_read(const std::string& path) {
  // If the file is a pipe, open() without O_NONBLOCK would wait until a process opens the pipe for writing.
  // With O_NONBLOCK, only poll() waits, for at most longest_wait.
  const int opened = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) throw RequestError(say::not_read(path, std::strerror(errno)));
  OpenFile file(fdopen(opened, "rb"), std::fclose);
  if (!file) throw RequestError(say::not_read(path, std::strerror(errno)));
  pollfd waits{.fd = opened, .events = POLLIN, .revents = 0};
  if (poll(&waits, 1, longest_wait) == 0) throw RequestError(say::gives_nothing(path, longest_wait / 1000));
  fcntl(opened, F_SETFL, O_RDONLY);
  return file;
}

std::string read_text_file(const std::string& path, std::size_t most) {
  const OpenFile file = open_to_read(path);
  std::string text;
  constexpr std::size_t piece = 1 << 16;
  for (std::size_t more = piece; more == piece;) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    more = std::fread(text.data() + before, 1, piece, file.get());
    text.resize(before + more);
    if (std::ferror(file.get())) throw RequestError(say::not_read(path, std::strerror(errno)));
    const auto new_text = std::string_view(text).substr(before);
    if (const auto byte = std::ranges::find_if(new_text, never_in_text); byte != new_text.end())
      throw RequestError(say::not_text(path, static_cast<unsigned char>(*byte)));
    if (text.size() > most) throw RequestError(say::longer_than_is_read(path, most >> 20));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace upsweep
