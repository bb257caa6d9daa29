// Checks that code below the layer `words` contains no sentences, that every message has an English sentence,
// and that no code shows the what() of an error to users.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace prose_test {

namespace fs = std::filesystem;
const fs::path root = UPSWEEP_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns the .hpp and .cpp files below a folder. The key is the name in the repository.
std::map<std::string, std::string> sources(const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (const auto extension = entry.path().extension(); extension == ".hpp" || extension == ".cpp")
      found[fs::relative(entry.path(), root).string()] = content(entry.path());
  EXPECT_FALSE(found.empty()) << folder;
  return found;
}

// Returns the text without its comments and its static assertions.
std::string code(const std::string& text) {
  static const std::regex comment(R"re(("(?:\\.|[^"\\\n])*")|//[^\n]*)re"),
      asserted(R"re(static_assert\([^;]*;)re");
  return std::regex_replace(std::regex_replace(text, comment, "$1"), asserted, "");
}

std::vector<std::string> literals(const std::string& text) {
  static const std::regex literal(R"re("((?:\\.|[^"\\\n])*)")re");
  const std::string rest = code(text);
  std::vector<std::string> found;
  for (std::sregex_iterator l(rest.begin(), rest.end(), literal), end; l != end; ++l)
    found.push_back((*l)[1]);
  return found;
}

// Returns true if the literal contains two consecutive words, and is therefore likely to be a sentence.
bool reads_like_prose(const std::string& literal) {
  static const std::regex prose("[A-Za-z]{2,}[,;:]? +(?:\\{\\} +)?[a-z]{2,}");
  return std::regex_search(literal, prose);
}

// Files whose literals are not sentences for users. The second string gives the reason.
const std::map<std::string, std::string> exceptions = {
    {"src/trace/format_1.cpp", "texts in recordings of format 1, which only this file reads"},
    {"src/analysis/hazards.hpp", "kinds of hazards, as JSON and kernel files name them"},
    {"src/analysis/mark_names.cpp", "a pattern of kernel text"},
    {"src/machine/gpu/gpu_program.cpp", "CUDA text"},
    {"src/machine/shader/pass_program.cpp", "GLSL text"},
    {"src/machine/install.cpp", "shell commands"},
    {"src/measure/measure.cpp", "the name of a row of times"},
    {"src/measure/sweep.cpp", "the name of a variant, as files of times hold it"},
    {"src/measure/variant_name.cpp", "the same"},
    {"src/measure/processor.cpp", "a key of /proc/cpuinfo"},
};

TEST(Prose, TheLayersBelowWordsHoldNone) {
  std::map<std::string, int> excused;
  for (const char* layer : {"src/trace", "src/analysis", "src/machine", "src/measure"})
    for (const auto& [file, text] : sources(layer))
      for (const std::string& literal : literals(text)) {
        if (!reads_like_prose(literal)) continue;
        if (exceptions.contains(file)) ++excused[file];
        else ADD_FAILURE() << file << " says \"" << literal << "\": make it a message (base/messages.inc)";
      }
  for (const auto& [file, why] : exceptions)
    EXPECT_GT(excused[file], 0) << file << " needs no exception any more (" << why << ")";
}

TEST(Prose, IsRecognised) {
  for (const char* prose :
       {"The run was stopped.", "it has {} elements", "of {} lanes", "is empty", "wait at, say"})
    EXPECT_TRUE(reads_like_prose(prose)) << prose;
  for (const char* other :
       {"sm_{}", "upsweep_log", "--std=c++17", "scan_blelloch", "op {}", "NVIDIA H200", ", "})
    EXPECT_FALSE(reads_like_prose(other)) << other;
  EXPECT_EQ(literals("a(\"x\\\"y\"); // \"z\"\nstatic_assert(b, \"w\"); c(\"//v\");"),
            (std::vector<std::string>{"x\\\"y", "//v"}));
}

// what() returns a text for debuggers. Users read the text of in_words().
TEST(Prose, NobodyReadsWhat) {
  const std::map<std::string, std::string> may = {
      {"src/base/error.hpp", "of exceptions that are not ours"},
      {"src/words/in_words.cpp", "of exceptions that are not ours"},
      {"src/app/command_line.cpp", "CLI11's"},
  };
  for (const auto& [file, text] : sources("src"))
    if (code(text).find(".what()") != std::string::npos) {
      EXPECT_TRUE(may.contains(file)) << file << " reads what(): use in_words(error)";
    }
}

std::vector<MessageId> all_ids() {
  return {
#define UPSWEEP_MESSAGE(id, ...) MessageId::id,
#include "base/messages.inc"
#undef UPSWEEP_MESSAGE
  };
}

TEST(Messages, EachIsMadeSomewhere) {
  static const std::regex id("(?:say|MessageId)::(\\w+)");
  std::set<std::string> made;
  for (const auto& [file, text] : sources("src"))
    if (!file.starts_with("src/base/messages"))
      for (std::sregex_iterator m(text.begin(), text.end(), id), end; m != end; ++m) made.insert((*m)[1]);
  for (const MessageId each : all_ids())
    EXPECT_TRUE(made.contains(std::string(name(each)))) << name(each) << " is never made: leave it out";
}

TEST(Messages, SentencesEndWithAFullStopAndAreShort) {
  constexpr int most_words = 30;
  for (const MessageId id : all_ids()) {
    std::string text(english(id));
    EXPECT_FALSE(text.empty()) << name(id);
    EXPECT_EQ(text.find("  "), std::string::npos) << name(id) << ": " << text;
    if (!is_sentence(id)) {
      EXPECT_FALSE(text.ends_with('.')) << name(id) << " is a sentence: make it an UPSWEEP_TEXT";
      continue;
    }
    // The last placeholder may be replaced by a whole sentence or by a log. In this case, the text need not
    // end with a full stop.
    EXPECT_TRUE(text.ends_with('.') || text.ends_with("{why}") || text.ends_with("{log}"))
        << name(id) << ": " << text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(". ", begin), text.size());
      std::istringstream words(text.substr(begin, end - begin));
      const auto count = std::distance(std::istream_iterator<std::string>(words), {});
      EXPECT_LE(count, most_words) << name(id) << ": " << text;
      begin = end + 2;
    }
  }
}

TEST(Messages, PlacesAreFilled) {
  EXPECT_EQ(in_words(Message{}), "");
  EXPECT_EQ(in_words(say::endless_loop_counted(17, 5, 2, 1536)),
            "The loop of line 17 never ends, because the loop does not change the values that its condition "
            "reads. Thread 5 of block 2 ran 1,536 iterations.");
  EXPECT_EQ(in_words(say::waits_in_loop(0, say::one_thread(3), 1, 17)),
            "In block 0, thread 3 waits in the loop of line 17.");
  EXPECT_EQ(in_words(say::waits_in_loop(0, say::threads_from_to(1, 9), 9, 17)),
            "In block 0, threads 1 to 9 wait in the loop of line 17.");
  EXPECT_EQ(in_words(say::threads_named(std::vector<Message>{say::number(1), say::number(4)})),
            "threads 1, 4");
  EXPECT_EQ(in_words(say::takes_too_long_to_wait(4096, 1.23456, 80.4)),
            "Left out: 4,096 elements took 1.235 ms. All n elements may take longer than 80 ms, which is too "
            "long.");
  EXPECT_EQ(in_words(say::use_the_emulator(say::no_gpu_found())),
            "No GPU can be used: the driver found no GPU. Use the emulator.");
}

TEST(Messages, ErrorsCarryThem) {
  const RequestError error(say::bad_size(0));
  EXPECT_EQ(error.message, say::bad_size(0));
  EXPECT_STREQ(error.what(), "bad_size(0)");
  EXPECT_EQ(in_words(error), "the number of elements, 0, is impossible");
  EXPECT_EQ(in_words(WorkError("Of a layer without messages.")), "Of a layer without messages.");
  EXPECT_EQ(in_words(std::runtime_error("Not ours.")), "Not ours.");
  EXPECT_EQ(message_of(error), error.message);
  EXPECT_EQ(outline(say::use_the_emulator(say::no_gpu_found())), "use_the_emulator(no_gpu_found)");
}

}  // namespace prose_test
}  // namespace upsweep
