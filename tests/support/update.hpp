// True if --update was given. Tests then write their golden files instead of comparing with them, see
// main.cpp. Choose tests with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
