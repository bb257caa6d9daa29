// The view "Words" shows the sentences that words.cpp writes about the step. The first sentence is bold. If
// there is room, one more line says what the algorithm does (in the first step) or what to look for (in later
// steps). If not all sentences fit, the tooltip contains all sentences.
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/language.hpp"
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

// Returns one text run for each sentence.
std::vector<TextRun> runs_of_each(const std::vector<std::string>& sentences) {
  std::vector<TextRun> runs;
  for (const std::string& sentence : sentences)
    runs.push_back({sentence, runs.empty() ? Face::bold : Face::regular});
  return runs;
}

constexpr OwnId cut_words{"words", 0};

class WordsPicture {
 public:
  explicit WordsPicture(const ViewInput& in) : p_(in), in_(in) {
    p_.scene.background = p_.theme.panel;
    lay_out(sentences(in.recording, in.cursor));
  }

  ViewPicture draw() && {
    const float pitch = size_ * line_height();
    const auto rows = static_cast<float>(lines_.size());
    const float top = std::min(8.0f, std::max(2.0f, (p_.height - pitch * rows) / 2));
    for (std::size_t i = 0; i < lines_.size(); i++)
      line(lines_[i], top + pitch * (static_cast<float>(i) + 0.5f),
           ends_within_sentence_ && i + 1 == lines_.size());
    if (is_cut_) p_.target({0, 0, p_.width, p_.height}, cut_words);
    return std::move(p_).picture();
  }

 private:
  float line_height() const { return in_.presented ? 1.4f : 1.5f; }  // in em
  bool fills_a_screen() const { return in_.presented && p_.height > 160; }

  // Returns the text sizes to try, the largest first. If the view does not fill a screen, a presentation uses
  // only a few sizes. So the text has the same size in most steps.
  std::vector<float> sizes() const {
    if (in_.presented && !fills_a_screen()) return {18, 15.5f, 13.5f};
    std::vector<float> all;
    const float largest = in_.presented ? 34.0f : std::clamp(p_.height / 12, 16.0f, 28.0f),
                least = in_.presented ? 13.5f : 11.0f;
    for (float size = largest; size > least; size -= 1) all.push_back(size);
    all.push_back(least);
    return all;
  }

  // Breaks the sentences into lines. If the words fill a screen, each sentence begins a new line.
  std::vector<std::vector<TextRun>> broken(const std::vector<std::string>& sentences) const {
    const float room = p_.width - 2 * p_.margin;
    if (!fills_a_screen()) return wrapped(runs_of(sentences), size_, room);
    std::vector<std::vector<TextRun>> lines;
    for (const TextRun& run : runs_of_each(sentences))
      for (auto& line : wrapped(std::span(&run, 1), size_, room)) lines.push_back(std::move(line));
    return lines;
  }

  // Finds the largest text size at which all sentences fit. If even the smallest size is too large, leaves
  // out the last sentences.
  void lay_out(std::vector<std::string> sentences) {
    const auto fits = [&] {
      lines_ = broken(sentences);
      return static_cast<float>(lines_.size()) * size_ * line_height() + 8 <= p_.height;
    };
    bool all_fit = false;
    for (const float size : sizes()) {
      size_ = size;
      if ((all_fit = fits())) break;
    }
    constexpr std::string_view more = " …";
    while (!all_fit && sentences.size() > 1) {
      if (is_cut_) sentences.back().resize(sentences.back().size() - more.size());
      sentences.pop_back();
      sentences.back() += more;
      is_cut_ = true;
      all_fit = fits();
    }
    const float pitch = size_ * line_height();
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>((p_.height - 8) / pitch));
    is_cut_ = is_cut_ || lines_.size() > most;
    ends_within_sentence_ = lines_.size() > most;
    lines_.resize(std::min(lines_.size(), most));
  }

  // Draws a line. If `goes_on` is true, "…" ends the line, because there is no room for the next words.
  void line(const std::vector<TextRun>& runs, float y, bool goes_on) {
    float x = p_.margin;
    for (const TextRun& run : runs) {
      const bool last = goes_on && &run == &runs.back();
      p_.text({x, y}, last ? cut(run.text + "…", size_, run.face, p_.width - p_.margin - x) : run.text,
              p_.theme.text, size_, run.face);
      x += advance(run, size_);
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  float size_ = 16;
  bool is_cut_ = false,
       ends_within_sentence_ = false;  // true if even the first sentence does not fit completely
  std::vector<std::vector<TextRun>> lines_;
};

ViewPicture draw_words(const ViewInput& in) { return WordsPicture(in).draw(); }

// Returns all sentences if the view does not show every sentence.
Lines words_tip(const Reading& at, const Id& id) {
  return id == Id(cut_words) ? sentences(at.recording, at.cursor) : Lines();
}

}  // namespace

extern const View words_view{.name = "words",
                             .title = tr_noop("Words"),
                             .home = Home::words,
                             .draw = draw_words,
                             .tip = words_tip,
                             .titled_from = never_titled,
                             .sees = sees_nothing,
                             .shows_time = true};

}  // namespace upsweep
