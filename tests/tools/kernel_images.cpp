// kernel_images FOLDER ARCHITECTURE: writes the cubins of the fast kernels and of their hand-written
// counterparts, for a disassembler.
#include <fmt/format.h>

#include <exception>
#include <fstream>

#include "support/references.hpp"
#include "words/in_words.hpp"

int main(int argc, char** argv) {
  using namespace upsweep;
  if (argc != 3) {
    fmt::print(stderr, "kernel_images FOLDER ARCHITECTURE, such as kernel_images /tmp sm_90\n");
    return 2;
  }
  try {
    for (const Reference& r : references) {
      const auto write = [&](const char* kind, const Program& p) {
        std::ofstream(fmt::format("{}/{}.{}.cubin", argv[1], r.file, kind), std::ios::binary)
            << compile(p, argv[2]).image;
      };
      write("hand", hand_written(r));
      write("fast", ours(r, Mode::fast));
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", in_words(e));
    return 1;
  }
  return 0;
}
