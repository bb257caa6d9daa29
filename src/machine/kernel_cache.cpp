#include "machine/kernel_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "trace/column.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".kernel";
constexpr std::size_t most_kernels = 512;  // some 60 kB each

// Texts one after the other, each behind its length.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& t : texts) all += fmt::format("{}\n{}", t.size(), t);
  return all;
}
std::optional<std::vector<std::string>> parted(std::string_view all) {
  std::vector<std::string> texts;
  while (!all.empty()) {
    const std::size_t end = all.find('\n');
    const std::size_t size = std::strtoull(std::string(all.substr(0, end)).c_str(), nullptr, 10);
    if (end == all.npos || size > all.size() - end - 1) return {};
    texts.emplace_back(all.substr(end + 1, size));
    all.remove_prefix(end + 1 + size);
  }
  return texts;
}

// FNV-1a. It names the file; whether that holds what was asked for its whole key says.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::optional<Compiled> kept(const fs::path& file, const std::string& key) {
  std::ifstream in(file, std::ios::binary);
  const std::string frame{std::istreambuf_iterator<char>(in), {}};
  constexpr std::int64_t most = 256 << 20;
  const std::int64_t size = size_of_content(bytes_of(frame));
  if (size < 0 || size > most) return {};
  Bytes content(static_cast<std::size_t>(size));
  if (!decompress(bytes_of(frame), content)) return {};
  const auto texts = parted({reinterpret_cast<const char*>(content.data()), content.size()});
  if (!texts || texts->size() < 3 || texts->size() % 2 == 0 || texts->front() != key) return {};
  Compiled compiled{.image = (*texts)[1], .lowered_name = {}, .log = (*texts)[2]};
  for (std::size_t i = 3; i < texts->size(); i += 2) compiled.lowered_name[(*texts)[i]] = (*texts)[i + 1];
  return compiled;
}

void delete_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& e : fs::directory_iterator(folder))
    if (e.path().extension() == extension) files.emplace_back(e.last_write_time(), e.path());
  if (files.size() <= most_kernels) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most_kernels);
  for (const auto& [time, path] : files) fs::remove(path);
}

void keep(const fs::path& file, const std::string& key, const Compiled& compiled) {
  std::vector<std::string> texts = {key, compiled.image, compiled.log};
  for (const auto& [name, lowered] : compiled.lowered_name) {
    texts.push_back(name);
    texts.push_back(lowered);
  }
  const Bytes frame = compressed(bytes_of(joined(texts)));
  fs::create_directories(file.parent_path());
  write_file(file.string(), {reinterpret_cast<const char*>(frame.data()), frame.size()});
  delete_oldest(file.parent_path());
}

}  // namespace

std::string kernel_cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache) return (fs::path(cache) / "upsweep" / "kernels").string();
  if (home && *home) return (fs::path(home) / ".cache" / "upsweep" / "kernels").string();
  return {};
}

Compiled compile_once(const Program& program, const std::string& architecture, const std::string& folder) {
  if (folder.empty()) return compile(program, architecture);
  const std::string key = joined(all_that_is_compiled(program, architecture));
  const fs::path file = fs::path(folder) / fmt::format("{:016x}{}", hash(key), extension);
  if (std::optional<Compiled> known = kept(file, key)) {
    std::error_code none;
    fs::last_write_time(file, fs::file_time_type::clock::now(), none);  // when it was used
    return *std::move(known);
  }
  Compiled compiled = compile(program, architecture);
  try {
    keep(file, key, compiled);
  } catch (const std::exception&) {
    // Then it is compiled again next time.
  }
  return compiled;
}

}  // namespace upsweep
