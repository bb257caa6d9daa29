#include "scene/wrap.hpp"

#include <algorithm>

#include "base/language.hpp"
#include "base/utf8.hpp"

namespace upsweep {
namespace {

// Returns whether a line must not begin with the character, for example with a closing bracket.
bool is_closing(char32_t c) {
  constexpr std::u32string_view closing = U"、。，．：；！？）】》」』”’…";
  return closing.find(c) != std::u32string_view::npos;
}

// Returns whether a line must not end with the character, for example with an opening bracket.
bool is_opening(char32_t c) {
  constexpr std::u32string_view opening = U"（【《「『“‘";
  return opening.find(c) != std::u32string_view::npos;
}

// Returns whether the character leaves room after itself, so that no space follows it.
bool is_full_width_stop(char32_t c) {
  constexpr std::u32string_view stops = U"、。，．：；！？）】》」』";
  return stops.find(c) != std::u32string_view::npos;
}

// A piece of text that must stay on one line.
struct Piece {
  std::string_view text;
  Face face;
  bool after_space;  // a space precedes the piece, unless the piece begins a line
};

void add_pieces(std::string_view text, Face face, std::vector<Piece>& pieces) {
  bool space = false, begins = true, wide = false, opens = false, stops = false;
  while (!text.empty()) {
    std::string_view rest = text;
    const char32_t c = take_character(rest);
    const std::string_view character = text.substr(0, text.size() - rest.size());
    text = rest;
    if (c == ' ') {
      space = !stops;
      begins = true;
      continue;
    }
    const bool breaks = begins || ((wide || is_wide(c)) && !is_closing(c) && !opens);
    wide = is_wide(c);
    opens = is_opening(c);
    stops = is_full_width_stop(c);
    if (breaks) pieces.push_back({character, face, space});
    else pieces.back().text = {pieces.back().text.data(), pieces.back().text.size() + character.size()};
    space = begins = false;
  }
}

}  // namespace

// Returns whether the text ends with full-width punctuation, whose characters have three bytes.
static bool ends_with_stop(std::string_view text) {
  if (text.size() < 3) return false;
  std::string_view last = text.substr(text.size() - 3);
  return is_full_width_stop(take_character(last));
}

void append_run(std::vector<TextRun>& runs, std::string text, Face face) {
  if (!runs.empty() && !text.empty() && !runs.back().text.ends_with(' ') && !text.starts_with(' ')) {
    std::string& before = runs.back().text;
    const std::size_t bracket = before.find_last_not_of("([“‘\"") + 1;
    if (bracket < before.size()) {
      text.insert(0, before.substr(bracket));
      before.erase(bracket);
      if (before.empty()) runs.pop_back();
    } else {
      const std::size_t shared = std::min(text.find(' '), text.size());
      before += text.substr(0, shared);
      text.erase(0, shared);
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
      pieces[first].after_space = first > 0 && !ends_with_stop(pieces[first - 1].text);
  }
  std::vector<std::vector<TextRun>> lines;
  float used = 0;
  for (const Piece& piece : pieces) {
    const float space = piece.after_space ? text_width(" ", size, piece.face) : 0,
                width = text_width(piece.text, size, piece.face);
    if (lines.empty() || used + space + width > room) {
      lines.emplace_back();
      used = 0;
    }
    std::vector<TextRun>& line = lines.back();
    const bool goes_on = !line.empty();
    if (goes_on && line.back().face == piece.face)
      line.back().text += (piece.after_space ? " " : "") + std::string(piece.text);
    else line.push_back({std::string(piece.text), piece.face});
    used += (goes_on ? space : 0) + width;
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
