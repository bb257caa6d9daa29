// Words: the paragraph of words.cpp, its first sentence bold, wrapped to the width.
#include <algorithm>

#include "scene/paint.hpp"
#include "scene/views/draw.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

struct Word {
  std::string text;
  Face face;
};

// The paragraph as words; those of the first sentence are bold.
std::vector<Word> split(const std::string& paragraph) {
  const std::size_t stop = std::min(paragraph.find(". "), paragraph.size());
  std::vector<Word> out;
  for (std::size_t begin = 0; begin < paragraph.size();) {
    const std::size_t end = std::min(paragraph.find(' ', begin), paragraph.size());
    if (end > begin)
      out.push_back({paragraph.substr(begin, end - begin), begin <= stop ? Face::bold : Face::regular});
    begin = end + 1;
  }
  return out;
}

struct Line {
  std::vector<Word> runs;  // neighbouring words of one face, joined
};

std::vector<Line> wrap(const std::vector<Word>& words, float size, float room) {
  std::vector<Line> lines(1);
  float used = 0;
  for (const Word& w : words) {
    const float space = text_width(" ", size, w.face), width = text_width(w.text, size, w.face);
    if (used > 0 && used + space + width > room) {
      lines.emplace_back();
      used = 0;
    }
    Line& line = lines.back();
    if (!line.runs.empty() && line.runs.back().face == w.face) line.runs.back().text += " " + w.text;
    else line.runs.push_back(w);
    used += (used > 0 ? space : 0) + width;
  }
  return lines;
}

}  // namespace

Scene draw_words(const ViewInput& in) {
  Painter p(in);
  p.scene.background = p.theme.panel;
  const std::vector<Word> text = split(words(in.recording, in.cursor));
  const float room = p.width - 2 * p.margin;
  // The largest size at which all of it fits, down to where it would no longer be read.
  float size = 16;
  std::vector<Line> lines;
  for (;; size -= 1) {
    lines = wrap(text, size, room);
    if (static_cast<float>(lines.size()) * size * 1.5f + 8 <= p.height || size <= 12) break;
  }
  const float pitch = size * 1.5f;
  const std::size_t fit = std::max<std::size_t>(1, static_cast<std::size_t>((p.height - 8) / pitch));
  const bool short_of_room = lines.size() > fit;
  lines.resize(std::min(lines.size(), fit));
  const float top = std::min(8.0f, std::max(2.0f, (p.height - pitch * static_cast<float>(lines.size())) / 2));
  for (std::size_t i = 0; i < lines.size(); i++) {
    float x = p.margin;
    const float y = top + pitch * (static_cast<float>(i) + 0.5f);
    for (std::size_t r = 0; r < lines[i].runs.size(); r++) {
      const Word& run = lines[i].runs[r];
      const bool last = short_of_room && i + 1 == lines.size() && r + 1 == lines[i].runs.size();
      const std::string shown = last ? cut(run.text + "…", size, run.face, p.width - p.margin - x) : run.text;
      p.text({x, y}, shown, p.theme.text, size, run.face);
      x += text_width(shown, size, run.face) + text_width(" ", size, Face::regular);
    }
  }
  return std::move(p.scene);
}

}  // namespace upsweep
