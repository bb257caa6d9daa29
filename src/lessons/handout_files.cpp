// Writes handouts as PDF and as HTML.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "export/export.hpp"
#include "lessons/handout.hpp"
#include "scene/paint.hpp"
#include "scene/theme.hpp"
#include "scene/wrap.hpp"

namespace upsweep {
namespace {

using PartKind = HandoutPart::Kind;

// An A4 page in logical pixels. A logical pixel is 0.75 pt.
constexpr float page_width = 794, page_height = 1123, page_margin = 57;

struct Style {
  float size, pitch, before, indent;
  Face face;
};
Style style_of(PartKind kind) {
  switch (kind) {
    case PartKind::title: return {24, 32, 0, 0, Face::bold};
    case PartKind::note: return {12, 18, 2, 0, Face::regular};
    case PartKind::heading: return {16, 24, 12, 0, Face::bold};
    case PartKind::question: return {14, 20, 10, 0, Face::bold};
    case PartKind::item: return {13.5f, 20, 2, 14, Face::regular};
    case PartKind::code: return {12, 18, 0, 14, Face::mono};
    case PartKind::options: return {13, 19, 2, 18, Face::regular};
    case PartKind::answer: return {13, 19, 4, 18, Face::regular};
    case PartKind::space: return {13, 30, 2, 18, Face::regular};
    default: return {13.5f, 20, 8, 0, Face::regular};
  }
}

// Places the parts on pages.
class Pages {
 public:
  Pages() { turn(); }

  void add(std::span<const HandoutPart> parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // If one page has enough space, a question is on the same page as its answers. In the same way, a text
      // is on the same page as its first picture.
      float height = height_of(parts[i]);
      for (std::size_t k = i + 1; k < parts.size() && stays_with(parts[i], parts[k]); ++k)
        height += height_of(parts[k]);
      need(std::min(height, page_height - 2 * page_margin));
      add(parts[i]);
    }
  }

  std::string finish() {
    turn();
    return document_.finish();
  }

 private:
  // Returns whether `later` must stay on the page of `part`. True for the answers of a question, for the next
  // lines of a block of code, for a picture or code directly after a text, and for the part after a heading.
  static bool stays_with(const HandoutPart& part, const HandoutPart& later) {
    const bool is_of_question = later.kind == PartKind::options || later.kind == PartKind::answer ||
                                later.kind == PartKind::space || later.kind == PartKind::code;
    if (part.kind == PartKind::question || part.kind == PartKind::code) return is_of_question;
    const bool is_text = part.kind == PartKind::paragraph || part.kind == PartKind::item;
    return &later == &part + 1 &&
           (part.kind == PartKind::heading ||
            (is_text && (later.kind == PartKind::picture || later.kind == PartKind::code)));
  }

  using Lines = std::vector<std::vector<TextRun>>;
  static Lines lines_of(const HandoutPart& part) {
    const Style style = style_of(part.kind);
    if (part.kind == PartKind::code) return {part.runs};  // code keeps its spaces
    std::vector<TextRun> runs = part.runs;
    for (TextRun& r : runs)
      if (r.face == Face::regular) r.face = style.face;
    return wrapped(runs, style.size, page_width - 2 * page_margin - style.indent);
  }
  static float height_of(const HandoutPart& part) {
    if (part.kind == PartKind::picture) return part.picture.height + 8;
    const Style style = style_of(part.kind);
    return style.before + style.pitch * static_cast<float>(lines_of(part).size());
  }

  void add(const HandoutPart& part) {
    if (part.kind == PartKind::picture) return picture(part.picture);
    const Theme& t = light_theme();
    const Style style = style_of(part.kind);
    const Lines lines = lines_of(part);
    y_ += style.before;
    const Colour colour = part.kind == PartKind::note     ? t.faint_text
                          : part.kind == PartKind::answer ? t.good
                                                          : t.text;
    for (const auto& line : lines) {
      need(style.pitch);
      float x = page_margin + style.indent;
      for (const TextRun& run : line) {
        const std::string shown = cut(run.text, style.size, run.face, page_width - page_margin - x);
        pen_->text({x, y_ + style.pitch / 2}, shown, colour, style.size, run.face);
        x += advance(run, style.size);
      }
      if (part.kind == PartKind::space || (part.has_line && &line == &lines.back()))
        pen_->line({x + 4, y_ + style.pitch / 2 + 7}, {page_width - page_margin, y_ + style.pitch / 2 + 7},
                   t.faint_text);
      y_ += style.pitch;
    }
  }

  void turn() {
    if (pen_) {
      pen_->text({page_width / 2, page_height - page_margin / 2}, fmt::to_string(number_),
                 light_theme().faint_text, 11, Face::regular, Align::centre);
      document_.add_page(pen_->scene);
    }
    ++number_;
    pen_.emplace(page_width, page_height, Colour{255, 255, 255});
    y_ = page_margin;
  }
  // Begins a new page if less than `height` is free on this page.
  void need(float height) {
    if (y_ > page_margin && y_ + height > page_height - page_margin) turn();
  }
  void picture(const Scene& scene) {
    need(scene.height + 8);
    append_moved(pen_->scene, scene, page_margin, y_ + 8);
    y_ += scene.height + 8;
  }

  PdfDocument document_;
  std::optional<Pen> pen_;
  int number_ = 0;
  float y_ = 0;
};

std::string html_of(const std::vector<TextRun>& runs) {
  std::string out;
  std::string_view before;
  for (const TextRun& run : runs) {
    if (!before.empty() && takes_space(before, run.text)) out += ' ';
    before = run.text;
    const char* tag = run.face == Face::mono ? "code" : run.face == Face::bold ? "strong" : nullptr;
    out += tag ? fmt::format("<{0}>{1}</{0}>", tag, escaped_for_xml(run.text)) : escaped_for_xml(run.text);
  }
  return out;
}

}  // namespace

std::string handout_pdf(const std::vector<HandoutPart>& parts) {
  Pages pages;
  pages.add(parts);
  return pages.finish();
}

std::string handout_html(const std::vector<HandoutPart>& parts, const std::string& language) {
  const std::string title = parts.empty() ? "" : html_of(parts.front().runs);
  std::string body;
  int pictures = 0;
  for (const HandoutPart& part : parts) {
    const std::string text = html_of(part.runs);
    switch (part.kind) {
      case PartKind::title: body += fmt::format("<h1>{}</h1>\n", text); break;
      case PartKind::note:
        body += fmt::format("<p class=\"note\">{}{}</p>\n", text,
                            part.has_line ? "<span class=\"line\"></span>" : "");
        break;
      case PartKind::heading: body += fmt::format("<h2>{}</h2>\n", text); break;
      case PartKind::question: body += fmt::format("<h3>{}</h3>\n", text); break;
      case PartKind::code:
        body +=
            fmt::format("<pre>{}</pre>\n", escaped_for_xml(part.runs.empty() ? "" : part.runs.front().text));
        break;
      case PartKind::options: body += fmt::format("<p class=\"options\">{}</p>\n", text); break;
      case PartKind::answer: body += fmt::format("<p class=\"answer\">{}</p>\n", text); break;
      case PartKind::space: body += fmt::format("<p class=\"space\">{}</p>\n", text); break;
      case PartKind::picture: {
        std::string drawn = svg(part.picture, fmt::format("picture-{}-", ++pictures));
        if (const auto begin = drawn.find("<svg"); begin != drawn.npos) drawn.erase(0, begin);
        body += "<figure>" + drawn + "</figure>\n";
        break;
      }
      default: body += fmt::format("<p>{}</p>\n", text);
    }
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n"
      "<title>{}</title>\n<style>\n"
      "body {{ max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Inter, sans-serif; }}\n"
      "h3 {{ font-size: 1rem; }} pre {{ margin: 0 0 0 1rem; font-family: 'JetBrains Mono', monospace; }}\n"
      ".note {{ color: #666; }} .options {{ margin: .2rem 1rem; }} .answer {{ margin: .4rem 1rem; color: "
      "#00694a; }}\n"
      ".space {{ margin: .6rem 1rem; border-bottom: 1px solid #999; padding-bottom: 1rem; }}\n"
      ".line {{ display: inline-block; width: 16rem; margin-left: .3rem; border-bottom: 1px solid #999; }}\n"
      "figure {{ margin: 1rem 0; break-inside: avoid; }} svg {{ max-width: 100%; height: auto; }}\n"
      "</style>\n{}</html>\n",
      language, title, body);
}

}  // namespace upsweep
