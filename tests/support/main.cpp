// Starts tests that compare pictures with golden files. Reads the option --update.
#include <gtest/gtest.h>

#include <string_view>

#include "support/update.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) upsweep::update = upsweep::update || std::string_view(argv[i]) == "--update";
  return RUN_ALL_TESTS();
}
