// Shared libraries that are opened by name at run time, and the folders in which NVIDIA's libraries are
// installed.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace upsweep {

// The environment variables, and the root folder, that decide where NVIDIA's libraries may be. A variable
// that is not set is empty.
struct LibraryPlaces {
  std::filesystem::path root = "/";  // tests use another root
  std::string cuda;                  // CUDA_PATH or CUDA_HOME: a toolkit
  std::string conda;                 // CONDA_PREFIX
  std::string virtual_env;           // VIRTUAL_ENV: a Python environment
  std::string home;                  // HOME

  static LibraryPlaces of_this_computer();
  // Returns the folder below the home folder into which the command of `upsweep doctor` installs Python
  // packages.
  std::filesystem::path own_python() const;
};

// Returns the folders that exist and in which CUDA's toolkit, the driver, Linux distributions, containers,
// WSL, conda or pip install NVIDIA's libraries. The folders to search first come first, and newer toolkits
// come before older toolkits.
std::vector<std::filesystem::path> library_folders(const LibraryPlaces& places);

// A shared library, or the reason why it cannot be opened. It stays open until the program ends, because
// closing a driver's library may fail.
class Library {
 public:
  // Opens the first library that can be opened. Tries each name without a folder, then in each of
  // library_folders(). If `companion` is given, first opens the libraries in the same folder whose names
  // begin with `companion`, because the library itself may open them by name.
  explicit Library(std::initializer_list<const char*> names, const char* companion = nullptr,
                   const LibraryPlaces& places = LibraryPlaces::of_this_computer());
  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }  // the path of the opened file
  const std::string& why_not() const { return why_not_; }
  void* symbol(const char* name) const;  // null if the library has no such symbol

 private:
  bool open(const std::string& file);

  void* handle_ = nullptr;
  std::string path_, why_not_;
};

}  // namespace upsweep
