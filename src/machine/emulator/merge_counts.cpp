// Adds a request to the totals of its launch, and records which global memory the request accesses.
#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "machine/emulator/merge.hpp"
#include "trace/requests.hpp"

namespace upsweep {
namespace {

void touch(Stretch stretch, std::vector<Stretch>& touched) {
  // The new range is joined with one of the last four ranges. Four are enough, because most kernels use few
  // buffers.
  constexpr std::size_t recent = 4;
  for (std::size_t back = 1; back <= std::min(recent, touched.size()); ++back) {
    Stretch& known = touched[touched.size() - back];
    if (known.buffer != stretch.buffer || known.store != stretch.store || known.talk != stretch.talk)
      continue;
    if (stretch.begin > known.end || stretch.end < known.begin) break;
    known.begin = std::min(known.begin, stretch.begin);
    known.end = std::max(known.end, stretch.end);
    return;
  }
  touched.push_back(stretch);
}

// Records which bytes of global memory a request reads or writes.
void touch(What what, std::uint8_t buffer, std::uint32_t inside,
           const std::array<std::int64_t, 32>& addresses, std::vector<Stretch>& touched) {
  if (inside == 0) return;
  const std::int64_t width = what.width();
  std::int64_t begin = INT64_MAX, end = 0;
  const auto for_each = [&](auto f) {
    for (std::uint32_t rest = inside; rest != 0; rest &= rest - 1)
      f(addresses[static_cast<std::size_t>(std::countr_zero(rest))]);
  };
  for_each([&](std::int64_t address) {
    begin = std::min(begin, address);
    end = std::max(end, address + width);
  });
  const bool store = is_store(what.kind());
  const bool talk = what.timed();
  const auto note = [&](std::int64_t from, std::int64_t to) {
    touch({.begin = from, .end = to, .buffer = buffer, .store = store, .talk = talk}, touched);
  };
  if (end - begin == std::popcount(inside) * width) note(begin, end);
  else for_each([&](std::int64_t address) { note(address, address + width); });
}

}  // namespace

// Adds a request to the launch's totals. The request consists of the next records of the lanes in `group`.
void Lanes::count(std::uint32_t group, const BlockRecording& to) const {
  const Record& one = head(std::countr_zero(group));
  const What what = one.access.what;
  Count& c = to.launch->counts.of(one.step, one.access.place.line, what.kind(), what.detail());
  ++c.requests;
  c.lanes += static_cast<std::uint64_t>(std::popcount(group));
  Run& run = *to.launch->run;
  if (is_global(what.kind()) && what.timed()) run.talks = true;
  if (run.apart && what.kind() == Kind::global_atomic) touch_atomically(group, run.touched);
  if (!is_load(what.kind()) && !is_store(what.kind())) return;
  const std::int64_t bytes = cell_bytes(what);
  if (is_shared(what.kind()) && what.width() <= 4 && what.parts() == 1) {
    // If the addresses ascend from lane to lane (the usual case), this code is faster than bank_cost().
    bool outside = false;
    const int degree = ascending_degree(group, [&](int lane) {
      outside |= head(lane).access.what.outside();
      return head(lane).cell * bytes;
    });
    if (degree > 0 && !outside) {
      c.units += static_cast<std::uint64_t>(degree);
      ++c.ideal;
      return;
    }
  }
  std::uint32_t inside = 0;
  const auto gather = [&](auto& addresses) {
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const Record& r = *next_[lane];
      addresses[lane] = static_cast<std::remove_reference_t<decltype(addresses[0])>>(r.cell * bytes);
      if (!r.access.what.outside()) inside |= rest & -rest;
    }
  };
  if (is_shared(what.kind())) {
    Addresses addresses;
    gather(addresses);
    const BankCost cost = bank_cost(is_load(what.kind()), what.width(), inside, addresses);
    c.units += static_cast<std::uint64_t>(cost.wavefronts);
    c.ideal += static_cast<std::uint64_t>(cost.groups);
  } else {
    std::array<std::int64_t, 32> addresses;
    gather(addresses);
    if (run.apart) touch(what, one.access.buffer, inside, addresses, run.touched);
    const SectorCost cost = sector_cost(what.width(), inside, addresses);
    c.units += static_cast<std::uint64_t>(cost.sectors);
    c.ideal += static_cast<std::uint64_t>(cost.ideal);
  }
}

void Lanes::touch_atomically(std::uint32_t group, std::vector<Stretch>& touched) const {
  for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
    const Record& r = head(std::countr_zero(rest));
    const std::int64_t width = r.access.what.width();
    if (!r.access.what.outside())
      touch({.begin = r.cell * width,
             .end = (r.cell + 1) * width,
             .buffer = r.access.buffer,
             .store = true,
             .talk = true},
            touched);
  }
}

}  // namespace upsweep
