// Words: the sentences of words.cpp, the first one bold, wrapped to the width.
#include <fmt/ranges.h>

#include <algorithm>

#include "scene/views/views.hpp"
#include "scene/wrap.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

std::vector<TextRun> runs_of(const std::vector<std::string>& sentences) {
  std::vector<TextRun> runs;
  for (const std::string& sentence : sentences)
    if (runs.size() < 2) runs.push_back({sentence, runs.empty() ? Face::bold : Face::regular});
    else runs.back().text += " " + sentence;
  return runs;
}

class WordsPicture {
 public:
  explicit WordsPicture(const ViewInput& in) : p_(in) {
    p_.scene.background = p_.theme.panel;
    lay_out(runs_of(sentences(in.recording, in.cursor)));
  }

  ViewPicture draw() && {
    const float pitch = size_ * line_height;
    const std::size_t fit = std::max<std::size_t>(1, static_cast<std::size_t>((p_.height - 8) / pitch));
    const bool short_of_room = lines_.size() > fit;
    lines_.resize(std::min(lines_.size(), fit));
    const float top =
        std::min(8.0f, std::max(2.0f, (p_.height - pitch * static_cast<float>(lines_.size())) / 2));
    for (std::size_t i = 0; i < lines_.size(); i++)
      line(lines_[i], top + pitch * (static_cast<float>(i) + 0.5f), short_of_room && i + 1 == lines_.size());
    return std::move(p_).picture();
  }

 private:
  static constexpr float line_height = 1.5f;  // em

  // Finds the largest size at which all words fit, down to the smallest legible size.
  void lay_out(const std::vector<TextRun>& runs) {
    for (;; size_ -= 1) {
      lines_ = wrapped(runs, size_, p_.width - 2 * p_.margin);
      if (static_cast<float>(lines_.size()) * size_ * line_height + 8 <= p_.height || size_ <= 12) return;
    }
  }

  // `goes_on`: there are more words, but no room for them.
  void line(const std::vector<TextRun>& runs, float y, bool goes_on) {
    float x = p_.margin;
    for (const TextRun& run : runs) {
      const bool last = goes_on && &run == &runs.back();
      const std::string shown =
          last ? cut(run.text + "…", size_, run.face, p_.width - p_.margin - x) : run.text;
      p_.text({x, y}, shown, p_.theme.text, size_, run.face);
      x += text_width(shown, size_, run.face) + text_width(" ", size_, Face::regular);
    }
  }

  ViewPen p_;
  float size_ = 16;
  std::vector<std::vector<TextRun>> lines_;
};

ViewPicture draw_words(const ViewInput& in) { return WordsPicture(in).draw(); }

}  // namespace

extern const View words_view{.name = "words",
                             .title = "Words",
                             .home = Home::words,
                             .draw = draw_words,
                             .titled_from = never_titled,
                             .sees = sees_nothing};

}  // namespace upsweep
