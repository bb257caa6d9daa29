// Opens shared libraries by name at run time, and finds the folders in which NVIDIA's libraries are
// installed.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace upsweep {

// The root folder and the environment variables that decide where NVIDIA's libraries may be. A variable that
// is not set is empty.
struct LibraryPlaces {
  std::filesystem::path root = "/";  // tests use another root
  std::string cuda;                  // the environment variable CUDA_PATH or CUDA_HOME: a toolkit
  std::string conda;                 // the environment variable CONDA_PREFIX
  std::string virtual_env;           // the environment variable VIRTUAL_ENV: a Python environment
  std::string home;                  // the environment variable HOME

  static LibraryPlaces of_this_computer();
  // `upsweep doctor` prints a command that installs Python packages. Returns the folder for these packages,
  // which is below the home folder.
  std::filesystem::path own_python() const;
};

// Returns the existing folders that may contain NVIDIA's libraries, in the order of the search. CUDA's
// toolkit, the driver, Linux distributions, containers, WSL, conda and pip install the libraries in such
// folders. Newer toolkits come before older toolkits.
std::vector<std::filesystem::path> library_folders(const LibraryPlaces& places);

// A shared library, or the reason why the library cannot be opened. An opened library stays open until the
// program ends, because closing a driver's library may fail.
class Library {
 public:
  // Opens the first library that can be opened. Tries each name first without a folder, then in each folder
  // of library_folders(). `companion` is the beginning of other libraries' names. These other libraries are
  // opened first, from the same folder, because the library itself may open them by name.
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
