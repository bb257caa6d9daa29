// Checks that no two headers define the same inline function or the same type. The linker would silently use
// one of the two definitions for both.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace upsweep {
namespace one_definition_test {

namespace fs = std::filesystem;

// The headers that define a name. For a function, the name includes the types of the parameters.
using Definitions = std::map<std::string, std::set<std::string>>;

std::string without_comments(const fs::path& path) {
  std::ostringstream text;
  for (auto [file, line] = std::pair(std::ifstream(path), std::string()); std::getline(file, line);)
    text << line.substr(0, line.find("//")) << '\n';
  return text.str();
}

// Returns the types of parameters: "const Key& key, int n = 1" becomes "const Key&, int, ".
std::string types(const std::string& parameters) {
  std::string all;
  std::istringstream list(parameters);
  for (std::string one; std::getline(list, one, ',');)
    all += std::regex_replace(one.substr(0, one.find('=')), std::regex(R"(^\s+|\s+\w*\s*$)"), "") + ", ";
  return all;
}

// Adds what the header defines outside of functions and types, where lines are not indented.
void add(Definitions& all, const std::string& header, const std::string& text) {
  const std::regex function(
      R"(\n(?:\[\[[^\]]*\]\] )?(?:constexpr )?inline [^;{}=()]*?(\w+)\(([^)]*)\)[^;{]*\{)");
  const std::regex type(R"(\n(?:struct|class|enum class) (\w+)(?: : [^;{]*)? \{)");
  for (std::sregex_iterator m(text.begin(), text.end(), function), end; m != end; ++m)
    all[(*m)[1].str() + "(" + types((*m)[2]) + ")"].insert(header);
  for (std::sregex_iterator m(text.begin(), text.end(), type), end; m != end; ++m)
    all[(*m)[1]].insert(header);
}

TEST(OneDefinition, OfEveryInlineFunctionAndType) {
  Definitions all;
  for (const auto& file : fs::recursive_directory_iterator(fs::path(UPSWEEP_SOURCE_DIR) / "src"))
    if (file.path().extension() == ".hpp") add(all, file.path().filename(), without_comments(file));
  EXPECT_GT(all.size(), 500u);
  for (const auto& [name, headers] : all)
    EXPECT_EQ(headers.size(), 1u) << name << " is defined in " << *headers.begin() << " and "
                                  << *headers.rbegin();
}

TEST(OneDefinition, FindsTwo) {
  Definitions all;
  add(all, "a.hpp", "\ninline bool is_name(std::string_view t) {\nstruct Case {\nenum class Kind : int {\n");
  add(all, "b.hpp", "\nconstexpr inline int is_name(std::string_view text = {}) {\n");
  add(all, "c.hpp",
      "\ninline bool is_name(int t) {\nstruct Case;\nclass Case::Part {\nstruct Kind : Case {\n");
  EXPECT_EQ(all["is_name(std::string_view, )"], (std::set<std::string>{"a.hpp", "b.hpp"}));
  EXPECT_EQ(all["is_name(int, )"], std::set<std::string>{"c.hpp"});
  EXPECT_EQ(all["Case"], std::set<std::string>{"a.hpp"});
  EXPECT_EQ(all["Kind"], (std::set<std::string>{"a.hpp", "c.hpp"}));
}

}  // namespace one_definition_test
}  // namespace upsweep
