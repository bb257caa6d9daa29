#include "window/still.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

namespace upsweep {
namespace {

// Returns the value of a key in a file with lines such as "key=value". Returns an empty text if the file does
// not contain the key.
std::string value_in(const std::filesystem::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    if (line.starts_with(key + "=")) return line.substr(key.size() + 1);
  }
  return {};
}

// GNOME stores its settings in a database that only programs of GNOME can read. So this function runs
// `gsettings`, a program of GNOME.
bool gnome_prefers_still() {
  const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
  if (!desktop || std::string(desktop).find("GNOME") == std::string::npos) return false;
  const std::unique_ptr<FILE, int (*)(FILE*)> answer(
      popen("gsettings get org.gnome.desktop.interface enable-animations 2>/dev/null", "r"), pclose);
  char text[16] = {};
  return answer && std::fgets(text, sizeof text, answer.get()) && std::string(text).starts_with("false");
}

}  // namespace

bool files_prefer_still(const std::filesystem::path& folder) {
  for (const char* version : {"gtk-3.0", "gtk-4.0"}) {
    const std::string on = value_in(folder / version / "settings.ini", "gtk-enable-animations");
    if (on == "0" || on == "false" || on == "FALSE") return true;
  }
  const std::string factor = value_in(folder / "kdeglobals", "AnimationDurationFactor");
  return !factor.empty() && std::strtod(factor.c_str(), nullptr) == 0;
}

bool system_prefers_still() {
  const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
  const std::filesystem::path folder = config && *config ? std::filesystem::path(config)
                                       : home            ? std::filesystem::path(home) / ".config"
                                                         : std::filesystem::path();
  return files_prefer_still(folder) || gnome_prefers_still();
}

}  // namespace upsweep
