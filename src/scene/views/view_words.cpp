// The view Words shows the sentences of words.cpp, the first one bold. One more line, if it fits, says what
// the algorithm does (in the first step) or what to look for. If not all sentences fit, the tip shows all of
// them.
#include <fmt/ranges.h>

#include <algorithm>

#include "scene/views/views.hpp"
#include "scene/wrap.hpp"
#include "words/hidden_answer.hpp"
#include "words/kernel_comment.hpp"
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

constexpr OwnId cut_words{"words", 0};

class WordsPicture {
 public:
  explicit WordsPicture(const ViewInput& in) : p_(in), in_(in) {
    p_.scene.background = p_.theme.panel;
    size_ = std::clamp(p_.height / 12, 16.0f, 28.0f);
    lay_out(sentences(in.recording, in.cursor));
  }

  ViewPicture draw() && {
    const float pitch = size_ * line_height;
    const std::string about = is_cut_ ? std::string() : about_line();
    const auto rows = static_cast<float>(lines_.size() + (about.empty() ? 0 : 1));
    const float top = std::min(8.0f, std::max(2.0f, (p_.height - pitch * rows) / 2));
    for (std::size_t i = 0; i < lines_.size(); i++)
      line(lines_[i], top + pitch * (static_cast<float>(i) + 0.5f),
           ends_within_sentence_ && i + 1 == lines_.size());
    p_.text({p_.margin, top + pitch * (rows - 0.5f)}, about, p_.theme.faint_text, about_size());
    if (is_cut_) p_.target({0, 0, p_.width, p_.height}, cut_words);
    return std::move(p_).picture();
  }

 private:
  static constexpr float line_height = 1.5f;  // em

  // Finds the largest text size at which all words fit, but stops at about 11 dp. Then leaves out the last
  // sentences that do not fit.
  void lay_out(std::vector<std::string> sentences) {
    const auto fits = [&] {
      lines_ = wrapped(runs_of(sentences), size_, p_.width - 2 * p_.margin);
      return static_cast<float>(lines_.size()) * size_ * line_height + 8 <= p_.height;
    };
    while (!fits() && size_ > 11) size_ -= 1;
    bool all_fit = fits();
    constexpr std::string_view more = " …";
    while (!all_fit && sentences.size() > 1) {
      if (is_cut_) sentences.back().resize(sentences.back().size() - more.size());
      sentences.pop_back();
      sentences.back() += more;
      is_cut_ = true;
      all_fit = fits();
    }
    const float pitch = size_ * line_height;
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>((p_.height - 8) / pitch));
    is_cut_ = is_cut_ || lines_.size() > most;
    ends_within_sentence_ = lines_.size() > most;
    lines_.resize(std::min(lines_.size(), most));
  }

  std::string about_text() const {
    if (hides_answer(in_.recording, in_.cursor)) return in_.recording.puzzle;
    const KernelComment comment =
        read_comment(in_.recording.text.empty() ? in_.recording.trace.text : in_.recording.text);
    const std::string& text = in_.cursor.step == 0 ? comment.idea : comment.watch;
    return text.empty() ? text : (in_.cursor.step == 0 ? "Idea: " : "Watch: ") + text;
  }

  float about_size() const { return std::max(12.0f, size_ - 3); }

  // Returns the first sentences about what the algorithm does or what to look for, if one line below the
  // sentences of the step has room for them.
  std::string about_line() const {
    const float pitch = size_ * line_height;
    if (pitch * static_cast<float>(lines_.size() + 1) + 4 > p_.height) return {};
    const std::string whole = about_text();
    // Shows as many whole sentences as fit.
    for (std::size_t end = whole.size(); end != std::string::npos && end > 0;
         end = whole.rfind(". ", end - 1)) {
      const std::string shown = whole.substr(0, end == whole.size() ? end : end + 1);
      if (text_width(shown, about_size(), Face::regular) <= p_.width - 2 * p_.margin) return shown;
    }
    return {};
  }

  // If `goes_on`, the line ends with "…", because there is no room for the words after it.
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
  const ViewInput& in_;
  float size_ = 16;
  bool is_cut_ = false,
       ends_within_sentence_ = false;  // some words do not fit; even the first sentence does not fit
  std::vector<std::vector<TextRun>> lines_;
};

ViewPicture draw_words(const ViewInput& in) { return WordsPicture(in).draw(); }

// Returns all sentences if the view cuts them off.
Lines words_tip(const Reading& at, const Id& id) {
  return id == Id(cut_words) ? sentences(at.recording, at.cursor) : Lines();
}

}  // namespace

extern const View words_view{.name = "words",
                             .title = "Words",
                             .home = Home::words,
                             .draw = draw_words,
                             .tip = words_tip,
                             .titled_from = never_titled,
                             .sees = sees_nothing,
                             .shows_time = true};

}  // namespace upsweep
