// Checks the structure of the repository: layers, names, and the registry. Another target compiles every
// header alone (see tests/CMakeLists.txt).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "catalogue/catalogue.hpp"

namespace upsweep {
namespace structure_test {

namespace fs = std::filesystem;
const fs::path root = UPSWEEP_SOURCE_DIR;

std::set<std::string> operator+(std::set<std::string> some, const std::set<std::string>& more) {
  some.insert(more.begin(), more.end());
  return some;
}
// The layers that a layer may include in addition to itself.
using Layers = std::set<std::string>;
const Layers below_scene = {"base", "picture", "trace", "timing", "analysis", "questions", "words"};
const Layers below_study = below_scene + Layers{"catalogue", "machine", "measure", "scene"};
const Layers below_panels = below_study + Layers{"export", "study", "options", "lessons"};
const std::map<std::string, std::set<std::string>> layers = {
    {"base", {}},
    {"picture", {"base"}},
    {"gl", {"base"}},
    {"trace", {"base"}},
    {"timing", {"base", "trace"}},
    {"catalogue", {"base", "trace"}},
    {"machine", {"base", "gl", "trace", "catalogue"}},
    {"measure", {"base", "trace", "timing", "catalogue", "machine"}},
    {"analysis", {"base", "picture", "trace"}},
    {"questions", {"base", "picture", "trace", "catalogue", "analysis"}},
    {"words", {"base", "picture", "trace", "timing", "analysis", "questions"}},
    {"scene", below_scene},
    {"export", below_scene + Layers{"scene"}},
    {"render", below_scene + Layers{"gl", "scene"}},
    {"study", below_study},
    {"options", below_study + Layers{"study"}},
    {"lessons", below_panels},
    {"panels", below_panels},
    {"window", below_panels + Layers{"gl", "panels", "render"}},
    {"app", below_panels + Layers{"panels", "render", "window"}},
};

// Files outside src/, and the only layer that may include each of them.
const std::map<std::string, std::string> written = {
    {"embedded/kernels.hpp", "catalogue"},  {"registry_names.hpp", "catalogue"},
    {"embedded/vocabulary.hpp", "machine"}, {"embedded/passes.hpp", "machine"},
    {"embedded/shaders.hpp", "gl"},         {"embedded/help.hpp", "app"},
    {"vocabulary/host.hpp", "machine"},     {"embedded/glossary.hpp", "words"},
    {"trace_generated.h", "trace"},         {"embedded/traces.hpp", "study"},
    {"embedded/timings.hpp", "timing"},     {"embedded/lens.hpp", "study"},
    {"embedded/lessons.hpp", "lessons"},    {"emulated/emulated_kernels.hpp", "machine"},
    {"embedded/lessons_zh.hpp", "lessons"}, {"embedded/glossary_zh.hpp", "words"},
    {"embedded/help_zh.hpp", "app"},
};

// A library that only some layers may use.
struct Reserved {
  const char* header;
  std::set<std::string> layers;
};
const Reserved reserved[] = {
    {"^<(imgui|backends/imgui|misc/cpp/imgui)", {"window"}},
    {"^<(GLFW|xcb)/", {"window"}},
    {"^<EGL/", {"gl"}},
    {"^<(glad/|GL/)", {"gl", "machine", "render"}},
    {"^<(cuda|nvrtc|nvJitLink|cupti)", {"machine"}},
    {"^<boost/interprocess/", {"window"}},
    {"^<boost/(?!interprocess/)", {"machine"}},
    {"^<(cairo|gif_lib|vpx/)", {"export"}},
    {"^<fontconfig", {"base", "export"}},
    {"^<ft2build", {"render", "export"}},
    {"^<(png|jpeglib|jerror)", {"picture"}},
    {"^<CLI/", {"app"}},
    {"^<cmark", {"lessons"}},
    {"^<(zstd|flatbuffers)", {"trace"}},
};

// Files that may be longer than 400 lines. The second string gives the reason.
const std::map<std::string, std::string> long_files = {
    {"tests/window/window_test.py", "one session with the window, from its start to its end"},
};
constexpr int longest = 400;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns all files below a folder whose names have one of the extensions.
std::vector<fs::path> files(const std::string& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  EXPECT_FALSE(found.empty()) << folder;
  return found;
}

std::string short_name(const fs::path& path) { return fs::relative(path, root).string(); }

std::vector<std::string> includes(const fs::path& path) {
  static const std::regex include("^ *# *include *([<\"][^>\"]*)[>\"]");
  std::vector<std::string> found;
  std::ifstream in(path);
  std::smatch match;
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, match, include)) found.push_back(match[1]);
  return found;
}

// Returns the text without its comments and string literals.
std::string code(std::string text) {
  for (std::size_t at = 0; (at = text.find("= R\"(", at)) != std::string::npos;)
    text.erase(at, text.find(")\"", at) + 2 - at);
  static const std::regex other(R"re(//[^\n]*|/\*[^]*?\*/|"(\\.|[^"\\\n])*")re");
  return std::regex_replace(text, other, "");
}

TEST(Structure, ALayerIncludesOnlyThoseToItsLeft) {
  for (const auto& [layer, left] : layers)
    for (const fs::path& file : files("src/" + layer, {".hpp", ".cpp"}))
      for (const std::string& include : includes(file)) {
        if (include[0] == '<') continue;
        const std::string header = include.substr(1), folder = header.substr(0, header.find('/'));
        if (const auto made = written.find(header); made != written.end()) {
          EXPECT_EQ(made->second, layer) << short_name(file) << " includes " << header;
          continue;
        }
        const bool is_part = folder == "vocabulary" && layer == "machine";  // a header in kernels/vocabulary
        EXPECT_TRUE(is_part || folder == layer || left.contains(folder))
            << short_name(file) << " includes " << header;
        EXPECT_TRUE(fs::exists(root / (is_part ? "kernels" : "src") / header))
            << short_name(file) << " includes " << header;
      }
  for (const auto& entry : fs::directory_iterator(root / "src"))
    EXPECT_TRUE(layers.contains(entry.path().filename())) << entry.path() << " is no layer";
}

TEST(Structure, LibrariesStayWhereTheyBelong) {
  for (const fs::path& file : files("src", {".hpp", ".cpp"})) {
    const std::string layer = (*std::next(fs::relative(file, root).begin())).string();
    for (const std::string& include : includes(file))
      for (const Reserved& r : reserved)
        if (std::regex_search(include, std::regex(r.header))) {
          EXPECT_TRUE(r.layers.contains(layer)) << short_name(file) << " includes " << include << ">";
        }
  }
}

TEST(Structure, RegistryNamesEveryKernel) {
  std::set<std::string> there, named;
  for (const auto& entry : fs::directory_iterator(root / "kernels"))
    if (entry.path().extension() == ".cuh") there.insert(entry.path().stem());
  for (const fs::path& shader : files("shaders", {".frag"}))
    if (content(shader).find("\n// Gives ") != std::string::npos) there.insert(shader.stem());
  for (const Algorithm& a : algorithms()) {
    EXPECT_TRUE(named.insert(a.name).second) << a.name << " is registered twice";
    const std::string text = content(root / a.file);
    EXPECT_EQ(a.text, text) << "what is compiled is what is shown";
    EXPECT_NO_THROW(parse_kernel(a.name, a.file, text)) << a.file;
  }
  EXPECT_EQ(named, there) << "kernels/registry against kernels/*.cuh and shaders/*.frag";
}

TEST(Structure, KernelsReadLikeATextbook) {
  static const std::regex conditional("# *if"), numbered("\\b[A-Za-z_]+[0-9]+\\b");
  static const std::set<std::string> words = {"scan_vector4", "log2",    "int32",   "uint32",
                                              "int64",        "float16", "float32", "float64"};
  for (const Algorithm& a : algorithms()) {
    const std::string text = code(a.text);
    EXPECT_FALSE(std::regex_search(text, conditional)) << a.file << " is compiled conditionally";
    for (std::sregex_iterator name(text.begin(), text.end(), numbered), end; name != end; ++name)
      EXPECT_TRUE(words.contains(name->str())) << a.file << " has the numbered name " << name->str();
  }
}

TEST(Structure, HeadersAreGuardedAndSayWhatTheyAreFor) {
  for (const fs::path& file : files("src", {".hpp"})) {
    const std::string text = content(file);
    EXPECT_TRUE(text.starts_with("// ")) << short_name(file) << " does not say what it is for";
    EXPECT_NE(text.find("\n#pragma once\n"), std::string::npos) << short_name(file);
  }
}

// The names in a text. `all` contains all names except members. `types` contains the names of declared types.
struct Names {
  std::set<std::string> all, called, types, declared;
};

bool in_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns true if a type is in front of the name that begins at `at`. `last` is the last word before the
// name.
bool has_a_type(const std::string& text, std::size_t at, const std::string& last) {
  static const std::set<std::string> no_types = {"return", "else",   "case", "throw", "co_return",
                                                 "new",    "delete", "goto", "not",   "and",
                                                 "or",     "do",     "in"};
  std::size_t end = at;
  while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
  if (end == at) return false;
  while (end > 0 && (text[end - 1] == '*' || text[end - 1] == '&')) --end;
  if (end < 2) return false;
  if (text[end - 1] == '>') return text[end - 2] != ' ' && text[end - 2] != '-';
  return in_a_name(text[end - 1]) && !no_types.contains(last);
}

Names names_in(const std::string& text) {
  static const std::set<std::string> declaring = {"struct", "class", "enum", "using", "typename"};
  Names names;
  std::string last;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    for (end = at; end < text.size() && in_a_name(text[end]);) ++end;
    if (at == end) {
      ++end;
      continue;
    }
    const std::string name = text.substr(at, end - at);
    // Leaves out the names of members, because a type or a function may have the same name.
    const char before = at > 0 ? text[at - 1] : ' ';
    const bool belongs = before == '.' || before == ':' || before == '>';
    if (!belongs) names.all.insert(name);
    if (declaring.contains(last)) names.types.insert(name);
    if (has_a_type(text, at, last)) names.declared.insert(name);
    else if (!belongs && end < text.size() && text[end] == '(') names.called.insert(name);
    last = name;
  }
  return names;
}

// The types and functions that a header declares outside of classes.
struct Offered {
  std::set<std::string> types, functions;
};
Offered offered_by(const std::string& text) {
  static const std::regex type("^(?:struct|class|enum class) +([A-Z]\\w*) *(?::[^;{]*)?\\{"),
      function(
          "^(?!(?:struct|class|enum|using|template|namespace|static_assert)\\b)\\w[^(=;]*[ *&](\\w+)\\(");
  Offered offered;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, type)) offered.types.insert(match[1]);
    else if (std::regex_search(line, match, function)) offered.functions.insert(match[1]);
  }
  return offered;
}

// The compiler reads several files as one. Therefore the compiler does not notice every missing include, but
// this test does. Only `./test --sanitize` compiles each file alone, and only `./test --long` each header.
TEST(Structure, AFileIncludesWhatDeclaresTheTypesAndFunctionsThatItNames) {
  static const std::regex macro(R"(\n *# *define(\\\n|[^\n])*)");
  std::map<std::string, std::set<std::string>> types_in, functions_in;
  std::map<std::string, Names> names_of;
  std::map<std::string, std::vector<std::string>> included_by;
  for (const fs::path& file : files("src", {".hpp", ".cpp"})) {
    const std::string text = std::regex_replace(code(content(file)), macro, ""), here = short_name(file);
    names_of[here] = names_in(text);
    for (const std::string& include : includes(file))
      if (include[0] == '"') included_by[here].push_back("src/" + include.substr(1));
    if (file.extension() != ".hpp") continue;
    const Offered offered = offered_by(text);
    for (const std::string& type : offered.types) types_in[type].insert(here);
    for (const std::string& function : offered.functions) functions_in[function].insert(here);
  }
  ASSERT_GT(types_in.size(), 300u);
  ASSERT_GT(functions_in.size(), 400u);
  for (const auto& [file, names] : names_of) {
    std::set<std::string> seen = {file}, types, declared;
    for (std::vector<std::string> next = {file}; !next.empty();) {
      const std::string one = next.back();
      next.pop_back();
      if (const auto n = names_of.find(one); n != names_of.end()) {
        types.insert(n->second.types.begin(), n->second.types.end());
        declared.insert(n->second.declared.begin(), n->second.declared.end());
      }
      for (const std::string& include : included_by[one])
        if (seen.insert(include).second) next.push_back(include);
    }
    const auto expect_included = [&](const std::set<std::string>& named, const auto& offered_in,
                                     const std::set<std::string>& known) {
      for (const std::string& name : named) {
        const auto where = offered_in.find(name);
        if (where == offered_in.end() || known.contains(name)) continue;
        EXPECT_TRUE(std::ranges::any_of(where->second, [&](const auto& h) { return seen.contains(h); }))
            << file << " names " << name << " and does not include " << where->second.begin()->substr(4);
      }
    };
    expect_included(names.all, types_in, types);
    expect_included(names.called, functions_in, declared);
  }
}

// Tests the functions that find names for the previous test.
TEST(Structure, NamesOfTypesAndFunctionsAreFound) {
  const Names names = names_in(
      "const auto below = [&](int n) { return wide(n) * high(n) > far(n); };\n"
      "int Format2::size(const Half16& h) const { return below(3) + h.near(5) + log2(h); }\n"
      "std::vector<int> listed(Names name) { name(1); }\n");
  EXPECT_EQ(names.called, (std::set<std::string>{"wide", "high", "far", "below", "log2", "name"}));
  for (const char* name : {"below", "n", "listed", "h", "name"}) EXPECT_TRUE(names.declared.contains(name));
  for (const char* name : {"wide", "high", "far", "near", "log2"})
    EXPECT_FALSE(names.declared.contains(name)) << name;
  EXPECT_TRUE(names.all.contains("Half16") && names.all.contains("Format2"));
  const Offered offered = offered_by(
      "struct Format2 {\n  int size(int n) const;\n};\nenum class Half16 : int { a };\n"
      "template <class T>\ninline const T* first_of(T t);\nstd::vector<int> log2(int n);\nstruct Named;\n"
      "inline constexpr int four = four_of(4);\nusing F = int (*)(int);\n");
  EXPECT_EQ(offered.types, (std::set<std::string>{"Format2", "Half16"}));
  EXPECT_EQ(offered.functions, (std::set<std::string>{"first_of", "log2"}));
}

TEST(Structure, AFileBeginsWithItsOwnHeader) {
  for (const fs::path& file : files("src", {".cpp"})) {
    const fs::path header = fs::path(file).replace_extension(".hpp");
    if (!fs::exists(header)) continue;
    ASSERT_FALSE(includes(file).empty()) << short_name(file);
    EXPECT_EQ("src/" + includes(file).front().substr(1), short_name(header)) << short_name(file);
  }
}

// The compiler reads several test files as one. Therefore each test file has its own namespace, in which its
// names cannot clash with names of other files.
TEST(Structure, TestsStandInTheNamespaceOfTheirFile) {
  static const std::set<std::string> alone = {"driver_test", "made_up_view_test"};  // separate programs
  for (const fs::path& file : files("tests", {".cpp"})) {
    const std::string name = file.stem();
    if (!name.ends_with("_test") || name.starts_with("gpu_") || alone.contains(name)) continue;
    EXPECT_NE(content(file).find("\nnamespace " + name + " {\n"), std::string::npos) << short_name(file);
  }
}

TEST(Structure, FilesAreShort) {
  for (const char* folder : {"src", "kernels", "shaders", "tests", "bench", "cmake", "scripts"})
    for (const fs::path& file :
         files(folder, {".hpp", ".cpp", ".cuh", ".cu", ".vert", ".frag", ".cmake", ".sh", ".py", ".txt"})) {
      const std::string text = content(file);
      const auto lines = std::count(text.begin(), text.end(), '\n');
      EXPECT_EQ(lines > longest, long_files.contains(short_name(file)))
          << short_name(file) << " has " << lines
          << " lines: divide it, or give the reason here; a short file needs no reason";
    }
}

TEST(Structure, NothingIsLeftForLater) {
  const std::regex later("\\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\\b");  // this line does not match itself
  for (const char* folder : {"src", "kernels", "shaders", "tests", "bench", "cmake", "scripts", "docs"})
    for (const fs::path& file : files(folder, {".hpp", ".cpp", ".cuh", ".cu", ".vert", ".frag", ".cmake",
                                               ".sh", ".py", ".md", ".txt"})) {
      const std::string text = content(file);
      std::smatch match;
      EXPECT_FALSE(std::regex_search(text, match, later)) << short_name(file) << ": " << match.str();
    }
}

TEST(Structure, OneNamespace) {
  // The namespace `say` makes messages. `key` contains the keys of the keyboard. `compat` hides differences
  // between versions of libraries.
  static const std::set<std::string> known = {"upsweep", "emulated", "upsweep::emulated",
                                              "say",     "key",      "upsweep::compat"};
  static const std::regex opened("\\bnamespace +([a-z_:]+) *\\{");
  for (const fs::path& file : files("src", {".hpp", ".cpp"})) {
    const std::string text = code(content(file));
    for (std::sregex_iterator name(text.begin(), text.end(), opened), end; name != end; ++name)
      EXPECT_TRUE(known.contains((*name)[1])) << short_name(file) << ": " << name->str();
  }
}

// If two types have the same name, the program may destroy an object of one type with the destructor of the
// other type. No compiler reports this mistake.
TEST(Structure, ATypeIsDefinedOnce) {
  static const std::regex definition(
      "(?:^|\n)(?:struct|class|enum class) +([A-Za-z0-9_:]+) *(?::[^;{\n]*)?\\{");
  std::map<std::string, std::string> where;
  for (const fs::path& file : files("src", {".hpp"})) {
    const std::string text = code(content(file));
    for (std::sregex_iterator name(text.begin(), text.end(), definition), end; name != end; ++name)
      EXPECT_TRUE(where.emplace((*name)[1], short_name(file)).second)
          << (*name)[1] << " is defined in " << where[(*name)[1]] << " and in " << short_name(file);
  }
  EXPECT_GT(where.size(), 50u);
}

}  // namespace structure_test
}  // namespace upsweep
