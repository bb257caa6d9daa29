// True if the tests were started with --update (see main.cpp). In this case, the tests write their golden
// files and compare nothing. Choose tests with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
