// Copies pictures to the clipboard of X11, because GLFW can only copy text.
#pragma once
#include <memory>
#include <string>

namespace upsweep {

// Offers a picture to other programs. Other programs can paste the picture until this object is destroyed or
// something else is copied. A thread answers the requests of these programs.
class PictureClipboard {
 public:
  // Throws WorkError if no X11 display is available, or if this program was built without XCB.
  PictureClipboard();
  ~PictureClipboard();
  PictureClipboard(const PictureClipboard&) = delete;
  PictureClipboard& operator=(const PictureClipboard&) = delete;
  // Offers the bytes of a PNG file. Throws WorkError if the file is too large for the display.
  void offer(std::string png);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
