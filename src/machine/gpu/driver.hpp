// Opens NVIDIA's libraries by name at run time, so the build does not need these libraries. This file
// declares the libraries' functions without NVIDIA's headers: enums are int, and opaque handles are void*. A
// test compares the declarations with the headers if the headers are installed.
#pragma once
#include <cstddef>
#include <cstdint>

#include "machine/gpu/library.hpp"

namespace upsweep {

Library open_driver();     // opens libcuda, the library of the driver
Library open_nvrtc();      // opens the library that compiles kernels
Library open_nvjitlink();  // opens the library that links the output of NVRTC
Library open_cupti();      // opens the library that reads hardware counters

using DeviceAddress = unsigned long long;

// The bytes of shared memory that a function may use by default. A launch that needs more must first raise
// the limit CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
inline constexpr int shared_without_asking = 48 * 1024;
inline constexpr int max_dynamic_shared = 8;

// The functions of each library, each in the form X(type of the result, name, (parameters)).
// clang-format off
#define UPSWEEP_DRIVER_FUNCTIONS(X) \
  X(int, cuInit, (unsigned flags)) \
  X(int, cuDriverGetVersion, (int* version)) \
  X(int, cuGetErrorName, (int error, const char** text)) \
  X(int, cuGetErrorString, (int error, const char** text)) \
  X(int, cuDeviceGetCount, (int* count)) \
  X(int, cuDeviceGet, (int* device, int ordinal)) \
  X(int, cuDeviceGetName, (char* name, int room, int device)) \
  X(int, cuDeviceGetAttribute, (int* value, int attribute, int device)) \
  X(int, cuDevicePrimaryCtxRetain, (void** context, int device)) \
  X(int, cuDevicePrimaryCtxRelease_v2, (int device)) \
  X(int, cuCtxSetCurrent, (void* context)) \
  X(int, cuCtxSynchronize, ()) \
  X(int, cuModuleLoadData, (void** module, const void* image)) \
  X(int, cuModuleUnload, (void* module)) \
  X(int, cuModuleGetFunction, (void** function, void* module, const char* name)) \
  X(int, cuModuleGetGlobal_v2, (DeviceAddress* address, std::size_t* bytes, void* module, const char* name)) \
  X(int, cuFuncSetAttribute, (void* function, int attribute, int value)) \
  X(int, cuLaunchKernel, (void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** parameters, void** extra)) \
  X(int, cuMemAlloc_v2, (DeviceAddress* address, std::size_t bytes)) \
  X(int, cuMemFree_v2, (DeviceAddress address)) \
  X(int, cuMemcpyHtoD_v2, (DeviceAddress to, const void* from, std::size_t bytes)) \
  X(int, cuMemcpyDtoH_v2, (void* to, DeviceAddress from, std::size_t bytes)) \
  X(int, cuMemsetD8_v2, (DeviceAddress to, unsigned char value, std::size_t bytes)) \
  X(int, cuMemGetInfo_v2, (std::size_t* free, std::size_t* total)) \
  X(int, cuMemcpyHtoDAsync_v2, (DeviceAddress to, const void* from, std::size_t bytes, void* stream)) \
  X(int, cuMemcpyDtoHAsync_v2, (void* to, DeviceAddress from, std::size_t bytes, void* stream)) \
  X(int, cuStreamCreate, (void** stream, unsigned flags)) \
  X(int, cuStreamDestroy_v2, (void* stream)) \
  X(int, cuStreamQuery, (void* stream)) \
  X(int, cuStreamSynchronize, (void* stream)) \
  X(int, cuCtxSetLimit, (int limit, std::size_t value)) \
  X(int, cuMemcpyDtoDAsync_v2, (DeviceAddress to, DeviceAddress from, std::size_t bytes, void* stream)) \
  X(int, cuMemsetD8Async, (DeviceAddress to, unsigned char value, std::size_t bytes, void* stream)) \
  X(int, cuEventCreate, (void** event, unsigned flags)) \
  X(int, cuEventDestroy_v2, (void* event)) \
  X(int, cuEventRecord, (void* event, void* stream)) \
  X(int, cuEventElapsedTime, (float* milliseconds, void* begin, void* end))

#define UPSWEEP_NVRTC_FUNCTIONS(X) \
  X(int, nvrtcVersion, (int* major, int* minor)) \
  X(const char*, nvrtcGetErrorString, (int error)) \
  X(int, nvrtcGetNumSupportedArchs, (int* count)) \
  X(int, nvrtcGetSupportedArchs, (int* architectures)) \
  X(int, nvrtcCreateProgram, (void** program, const char* text, const char* name, int headers, \
    const char* const* header_texts, const char* const* header_names)) \
  X(int, nvrtcDestroyProgram, (void** program)) \
  X(int, nvrtcAddNameExpression, (void* program, const char* expression)) \
  X(int, nvrtcCompileProgram, (void* program, int count, const char* const* options)) \
  X(int, nvrtcGetProgramLogSize, (void* program, std::size_t* bytes)) \
  X(int, nvrtcGetProgramLog, (void* program, char* log)) \
  X(int, nvrtcGetLoweredName, (void* program, const char* expression, const char** name)) \
  X(int, nvrtcGetCUBINSize, (void* program, std::size_t* bytes)) \
  X(int, nvrtcGetCUBIN, (void* program, char* image)) \
  X(int, nvrtcGetPTXSize, (void* program, std::size_t* bytes)) \
  X(int, nvrtcGetPTX, (void* program, char* text))

#define UPSWEEP_NVJITLINK_FUNCTIONS(X) \
  X(int, nvJitLinkCreate, (void** handle, std::uint32_t count, const char** options)) \
  X(int, nvJitLinkDestroy, (void** handle)) \
  X(int, nvJitLinkAddData, (void* handle, int type, const void* data, std::size_t bytes, const char* name)) \
  X(int, nvJitLinkAddFile, (void* handle, int type, const char* file)) \
  X(int, nvJitLinkComplete, (void* handle)) \
  X(int, nvJitLinkGetLinkedCubinSize, (void* handle, std::size_t* bytes)) \
  X(int, nvJitLinkGetLinkedCubin, (void* handle, void* image)) \
  X(int, nvJitLinkGetErrorLogSize, (void* handle, std::size_t* bytes)) \
  X(int, nvJitLinkGetErrorLog, (void* handle, char* log))
// clang-format on

#define UPSWEEP_FIELD(result, name, parameters) result(*name) parameters;

// The CUDA driver API. Every function returns 0 for success.
struct Driver {
  UPSWEEP_DRIVER_FUNCTIONS(UPSWEEP_FIELD)
};

// The run-time compiler. Every function except nvrtcGetErrorString returns 0 for success.
struct Nvrtc {
  UPSWEEP_NVRTC_FUNCTIONS(UPSWEEP_FIELD)
};

// The linker for the run-time compiler's output. Every function returns 0 for success.
struct NvJitLink {
  UPSWEEP_NVJITLINK_FUNCTIONS(UPSWEEP_FIELD)
};

#undef UPSWEEP_FIELD

// Each of these functions returns a library, and opens the library at the first call. Throws RequestError if
// the library cannot be opened. The error says what is missing.
const Driver& driver();
const Nvrtc& nvrtc();
const NvJitLink& nvjitlink();

}  // namespace upsweep
