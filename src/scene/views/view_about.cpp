// The view "About" shows the comment at the beginning of the kernel's file. The comment contains the idea of
// the algorithm, hints and the sources. For a kernel that is broken on purpose, the view shows the task until
// the user asks for the answer.
#include <algorithm>
#include <array>
#include <string_view>

#include "base/language.hpp"
#include "scene/views/views.hpp"
#include "scene/wrap.hpp"
#include "words/hidden_answer.hpp"
#include "words/kernel_comment.hpp"

namespace upsweep {
namespace {

class AboutPicture {
 public:
  explicit AboutPicture(const ViewInput& in)
      : p_(in), in_(in), comment_(read_comment(in.recording.shown_text())) {}

  ViewPicture draw() {
    if (hides_answer(in_.recording, in_.cursor)) {
      p_.title(shown_title(in_.recording, true));
      p_.sentence(shown_task(in_.recording));
      return std::move(p_).picture();
    }
    p_.title(tr(comment_.title));
    if (comment_.idea.empty()) {
      p_.sentence(tr("The recording has no text about its kernel."));
      return std::move(p_).picture();
    }
    const std::array<std::pair<const char*, const std::string*>, 3> parts{
        {{tr("Idea"), &comment_.idea}, {tr("Watch"), &comment_.watch}, {tr("Source"), &comment_.source}}};
    while (size_ > 11 && height_of(parts) > p_.height - p_.top - 8) size_ -= 0.5f;
    float y = p_.top + 4;
    for (const auto& [name, text] : parts) {
      if (text->empty()) continue;
      if (y + pitch() > p_.height) break;
      p_.text({p_.margin, y + pitch() / 2}, name, p_.theme.now, size_, Face::bold);
      for (const std::string& line : lines_of(*text)) {
        if (y + pitch() > p_.height) return std::move(p_).picture();
        p_.text({p_.margin + label(), y + pitch() / 2}, line, p_.theme.text, size_);
        y += pitch();
      }
      y += pitch() / 2;
    }
    return std::move(p_).picture();
  }

 private:
  float label() const {
    float width = 60;
    for (const char* name : {tr("Idea"), tr("Watch"), tr("Source")})
      width = std::max(width, text_width(name, size_, Face::bold) + 12);
    return width;
  }
  float pitch() const { return size_ * 1.45f; }
  std::vector<std::string> lines_of(const std::string& text) const {
    return wrapped(tr(text), size_, Face::regular, p_.width - 2 * p_.margin - label());
  }
  template <class Parts>
  float height_of(const Parts& parts) const {
    float height = 0;
    for (const auto& [name, text] : parts)
      if (!text->empty()) height += pitch() * (static_cast<float>(lines_of(*text).size()) + 0.5f);
    return height;
  }

  ViewPen p_;
  const ViewInput& in_;
  const KernelComment comment_;
  float size_ = 14;
};

ViewPicture draw_about(const ViewInput& in) { return AboutPicture(in).draw(); }

}  // namespace

extern const View about_view{.name = "about",
                             .title = tr_noop("About"),
                             .home = Home::source,
                             .draw = draw_about,
                             .sees = sees_nothing};

}  // namespace upsweep
