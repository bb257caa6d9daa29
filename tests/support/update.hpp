// Whether tests write what they would compare with: --update, see main.cpp. Choose them with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
