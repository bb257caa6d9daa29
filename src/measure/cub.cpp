#include "measure/cub.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"

namespace upsweep {
namespace {

void* pointer(DeviceAddress address) { return reinterpret_cast<void*>(address); }

}  // namespace

Cub::Cub() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  // Beside the program, or one folder above it, where the tests' programs look.
  for (const fs::path& file : {folder / "libupsweep_cub.so", folder.parent_path() / "libupsweep_cub.so"}) {
    if (!fs::exists(file, none)) continue;
    const Library library({file.c_str()});
    if (!library) {
      missing_ = fmt::format("CUB cannot be used: {} does not open ({}).", file.string(), library.why_not());
      return;
    }
    const auto find = [&](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
    };
    find("upsweep_cub_version", version_);
    find("upsweep_cub_run", run_);
    find("upsweep_cub_error", error_);
    if (!version_ || !run_ || !error_)
      missing_ = fmt::format("CUB cannot be used: {} is not of this Upsweep; build it anew.", file.string());
    return;
  }
  missing_ = "Not built: CUB comes with CUDA's compiler nvcc, which was not there when Upsweep was built.";
}

std::string Cub::version() const {
  if (!missing_.empty()) return "";
  const int version = version_();
  return fmt::format("{}.{}.{}", version / 100000, version / 100 % 1000, version % 100);
}

void Cub::check(int error) const {
  if (error != 0) throw WorkError(fmt::format("CUB failed: {}.", error_(error)));
}

std::size_t Cub::scratch_bytes(CubSum what, Scalar type, int n) const {
  std::size_t bytes = 0;
  check(run_(static_cast<int>(what), static_cast<int>(type), nullptr, &bytes, nullptr, nullptr, n, nullptr));
  return bytes;
}

void Cub::run(CubSum what, Scalar type, DeviceAddress scratch, std::size_t scratch_bytes, DeviceAddress in,
              DeviceAddress out, int n, void* stream) const {
  check(run_(static_cast<int>(what), static_cast<int>(type), pointer(scratch), &scratch_bytes, pointer(in),
             pointer(out), n, stream));
}

}  // namespace upsweep
