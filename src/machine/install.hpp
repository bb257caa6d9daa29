// Finds the one shell command that installs a missing part on this system.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {

// The parts that doctor looks for and that a package provides.
enum class Installable { driver, nvrtc, nvjitlink, cupti, opengl, fonts };

// The properties of a system on which its packages depend.
struct System {
  std::string id, version;           // as in /etc/os-release: "debian" and "13", "ubuntu" and "24.04"
  bool wsl = false;                  // Windows provides the NVIDIA driver
  bool has_nvidia_packages = false;  // apt knows NVIDIA's own package repository
  // The CUDA versions of the NVRTC packages in this repository, newest first, as apt's lists state them.
  std::vector<std::pair<int, int>> offered;
  bool has_non_free = false;  // apt knows Debian's component "non-free"
  std::string sources;        // apt's file with Debian's own sources
  std::pair<int, int> driver_cuda = {
      0, 0};  // the CUDA version that the installed driver is for; zeros without one
};

// Reads the files below `root`: /etc/os-release, apt's sources and lists. Does not set driver_cuda.
System system_at(const std::filesystem::path& root);

// Returns the command, or an empty text if no single command installs the part. The command uses sudo, except
// for root.
std::string install_command(Installable part, const System& system);

}  // namespace upsweep
