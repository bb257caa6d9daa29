#include "machine/gpu/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/gpu/driver.hpp"

namespace upsweep {

namespace {

// Owns a program of NVRTC.
class Handle {
 public:
  explicit Handle(const Program& p) {
    std::vector<const char*> texts, names;
    for (const auto& [name, text] : p.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    require(nvrtc().nvrtcCreateProgram(&program_, p.text.c_str(), p.file.c_str(),
                                       static_cast<int>(names.size()), texts.data(), names.data()));
  }
  ~Handle() { nvrtc().nvrtcDestroyProgram(&program_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator void*() const { return program_; }

  static void require(int result) {
    if (result != 0) throw WorkError(say::nvrtc_failed(nvrtc().nvrtcGetErrorString(result)));
  }

  // Returns a text of the program (the log or the PTX), without the zero byte at the end. The function `size`
  // returns the number of bytes, and the function `get` returns the bytes.
  std::string text(int (*size)(void*, std::size_t*), int (*get)(void*, char*)) const {
    std::size_t bytes = 0;
    require(size(program_, &bytes));
    std::string text(bytes, '\0');
    if (bytes > 0) require(get(program_, text.data()));
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  std::string cubin() const {
    std::size_t bytes = 0;
    require(nvrtc().nvrtcGetCUBINSize(program_, &bytes));
    std::string image(bytes, '\0');
    require(nvrtc().nvrtcGetCUBIN(program_, image.data()));
    return image;
  }

 private:
  void* program_ = nullptr;
};

std::vector<int> supported() {
  int count = 0;
  Handle::require(nvrtc().nvrtcGetNumSupportedArchs(&count));
  std::vector<int> all(static_cast<std::size_t>(count));
  Handle::require(nvrtc().nvrtcGetSupportedArchs(all.data()));
  std::sort(all.begin(), all.end());
  return all;
}

void require_supported(const std::string& architecture) {
  std::string known;
  for (const int a : supported()) {
    if (architecture == fmt::format("sm_{}", a) || architecture == fmt::format("compute_{}", a)) return;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", a);
  }
  throw RequestError(say::architecture_unknown(architecture, known));
}

// Returns the path of CUDA's device runtime: an archive in the folder of CUDA's libraries.
std::string device_runtime() {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  for (const Library& library : {open_nvjitlink(), open_nvrtc()}) {
    std::error_code none;
    const fs::path real = fs::canonical(library.path(), none);
    for (const fs::path& path : {fs::path(library.path()), real}) {
      folders.push_back(path.parent_path());
      folders.push_back(path.parent_path() / "../../cuda_runtime/lib");  // NVIDIA's Python packages
    }
  }
  for (const fs::path& folder : library_folders(LibraryPlaces::of_this_computer())) folders.push_back(folder);
  for (const fs::path& folder : folders) {
    std::error_code none;
    if (fs::exists(folder / "libcudadevrt.a", none)) return (folder / "libcudadevrt.a").string();
  }
  throw RequestError(say::no_device_runtime());
}

// Returns a cubin for kernels that launch kernels, linked with the device runtime.
std::string linked(const std::string& file, const std::string& image, const std::string& architecture) {
  const NvJitLink& n = nvjitlink();
  constexpr int input_cubin = 1, input_library = 6;
  const std::string runtime = device_runtime(), option = "-arch=" + architecture;
  void* handle = nullptr;
  const char* options[] = {option.c_str()};
  int result = n.nvJitLinkCreate(&handle, 1, options);
  if (result == 0) result = n.nvJitLinkAddData(handle, input_cubin, image.data(), image.size(), file.c_str());
  if (result == 0) result = n.nvJitLinkAddFile(handle, input_library, runtime.c_str());
  if (result == 0) result = n.nvJitLinkComplete(handle);
  std::string cubin, log;
  std::size_t bytes = 0;
  if (result == 0) result = n.nvJitLinkGetLinkedCubinSize(handle, &bytes);
  if (result == 0) cubin.resize(bytes), result = n.nvJitLinkGetLinkedCubin(handle, cubin.data());
  if (result != 0 && handle && n.nvJitLinkGetErrorLogSize(handle, &bytes) == 0) {
    log.resize(bytes);
    n.nvJitLinkGetErrorLog(handle, log.data());
    log.resize(std::strlen(log.c_str()));
  }
  if (handle) n.nvJitLinkDestroy(&handle);
  if (result != 0) throw WorkError(say::does_not_link(file, result, log));
  return cubin;
}

}  // namespace

Compiled compile(const Program& program, const std::string& architecture) {
  require_supported(architecture);
  const Handle handle(program);
  for (const auto& [name, expression] : program.kernels)
    Handle::require(nvrtc().nvrtcAddNameExpression(handle, expression.c_str()));

  // A product and a sum are not fused into one operation, so that results have the same bits as on the
  // emulator. Because a block may have 1,024 threads, each thread may use at most 64 registers.
  std::vector<std::string> options = {
      "--gpu-architecture=" + architecture,
      program.of_host ? "--std=c++20" : "--std=c++17",
      "--fmad=false",
      "--maxrregcount=64",
      "--generate-line-info",
      "--diag-suppress=174"};  // some kernels with bugs have statements without effect
  if (program.launches) options.push_back("--relocatable-device-code=true");
  if (program.of_host) options.push_back("--device-as-default-execution-space");
  if (!program.pre_include.empty()) options.push_back("--pre-include=" + program.pre_include);
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());

  const int result =
      nvrtc().nvrtcCompileProgram(handle, static_cast<int>(arguments.size()), arguments.data());
  Compiled compiled;
  compiled.log = handle.text(nvrtc().nvrtcGetProgramLogSize, nvrtc().nvrtcGetProgramLog);
  if (result != 0)
    throw WorkError(say::does_not_compile(
        program.file, compiled.log.empty() ? nvrtc().nvrtcGetErrorString(result) : compiled.log));
  for (const auto& [name, expression] : program.kernels) {
    const char* lowered = nullptr;
    Handle::require(nvrtc().nvrtcGetLoweredName(handle, expression.c_str(), &lowered));
    compiled.lowered_name[name] = lowered;
  }
  const bool real = architecture.starts_with("sm_");
  compiled.image = real ? handle.cubin() : handle.text(nvrtc().nvrtcGetPTXSize, nvrtc().nvrtcGetPTX);
  if (real && program.launches) compiled.image = linked(program.file, compiled.image, architecture);
  return compiled;
}

bool nvrtc_available() {
  try {
    nvrtc();
    return true;
  } catch (const RequestError&) { return false; }
}

std::string with_point(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

std::string architecture_for(int capability) {
  std::string best;
  for (const int a : supported()) {
    if (a == capability) return fmt::format("sm_{}", a);
    if (a < capability) best = fmt::format("compute_{}", a);
  }
  if (best.empty())
    throw RequestError(say::nvrtc_too_new(with_point(capability), with_point(supported().front())));
  return best;
}

}  // namespace upsweep
