// Compares Upsweep's declarations of functions with the headers of NVIDIA's libraries. Needs these headers.
#include "machine/gpu/driver.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#include <cuda.h>
#include <nvrtc.h>

namespace upsweep {
namespace {

// True if a call passes both types in the same way: both are pointers, or both are integers or enums, and
// both have the same size.
template <class A, class B>
constexpr bool passed_alike = std::is_pointer_v<A> == std::is_pointer_v<B> && sizeof(A) == sizeof(B) &&
                              (std::is_pointer_v<A> ||
                               ((std::is_integral_v<A> || std::is_enum_v<A>)&&(std::is_integral_v<B> ||
                                                                               std::is_enum_v<B>)));

template <class A, class B>
struct CalledAlike : std::false_type {};
template <class R, class... P, class S, class... Q>
requires(sizeof...(P) == sizeof...(Q)) struct CalledAlike<R (*)(P...), S (*)(Q...)>
    : std::bool_constant<passed_alike<R, S> && (passed_alike<P, Q> && ...)> {
};

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
// cuda.h's macros replace `name` by `symbol`, so our declaration must have the name `symbol`.
#define SAME(table, name, symbol)    \
  EXPECT_STREQ(TEXT(name), #symbol); \
  static_assert(CalledAlike<decltype(table::symbol), decltype(&::symbol)>::value, #symbol)

TEST(Driver, IsDeclaredAsItsHeaderDeclaresIt) {
  SAME(Driver, cuInit, cuInit);
  SAME(Driver, cuDriverGetVersion, cuDriverGetVersion);
  SAME(Driver, cuGetErrorName, cuGetErrorName);
  SAME(Driver, cuGetErrorString, cuGetErrorString);
  SAME(Driver, cuDeviceGetCount, cuDeviceGetCount);
  SAME(Driver, cuDeviceGet, cuDeviceGet);
  SAME(Driver, cuDeviceGetName, cuDeviceGetName);
  SAME(Driver, cuDeviceGetAttribute, cuDeviceGetAttribute);
  SAME(Driver, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain);
  SAME(Driver, cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
  SAME(Driver, cuCtxSetCurrent, cuCtxSetCurrent);
  SAME(Driver, cuCtxSynchronize, cuCtxSynchronize);
  SAME(Driver, cuModuleLoadData, cuModuleLoadData);
  SAME(Driver, cuModuleUnload, cuModuleUnload);
  SAME(Driver, cuModuleGetFunction, cuModuleGetFunction);
  SAME(Driver, cuModuleGetGlobal, cuModuleGetGlobal_v2);
  SAME(Driver, cuFuncSetAttribute, cuFuncSetAttribute);
  SAME(Driver, cuLaunchKernel, cuLaunchKernel);
  SAME(Driver, cuMemAlloc, cuMemAlloc_v2);
  SAME(Driver, cuMemFree, cuMemFree_v2);
  SAME(Driver, cuMemcpyHtoD, cuMemcpyHtoD_v2);
  SAME(Driver, cuMemcpyDtoH, cuMemcpyDtoH_v2);
  SAME(Driver, cuMemsetD8, cuMemsetD8_v2);
  SAME(Driver, cuMemGetInfo, cuMemGetInfo_v2);
  SAME(Driver, cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2);
  SAME(Driver, cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2);
  SAME(Driver, cuStreamCreate, cuStreamCreate);
  SAME(Driver, cuStreamDestroy, cuStreamDestroy_v2);
  SAME(Driver, cuStreamQuery, cuStreamQuery);
  SAME(Driver, cuStreamSynchronize, cuStreamSynchronize);
  SAME(Driver, cuCtxSetLimit, cuCtxSetLimit);
  SAME(Driver, cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2);
  SAME(Driver, cuMemsetD8Async, cuMemsetD8Async);
  SAME(Driver, cuEventCreate, cuEventCreate);
  SAME(Driver, cuEventDestroy, cuEventDestroy_v2);
  SAME(Driver, cuEventRecord, cuEventRecord);
  // CUDA 13 has a macro that replaces the name cuEventElapsedTime by a newer function. Therefore this test
  // leaves out this name.
}

TEST(Nvrtc, IsDeclaredAsItsHeaderDeclaresIt) {
  SAME(Nvrtc, nvrtcVersion, nvrtcVersion);
  SAME(Nvrtc, nvrtcGetErrorString, nvrtcGetErrorString);
  SAME(Nvrtc, nvrtcGetNumSupportedArchs, nvrtcGetNumSupportedArchs);
  SAME(Nvrtc, nvrtcGetSupportedArchs, nvrtcGetSupportedArchs);
  SAME(Nvrtc, nvrtcCreateProgram, nvrtcCreateProgram);
  SAME(Nvrtc, nvrtcDestroyProgram, nvrtcDestroyProgram);
  SAME(Nvrtc, nvrtcAddNameExpression, nvrtcAddNameExpression);
  SAME(Nvrtc, nvrtcCompileProgram, nvrtcCompileProgram);
  SAME(Nvrtc, nvrtcGetProgramLogSize, nvrtcGetProgramLogSize);
  SAME(Nvrtc, nvrtcGetProgramLog, nvrtcGetProgramLog);
  SAME(Nvrtc, nvrtcGetLoweredName, nvrtcGetLoweredName);
  SAME(Nvrtc, nvrtcGetCUBINSize, nvrtcGetCUBINSize);
  SAME(Nvrtc, nvrtcGetCUBIN, nvrtcGetCUBIN);
  SAME(Nvrtc, nvrtcGetPTXSize, nvrtcGetPTXSize);
  SAME(Nvrtc, nvrtcGetPTX, nvrtcGetPTX);
}

// The constants in Upsweep's declarations have the values of the constants in NVIDIA's headers.
TEST(Driver, NumbersAreTheHeaders) {
  EXPECT_EQ(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16);
  EXPECT_EQ(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75);
  EXPECT_EQ(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76);
  EXPECT_EQ(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97);
  EXPECT_EQ(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8);
}

}  // namespace
}  // namespace upsweep

#else
TEST(Driver, IsDeclaredAsItsHeaderDeclaresIt) { GTEST_SKIP() << "CUDA's headers are not installed."; }
#endif

namespace upsweep {
namespace {

TEST(Library, SaysWhyThereIsNone) {
  const Library none({"libno_such_library.so.1"});
  EXPECT_FALSE(none);
  EXPECT_NE(none.why_not().find("libno_such_library.so.1"), std::string::npos);
}

TEST(Library, OpensTheFirstThatIsThereAndKnowsItsPath) {
  const Library c({"libno_such_library.so.1", "libc.so.6"});
  ASSERT_TRUE(c);
  EXPECT_NE(c.path().find("/libc.so.6"), std::string::npos);
  EXPECT_NE(c.symbol("strlen"), nullptr);
  EXPECT_EQ(c.symbol("no_such_function"), nullptr);
}

}  // namespace
}  // namespace upsweep
