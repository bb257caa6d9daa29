// Declares the interface to the libraries that decode pictures. Only read_picture.cpp and the decoders use
// this interface.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "base/job.hpp"
#include "picture/read_picture.hpp"

namespace upsweep {

class PictureDecoder {
 public:
  virtual ~PictureDecoder() = default;
  // Reads the header of the file. Must be called once, before rows(). Throws RequestError. The error's text
  // contains the file's name.
  virtual PictureSize header() = 0;
  // Decodes the whole picture into `rows`, which contains one pointer for each row. The rows must have the
  // size that header() returned. Throws RequestError, or Cancelled if the job is cancelled.
  virtual void rows(std::span<std::uint8_t*> rows, const Job* job) = 0;
};

// These functions return a decoder for the file. Requires that the file is open at its beginning, and that
// the file stays open as long as the decoder exists. `path` is the file's name in errors.
std::unique_ptr<PictureDecoder> png_decoder(std::FILE* file, const std::string& path);
std::unique_ptr<PictureDecoder> jpeg_decoder(std::FILE* file, const std::string& path);

}  // namespace upsweep
