// Whether --update was given: tests then write the files that they would otherwise compare with, see
// main.cpp. Choose tests with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
