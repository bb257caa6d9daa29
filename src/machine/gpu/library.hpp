// Shared libraries that are opened by name at run time, and the folders where NVIDIA's are installed.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace upsweep {

// What decides where NVIDIA's libraries may be. Variables that are not set are empty.
struct LibraryPlaces {
  std::filesystem::path root = "/";  // another one in tests
  std::string cuda;                  // CUDA_PATH or CUDA_HOME: a toolkit
  std::string conda;                 // CONDA_PREFIX
  std::string virtual_env;           // VIRTUAL_ENV: Python's
  std::string home;                  // HOME

  static LibraryPlaces of_this_computer();
  // Where doctor's command installs Python packages: below the home folder.
  std::filesystem::path own_python() const;
};

// The folders that exist among those where CUDA's toolkit, the driver, Linux distributions, containers, WSL,
// conda and pip put NVIDIA's libraries, in the order in which they are searched. Newer toolkits are before
// older ones.
std::vector<std::filesystem::path> library_folders(const LibraryPlaces& places);

// A shared library, or why there is none. Once opened it stays so until the program ends: drivers do not like
// to be unloaded.
class Library {
 public:
  // Opens the first that can be opened: each name as the system finds it, then in each of library_folders().
  // What is opened there may itself open libraries by name; those of its folder whose names begin with
  // `companion` are opened first, so that it finds them.
  explicit Library(std::initializer_list<const char*> names, const char* companion = nullptr,
                   const LibraryPlaces& places = LibraryPlaces::of_this_computer());
  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }  // of the opened file
  const std::string& why_not() const { return why_not_; }
  void* symbol(const char* name) const;  // null if there is none

 private:
  bool open(const std::string& file);

  void* handle_ = nullptr;
  std::string path_, why_not_;
};

}  // namespace upsweep
