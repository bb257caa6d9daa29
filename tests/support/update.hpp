// True if the tests were started with --update (see main.cpp). If so, the tests write their golden files
// instead of comparing pictures with these files. Choose tests with --gtest_filter.
#pragma once

namespace upsweep {
inline bool update = false;
}
