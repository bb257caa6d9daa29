// NVIDIA's libraries, opened by name at run time and never needed to build. Their functions are declared here
// in a form that needs no header of theirs: enums as int, opaque handles as void*. (A test compares the
// declarations with the headers where those are.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace upsweep {

// A shared library, or why there is none. Once opened it stays so until the program ends: drivers do not like
// to be unloaded.
class Library {
 public:
  // Opens the first that can be opened: each name as the system finds it, then in the folders where CUDA is
  // usually installed.
  explicit Library(std::initializer_list<const char*> names);
  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& path() const { return path_; }  // of the opened file
  const std::string& why_not() const { return why_not_; }
  void* symbol(const char* name) const;  // null if there is none

 private:
  void* handle_ = nullptr;
  std::string path_, why_not_;
};

Library open_driver();     // libcuda
Library open_nvrtc();      // the compiler of kernels
Library open_nvjitlink();  // links what NVRTC compiled
Library open_cupti();      // hardware counters

using DeviceAddress = unsigned long long;

// The CUDA driver API. Every function gives 0 for success.
struct Driver {
  int (*cuInit)(unsigned flags);
  int (*cuDriverGetVersion)(int* version);
  int (*cuGetErrorName)(int error, const char** text);
  int (*cuGetErrorString)(int error, const char** text);
  int (*cuDeviceGetCount)(int* count);
  int (*cuDeviceGet)(int* device, int ordinal);
  int (*cuDeviceGetName)(char* name, int room, int device);
  int (*cuDeviceGetAttribute)(int* value, int attribute, int device);
  int (*cuDevicePrimaryCtxRetain)(void** context, int device);
  int (*cuDevicePrimaryCtxRelease_v2)(int device);
  int (*cuCtxSetCurrent)(void* context);
  int (*cuCtxSynchronize)();
  int (*cuModuleLoadData)(void** module, const void* image);
  int (*cuModuleUnload)(void* module);
  int (*cuModuleGetFunction)(void** function, void* module, const char* name);
  int (*cuModuleGetGlobal_v2)(DeviceAddress* address, std::size_t* bytes, void* module, const char* name);
  int (*cuFuncSetAttribute)(void* function, int attribute, int value);
  int (*cuLaunchKernel)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                        void** parameters, void** extra);
  int (*cuMemAlloc_v2)(DeviceAddress* address, std::size_t bytes);
  int (*cuMemFree_v2)(DeviceAddress address);
  int (*cuMemcpyHtoD_v2)(DeviceAddress to, const void* from, std::size_t bytes);
  int (*cuMemcpyDtoH_v2)(void* to, DeviceAddress from, std::size_t bytes);
  int (*cuMemsetD8_v2)(DeviceAddress to, unsigned char value, std::size_t bytes);
  int (*cuMemGetInfo_v2)(std::size_t* free, std::size_t* total);
  int (*cuMemcpyHtoDAsync_v2)(DeviceAddress to, const void* from, std::size_t bytes, void* stream);
  int (*cuMemcpyDtoHAsync_v2)(void* to, DeviceAddress from, std::size_t bytes, void* stream);
  int (*cuStreamCreate)(void** stream, unsigned flags);
  int (*cuStreamDestroy_v2)(void* stream);
  int (*cuStreamQuery)(void* stream);
  int (*cuStreamSynchronize)(void* stream);
  int (*cuCtxSetLimit)(int limit, std::size_t value);
  int (*cuMemcpyDtoDAsync_v2)(DeviceAddress to, DeviceAddress from, std::size_t bytes, void* stream);
  int (*cuMemsetD8Async)(DeviceAddress to, unsigned char value, std::size_t bytes, void* stream);
  int (*cuEventCreate)(void** event, unsigned flags);
  int (*cuEventDestroy_v2)(void* event);
  int (*cuEventRecord)(void* event, void* stream);
  int (*cuEventElapsedTime)(float* milliseconds, void* begin, void* end);
};

// The run-time compiler. Every function but nvrtcGetErrorString gives 0 for success.
struct Nvrtc {
  int (*nvrtcVersion)(int* major, int* minor);
  const char* (*nvrtcGetErrorString)(int error);
  int (*nvrtcGetNumSupportedArchs)(int* count);
  int (*nvrtcGetSupportedArchs)(int* architectures);
  int (*nvrtcCreateProgram)(void** program, const char* text, const char* name, int headers,
                            const char* const* header_texts, const char* const* header_names);
  int (*nvrtcDestroyProgram)(void** program);
  int (*nvrtcAddNameExpression)(void* program, const char* expression);
  int (*nvrtcCompileProgram)(void* program, int count, const char* const* options);
  int (*nvrtcGetProgramLogSize)(void* program, std::size_t* bytes);
  int (*nvrtcGetProgramLog)(void* program, char* log);
  int (*nvrtcGetLoweredName)(void* program, const char* expression, const char** name);
  int (*nvrtcGetCUBINSize)(void* program, std::size_t* bytes);
  int (*nvrtcGetCUBIN)(void* program, char* image);
  int (*nvrtcGetPTXSize)(void* program, std::size_t* bytes);
  int (*nvrtcGetPTX)(void* program, char* text);
};

// The linker of what the run-time compiler compiled. Every function gives 0 for success.
struct NvJitLink {
  int (*nvJitLinkCreate)(void** handle, std::uint32_t count, const char** options);
  int (*nvJitLinkDestroy)(void** handle);
  int (*nvJitLinkAddData)(void* handle, int type, const void* data, std::size_t bytes, const char* name);
  int (*nvJitLinkAddFile)(void* handle, int type, const char* file);
  int (*nvJitLinkComplete)(void* handle);
  int (*nvJitLinkGetLinkedCubinSize)(void* handle, std::size_t* bytes);
  int (*nvJitLinkGetLinkedCubin)(void* handle, void* image);
  int (*nvJitLinkGetErrorLogSize)(void* handle, std::size_t* bytes);
  int (*nvJitLinkGetErrorLog)(void* handle, char* log);
};

// Opened at the first call. Throw RequestError saying what is missing.
const Driver& driver();
const Nvrtc& nvrtc();
const NvJitLink& nvjitlink();

}  // namespace upsweep
