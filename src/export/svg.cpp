// Writes SVG without Cairo, because Cairo would convert text into outlines.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/utf8.hpp"
#include "export/export.hpp"

namespace upsweep {
namespace {

// Returns a number as text with at most two decimals, without trailing zeros and without "-0". The text is
// the same on every machine and in every locale.
std::string number(float x) {
  std::string text = fmt::format("{:.2f}", std::isfinite(x) ? x : 0.0f);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// Returns an attribute such as ` fill="#rrggbb"`. Adds the opacity if the colour is not opaque. Returns `
// fill="none"` if the colour is invisible.
std::string paint(const char* what, Colour c) {
  if (c.a == 0) return fmt::format(" {}=\"none\"", what);
  if (c.a == 255) return fmt::format(" {}=\"{}\"", what, hex(c));
  return fmt::format(" {}=\"{}\" {}-opacity=\"{}\"", what, hex(c), what, number(c.a / 255.0f));
}

Colour faded(Colour c, float opacity) {
  c.a = static_cast<std::uint8_t>(std::lround(c.a * opacity));
  return c;
}

std::string box(const char* element, Box b, float radius) {
  std::string out = fmt::format("<{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", element, number(b.x),
                                number(b.y), number(std::max(b.w, 0.0f)), number(std::max(b.h, 0.0f)));
  if (radius > 0) out += fmt::format(" rx=\"{}\"", number(radius));
  return out;
}

class Writer {
 public:
  explicit Writer(std::string_view prefix) : prefix_(prefix) {}

  void operator()(const RectShape& r) {
    const bool stroked = r.stroke.a > 0 && r.stroke_width > 0;
    const float inset = stroked ? r.stroke_width / 2 : 0;  // because the stroke is inside the box
    const Box inner{r.box.x + inset, r.box.y + inset, r.box.w - 2 * inset, r.box.h - 2 * inset};
    const std::string outline = box("rect", inner, r.radius - inset);
    const std::string stroke =
        stroked ? fmt::format("{} stroke-width=\"{}\"", paint("stroke", r.stroke), number(r.stroke_width))
                : "";
    if (r.hatch && r.stroke.a > 0) {
      if (r.fill.a > 0) body_ += fmt::format("{}{}/>\n", outline, paint("fill", r.fill));
      body_ += fmt::format("{} fill=\"url(#{})\"{}/>\n", outline, hatch(r.stroke), stroke);
    } else if (stroked || r.fill.a > 0) {
      body_ += fmt::format("{}{}{}/>\n", outline, paint("fill", r.fill), stroke);
    }
  }

  void operator()(const LineShape& l) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{} stroke-width=\"{}\"/>\n",
                         number(l.from.x), number(l.from.y), number(l.to.x), number(l.to.y),
                         paint("stroke", l.colour), number(l.width));
  }

  void operator()(const TriangleShape& t) {
    body_ += fmt::format("<polygon points=\"{},{} {},{} {},{}\"{}/>\n", number(t.a.x), number(t.a.y),
                         number(t.b.x), number(t.b.y), number(t.c.x), number(t.c.y), paint("fill", t.colour));
  }

  void operator()(const TextShape& t) {
    if (t.text.empty()) return;
    constexpr const char* classes[] = {"r", "b", "m"};
    constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    body_ += fmt::format(
        "<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"{}{} xml:space=\"preserve\">{}</text>\n",
        classes[static_cast<int>(t.face)], number(t.at.x), number(baseline(t)), number(t.size),
        anchors[static_cast<int>(t.align)], paint("fill", t.colour), escaped_for_xml(t.text));
  }

  // If adjacent cells of a row have the same colour, draws these cells as one rectangle.
  void operator()(const GridShape& g) {
    if (g.columns <= 0 || g.rows <= 0) return;
    body_ += "<g shape-rendering=\"crispEdges\">\n";
    const float w = g.box.w / g.columns, h = g.box.h / g.rows;
    for (int row = 0; row < g.rows; row++) {
      const Colour* cell = &g.colours[static_cast<std::size_t>(row) * g.columns];
      for (int begin = 0, end = 0; begin < g.columns; begin = end) {
        while (end < g.columns && cell[end] == cell[begin]) end++;
        if (cell[begin].a == 0) continue;
        const Box run{g.box.x + w * begin, g.box.y + h * row, w * (end - begin), h};
        body_ += fmt::format("{}{}/>\n", box("rect", run, 0), paint("fill", cell[begin]));
      }
    }
    body_ += "</g>\n";
  }

  std::string document(const Scene& scene) const {
    const std::string w = number(scene.width), h = number(scene.height);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
        "<style>\n"
        "text {{ font-variant-numeric: tabular-nums; font-variant-ligatures: none; font-kerning: none }}\n"
        ".r, .b {{ font-family: Inter, 'Noto Sans', 'DejaVu Sans', sans-serif }}\n"
        ".r, .m {{ font-weight: 400 }}\n"
        ".b {{ font-weight: 600 }}\n"
        ".m {{ font-family: 'JetBrains Mono', 'DejaVu Sans Mono', monospace }}\n"
        "</style>\n"
        "<defs>\n<clipPath id=\"{3}page\"><rect width=\"{0}\" height=\"{1}\"/></clipPath>\n{2}</defs>\n"
        "<g clip-path=\"url(#{3}page)\">\n",
        w, h, patterns_, prefix_);
    if (scene.background.a > 0)
      out += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", w, h, paint("fill", scene.background));
    return out + body_ + "</g>\n</svg>\n";
  }

 private:
  // Returns the name of the hatching pattern for a colour. The pattern is a tile with one whole line and two
  // half lines, so that the lines of neighbouring tiles join without gaps.
  std::string hatch(Colour c) {
    std::string name = fmt::format("{}hatch-{:02x}{:02x}{:02x}{:02x}", prefix_, c.r, c.g, c.b, c.a);
    if (hatches_.insert(name).second) {
      const float p = hatch_period, over = 1;
      patterns_ += fmt::format(
          "<pattern id=\"{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\">"
          "<path d=\"M{2},{3} L{3},{2} M{2},{4} L{4},{2} M{5},{6} L{6},{5}\" fill=\"none\"{7} "
          "stroke-width=\"{8}\"/></pattern>\n",
          name, number(p), number(-over), number(over), number(p + over), number(p - over), number(p + over),
          paint("stroke", faded(c, hatch_opacity)), number(hatch_width));
    }
    return name;
  }

  std::string prefix_, body_, patterns_;
  std::set<std::string> hatches_;
};

}  // namespace

std::string escaped_for_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == 0xfffd) out += "\xef\xbf\xbd";  // invalid UTF-8, or U+FFFD in the text
    else if (c >= 0x20 && c != 0xfffe && c != 0xffff) out += bytes;
  }
  return out;
}

std::string svg(const Scene& scene, std::string_view prefix) {
  Writer writer(prefix);
  for (const Shape& shape : scene.shapes) std::visit(writer, shape.what);
  return writer.document(scene);
}

}  // namespace upsweep
