# Finds the libraries. Debian 12 has packages of all libraries. With UPSWEEP_FETCH, CMake fetches fmt,
# nlohmann_json, CLI11, GLFW, FlatBuffers, zstd and Dear ImGui in the versions of Debian 12, if these
# libraries are missing. The other libraries always come from the system.
option(UPSWEEP_FETCH "Fetch releases of the libraries that this system does not have" OFF)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Threads REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(GIF REQUIRED)
find_package(Freetype REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo-ft fontconfig)
pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
pkg_check_modules(CMARK REQUIRED IMPORTED_TARGET libcmark)
# Without libvpx, the program cannot write WebM files. Without xcb, the program cannot put pictures into the
# clipboard. In both cases, the program tells the user which library is missing.
pkg_check_modules(VPX IMPORTED_TARGET vpx)
pkg_check_modules(XCB IMPORTED_TARGET xcb)

if(NOT UPSWEEP_FETCH)
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
  find_package(FlatBuffers REQUIRED)
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(glfw3 3.3 CONFIG REQUIRED)
  pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
  return()
endif()

include(FetchContent)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # lets the variables below override the options of old projects
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_DOCS OFF)
set(github https://github.com)
FetchContent_Declare(fmt URL ${github}/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json URL ${github}/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz FIND_PACKAGE_ARGS)
FetchContent_Declare(CLI11 URL ${github}/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz FIND_PACKAGE_ARGS)
FetchContent_Declare(glfw URL ${github}/glfw/glfw/archive/refs/tags/3.3.8.tar.gz
                     FIND_PACKAGE_ARGS 3.3 NAMES glfw3)
set(FLATBUFFERS_BUILD_TESTS OFF)
set(FLATBUFFERS_INSTALL OFF)
FetchContent_Declare(flatbuffers URL ${github}/google/flatbuffers/archive/refs/tags/v2.0.8.tar.gz
                     FIND_PACKAGE_ARGS NAMES FlatBuffers)
FetchContent_MakeAvailable(fmt nlohmann_json CLI11 glfw flatbuffers)
if(NOT TARGET flatbuffers::flatc)  # flatbuffers was fetched, so flatc is built here
  add_executable(flatbuffers::flatc ALIAS flatc)
  add_library(flatbuffers::flatbuffers ALIAS flatbuffers)
endif()

pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
if(NOT ZSTD_FOUND)
  set(ZSTD_BUILD_PROGRAMS OFF)
  set(ZSTD_BUILD_SHARED OFF)
  FetchContent_Declare(zstd URL ${github}/facebook/zstd/archive/refs/tags/v1.5.4.tar.gz SOURCE_SUBDIR build/cmake)
  FetchContent_MakeAvailable(zstd)
  target_include_directories(libzstd_static INTERFACE ${zstd_SOURCE_DIR}/lib)
  add_library(PkgConfig::ZSTD ALIAS libzstd_static)
endif()

pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
if(NOT IMGUI_FOUND)  # upstream has no build files, so its sources are listed here
  FetchContent_Declare(imgui URL ${github}/ocornut/imgui/archive/refs/tags/v1.86.tar.gz)
  FetchContent_MakeAvailable(imgui)
  set(dir ${imgui_SOURCE_DIR})
  add_library(imgui STATIC ${dir}/imgui.cpp ${dir}/imgui_draw.cpp ${dir}/imgui_tables.cpp ${dir}/imgui_widgets.cpp
              ${dir}/imgui_demo.cpp ${dir}/misc/cpp/imgui_stdlib.cpp ${dir}/backends/imgui_impl_glfw.cpp ${dir}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(imgui PUBLIC ${dir})
  target_link_libraries(imgui PUBLIC glfw ${CMAKE_DL_LIBS})
  add_library(PkgConfig::IMGUI ALIAS imgui)
endif()
