// Gives access to the GPU through its driver. Has a function that checks driver calls, and classes that own
// the driver's objects.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/gpu/driver.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Thrown if the process has lost the GPU. Every later driver call fails, too.
struct LostGpu : WorkError {
  using WorkError::WorkError;
};

// Throws WorkError if a driver call failed ("Copying to the GPU failed: out of memory
// (CUDA_ERROR_OUT_OF_MEMORY)."), and LostGpu if no later call can succeed. `doing` must be a message without
// placeholders.
void check(int result, MessageId doing);
// Returns only the reason of an error, such as "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
Message driver_error(int result);
// Ignores the result of a driver call in a destructor. After a GPU has failed, every call fails, and the
// first failed call has already reported the error.
inline void release(int /*result*/) noexcept {}

// The first GPU, with a context that the whole process shares.
class Device {
 public:
  Device();  // Throws RequestError if there is no driver or no GPU.
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void use() const;  // makes this GPU the calling thread's device
  void use_quietly() const noexcept { release(driver().cuCtxSetCurrent(context_)); }
  void* context() const { return context_; }  // a CUcontext
  const std::string& name() const { return name_; }
  int architecture() const { return architecture_; }      // such as 90 for compute capability 9.0
  int largest_shared() const { return largest_shared_; }  // the most bytes of shared memory in a block
  int multiprocessors() const { return multiprocessors_; }
  std::size_t l2_bytes() const;
  // Returns the bandwidth of the GPU's memory in bytes per second, computed from the memory's clock rate and
  // bus width. Returns 0 if the driver does not state both numbers.
  double memory_bandwidth() const;
  // Returns the CUDA versions of the driver and of NVRTC, in the form of Trace::driver.
  std::uint32_t driver_version() const;
  std::uint32_t nvrtc_version() const;
  std::size_t free_memory() const;  // the number of bytes that are free at this moment

 private:
  int device_ = 0;
  void* context_ = nullptr;
  std::string name_;
  int architecture_ = 0, largest_shared_ = 0, multiprocessors_ = 0;
};

// A CUDA stream. Work in an `in_line` stream and Buffer's copies wait for each other. Work in an `apart`
// stream may run at the same time as the copies and the other streams.
class Stream {
 public:
  enum Place { in_line, apart };
  explicit Stream(Place place = in_line);
  ~Stream() {
    if (stream_) release(driver().cuStreamDestroy_v2(stream_));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator void*() const { return stream_; }
  bool done(MessageId doing) const;  // whether all work has ended; throws WorkError if any work failed
  void wait(MessageId doing) const;  // throws WorkError if any work of the stream failed
  // write() copies to the GPU, and read() copies from the GPU. Both wait until the copy is complete.
  void write(DeviceAddress to, const void* from, std::size_t bytes) const;
  void read(void* to, DeviceAddress from, std::size_t bytes) const;

 private:
  void* stream_ = nullptr;
};

// Queues a launch with `shared` bytes of dynamic shared memory. `parameters` has the address of each
// parameter.
inline void launch(void* function, const Dim3& grid, const Dim3& block, unsigned shared, void* stream,
                   void** parameters) {
  check(driver().cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream,
                                parameters, nullptr),
        MessageId::starting_kernel);
}

// A point in a stream, and the time at which the GPU reached this point.
class TimeMark {
 public:
  TimeMark() { check(driver().cuEventCreate(&event_, 0), MessageId::preparing_timing); }
  ~TimeMark() {
    if (event_) release(driver().cuEventDestroy_v2(event_));
  }
  TimeMark(TimeMark&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  TimeMark& operator=(TimeMark&& other) noexcept { return std::swap(event_, other.event_), *this; }

  void record(const Stream& stream) const {
    check(driver().cuEventRecord(event_, stream), MessageId::timing_on_gpu);
  }
  // Returns the seconds between `begin` and this mark. Requires that the GPU has reached both marks.
  double since(const TimeMark& begin) const {
    float milliseconds = 0;
    check(driver().cuEventElapsedTime(&milliseconds, begin.event_, event_), MessageId::timing_on_gpu);
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  void* event_ = nullptr;
};

// A loaded program.
class Module {
 public:
  explicit Module(const std::string& image);  // cubin or PTX
  ~Module() {
    if (module_) release(driver().cuModuleUnload(module_));
  }
  Module(Module&& other) noexcept : module_(std::exchange(other.module_, nullptr)) {}
  Module& operator=(Module&& other) noexcept { return std::swap(module_, other.module_), *this; }

  void* function(const std::string& name) const;
  DeviceAddress variable(const char* name) const;

 private:
  void* module_ = nullptr;
};

// A piece of the GPU's memory.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() {
    if (address_) release(driver().cuMemFree_v2(address_));
  }
  Buffer(Buffer&& other) noexcept
      : address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    return std::swap(address_, other.address_), std::swap(bytes_, other.bytes_), *this;
  }

  // Makes the buffer at least `bytes` bytes large. If the buffer has to grow, its old content is lost.
  void reserve(std::size_t bytes);
  void reserve_filled(std::size_t bytes, unsigned char with);  // fills the whole buffer
  void write(const void* from, std::size_t bytes);             // reserves, then copies to the GPU
  void read(void* to, std::size_t bytes) const;                // copies from the GPU
  DeviceAddress address() const { return address_; }

 private:
  DeviceAddress address_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace upsweep
