// Finds the shell command that installs a missing part on this system.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace upsweep {

// The parts that `upsweep doctor` looks for and that a package provides.
enum class Installable { driver, nvrtc, nvjitlink, cupti, opengl, fonts };

// The properties of a system that decide which packages the system needs.
struct System {
  std::string id, version;           // as /etc/os-release states them, such as "ubuntu" and "24.04"
  bool wsl = false;                  // true in WSL, where Windows provides the NVIDIA driver
  bool has_nvidia_packages = false;  // true if apt lists NVIDIA's own package repository
  // The CUDA versions of the NVRTC packages in NVIDIA's repository, newest first, as apt's lists state them.
  std::vector<std::pair<int, int>> offered;
  bool has_non_free = false;  // true if apt lists Debian's component "non-free"
  std::string sources;        // apt's file that names Debian's own package sources
  std::pair<int, int> driver_cuda = {
      0, 0};  // the newest CUDA version that the driver supports; zeros without a driver
};

// Reads the files below `root`: /etc/os-release, apt's sources and lists. Does not set driver_cuda.
System system_at(const std::filesystem::path& root);

// Returns the command that installs the part, or an empty string if no single command installs the part. For
// users other than root, the command uses sudo.
std::string install_command(Installable part, const System& system);

}  // namespace upsweep
