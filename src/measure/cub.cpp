#include "measure/cub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// The module's numbers for what it computes are these.
static_assert(static_cast<int>(Result::reduction) == 0 && static_cast<int>(Result::inclusive_scan) == 1 &&
              static_cast<int>(Result::exclusive_scan) == 2 && static_cast<int>(Result::selection) == 4 &&
              static_cast<int>(Result::sorting) == 5);

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

int Cub::calls(Result what, const Settings& s) {
  // It asks for the device's properties, too, before its two launches; its sorting clears memory and launches
  // for each byte of the keys, and that for every 2^28 elements or a little less.
  constexpr int elements_at_once = (1 << 28) - (1 << 16);
  if (what != Result::sorting) return 6;
  return 12 + 2 * element_bytes(s) * (1 + s.n / elements_at_once);
}

std::string Cub::refusal(Operator op) {
  if (op == Operator::sum) return "";
  return fmt::format("CUB is measured for sums alone, not for {}.", name(op));
}

std::size_t Cub::scratch_bytes(Result what, Scalar type, int n) const {
  std::size_t bytes = 0;
  check(run_(static_cast<int>(what), static_cast<int>(type), nullptr, &bytes, nullptr, nullptr, n, nullptr));
  return bytes;
}

void Cub::run(Result what, Scalar type, DeviceAddress scratch, std::size_t scratch_bytes, DeviceAddress in,
              DeviceAddress out, int n, void* stream) const {
  check(run_(static_cast<int>(what), static_cast<int>(type), pointer(scratch), &scratch_bytes, pointer(in),
             pointer(out), n, stream));
}

Message check_library(Result what, const Settings& s, const std::vector<Value>& input,
                      const std::vector<Value>& output) {
  const auto number = [&](const Value& v) { return scalar(v, s.type); };
  std::vector<Value> due;
  if (what == Result::selection) {
    std::copy_if(input.begin(), input.end(), std::back_inserter(due),
                 [&](const Value& v) { return number(v) > 0; });
  } else if (what == Result::sorting) {
    due = input;
    std::sort(due.begin(), due.end(), [&](const Value& x, const Value& y) { return number(x) < number(y); });
  } else {
    Settings twin = s;  // a kernel that gives what CUB gives
    twin.algorithm = what == Result::reduction ? "reduce_serial" : "scan_sequential";
    if (what == Result::exclusive_scan) twin.variants["gives"] = "exclusive";
    return check(twin, input, output);
  }
  if (output.size() != due.size()) return say::other_number_of_elements(output.size(), due.size());
  for (std::size_t i = 0; i < due.size(); ++i)
    if (number(output[i]) != number(due[i]))
      return say::wrong_element(i, exact_text(output[i], s), exact_text(due[i], s));
  return {};
}

}  // namespace upsweep
