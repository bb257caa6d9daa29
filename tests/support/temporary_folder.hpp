// Makes a folder for one test, and deletes the folder afterwards.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

namespace upsweep {

// The path of a new, empty folder. The folder and its contents are deleted with this object.
class TemporaryFolder : public std::filesystem::path {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "upsweep-XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error(name + " could not be created");
    assign(name);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(*this); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Returns the number of files and folders in the folder.
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(*this), {}));
  }
};

}  // namespace upsweep
