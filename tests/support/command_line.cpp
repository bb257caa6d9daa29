#include "support/command_line.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace upsweep {

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

CommandLine::Ran CommandLine::run(const std::string& line) const {
  std::ofstream(folder_ / "line")
      << "upsweep() { '" UPSWEEP_BINARY
         "' \"$@\"; }\nunset DISPLAY WAYLAND_DISPLAY\n"
         "export LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=$PWD\n"  // Wayland's library needs this folder
      << line << "\n";
  const std::string command = "cd '" + folder_.string() + "' && bash line > out 2> err < /dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder_ / "out"), content(folder_ / "err")};
}

json CommandLine::run_json(const std::string& line) const {
  const Ran ran = run(line);
  EXPECT_EQ(ran.exit_code, 0) << line << "\n" << ran.err;
  EXPECT_EQ(ran.err, "") << line;
  return json::parse(ran.out);
}

void CommandLine::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name) << text;
}

void CommandLine::expect_refusal(const std::string& line, const std::string& about, int exit_code) const {
  const Ran ran = run(line);
  EXPECT_EQ(ran.exit_code, exit_code) << line << "\n" << ran.out << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  EXPECT_NE(ran.err.find(about), std::string::npos) << line << "\n" << ran.err;
  EXPECT_TRUE(std::regex_match(ran.err, std::regex("upsweep: .+[.)]\n"))) << line << "\n" << ran.err;
  // Numbers in messages must have grouped thousands. Exceptions are numbers from the command line, sizes of
  // pictures, and very long numbers.
  std::string said = ran.err;
  std::istringstream words(line);
  for (std::string word; words >> word;)
    for (auto at = said.find(word); word.size() > 3 && at != said.npos; at = said.find(word))
      said.erase(at, word.size());
  EXPECT_FALSE(std::regex_search(said, std::regex("(^|[^\\dx.])\\d{4,15}(?![\\dx])"))) << line << "\n"
                                                                                       << ran.err;
}

}  // namespace upsweep
