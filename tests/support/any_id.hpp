// Makes random ids. An id names an object in a view; some of these ids name objects that do not exist.
#pragma once
#include <random>

#include "scene/views/views.hpp"

namespace upsweep {

inline Id any_id(std::mt19937& random) {
  const auto any = [&] { return static_cast<int>(random() % 3000) - 100; };
  const AccessId by{any(), any() % 40, any() % 40, any()};
  switch (random() % 21) {
    case 0: return StepId{any()};
    case 1: return RequestId{any(), by};
    case 2: return NodeId{any(), any() % 30, any(), by};
    case 3: return CellId{any(), any(), any(), by};
    case 4: return LaneId{any(), by};
    case 5: return ServedId{any(), any(), any(), by};
    case 6: return LineId{any(), any()};
    case 7: return BarrierId{any(), any()};
    case 8: return BankId{any() % 40};
    case 9: return BlockId{any(), any() % 12, any() % 90};
    case 10: return GridId{any(), any() % 12};
    case 11: return ViewId{any() % 20};
    case 12: return CountersId{};
    case 13: return TimesId{};
    case 14: return TimeId{any()};
    case 15: return ElementId{any(), by};
    case 16: return OwnId{views()[random() % views().size()].name, any() % 12};
    case 17: return PixelId{any(), any()};
    case 18: return SliderId{views()[random() % views().size()].name, any() % 4, any()};
    case 19: return FindingId{any(), any() % 9};
    default: return {};
  }
}

}  // namespace upsweep
