// Puts pictures into the clipboard of X11, which GLFW cannot do.
#pragma once
#include <memory>
#include <string>

namespace upsweep {

// Other programs can paste the picture as long as this object exists, or until something else is copied. A
// thread answers their requests.
class PictureClipboard {
 public:
  // Throws WorkError if there is no X11 display here, or if this program was built without XCB.
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
