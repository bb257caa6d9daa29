// True if the tests were started with --update (see main.cpp). Then they write their golden files instead of
// comparing pictures with them. Choose tests with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
