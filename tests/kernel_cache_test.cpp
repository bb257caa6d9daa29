// Kernels kept on disk. Needs NVRTC, no GPU.
#include "machine/kernel_cache.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/file.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

class KernelCache : public testing::Test {
 protected:
  KernelCache() {
    std::string name = (fs::temp_directory_path() / "upsweep-XXXXXX").string();
    folder_ = fs::path(mkdtemp(name.data())) / "below" / "that";
  }
  ~KernelCache() override { fs::remove_all(folder_.parent_path().parent_path()); }
  void SetUp() override {
    if (!nvrtc_available())
      GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here.";
  }

  static Program doubling(const std::string& factor) {
    Program p;
    p.file = "doubling.cuh";
    p.text = "#include \"factor.cuh\"\ntemplate <class T> __global__ void doubling(T* x) { *x *= factor; }\n";
    p.headers = {{"factor.cuh", "constexpr int factor = " + factor + ";\n"}};
    p.kernels = {{"doubling", "doubling<int>"}};
    return p;
  }
  Compiled once(const Program& p, const std::string& architecture = "sm_90") const {
    return compile_once(p, architecture, folder_.string());
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (fs::exists(folder_))
      for (const auto& e : fs::directory_iterator(folder_)) all.push_back(e.path());
    return all;
  }
  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

void expect_equal(const Compiled& a, const Compiled& b) {
  EXPECT_EQ(a.image == b.image, true);
  EXPECT_EQ(a.lowered_name, b.lowered_name);
  EXPECT_EQ(a.log, b.log);
}

TEST_F(KernelCache, GivesWhatWasCompiled) {
  const Compiled first = once(doubling("2"));
  expect_equal(first, compile(doubling("2"), "sm_90"));
  ASSERT_EQ(files().size(), 1u);
  const fs::path file = files()[0];
  // Read again, and so used: its time says so.
  expect_equal(once(doubling("2")), first);
  fs::last_write_time(file, fs::file_time_type::min() + std::chrono::hours(1));
  once(doubling("2"));
  EXPECT_GT(fs::last_write_time(file), fs::file_time_type::clock::now() - std::chrono::minutes(1));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KernelCache, AnythingElseIsCompiled) {
  once(doubling("2"));
  expect_equal(once(doubling("3")), compile(doubling("3"), "sm_90"));
  expect_equal(once(doubling("2"), "sm_80"), compile(doubling("2"), "sm_80"));
  Program named = doubling("2");
  named.file = "another.cuh";
  once(named);
  EXPECT_EQ(files().size(), 4u);
  // The same name, another content: as two keys with one hash would have it.
  const Compiled two = compile(doubling("2"), "sm_90");
  const std::vector<fs::path> all = files();
  const std::string one = content(all[0]);
  for (const fs::path& path : all) write_file(path.string(), one);
  expect_equal(once(doubling("2")), two);
  expect_equal(once(doubling("3")), compile(doubling("3"), "sm_90"));
}

TEST_F(KernelCache, ADamagedFileIsCompiledAnew) {
  const Compiled whole = once(doubling("2"));
  const fs::path file = files().at(0);
  const std::string good = content(file);
  for (std::size_t cut = 0; cut < good.size(); cut += 1 + good.size() / 20) {
    write_file(file.string(), good.substr(0, cut));
    expect_equal(once(doubling("2")), whole);
    EXPECT_EQ(content(file).size(), good.size());
  }
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 20) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_file(file.string(), bad);
    expect_equal(once(doubling("2")), whole);
  }
}

TEST_F(KernelCache, WhereNothingCanBeKeptItIsCompiled) {
  const Compiled plain = compile(doubling("2"), "sm_90");
  expect_equal(compile_once(doubling("2"), "sm_90", ""), plain);
  expect_equal(compile_once(doubling("2"), "sm_90", "/dev/null/folder"), plain);
  Program wrong = doubling("2");
  wrong.text = "no kernel";
  EXPECT_THROW(once(wrong), WorkError);
  EXPECT_TRUE(files().empty()) << "a mistake is not kept";
}

TEST_F(KernelCache, WhatWasNotUsedForLongestGoes) {
  once(doubling("2"));
  const fs::path used = files().at(0);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (int i = 0; i < 600; ++i) {
    const fs::path other = folder_ / (std::to_string(i) + ".kernel");
    write_file(other.string(), "x");
    fs::last_write_time(other, long_ago - std::chrono::minutes(i));
  }
  write_file((folder_ / "a note").string(), "of somebody's");
  once(doubling("3"));
  EXPECT_EQ(files().size(), 513u);
  EXPECT_TRUE(fs::exists(used));
  EXPECT_TRUE(fs::exists(folder_ / "a note"));
  EXPECT_TRUE(fs::exists(folder_ / "0.kernel"));
  EXPECT_FALSE(fs::exists(folder_ / "599.kernel"));
}

TEST_F(KernelCache, ItsFolderIsTheUsersCache) {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const std::string cache_was = cache ? cache : "", home_was = home ? home : "";
  setenv("XDG_CACHE_HOME", "/c", 1);
  setenv("HOME", "/h", 1);
  EXPECT_EQ(kernel_cache_folder(), "/c/upsweep/kernels");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(kernel_cache_folder(), "/h/.cache/upsweep/kernels");
  unsetenv("HOME");
  EXPECT_EQ(kernel_cache_folder(), "");
  if (cache) setenv("XDG_CACHE_HOME", cache_was.c_str(), 1);
  if (home) setenv("HOME", home_was.c_str(), 1);
}

}  // namespace
}  // namespace upsweep
