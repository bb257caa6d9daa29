#include "measure/cub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "measure/peers.hpp"
#include "measure/ready_launch.hpp"

namespace upsweep {
namespace {

CubWork work_of(const Result& what, const Settings& s) {
  if (what == Result::sorting) return sorts_pairs(s) ? CubWork::sort_pairs : CubWork::sort_keys;
  return what == Result::reduction        ? CubWork::reduction
         : what == Result::exclusive_scan ? CubWork::exclusive_scan
         : what == Result::selection      ? CubWork::selection
         : what == Result::recurrence     ? CubWork::maps
                                          : CubWork::inclusive_scan;
}

template <class To = void>
To* pointer(DeviceAddress address) {
  return reinterpret_cast<To*>(address);
}

}  // namespace

Cub::Cub() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  // The module is in the program's folder. For a test program, the module is one folder above.
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
    find("upsweep_cub_compute", compute_);
    find("upsweep_cub_error", error_);
    if (!version_ || !compute_ || !error_) missing_ = say::cub_of_other_program(file.string());
    return;
  }
  missing_ = say::no_cub();
}

std::string Cub::version() const {
  if (missing_) return "";
  const int version = version_();
  return fmt::format("{}.{}.{}", version / 100000, version / 100 % 1000, version % 100);
}

int Cub::calls(const Result& what, const Settings& s) const {
  // A run queries the device's properties, and CUB launches two kernels. A sort clears memory and launches a
  // kernel for each byte of the keys. A sort repeats these calls for each part of the array. A part has
  // slightly fewer than 2^28 elements.
  constexpr int elements_at_once = (1 << 28) - (1 << 16);
  if (what != Result::sorting) return 6;
  return 12 + 2 * element_bytes(s) * (1 + s.n / elements_at_once);
}

Message Cub::refusal(const Result& what, const Settings& s) {
  if (what == Result::recurrence) return {};
  if (s.op != Operator::sum) return say::cub_sums_alone(name(s.op));
  const std::string predicate = what == Result::selection ? predicate_beside_default(s) : "";
  return predicate.empty() ? Message{} : say::cub_positive_alone(predicate);
}

void Cub::compute(CubRun& r) const {
  if (const int error = compute_(&r); error != 0) throw WorkError(say::cub_failed(error_(error)));
}

DataBytes Cub::data_bytes(const Result& what, const Settings& s) const {
  const auto width = static_cast<std::size_t>(element_bytes(s));
  const std::size_t first = aligned(static_cast<std::size_t>(s.n) * width),
                    values = sorts_pairs(s) ? aligned(static_cast<std::size_t>(s.n) * sizeof(unsigned)) : 0;
  return {first + values, aligned(static_cast<std::size_t>(what.size(s)) * width) + values, first};
}

std::uint64_t Cub::scratch_bytes(const Result& what, const Settings& s) const {
  CubRun r;
  r.work = work_of(what, s);
  r.type = static_cast<int>(s.type);
  r.n = s.n;
  compute(r);
  // The size must not be 0. With size 0, the address of the scratch memory would be null, and CUB would only
  // return the size that CUB needs.
  return std::max<std::uint64_t>(r.scratch_bytes, 1);
}

void Cub::run(const Result& what, const Settings& s, const Data& data, void* stream) const {
  const std::uint64_t values = data_bytes(what, s).first;
  CubRun r{work_of(what, s),
           static_cast<int>(s.type),
           pointer(data.scratch),
           data.scratch_bytes,
           pointer(data.in),
           pointer(data.out),
           pointer<unsigned>(data.in + values),
           pointer<unsigned>(data.out + values),
           s.n,
           stream};
  compute(r);
}

}  // namespace upsweep
