// Stores the list of files that the user opened last.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "study/session.hpp"

namespace upsweep {

class RecentFiles {
 public:
  static constexpr std::size_t most = 8;
  // Returns the names of recordings and of files with times. Sorted by the time of opening, the latest first.
  // Leaves out files that come with the program.
  const std::vector<std::string>& names() const { return names_; }
  void set(std::vector<std::string> names);
  // If the session has opened a file since the last call, adds this file to the list.
  void follow(const Session& session);

 private:
  void add(const std::string& name);
  std::vector<std::string> names_;
  std::shared_ptr<const Recording> seen_;
};

}  // namespace upsweep
