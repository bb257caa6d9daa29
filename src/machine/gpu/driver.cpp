#include "machine/gpu/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include "base/error.hpp"

namespace upsweep {

namespace {

// Where CUDA, its packages, containers and WSL put their libraries, if the system's own search does not know
// it.
constexpr const char* usual_folders[] = {"/usr/local/cuda/lib64/",
                                         "/usr/local/cuda/extras/CUPTI/lib64/",
                                         "/usr/local/nvidia/lib64/",
                                         "/usr/lib/wsl/lib/",
                                         "/usr/lib/x86_64-linux-gnu/",
                                         "/usr/lib/x86_64-linux-gnu/nvidia/current/",
                                         "/usr/lib64/"};

// Fills in one function of a table, or says which library is too old to have it.
template <class Function>
void load(const Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library.symbol(name));
  if (!function)
    throw RequestError(
        fmt::format("{} has no function {}: it is older than what Upsweep needs. Install a newer one, or use "
                    "the emulator.",
                    library.path(), name));
}

Driver load_driver() {
  const Library library = open_driver();
  if (!library)
    throw RequestError(fmt::format(
        "No GPU can be used: NVIDIA's driver is not installed ({}). Use the emulator.", library.why_not()));
  Driver d{};
  load(library, "cuInit", d.cuInit);
  load(library, "cuDriverGetVersion", d.cuDriverGetVersion);
  load(library, "cuGetErrorName", d.cuGetErrorName);
  load(library, "cuGetErrorString", d.cuGetErrorString);
  load(library, "cuDeviceGetCount", d.cuDeviceGetCount);
  load(library, "cuDeviceGet", d.cuDeviceGet);
  load(library, "cuDeviceGetName", d.cuDeviceGetName);
  load(library, "cuDeviceGetAttribute", d.cuDeviceGetAttribute);
  load(library, "cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain);
  load(library, "cuDevicePrimaryCtxRelease_v2", d.cuDevicePrimaryCtxRelease_v2);
  load(library, "cuCtxSetCurrent", d.cuCtxSetCurrent);
  load(library, "cuCtxSynchronize", d.cuCtxSynchronize);
  load(library, "cuModuleLoadData", d.cuModuleLoadData);
  load(library, "cuModuleUnload", d.cuModuleUnload);
  load(library, "cuModuleGetFunction", d.cuModuleGetFunction);
  load(library, "cuModuleGetGlobal_v2", d.cuModuleGetGlobal_v2);
  load(library, "cuFuncSetAttribute", d.cuFuncSetAttribute);
  load(library, "cuLaunchKernel", d.cuLaunchKernel);
  load(library, "cuMemAlloc_v2", d.cuMemAlloc_v2);
  load(library, "cuMemFree_v2", d.cuMemFree_v2);
  load(library, "cuMemcpyHtoD_v2", d.cuMemcpyHtoD_v2);
  load(library, "cuMemcpyDtoH_v2", d.cuMemcpyDtoH_v2);
  load(library, "cuMemsetD8_v2", d.cuMemsetD8_v2);
  load(library, "cuMemGetInfo_v2", d.cuMemGetInfo_v2);
  load(library, "cuMemcpyHtoDAsync_v2", d.cuMemcpyHtoDAsync_v2);
  load(library, "cuMemcpyDtoHAsync_v2", d.cuMemcpyDtoHAsync_v2);
  load(library, "cuStreamCreate", d.cuStreamCreate);
  load(library, "cuStreamDestroy_v2", d.cuStreamDestroy_v2);
  load(library, "cuStreamQuery", d.cuStreamQuery);
  load(library, "cuStreamSynchronize", d.cuStreamSynchronize);
  load(library, "cuCtxSetLimit", d.cuCtxSetLimit);
  load(library, "cuMemcpyDtoDAsync_v2", d.cuMemcpyDtoDAsync_v2);
  load(library, "cuMemsetD8Async", d.cuMemsetD8Async);
  load(library, "cuEventCreate", d.cuEventCreate);
  load(library, "cuEventDestroy_v2", d.cuEventDestroy_v2);
  load(library, "cuEventRecord", d.cuEventRecord);
  load(library, "cuEventElapsedTime", d.cuEventElapsedTime);
  return d;
}

Nvrtc load_nvrtc() {
  const Library library = open_nvrtc();
  if (!library)
    throw RequestError(
        fmt::format("Kernels cannot be compiled for a GPU: NVRTC is not installed ({}). Install CUDA 12 or "
                    "13, or use the "
                    "emulator.",
                    library.why_not()));
  Nvrtc n{};
  load(library, "nvrtcVersion", n.nvrtcVersion);
  load(library, "nvrtcGetErrorString", n.nvrtcGetErrorString);
  load(library, "nvrtcGetNumSupportedArchs", n.nvrtcGetNumSupportedArchs);
  load(library, "nvrtcGetSupportedArchs", n.nvrtcGetSupportedArchs);
  load(library, "nvrtcCreateProgram", n.nvrtcCreateProgram);
  load(library, "nvrtcDestroyProgram", n.nvrtcDestroyProgram);
  load(library, "nvrtcAddNameExpression", n.nvrtcAddNameExpression);
  load(library, "nvrtcCompileProgram", n.nvrtcCompileProgram);
  load(library, "nvrtcGetProgramLogSize", n.nvrtcGetProgramLogSize);
  load(library, "nvrtcGetProgramLog", n.nvrtcGetProgramLog);
  load(library, "nvrtcGetLoweredName", n.nvrtcGetLoweredName);
  load(library, "nvrtcGetCUBINSize", n.nvrtcGetCUBINSize);
  load(library, "nvrtcGetCUBIN", n.nvrtcGetCUBIN);
  load(library, "nvrtcGetPTXSize", n.nvrtcGetPTXSize);
  load(library, "nvrtcGetPTX", n.nvrtcGetPTX);
  return n;
}

NvJitLink load_nvjitlink() {
  const Library library = open_nvjitlink();
  if (!library)
    throw RequestError(
        fmt::format("This kernel launches kernels, which nvJitLink has to link; it is not installed ({}). "
                    "Install CUDA 12 or 13, or use the emulator.",
                    library.why_not()));
  NvJitLink n{};
  load(library, "nvJitLinkCreate", n.nvJitLinkCreate);
  load(library, "nvJitLinkDestroy", n.nvJitLinkDestroy);
  load(library, "nvJitLinkAddData", n.nvJitLinkAddData);
  load(library, "nvJitLinkAddFile", n.nvJitLinkAddFile);
  load(library, "nvJitLinkComplete", n.nvJitLinkComplete);
  load(library, "nvJitLinkGetLinkedCubinSize", n.nvJitLinkGetLinkedCubinSize);
  load(library, "nvJitLinkGetLinkedCubin", n.nvJitLinkGetLinkedCubin);
  load(library, "nvJitLinkGetErrorLogSize", n.nvJitLinkGetErrorLogSize);
  load(library, "nvJitLinkGetErrorLog", n.nvJitLinkGetErrorLog);
  return n;
}

}  // namespace

Library::Library(std::initializer_list<const char*> names) {
  const auto open = [&](const std::string& file) {
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_ && why_not_.empty()) why_not_ = dlerror();
    return handle_ != nullptr;
  };
  const auto open_any = [&](const std::string& folder) {
    for (const char* name : names)
      if (open(folder + name)) return true;
    return false;
  };
  bool found = open_any("");
  for (const char* folder : usual_folders) found = found || open_any(folder);
  if (!found) return;
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map) path_ = map->l_name;
}

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

Library open_driver() { return Library({"libcuda.so.1"}); }
Library open_nvrtc() { return Library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}); }
Library open_nvjitlink() { return Library({"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}); }
Library open_cupti() { return Library({"libcupti.so.13", "libcupti.so.12", "libcupti.so"}); }

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = load_nvrtc();
  return loaded;
}

const NvJitLink& nvjitlink() {
  static const NvJitLink loaded = load_nvjitlink();
  return loaded;
}

}  // namespace upsweep
