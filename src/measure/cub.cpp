#include "measure/cub.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

// Returns the number with which cub_module.cu names this kind of result.
int number_of(const Result& what) {
  const Result* const all[] = {&Result::reduction, &Result::inclusive_scan, &Result::exclusive_scan,
                               &Result::copy,      &Result::selection,      &Result::sorting};
  for (int i = 0; i < static_cast<int>(std::size(all)); ++i)
    if (what == *all[i]) return i;
  return -1;
}

void* pointer(DeviceAddress address) { return reinterpret_cast<void*>(address); }

}  // namespace

Cub::Cub() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  // The module is in the program's folder. For a test program, it is one folder above.
  for (const fs::path& file : {folder / "libupsweep_cub.so", folder.parent_path() / "libupsweep_cub.so"}) {
    if (!fs::exists(file, none)) continue;
    const Library library({file.c_str()});
    if (!library) {
      missing_ = say::cub_does_not_open(file.string(), library.why_not());
      return;
    }
    const auto find = [&](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
    };
    find("upsweep_cub_version", version_);
    find("upsweep_cub_run", run_);
    find("upsweep_cub_error", error_);
    if (!version_ || !run_ || !error_) missing_ = say::cub_of_other_program(file.string());
    return;
  }
  missing_ = say::no_cub();
}

std::string Cub::version() const {
  if (missing_) return "";
  const int version = version_();
  return fmt::format("{}.{}.{}", version / 100000, version / 100 % 1000, version % 100);
}

void Cub::check(int error) const {
  if (error != 0) throw WorkError(say::cub_failed(error_(error)));
}

int Cub::calls(const Result& what, const Settings& s) {
  // The estimate includes CUB's queries of the device's properties and its two launches. Sorting clears
  // memory and launches once for each byte of the keys. It repeats this for every 2^28 elements or slightly
  // fewer.
  constexpr int elements_at_once = (1 << 28) - (1 << 16);
  if (what != Result::sorting) return 6;
  return 12 + 2 * element_bytes(s) * (1 + s.n / elements_at_once);
}

Message Cub::refusal(Operator op) {
  if (op == Operator::sum) return {};
  return say::cub_sums_alone(name(op));
}

std::size_t Cub::scratch_bytes(const Result& what, Scalar type, int n) const {
  std::size_t bytes = 0;
  check(run_(number_of(what), static_cast<int>(type), nullptr, &bytes, nullptr, nullptr, n, nullptr));
  return bytes;
}

void Cub::run(const Result& what, Scalar type, DeviceAddress scratch, std::size_t scratch_bytes,
              DeviceAddress in, DeviceAddress out, int n, void* stream) const {
  check(run_(number_of(what), static_cast<int>(type), pointer(scratch), &scratch_bytes, pointer(in),
             pointer(out), n, stream));
}

}  // namespace upsweep
