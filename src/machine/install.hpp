// The one shell command that installs a part that is missing, for the system that this computer runs.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {

// What doctor looks for and a package brings.
enum class Installable { driver, nvrtc, nvjitlink, cupti, opengl, fonts };

// A system, as far as its packages differ.
struct System {
  std::string id, version;           // as /etc/os-release has them: "debian" and "13", "ubuntu" and "24.04"
  bool wsl = false;                  // its NVIDIA driver is Windows'
  bool has_nvidia_packages = false;  // apt knows NVIDIA's own package repository
  // The CUDA versions of the NVRTC that this repository offers, newest first, as far as apt's lists say.
  std::vector<std::pair<int, int>> offered;
  bool has_non_free = false;  // apt knows Debian's component "non-free"
  std::string sources;        // apt's file with Debian's own sources
  std::pair<int, int> driver_cuda = {
      0, 0};  // the CUDA version that the installed driver is for; zeros without one
};

// Reads what the files below `root` say: /etc/os-release, apt's sources and lists. Leaves driver_cuda alone.
System system_at(const std::filesystem::path& root);

// Empty if no single command does it. Needs no password prompt only for root: it uses sudo.
std::string install_command(Installable part, const System& system);

}  // namespace upsweep
