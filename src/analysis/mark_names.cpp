#include "analysis/mark_names.hpp"

#include <algorithm>
#include <charconv>

namespace upsweep {

std::map<std::uint32_t, std::string> mark_names(std::string_view text) {
  constexpr std::string_view beginning = "const unsigned ", known = "_known";
  std::map<std::uint32_t, std::string> names;
  for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
    std::string_view list = text.substr(at + beginning.size());
    const std::size_t end = list.find_first_of(";\n");
    if (end == list.npos || list[end] != ';') continue;
    list = list.substr(0, end);
    for (std::size_t sign = list.find(" = "); sign != list.npos; sign = list.find(" = ", sign + 1)) {
      std::uint32_t value = 0;
      const char* digits = list.data() + sign + 3;
      if (std::from_chars(digits, list.data() + list.size(), value).ec != std::errc()) continue;
      const std::size_t before = list.find_last_of(" ,", sign - 1);
      std::string name(list.substr(before + 1, sign - before - 1));  // if `before` is npos, before + 1 is 0
      if (name.ends_with(known)) name.resize(name.size() - known.size());
      std::replace(name.begin(), name.end(), '_', ' ');
      if (!name.empty()) names[value] = name;
    }
  }
  return names;
}

}  // namespace upsweep
