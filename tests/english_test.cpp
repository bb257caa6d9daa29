// Checks that the interface, the documents and the comments contain no word of the list below. Also checks
// that the glossary explains every term.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "panels/help.hpp"
#include "support/pictures.hpp"
#include "words/glossary.hpp"

namespace upsweep {
namespace english_test {

namespace fs = std::filesystem;
const fs::path root = UPSWEEP_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A banned word, its replacement, and the files that may contain the banned word.
struct Banned {
  const char* word;  // a regular expression
  const char* instead;
  bool in_comments = true;
  std::set<std::string> except = {};
};

const Banned banned[] = {
    {R"(\bcycles?\b)",
     "wavefront",
     true,
     {"src/base/half.hpp", "src/machine/gpu/gpu_device.cpp",
      "kernels/reduce_vectorized.cuh"}},  // in these files, "cycle" means a clock cycle
    {R"(\bidle\b)", "masked off, waiting at the barrier or exited"},
    {R"(\bretired\b)", "exited, or waiting at the barrier"},
    {R"(\bno work\b)", "the state of the lane"},
    {R"(\btwins?\b)", "variant or baseline"},
    {R"(\bdeeds?\b)", "action"},
    {R"(\bsuits?\b)", "tuning; fits"},
    {R"(\bin place of\b)", "instead of"},
    {R"(\bunless told\b)", "default"},
    {R"(\bdue\b)", "expected", true, {"src/words/messages.inc"}},
    {R"(\bdegrees?\b)", "n-way bank conflict", false},
};

struct Piece {
  std::string text;
  bool is_comment = false;
};

// Returns the string literals and the comments of C++ text. Leaves out names of JSON fields and placeholders
// of messages, because users do not read them.
std::vector<Piece> pieces_of_code(const std::string& text) {
  static const std::regex piece(R"re("((?:\\.|[^"\\\n])*)"|//([^\n]*))re"), place(R"re(\{[a-z_:, |?]*\})re");
  std::vector<Piece> found;
  for (std::sregex_iterator p(text.begin(), text.end(), piece), end; p != end; ++p) {
    const bool is_comment = (*p)[2].matched;
    std::string said = is_comment ? (*p)[2].str() : (*p)[1].str();
    const bool is_prose = said.find(' ') != said.npos || is_comment;
    if (is_prose) found.push_back({std::regex_replace(said, place, ""), is_comment});
  }
  return found;
}

void expect_plain(const std::string& file, const std::vector<Piece>& pieces) {
  for (const Banned& each : banned) {
    if (each.except.contains(file)) continue;
    const std::regex word(each.word);
    for (const Piece& piece : pieces)
      if ((each.in_comments || !piece.is_comment) && std::regex_search(piece.text, word))
        ADD_FAILURE() << file << ": \"" << piece.text << "\": write \"" << each.instead << "\" instead of "
                      << each.word;
  }
}

TEST(English, TheSourcesUseTheTerms) {
  int files = 0;
  for (const char* folder : {"src", "kernels"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".cuh" && extension != ".inc") continue;
      const std::string file = fs::relative(entry.path(), root).string();
      if (file == "src/trace/format_1.cpp") continue;  // this file contains texts of old recordings
      ++files;
      expect_plain(file, pieces_of_code(content(entry.path())));
    }
  EXPECT_GT(files, 300);
}

TEST(English, TheDocumentsUseTheTerms) {
  std::vector<fs::path> all = {root / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  for (const char* folder : {"assets/lessons", "assets/cards"})
    for (const auto& entry : fs::directory_iterator(root / folder)) all.push_back(entry.path());
  EXPECT_GT(all.size(), 30u);
  for (const fs::path& path : all) {
    // Text between backticks or braces is code, so its words are allowed.
    static const std::regex code("`[^`]*`|\\{[^}]*\\}");
    const std::string text = std::regex_replace(content(path), code, "");
    expect_plain(fs::relative(path, root).string(), {{text, false}});
  }
}

TEST(English, EveryCommandHasItsPage) {
  std::set<std::string> pages;
  for (const auto& entry : fs::directory_iterator(root / "docs/command-line"))
    if (entry.is_regular_file()) pages.insert(entry.path().stem());
  EXPECT_EQ(pages, (std::set<std::string>{"upsweep", "ask", "settings", "list", "trace", "render", "explain",
                                          "because", "banks", "doctor", "verify", "hazards", "bench",
                                          "figure", "counters", "image", "compare", "lesson"}));
}

TEST(English, ABannedWordIsFound) {
  const std::vector<Piece> pieces =
      pieces_of_code("int idle; f(\"idle_lanes\"); g(\"1 idle lane\");  // idle too");
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].text, "1 idle lane");
  EXPECT_TRUE(pieces[1].is_comment);
  EXPECT_FALSE(std::regex_search(std::string("residue"), std::regex(R"(\bdue\b)")));
}

TEST(Glossary, ExplainsEveryTerm) {
  std::map<std::string, std::string> meanings;
  for (const GlossarySection& section : glossary()) {
    EXPECT_FALSE(section.title.empty());
    EXPECT_FALSE(section.terms.empty()) << section.title;
    for (const GlossaryTerm& t : section.terms) {
      EXPECT_TRUE(meanings.emplace(t.term, t.meaning).second) << t.term << " is explained twice";
      EXPECT_TRUE(t.meaning.ends_with('.')) << t.term;
      EXPECT_LE(t.meaning.size(), 170u) << t.term << " needs two sentences at most";
      EXPECT_EQ(t.meaning.find_first_of("`*"), t.meaning.npos) << t.term;
    }
  }
  for (const char* term : {"step",
                           "recording",
                           "request",
                           "wavefront",
                           "excess wavefronts",
                           "n-way bank conflict",
                           "broadcast",
                           "active",
                           "masked off",
                           "exited",
                           "diverged warp",
                           "waiting at the barrier",
                           "sector",
                           "lane utilisation",
                           "up-sweep",
                           "down-sweep",
                           "stride",
                           "tile",
                           "partial sum",
                           "prefix",
                           "aggregate",
                           "launch",
                           "grid",
                           "sequential addressing",
                           "block",
                           "warp",
                           "interleaved addressing",
                           "thread",
                           "lane",
                           "variant",
                           "baseline",
                           "action",
                           "tuning",
                           "span",
                           "look-back",
                           "consistency check",
                           "padding",
                           "bank",
                           "average parallelism"})
    EXPECT_TRUE(meanings.contains(term)) << term;
}

TEST(Glossary, ReadsSectionsAndTerms) {
  const auto all =
      read_glossary("# Title\ntext\n\n## One\n\n- **a b**: `c` d.\n- no term\n## Two\n- **x**: y.");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].title, "One");
  ASSERT_EQ(all[0].terms.size(), 1u);
  EXPECT_EQ(all[0].terms[0].term, "a b");
  EXPECT_EQ(all[0].terms[0].meaning, "c d.");
  EXPECT_EQ(all[1].terms[0].meaning, "y.");
}

// The help shows the whole glossary, on several pages if necessary, and a sample of each colour.
TEST(Glossary, IsBehindF1) {
  for (const GlossaryTerm& t : glossary().front().terms) EXPECT_TRUE(has_swatch(t.term)) << t.term;
  for (const auto& [width, height] : {std::pair{1280.f, 720.f}, std::pair{1920.f, 1080.f},
                                      std::pair{800.f, 500.f}, std::pair{1200.f, 675.f}}) {
    std::string all;
    const int pages = help_pages(width, height);
    EXPECT_GE(pages, 2);
    for (int page = 0; page < pages; ++page) {
      const Panel help = help_panel(dark_theme(), width, height, page);
      expect_words_fit(help.scene, {width, height});
      for (const Shape& shape : help.scene.shapes)
        if (const auto* text = std::get_if<TextShape>(&shape.what)) {
          EXPECT_LT(text->at.y, height - 16) << text->text;
          if (page == 0 && text->text.starts_with("Mouse:")) {
            EXPECT_NE(text->text.find("× takes a barrier out"), std::string::npos);
          }
          if (page > 0) all += text->text + " ";
        }
      for (int to = 0; to < pages; ++to)
        EXPECT_TRUE(std::any_of(help.buttons.begin(), help.buttons.end(), [&](const Button& b) {
          return b.command.action == Action::help_page && b.command.argument == to;
        })) << to;
    }
    const auto squeezed = [](std::string text) {
      std::erase(text, ' ');
      return text;
    };
    const std::string shown = squeezed(all);
    for (const GlossarySection& section : glossary())
      for (const GlossaryTerm& t : section.terms)
        EXPECT_NE(shown.find(squeezed(t.term + ":" + t.meaning)), shown.npos)
            << t.term << " at " << width << " x " << height;
  }
}

}  // namespace english_test
}  // namespace upsweep
