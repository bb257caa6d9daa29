// Tests that files are written completely or not at all, keep their permissions, and are refused if they are
// too large.
#include "base/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace file_test {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  std::string at(const std::string& file) const { return (folder_ / file).string(); }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static mode_t mode(const std::string& path) {
    struct stat found {};
    stat(path.c_str(), &found);
    return found.st_mode & 07777;
  }
  // Returns the reason why the file cannot be written, or an empty string if the file can be written. Expects
  // the same reason from expect_writable() and from write_file().
  static std::string refusal(const std::string& path) {
    std::string before;
    try {
      expect_writable(path);
    } catch (const WorkError& e) { before = in_words(e); }
    try {
      write_file(path, "new");
      EXPECT_EQ(before, "");
    } catch (const WorkError& e) { EXPECT_EQ(in_words(e), before); }
    return before;
  }
  TemporaryFolder folder_;
};

TEST_F(Files, KeepTheirPermissions) {
  for (const mode_t wanted : {0600u, 0640u, 0755u, 0666u}) {
    std::ofstream(at("a")) << "old";
    chmod(at("a").c_str(), wanted);
    write_file(at("a"), "new");
    EXPECT_EQ(content(at("a")), "new");
    EXPECT_EQ(mode(at("a")), wanted);
  }
  EXPECT_EQ(folder_.files(), 1u);
}

TEST_F(Files, ThatAreProtectedStay) {
  std::ofstream(at("a")) << "old";
  chmod(at("a").c_str(), 0444);
  EXPECT_EQ(refusal(at("a")), at("a") + " could not be written: Permission denied.");
  EXPECT_EQ(content(at("a")), "old");
  EXPECT_EQ(mode(at("a")), 0444u);
  EXPECT_EQ(folder_.files(), 1u);
}

TEST_F(Files, AreWrittenWhereLinksLead) {
  fs::create_directory(at("inside"));
  std::ofstream(at("inside/a")) << "old";
  fs::create_symlink("inside/a", at("link"));
  fs::create_symlink("inside/not_yet", at("early"));
  fs::create_symlink("early", at("twice"));
  write_file(at("link"), "new");
  write_file(at("twice"), "first");
  EXPECT_EQ(content(at("inside/a")), "new");
  EXPECT_EQ(content(at("inside/not_yet")), "first");
  EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("early")) && fs::is_symlink(at("twice")));
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_NE(refusal(at("a")), "") << "two links that lead to each other";
}

TEST_F(Files, ThatCannotBeWrittenAreKnownBefore) {
  EXPECT_EQ(refusal(at("no/such/a")), at("no/such/a") + " could not be written: No such file or directory.");
  EXPECT_EQ(refusal(folder_.string()), folder_.string() + " could not be written: Is a directory.");
  EXPECT_EQ(refusal("."), ". could not be written: Is a directory.");
  EXPECT_NE(refusal(at("no/")), "");
  EXPECT_EQ(refusal(""), " could not be written: No such file or directory.");
  std::ofstream(at("a")) << "old";
  EXPECT_EQ(refusal(at("a/b")), at("a/b") + " could not be written: Not a directory.");
  EXPECT_NE(refusal(at(std::string(300, 'x'))), "") << "a name that is too long";
  EXPECT_EQ(refusal(at(std::string(250, 'x'))), "");
  EXPECT_EQ(refusal("/dev/null"), "");
  EXPECT_EQ(folder_.files(), 2u);
}

// If a program is interrupted while it writes a file, no part of this file remains. This also applies to
// programs with their own signal handler.
TEST_F(Files, AreWholeAfterAnInterruption) {
  const std::string bytes(std::size_t{16} << 20, 'x');
  for (const auto& [signal, has_handler] : {std::pair{SIGINT, false}, {SIGINT, true}, {SIGTERM, false}}) {
    const pid_t writer = fork();
    if (writer == 0) {
      std::signal(signal, has_handler ? [](int) { remove_incomplete_file(), _exit(1); } : SIG_DFL);
      while (true) write_file(at("whole"), bytes);
    }
    while (folder_.files() == 0) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(writer, signal);
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_TRUE(has_handler ? WIFEXITED(status) : WIFSIGNALED(status) && WTERMSIG(status) == signal);
    for (const auto& entry : fs::directory_iterator(folder_)) {
      EXPECT_EQ(entry.path().filename(), "whole");
      EXPECT_EQ(entry.file_size(), bytes.size());
    }
    fs::remove(at("whole"));
  }
}

TEST_F(Files, ThatAreReadHaveBounds) {
  std::ofstream(at("a")) << "\xEF\xBB\xBF"
                         << "1 2";
  EXPECT_EQ(read_text_file(at("a"), 100), "1 2");
  const auto why = [](const std::string& path) -> std::string {
    try {
      return read_text_file(path, 3 << 20);
    } catch (const RequestError& e) { return in_words(e); }
  };
  std::ofstream(at("long")) << std::string((3 << 20) + 1, '7');
  EXPECT_EQ(why(at("long")), at("long") + " has more than 3 MB: give a smaller file.");
  EXPECT_EQ(why("/dev/zero"),
            "/dev/zero is not a text file, because the file contains a byte with the value 0: give a text "
            "file.");
  std::ofstream(at("late")) << std::string(100'000, '7') << "\x1b 8";
  EXPECT_EQ(why(at("late")),
            at("late") +
                " is not a text file, because the file contains a byte with the value 27: give a text file.");
  std::ofstream(at("blank")) << "1\t2\v3\f4\r\n\xC3\x97\x7f";
  EXPECT_EQ(why(at("blank")), "1\t2\v3\f4\r\n\xC3\x97\x7f");
  EXPECT_EQ(why("/dev/null"), "");
  EXPECT_EQ(why(folder_.string()), folder_.string() + " cannot be read: Is a directory.");
  EXPECT_EQ(why(at("b")), at("b") + " cannot be read: No such file or directory.");
  EXPECT_NE(why("/proc/self/mem").find("cannot be read"), std::string::npos) << why("/proc/self/mem");
}

// The program must not wait forever if a pipe has no writer or no reader.
TEST_F(Files, ThatArePipesDoNotWaitForever) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_file(at("pipe"), "1"), WorkError);
  const int silent = open(at("pipe").c_str(), O_RDWR);
  try {
    read_text_file(at("pipe"), 100);
    ADD_FAILURE() << "the pipe gives nothing";
  } catch (const RequestError& e) {
    EXPECT_EQ(in_words(e), at("pipe") + " cannot be read: no data arrived for 3 seconds.");
  }
  ASSERT_EQ(write(silent, "7", 1), 1);
  std::jthread writer([&] {
    std::ofstream(at("pipe")) << "8";
    std::this_thread::sleep_for(
        std::chrono::milliseconds(300));  // until the reader opens the pipe; otherwise, the data are lost
    close(silent);
  });
  EXPECT_EQ(read_text_file(at("pipe"), 100), "78");
}

TEST(Printable, ShowsControlCharactersAndShortensLongWords) {
  EXPECT_EQ(printable("a\x1b[2Jb\x01\n"), "a\\x1b[2Jb\\x01\\x0a");
  EXPECT_EQ(printable(std::string_view("1\0002", 3)), "1\\x002");
  EXPECT_EQ(printable("größer, 3 × 4"), "größer, 3 × 4");
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    std::size_t words = random() % 5;
    for (std::size_t w = 0; w < words; ++w) {
      const std::string_view piece = random() % 2 ? "×" : "x";
      for (std::size_t k = random() % 3 ? 5 : random() % 100000; k > 0; --k) text += piece;
      text += ' ';
    }
    const std::string shown = printable(text);
    ASSERT_LE(shown.size(), words * 410);
    for (std::size_t at = 0; at < shown.size(); ++at)  // checks that both bytes of a character are present
      if (shown[at] == '\xc3') ASSERT_EQ(shown[++at], '\x97');
      else ASSERT_EQ(shown[at] & 0x80, 0);
    if (text.size() < 100) { EXPECT_EQ(shown, text); }
  }
}

}  // namespace file_test
}  // namespace upsweep
