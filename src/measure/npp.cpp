#include "measure/npp.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/result.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "measure/ready_launch.hpp"

namespace upsweep {
namespace {

constexpr int table_alignment = 512;  // bytes, as in an allocation by cudaMallocPitch

int attribute(int number) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, number, 0), MessageId::asking_properties);
  return value;
}

}  // namespace

Npp::Npp() {
  const Library library({"libnppist.so.13", "libnppist.so.12", "libnppist.so"}, "libnppc.so");
  if (!library) {
    missing_ = say::no_npp(library.why_not());
    return;
  }
  constexpr const char* name = "nppiIntegral_8u32s_C1R_Ctx";
  integral_ = reinterpret_cast<decltype(integral_)>(library.symbol(name));
  if (!integral_) missing_ = say::npp_too_old(library.path(), name);
}

std::uint64_t Npp::row_bytes(const Settings& s) {
  const std::uint64_t row = 4 * (static_cast<std::uint64_t>(data_columns(s)) + 1);
  return (row + table_alignment - 1) / table_alignment * table_alignment;
}

std::uint64_t Npp::table_bytes(const Settings& s) {
  return row_bytes(s) * (static_cast<std::uint64_t>(s.n / data_columns(s)) + 1);
}

double Npp::bytes(const Settings& s) {
  const double columns = data_columns(s), rows = s.n / data_columns(s);
  return s.n + 4 * (columns + 1) * (rows + 1);
}

DataBytes Npp::data_bytes(const Result&, const Settings& s) const {
  const std::size_t pixels = aligned(static_cast<std::size_t>(s.n));
  return {pixels, aligned(table_bytes(s)), pixels};
}

void Npp::run(const Result&, const Settings& s, const Data& data, void* stream) const {
  // The numbers of the attributes are from CUdevice_attribute.
  static const Context device = {nullptr,       0,
                                 attribute(16), attribute(39),
                                 attribute(1),  static_cast<std::size_t>(attribute(8)),
                                 attribute(75), attribute(76)};
  Context context = device;
  context.stream = stream;
  const int columns = data_columns(s);
  const int status = integral_(reinterpret_cast<const std::uint8_t*>(data.in), columns,
                               reinterpret_cast<std::int32_t*>(data.out), static_cast<int>(row_bytes(s)),
                               {columns, s.n / columns}, 0, context);
  if (status != 0) throw WorkError(say::npp_failed(status));
}

}  // namespace upsweep
