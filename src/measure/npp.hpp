// Runs NPP, NVIDIA's library for images, if NPP is installed. NPP is a part of the CUDA toolkit. Upsweep
// opens the library by its name at run time.
#pragma once
#include <cstdint>

#include "measure/peer_library.hpp"

namespace upsweep {

class Npp : public PeerLibrary {
 public:
  Npp();  // searches for the library

  // These functions describe the integral image of a picture with s.n pixels of 8 bits, in rows of
  // data_columns(s) pixels. The integral image is a table of int32. The table has one more row and one more
  // column than the picture, because its first row and its first column are zero. row_bytes() returns the
  // distance between the beginnings of two rows of the table. table_bytes() returns the size of the table,
  // including the gaps after the rows. bytes() returns how many bytes are read and written.
  static std::uint64_t row_bytes(const Settings& s);
  static std::uint64_t table_bytes(const Settings& s);
  static double bytes(const Settings& s);

  DataBytes data_bytes(const Result& what, const Settings& s) const override;
  std::uint64_t scratch_bytes(const Result&, const Settings&) const override { return 0; }
  int calls(const Result&, const Settings&) const override { return 8; }
  void run(const Result& what, const Settings& s, const Data& data, void* stream) const override;

 private:
  // Context has the first fields of NppStreamContext. Extent has the fields of NppiSize.
  struct Context {
    void* stream = nullptr;
    int device = 0, multiprocessors = 0, threads_per_multiprocessor = 0, threads_per_block = 0;
    std::size_t shared_per_block = 0;
    int major = 0, minor = 0;
    unsigned stream_flags = 0;
    int reserved = 0;
  };
  struct Extent {
    int width = 0, height = 0;
  };
  int (*integral_)(const std::uint8_t* in, int in_step, std::int32_t* out, int out_step, Extent picture,
                   std::int32_t first, Context context) = nullptr;
};

}  // namespace upsweep
