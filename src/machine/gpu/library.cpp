#include "machine/gpu/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace upsweep {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Returns the numbers in a name: {12, 10} for cuda-12.10. A comparison of these numbers finds the newest
// version.
std::vector<int> version_in(const std::string& name) {
  std::vector<int> numbers;
  bool inside = false;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inside) numbers.push_back(0);
    if (digit) numbers.back() = (numbers.back() % 100'000'000) * 10 + (c - '0');
    inside = digit;
  }
  return numbers;
}

// Returns the entries of a folder whose names begin with `beginning`, newest version first. Returns an empty
// list if the folder cannot be read.
std::vector<fs::path> newest_first(const fs::path& folder, const std::string& beginning) {
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::directory_iterator i(folder, none), end; !none && i != end; i.increment(none))
    if (i->path().filename().string().starts_with(beginning)) found.push_back(i->path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(version_in(b.filename().string()), b) < std::pair(version_in(a.filename().string()), a);
  });
  return found;
}

class Folders {
 public:
  void add(const fs::path& folder) {
    std::error_code none;
    if (fs::is_directory(folder, none) && std::find(all_.begin(), all_.end(), folder) == all_.end())
      all_.push_back(folder);
  }
  void add_toolkit(const fs::path& toolkit) {
    for (const char* below : {"lib64", "targets/x86_64-linux/lib", "extras/CUPTI/lib64"})
      add(toolkit / below);
  }
  // Adds the NVIDIA packages of a Python installation under this prefix, such as nvidia/cuda_nvrtc/lib and
  // nvidia/cu13/lib.
  void add_python(const fs::path& prefix) {
    for (const fs::path& python : newest_first(prefix / "lib", "python3"))
      for (const char* packages : {"site-packages", "dist-packages"})
        for (const fs::path& package : newest_first(python / packages / "nvidia", "")) add(package / "lib");
  }
  std::vector<fs::path> all() && { return std::move(all_); }

 private:
  std::vector<fs::path> all_;
};

}  // namespace

LibraryPlaces LibraryPlaces::of_this_computer() {
  LibraryPlaces places;
  places.cuda = variable("CUDA_PATH");
  if (places.cuda.empty()) places.cuda = variable("CUDA_HOME");
  places.conda = variable("CONDA_PREFIX");
  places.virtual_env = variable("VIRTUAL_ENV");
  places.home = variable("HOME");
  return places;
}

fs::path LibraryPlaces::own_python() const { return fs::path(home) / ".local/share/upsweep/python"; }

std::vector<fs::path> library_folders(const LibraryPlaces& places) {
  Folders folders;
  const auto rooted = [&](const char* path) { return places.root / path; };
  if (!places.cuda.empty()) folders.add_toolkit(places.cuda);
  folders.add_toolkit(rooted("usr/local/cuda"));
  for (const fs::path& toolkit : newest_first(rooted("usr/local"), "cuda-")) folders.add_toolkit(toolkit);
  for (const char* folder : {"usr/local/nvidia/lib64", "usr/lib/wsl/lib", "usr/lib/x86_64-linux-gnu",
                             "usr/lib/x86_64-linux-gnu/nvidia/current", "usr/lib64"})
    folders.add(rooted(folder));
  if (!places.conda.empty()) {
    folders.add(fs::path(places.conda) / "lib");
    folders.add(fs::path(places.conda) / "targets/x86_64-linux/lib");
    folders.add_python(places.conda);
  }
  if (!places.virtual_env.empty()) folders.add_python(places.virtual_env);
  if (!places.home.empty()) {
    folders.add_python(places.own_python());
    folders.add_python(fs::path(places.home) / ".local");
    for (const fs::path& python : newest_first(fs::path(places.home) / ".pyenv/versions", ""))
      folders.add_python(python);
  }
  for (const char* prefix : {"usr/local", "usr"}) folders.add_python(rooted(prefix));
  return std::move(folders).all();
}

Library::Library(std::initializer_list<const char*> names, const char* companion,
                 const LibraryPlaces& places) {
  bool found = std::any_of(names.begin(), names.end(), [&](const char* name) { return open(name); });
  if (!found) {
    std::error_code none;
    for (const fs::path& folder : library_folders(places))
      for (const char* name : names) {
        if (found || !fs::exists(folder / name, none)) continue;
        if (companion)
          for (const fs::path& file : newest_first(folder, companion))
            dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        found = open((folder / name).string());
      }
  }
  if (!found) return;
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map) path_ = map->l_name;
}

bool Library::open(const std::string& file) {
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_ && why_not_.empty()) why_not_ = dlerror();
  return handle_ != nullptr;
}

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace upsweep
