// Tests the folders in which the program looks for NVIDIA's libraries, and the commands that install missing
// libraries. The operating systems in this test are made up.
#include "machine/install.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/gpu/library.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace install_test {

namespace fs = std::filesystem;

class MadeUpSystem : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void release(const std::string& id, const std::string& version) const {
    write("etc/os-release", "PRETTY_NAME=\"x\"\nID=" + id + "\nVERSION_ID=\"" + version + "\"\n");
  }
  std::string command(Installable part, std::pair<int, int> driver_cuda = {0, 0}) const {
    System system = system_at(root_);
    system.driver_cuda = driver_cuda;
    return install_command(part, system);
  }

  TemporaryFolder root_;
};

TEST_F(MadeUpSystem, LibrariesAreLookedForWhereToolkitsCondaAndPipPutThem) {
  // library_folders() must return these folders in this order.
  const std::vector<std::string> folders = {
      "opt/cuda/lib64",
      "usr/local/cuda/lib64",
      "usr/local/cuda-12.10/lib64",
      "usr/local/cuda-12.9/targets/x86_64-linux/lib",
      "usr/local/cuda-12.9/extras/CUPTI/lib64",
      "usr/lib/wsl/lib",
      "conda/lib",
      "conda/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib",
      "venv/lib/python3.13/site-packages/nvidia/cu13/lib",
      "venv/lib/python3.9/site-packages/nvidia/nvjitlink/lib",
      "home/.local/share/upsweep/python/lib/python3.11/site-packages/nvidia/cuda_cupti/lib",
      "home/.local/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
      "home/.pyenv/versions/3.12.1/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib",
      "usr/local/lib/python3.11/dist-packages/nvidia/cuda_nvrtc/lib"};
  for (const std::string& folder : folders) fs::create_directories(root_ / folder);
  fs::create_directories(root_ / "venv/lib/python3.13/site-packages/numpy/lib");
  fs::create_directories(root_ / "usr/local/cuda-12.8/doc");
  write("home/.local/lib/python3.11/site-packages/nvidia/README", "a file and no folder");
  const auto at = [&](const char* folder) { return (root_ / folder).string(); };
  std::vector<std::string> found;
  for (const fs::path& folder : library_folders({root_, at("opt/cuda"), at("conda"), at("venv"), at("home")}))
    found.push_back(folder.lexically_relative(root_).string());
  EXPECT_EQ(found, folders);
  EXPECT_EQ(library_folders({root_ / "nowhere", "", "", "", ""}), std::vector<fs::path>());
}

TEST_F(MadeUpSystem, ALibraryIsOpenedWhereverItLies) {
  const fs::path folder = root_ / "venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib";
  fs::create_directories(folder);
  const LibraryPlaces places{root_, "", "", (root_ / "venv").string(), ""};
  const Library none({"libupsweep-made-up.so.12"}, nullptr, places);
  EXPECT_FALSE(none);
  EXPECT_NE(none.why_not().find("libupsweep-made-up.so.12"), std::string::npos);
  const Library maths({"libm.so.6"});
  ASSERT_TRUE(maths);
  fs::copy_file(maths.path(), folder / "libupsweep-made-up.so.12");
  // Makes a library that can be opened by its name without a folder. NVRTC opens another library in this way.
  const std::string compile = "echo | gcc -shared -Wl,-soname,libupsweep-beside.so -x c - -o " +
                              (folder / "libupsweep-beside.so.1").string();
  ASSERT_EQ(std::system(compile.c_str()), 0);
  const Library found({"libupsweep-made-up.so.13", "libupsweep-made-up.so.12"}, "libupsweep-beside", places);
  ASSERT_TRUE(found) << found.why_not();
  EXPECT_NE(dlopen("libupsweep-beside.so", RTLD_NOW | RTLD_NOLOAD), nullptr) << "opened by name alone";
  EXPECT_EQ(found.path(), (folder / "libupsweep-made-up.so.12").string());
  EXPECT_NE(found.symbol("cos"), nullptr);
  EXPECT_EQ(found.symbol("upsweep_no_such_function"), nullptr);
}

TEST_F(MadeUpSystem, DebianHasItsOwnPackagesFromThirteenOn) {
  release("debian", "13");
  write("var/lib/apt/lists/mirror_debian_dists_trixie_non-free_binary-amd64_Packages",
        "Package: libnvrtc12\n");
  EXPECT_EQ(command(Installable::nvrtc), "sudo apt-get install libnvrtc12");
  EXPECT_EQ(command(Installable::nvjitlink), "sudo apt-get install libnvjitlink12");
  EXPECT_EQ(command(Installable::cupti), "sudo apt-get install libcupti12");
  EXPECT_EQ(command(Installable::driver), "sudo apt-get install nvidia-driver");
  EXPECT_EQ(command(Installable::fonts), "sudo apt-get install fonts-inter fonts-jetbrains-mono");
  release("debian", "12");  // Debian 12 offers CUDA 11
  EXPECT_EQ(command(Installable::nvrtc),
            "python3 -m venv ~/.local/share/upsweep/python && "
            "~/.local/share/upsweep/python/bin/pip install nvidia-cuda-nvrtc-cu12");
}

TEST_F(MadeUpSystem, DebiansNonFreeComponentIsAddedIfAptDoesNotKnowIt) {
  release("debian", "13");
  write("var/lib/apt/lists/mirror_debian_dists_trixie_non-free-firmware_binary-amd64_Packages", "");
  const std::string sources = "etc/apt/sources.list.d/debian.sources";
  write(sources, "Types: deb\nURIs: x\nComponents: main\n");
  const std::string found = command(Installable::nvrtc);
  EXPECT_NE(found.find(" /" + sources + " && sudo apt-get update && sudo apt-get install libnvrtc12"),
            std::string::npos)
      << found;
  // The first part of the command `found` edits apt's list of sources. The test runs this part on both
  // formats of the list.
  write("etc/apt/sources.list", "# deb main\ndeb [trusted=yes] http://x/debian trixie main\n");
  for (const char* file : {"etc/apt/sources.list.d/debian.sources", "etc/apt/sources.list"}) {
    const std::string edit = found.substr(5, found.find(" /etc/") - 5) + " " + (root_ / file).string();
    ASSERT_EQ(std::system(edit.c_str()), 0) << edit;
    std::ifstream in(root_ / file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(text.find(" main contrib non-free\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("# deb main contrib"), std::string::npos) << text;
  }
}

TEST_F(MadeUpSystem, UbuntuHasItsOwnPackagesFromTwentyFourOn) {
  release("ubuntu", "24.04");
  EXPECT_EQ(command(Installable::nvrtc), "sudo apt-get install libnvrtc12");
  EXPECT_EQ(command(Installable::driver), "sudo ubuntu-drivers install");
  EXPECT_EQ(command(Installable::opengl), "sudo apt-get install libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri");
  release("ubuntu", "22.04");
  EXPECT_NE(command(Installable::nvjitlink).find("pip install nvidia-nvjitlink-cu12"), std::string::npos);
  fs::create_directories(root_ / "usr/lib/wsl/lib");
  EXPECT_EQ(command(Installable::driver), "") << "Windows has the driver";
}

TEST_F(MadeUpSystem, NvidiasPackagesSuitTheDriver) {
  release("debian", "12");
  write("var/lib/apt/lists/mirror_compute_cuda_repos_debian12_x86%5f64_Packages",
        "Package: cuda-nvrtc-12-8\nVersion: 1\n\nPackage: cuda-nvrtc-13-0\n\nPackage: cuda-nvrtc-12-10\n\n"
        "Package: cuda-nvrtc-dev-12-9\n\nPackage: cuda-nvrtc-11-8\n");
  EXPECT_EQ(command(Installable::nvrtc, {12, 9}), "sudo apt-get install cuda-nvrtc-12-8");
  EXPECT_EQ(command(Installable::nvrtc, {12, 10}), "sudo apt-get install cuda-nvrtc-12-10");
  EXPECT_EQ(command(Installable::nvjitlink, {13, 1}), "sudo apt-get install libnvjitlink-13-0");
  EXPECT_EQ(command(Installable::cupti), "sudo apt-get install cuda-cupti-12-8") << "without a driver";
  EXPECT_EQ(command(Installable::cupti, {12, 4}), "sudo apt-get install cuda-cupti-12-4");
  EXPECT_EQ(command(Installable::driver), "sudo apt-get install cuda-drivers");
}

TEST_F(MadeUpSystem, OfAnUnknownSystemOnlyPipIsKnown) {
  EXPECT_EQ(command(Installable::driver), "");
  EXPECT_EQ(command(Installable::fonts), "");
  EXPECT_NE(command(Installable::cupti).find("pip install nvidia-cuda-cupti-cu12"), std::string::npos);
}

}  // namespace install_test
}  // namespace upsweep
