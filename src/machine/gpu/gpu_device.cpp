#include "machine/gpu/gpu_device.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {

namespace {

// Values of the enumeration CUdevice_attribute.
constexpr int multiprocessor_count = 16, capability_major = 75, capability_minor = 76,
              shared_memory_optin = 97, memory_clock = 36, memory_width = 37, l2_cache_size = 38;

// Returns whether the process has lost the GPU after this error.
bool is_lost(int result) {
  constexpr std::array lost = {4, 46, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999};
  return std::find(lost.begin(), lost.end(), result) != lost.end();
}

int attribute(int device, int which) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, which, device), MessageId::asking_properties);
  return value;
}

}  // namespace

Message driver_error(int result) {
  const char *text = nullptr, *name = nullptr;
  driver().cuGetErrorString(result, &text);
  driver().cuGetErrorName(result, &name);
  return say::driver_result(text ? plain(text) : say::unknown_error(), name ? name : std::to_string(result));
}

void check(int result, MessageId doing) {
  if (result == 0) return;
  if (is_lost(result)) throw LostGpu(say::gpu_lost(Message{doing}, driver_error(result)));
  throw WorkError(say::gpu_failed(Message{doing}, driver_error(result)));
}

Device::Device() {
  const auto require = [](int result) {
    if (result != 0) throw RequestError(say::use_the_emulator(say::gpu_not_usable(driver_error(result))));
  };
  require(driver().cuInit(0));
  int count = 0;
  require(driver().cuDeviceGetCount(&count));
  if (count == 0) throw RequestError(say::use_the_emulator(say::no_gpu_found()));
  require(driver().cuDeviceGet(&device_, 0));
  std::array<char, 256> name{};
  require(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device_));
  name_ = name.data();
  architecture_ = 10 * attribute(device_, capability_major) + attribute(device_, capability_minor);
  largest_shared_ = attribute(device_, shared_memory_optin);
  multiprocessors_ = attribute(device_, multiprocessor_count);
  require(driver().cuDevicePrimaryCtxRetain(&context_, device_));
  use();
}

Device::~Device() { release(driver().cuDevicePrimaryCtxRelease_v2(device_)); }

void Device::use() const { check(driver().cuCtxSetCurrent(context_), MessageId::turning_to_gpu); }

std::uint32_t Device::driver_version() const {
  int version = 0;
  check(driver().cuDriverGetVersion(&version), MessageId::asking_version);
  return static_cast<std::uint32_t>(version);
}

std::uint32_t Device::nvrtc_version() const {
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return static_cast<std::uint32_t>(1000 * major + 10 * minor);
}

std::size_t Device::free_memory() const {
  std::size_t free = 0, total = 0;
  check(driver().cuMemGetInfo_v2(&free, &total), MessageId::asking_memory);
  return free;
}

std::size_t Device::l2_bytes() const {
  return static_cast<std::size_t>(std::max(0, attribute(device_, l2_cache_size)));
}

double Device::memory_bandwidth() const {
  const double clock = 1e3 * attribute(device_, memory_clock);  // in Hz
  const double bytes = attribute(device_, memory_width) / 8.0;
  return std::max(0.0, 2 * clock * bytes);  // two transfers in each clock cycle
}

Stream::Stream(Place place) {
  constexpr unsigned non_blocking = 1;  // CU_STREAM_NON_BLOCKING
  check(driver().cuStreamCreate(&stream_, place == apart ? non_blocking : 0), MessageId::preparing_gpu);
}

void Stream::write(DeviceAddress to, const void* from, std::size_t bytes) const {
  constexpr MessageId doing = MessageId::copying_to_gpu;
  check(driver().cuMemcpyHtoDAsync_v2(to, from, bytes, stream_), doing);
  wait(doing);
}

void Stream::read(void* to, DeviceAddress from, std::size_t bytes) const {
  constexpr MessageId doing = MessageId::copying_from_gpu;
  check(driver().cuMemcpyDtoHAsync_v2(to, from, bytes, stream_), doing);
  wait(doing);
}

bool Stream::done(MessageId doing) const {
  constexpr int not_ready = 600;  // CUDA_ERROR_NOT_READY
  const int result = driver().cuStreamQuery(stream_);
  if (result == not_ready) return false;
  check(result, doing);
  return true;
}

void Stream::wait(MessageId doing) const { check(driver().cuStreamSynchronize(stream_), doing); }

Module::Module(const std::string& image) {
  check(driver().cuModuleLoadData(&module_, image.c_str()), MessageId::loading_kernel);
}

void* Module::function(const std::string& name) const {
  void* function = nullptr;
  check(driver().cuModuleGetFunction(&function, module_, name.c_str()), MessageId::finding_kernel);
  return function;
}

DeviceAddress Module::variable(const char* name) const {
  DeviceAddress address = 0;
  std::size_t bytes = 0;
  check(driver().cuModuleGetGlobal_v2(&address, &bytes, module_, name), MessageId::finding_recorder);
  return address;
}

void Buffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (address_) check(driver().cuMemFree_v2(std::exchange(address_, 0)), MessageId::freeing_memory);
  bytes_ = 0;
  check(driver().cuMemAlloc_v2(&address_, bytes), MessageId::taking_memory);
  bytes_ = bytes;
}

void Buffer::reserve_filled(std::size_t bytes, unsigned char with) {
  reserve(bytes);
  if (bytes > 0) check(driver().cuMemsetD8_v2(address_, with, bytes), MessageId::clearing_memory);
}

void Buffer::write(const void* from, std::size_t bytes) {
  reserve(bytes);
  if (bytes > 0) check(driver().cuMemcpyHtoD_v2(address_, from, bytes), MessageId::copying_to_gpu);
}

void Buffer::read(void* to, std::size_t bytes) const {
  if (bytes > 0) check(driver().cuMemcpyDtoH_v2(to, address_, bytes), MessageId::copying_from_gpu);
}

}  // namespace upsweep
