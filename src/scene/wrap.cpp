#include "scene/wrap.hpp"

#include <algorithm>

#include "base/language.hpp"
#include "base/utf8.hpp"

namespace upsweep {
namespace {

// Returns true if a line must not begin with the character, such as a closing bracket.
bool is_closing(char32_t c) {
  constexpr std::u32string_view closing = U"、。，．：；！？）】》」』”’…";
  return closing.find(c) != std::u32string_view::npos;
}

// Returns true if a line must not end with the character, such as an opening bracket.
bool is_opening(char32_t c) {
  constexpr std::u32string_view opening = U"（【《「『“‘([\"";
  return opening.find(c) != std::u32string_view::npos;
}

// Returns true for full-width punctuation. No space follows full-width punctuation, because the character
// contains empty space at its right.
bool is_full_width_stop(char32_t c) {
  constexpr std::u32string_view stops = U"、。，．：；！？）】》」』";
  return stops.find(c) != std::u32string_view::npos;
}

// Returns true if a line may break between two adjacent characters that no space separates.
bool may_break(char32_t before, char32_t after) {
  return (is_wide(before) || is_wide(after)) && !is_closing(after) && !is_opening(before);
}

char32_t first_character(std::string_view text) { return take_character(text); }

// Returns the index of the last character's first byte.
std::size_t last_begin(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

char32_t last_character(std::string_view text) { return first_character(text.substr(last_begin(text))); }

// A piece of text that must stay on one line.
struct Piece {
  std::string_view text;
  Face face;
  bool after_space;  // a space separates this piece from the previous piece in the line
};

void add_pieces(std::string_view text, Face face, std::vector<Piece>& pieces) {
  bool space = false, begins = true;
  char32_t before = 0;
  while (!text.empty()) {
    std::string_view rest = text;
    const char32_t c = take_character(rest);
    const std::string_view character = text.substr(0, text.size() - rest.size());
    text = rest;
    if (c == ' ') {
      space = !is_full_width_stop(before);
      begins = true;
      continue;
    }
    if (begins || may_break(before, c)) pieces.push_back({character, face, space});
    else pieces.back().text = {pieces.back().text.data(), pieces.back().text.size() + character.size()};
    space = begins = false;
    before = c;
  }
}

}  // namespace

bool takes_space(std::string_view before, std::string_view after) {
  const char32_t last = last_character(before), first = first_character(after);
  if (is_wide(last) && is_wide(first)) return false;
  return !is_full_width_stop(last) && !(is_wide(first) && is_opening(first));
}

float advance(const TextRun& run, float size) {
  return text_width(run.text, size, run.face) + (run.space_after ? text_width(" ", size, Face::regular) : 0);
}

void append_run(std::vector<TextRun>& runs, std::string text, Face face) {
  if (!runs.empty() && !text.empty() && !runs.back().text.ends_with(' ') && !text.starts_with(' ')) {
    std::string& before = runs.back().text;
    if (is_opening(last_character(before))) {
      while (!before.empty() && is_opening(last_character(before))) {
        const std::size_t at = last_begin(before);
        text.insert(0, before, at);
        before.erase(at);
      }
      if (before.empty()) runs.pop_back();
    } else {
      std::string_view rest = text;
      while (!rest.empty() && rest.front() != ' ' &&
             !may_break(last_character(before), first_character(rest))) {
        const std::string_view whole = rest;
        take_character(rest);
        before += whole.substr(0, whole.size() - rest.size());
      }
      text.erase(0, text.size() - rest.size());
    }
  }
  if (text.find_first_not_of(' ') != text.npos) runs.push_back({std::move(text), face});
  else if (!runs.empty()) runs.back().text += text;
}

std::vector<TextRun> runs_with_code(std::string_view text, Face face) {
  std::vector<TextRun> runs;
  bool is_code = false;
  for (std::size_t from = 0; from <= text.size(); is_code = !is_code) {
    const std::size_t to = std::min(text.find('`', from), text.size());
    append_run(runs, std::string(text.substr(from, to - from)), is_code ? Face::mono : face);
    from = to + 1;
  }
  return runs;
}

std::vector<std::vector<TextRun>> wrapped(std::span<const TextRun> runs, float size, float room) {
  std::vector<Piece> pieces;
  for (const TextRun& run : runs) {
    const std::size_t first = pieces.size();
    add_pieces(run.text, run.face, pieces);
    if (first < pieces.size())
      pieces[first].after_space = first > 0 && takes_space(pieces[first - 1].text, pieces[first].text);
  }
  std::vector<std::vector<TextRun>> lines;
  float used = 0;
  for (const Piece& piece : pieces) {
    const bool same_face = !lines.empty() && lines.back().back().face == piece.face;
    const float space = piece.after_space ? text_width(" ", size, same_face ? piece.face : Face::regular) : 0,
                width = text_width(piece.text, size, piece.face);
    if (lines.empty() || used + space + width > room) {
      lines.push_back({{std::string(piece.text), piece.face}});
      used = width;
      continue;
    }
    std::vector<TextRun>& line = lines.back();
    if (same_face) {
      line.back().text += (piece.after_space ? " " : "") + std::string(piece.text);
    } else {
      line.back().space_after = piece.after_space;
      line.push_back({std::string(piece.text), piece.face});
    }
    used += space + width;
  }
  return lines;
}

std::string with_plain_spaces(std::string text) {
  constexpr std::string_view no_break = "\u00a0";
  for (std::size_t at = text.find(no_break); at != text.npos; at = text.find(no_break, at))
    text.replace(at, no_break.size(), " ");
  return text;
}

std::vector<std::string> wrapped(std::string_view text, float size, Face face, float room) {
  const TextRun run{std::string(text), face};
  std::vector<std::string> lines;
  for (std::vector<TextRun>& line : wrapped(std::span(&run, 1), size, room))
    lines.push_back(std::move(line.front().text));
  return lines;
}

}  // namespace upsweep
