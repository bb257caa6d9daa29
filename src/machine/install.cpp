#include "machine/install.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

namespace upsweep {
namespace {

namespace fs = std::filesystem;

// Returns the value of KEY=value or KEY="value"; empty if the key is missing.
std::string value_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key + "=")) continue;
    std::string value = line.substr(key.size() + 1);
    std::erase(value, '"');
    return value;
  }
  return "";
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::directory_iterator i(folder, none), end; !none && i != end; i.increment(none))
    files.push_back(i->path());
  return files;
}

// Reads one of apt's lists. Adds the CUDA version of each NVRTC package, such as 12.8 for "cuda-nvrtc-12-8".
void read_offered(const fs::path& list, std::vector<std::pair<int, int>>& offered) {
  const std::string beginning = "Package: cuda-nvrtc-";
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(beginning)) continue;
    const char *at = line.data() + beginning.size(), *end = line.data() + line.size();
    std::pair<int, int> version;
    const auto major = std::from_chars(at, end, version.first);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '-') continue;
    const auto minor = std::from_chars(major.ptr + 1, end, version.second);
    if (minor.ec == std::errc() && minor.ptr == end) offered.push_back(version);
  }
}

// Returns the first number of a system's version, such as 24 for "24.04". Returns 1,000 for a version without
// a number, such as Debian's testing.
int major_version(const System& system) {
  int major = 1000;
  std::from_chars(system.version.data(), system.version.data() + system.version.size(), major);
  return major;
}

std::string apt(const std::string& packages) { return "sudo apt-get install " + packages; }

// Returns a command for Debian's own packages in "non-free". If apt's sources lack "non-free", the command
// also adds "non-free".
std::string from_non_free(const System& system, const std::string& packages) {
  if (system.has_non_free || system.sources.empty()) return apt(packages);
  return fmt::format(
      "sudo sed -i -E '/^(deb|Components:) /s/ main/ main contrib non-free/' {} && "
      "sudo apt-get update && {}",
      system.sources, apt(packages));
}

// Returns the newest version of CUDA's packages that the driver supports. Without a driver, assumes CUDA
// 12.8.
std::string suitable_version(const System& system) {
  std::pair<int, int> version = system.driver_cuda.first >= 12 ? system.driver_cuda : std::pair(12, 8);
  const auto found = std::find_if(system.offered.begin(), system.offered.end(),
                                  [&](const auto& offered) { return offered <= version; });
  if (found != system.offered.end() && found->first >= 12) version = *found;
  return fmt::format("{}-{}", version.first, version.second);
}

// Returns a command that installs a pip package in a separate folder, because many systems do not let pip
// change other folders. The class Library also searches this separate folder.
std::string from_pip(const char* package) {
  return fmt::format(
      "python3 -m venv ~/.local/share/upsweep/python && "
      "~/.local/share/upsweep/python/bin/pip install {}",
      package);
}

}  // namespace

System system_at(const fs::path& root) {
  System system;
  const std::string release = content_of(root / "etc/os-release");
  system.id = value_of(release, "ID");
  system.version = value_of(release, "VERSION_ID");
  std::error_code none;
  system.wsl = fs::exists(root / "usr/lib/wsl/lib", none);
  for (const char* file : {"etc/apt/sources.list.d/debian.sources", "etc/apt/sources.list"})
    if (system.sources.empty() && fs::exists(root / file, none)) system.sources = fmt::format("/{}", file);
  for (const fs::path& list : files_in(root / "var/lib/apt/lists")) {
    const std::string name = list.filename().string();
    if (name.find("_Packages") == name.npos) continue;
    if (name.find("cuda_repos") != name.npos || name.find("cuda-repo") != name.npos) {
      system.has_nvidia_packages = true;
      read_offered(list, system.offered);
    } else if (name.find("_non-free_") != name.npos) {
      system.has_non_free = true;
    }
  }
  std::sort(system.offered.rbegin(), system.offered.rend());
  return system;
}

std::string install_command(Installable part, const System& system) {
  const bool debian = system.id == "debian", ubuntu = system.id == "ubuntu";
  if (part == Installable::opengl || part == Installable::fonts) {
    if (!debian && !ubuntu) return "";
    return apt(part == Installable::fonts ? "fonts-inter fonts-jetbrains-mono"
                                          : "libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri");
  }
  if (part == Installable::driver) {
    if (system.wsl) return "";
    if (system.has_nvidia_packages) return apt("cuda-drivers");
    if (ubuntu) return "sudo ubuntu-drivers install";
    return debian ? from_non_free(system, "nvidia-driver") : "";
  }
  struct Names {
    const char *nvidia, *debian, *pip;
  };
  const Names names = part == Installable::nvrtc ? Names{"cuda-nvrtc", "libnvrtc12", "nvidia-cuda-nvrtc-cu12"}
                      : part == Installable::nvjitlink
                          ? Names{"libnvjitlink", "libnvjitlink12", "nvidia-nvjitlink-cu12"}
                          : Names{"cuda-cupti", "libcupti12", "nvidia-cuda-cupti-cu12"};
  if (system.has_nvidia_packages) return apt(fmt::format("{}-{}", names.nvidia, suitable_version(system)));
  // Older releases have CUDA 11, but this program needs at least CUDA 12.
  if (debian && major_version(system) >= 13) return from_non_free(system, names.debian);
  if (ubuntu && major_version(system) >= 24) return apt(names.debian);
  return from_pip(names.pip);
}

}  // namespace upsweep
