// The window saves the output of the shown recording as a new CSV file.
#include "panels/output_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "panels/keys.hpp"
#include "study/output_csv.hpp"
#include "support/drawn_views.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace output_file_test {

TEST(OutputFile, HasANewNameEachTime) {
  const TemporaryFolder folder;
  const Recording r = record("scan_blelloch", 4);
  const std::string path = (folder / "upsweep-scan_blelloch").string();
  EXPECT_EQ(save_output(r.trace, folder), "The output was saved as " + path + ".csv.");
  EXPECT_EQ(save_output(r.trace, folder), "The output was saved as " + path + "-2.csv.");
  for (const char* end : {".csv", "-2.csv"}) {
    std::ostringstream text;
    text << std::ifstream(path + end).rdbuf();
    EXPECT_EQ(text.str(), "index,out\n0,0\n1,7\n2,14\n3,19\n");
    EXPECT_EQ(text.str(), output_csv(r.trace));
  }
  EXPECT_THROW(save_output(r.trace, folder / "none"), WorkError);
}

TEST(OutputFile, HasAKey) {
  EXPECT_EQ(command_of({key::letter('S'), key::shift}, false).action, Action::save_output);
  EXPECT_EQ(command_of({key::letter('S'), 0}, false).action, Action::measure);
}

}  // namespace output_file_test
}  // namespace upsweep
