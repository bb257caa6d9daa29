#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/font_search.hpp"
#include "base/language.hpp"
#include "base/quiet.hpp"
#include "base/utf8.hpp"
#include "export/export.hpp"

namespace upsweep {
namespace {

constexpr double points_per_dp = 0.75;

constexpr FontRole roles[] = {FontRole::words, FontRole::strong_words, FontRole::code};  // one for each Face

using Font = std::unique_ptr<cairo_font_face_t, decltype(&cairo_font_face_destroy)>;

Font font_in(const FontFile& file) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.path.c_str()));
  FcPatternAddInteger(pattern, FC_INDEX, file.index);
  Font font(cairo_ft_font_face_create_for_pattern(pattern), cairo_font_face_destroy);
  FcPatternDestroy(pattern);
  return font;
}

// Returns the font for a face, followed by fonts for characters that the first font lacks. If no font is
// installed, returns Cairo's own font.
std::vector<Font> find_fonts(const FontSearch& search, Face face) {
  std::vector<Font> fonts;
  if (const std::optional<FontFile> file = search.find(roles[static_cast<int>(face)]))
    fonts.push_back(font_in(*file));
  for (const FontFile& file : search.fallbacks(face == Face::bold ? FontWeight::bold : FontWeight::regular))
    fonts.push_back(font_in(file));
  if (fonts.empty())
    fonts.emplace_back(cairo_toy_font_face_create("sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL),
                       cairo_font_face_destroy);
  return fonts;
}

// Returns true if all numbers are in a range that Cairo can draw. Returns false for NaN.
bool is_near(std::initializer_list<float> coordinates) {
  constexpr float most = 1e5f;  // in dp
  return std::all_of(coordinates.begin(), coordinates.end(), [](float x) { return std::abs(x) < most; });
}

// The fonts of a document. All pages share these fonts, so that the document contains each font only once.
class Fonts {
 public:
  const std::vector<Font>& of(Face face) {
    std::vector<Font>& found = found_[static_cast<int>(face)];
    if (found.empty()) found = find_fonts(search_, face);
    return found;
  }

 private:
  FontSearch search_;
  std::vector<Font> found_[3];
};

class Page {
 public:
  Page(cairo_t* cr, Fonts& fonts) : cr_(cr), fonts_(fonts) {}

  void operator()(const RectShape& r) {
    if (!is_near({r.box.x, r.box.y, r.box.w, r.box.h, r.stroke_width, r.radius})) return;
    const bool stroked = r.stroke.a > 0 && r.stroke_width > 0;
    if (!stroked && !r.hatch && r.box.w == r.box.h && 2 * r.radius >= r.box.w) return disc(r);
    finish();
    const double inset = stroked ? r.stroke_width / 2 : 0;  // because the stroke is inside the box
    if (r.fill.a > 0) {
      outline(r, inset);
      paint(r.fill);
      cairo_fill(cr_);
    }
    if (r.hatch && r.stroke.a > 0) hatch(r, inset);
    if (stroked) {
      outline(r, inset);
      paint(r.stroke);
      cairo_set_line_width(cr_, r.stroke_width);
      cairo_stroke(cr_);
    }
  }

  void operator()(const LineShape& l) {
    if (!is_near({l.from.x, l.from.y, l.to.x, l.to.y, l.width})) return;
    add(l.from, l.to, {l.colour, l.width, CAIRO_LINE_CAP_BUTT});
  }

  void operator()(const TriangleShape& t) {
    if (!is_near({t.a.x, t.a.y, t.b.x, t.b.y, t.c.x, t.c.y})) return;
    finish();
    paint(t.colour);
    cairo_move_to(cr_, t.a.x, t.a.y);
    cairo_line_to(cr_, t.b.x, t.b.y);
    cairo_line_to(cr_, t.c.x, t.c.y);
    cairo_close_path(cr_);
    cairo_fill(cr_);
  }

  // Draws each character in the middle of its advance(), so that a line of text has the same length in all
  // formats.
  void operator()(const TextShape& t) {
    if (!is_near({t.at.x, t.at.y, t.size}) || t.size <= 0) return;
    finish();
    const float width = text_width(t.text, t.size, t.face);
    double pen = t.at.x - (t.align == Align::left ? 0 : t.align == Align::centre ? width / 2 : width);
    paint(t.colour);
    for (std::string_view rest = t.text; !rest.empty();) {
      const char* begin = rest.data();
      const char32_t c = take_character(rest);
      const float room = advance(c, t.face) * t.size;
      if (c >= 0x20 && c != 0xfffd) character({begin, rest.data()}, t, pen, room);
      pen += room;
    }
  }

  // Draws the grid as an image with one pixel for each cell. Cairo enlarges the image without smoothing.
  void operator()(const GridShape& g) {
    if (g.columns <= 0 || g.rows <= 0 || !is_near({g.box.x, g.box.y, g.box.w, g.box.h})) return;
    if (!(g.box.w > 0 && g.box.h > 0)) return;
    finish();
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, g.columns, g.rows);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) fill(image, g);
    cairo_save(cr_);
    cairo_translate(cr_, g.box.x, g.box.y);
    cairo_scale(cr_, g.box.w / g.columns, g.box.h / g.rows);
    cairo_set_source_surface(cr_, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_paint(cr_);
    cairo_restore(cr_);
    cairo_surface_destroy(image);
  }

  // Paints the lines that were added but not painted. Must be called after the last shape.
  void finish() {
    if (!has_lines_) return;
    has_lines_ = false;
    paint(look_.colour);
    cairo_set_line_width(cr_, look_.width);
    cairo_set_line_cap(cr_, look_.ends);
    cairo_stroke(cr_);
    cairo_set_line_cap(cr_, CAIRO_LINE_CAP_BUTT);
  }

 private:
  struct LineLook {
    Colour colour;
    float width = 0;
    cairo_line_cap_t ends = CAIRO_LINE_CAP_BUTT;
    bool operator==(const LineLook&) const = default;
  };

  // Adds a line. Successive lines with the same look are painted together, because this takes fewer bytes.
  // Transparent lines are painted one by one, so that crossings of lines are darker.
  void add(Point from, Point to, const LineLook& look) {
    if (has_lines_ && !(look == look_ && look.colour.a == 255)) finish();
    look_ = look;
    has_lines_ = true;
    cairo_move_to(cr_, from.x, from.y);
    cairo_line_to(cr_, to.x, to.y);
  }

  void paint(Colour c) { cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0); }

  // Draws a disc as a line of length 0 with round ends, because this takes far fewer bytes than an outline. A
  // tree may have ten thousand discs.
  void disc(const RectShape& r) {
    if (r.fill.a == 0 || r.box.w <= 0) return;
    const Point centre{r.box.x + r.box.w / 2, r.box.y + r.box.h / 2};
    add(centre, centre, {r.fill, r.box.w, CAIRO_LINE_CAP_ROUND});
  }

  void outline(const RectShape& r, double inset) {
    const double x = r.box.x + inset, y = r.box.y + inset;
    const double w = std::max(r.box.w - 2 * inset, 0.0), h = std::max(r.box.h - 2 * inset, 0.0);
    const double radius = std::min({r.radius - inset, w / 2, h / 2});
    if (radius <= 0) return cairo_rectangle(cr_, x, y, w, h);
    constexpr double quarter = std::numbers::pi / 2;
    cairo_new_sub_path(cr_);
    cairo_arc(cr_, x + w - radius, y + radius, radius, -quarter, 0);
    cairo_arc(cr_, x + w - radius, y + h - radius, radius, 0, quarter);
    cairo_arc(cr_, x + radius, y + h - radius, radius, quarter, 2 * quarter);
    cairo_arc(cr_, x + radius, y + radius, radius, 2 * quarter, 3 * quarter);
    cairo_close_path(cr_);
  }

  // Draws the hatching lines, which rise to the right. On each line, x + y is a multiple of the period.
  void hatch(const RectShape& r, double inset) {
    cairo_save(cr_);
    outline(r, inset);
    cairo_clip(cr_);
    const double first = std::floor((r.box.x + r.box.y) / hatch_period) * hatch_period;
    const double bottom = r.box.y + r.box.h;
    for (double sum = first; sum < r.box.x + r.box.w + bottom + hatch_period; sum += hatch_period) {
      cairo_move_to(cr_, sum - r.box.y, r.box.y);
      cairo_line_to(cr_, sum - bottom, bottom);
    }
    cairo_set_line_width(cr_, hatch_width);
    cairo_set_source_rgba(cr_, r.stroke.r / 255.0, r.stroke.g / 255.0, r.stroke.b / 255.0,
                          r.stroke.a / 255.0 * hatch_opacity);
    cairo_stroke(cr_);
    cairo_restore(cr_);
  }

  void character(std::string_view utf8, const TextShape& t, double pen, float room) {
    for (const Font& font_face : fonts_.of(t.face)) {
      cairo_set_font_face(cr_, font_face.get());
      cairo_set_font_size(cr_, t.size);
      cairo_glyph_t* glyphs = nullptr;
      cairo_text_cluster_t* clusters = nullptr;
      int glyph_count = 0, cluster_count = 0;
      cairo_text_cluster_flags_t flags{};
      cairo_scaled_font_t* font = cairo_get_scaled_font(cr_);
      const bool done = cairo_scaled_font_text_to_glyphs(
                            font, 0, 0, utf8.data(), static_cast<int>(utf8.size()), &glyphs, &glyph_count,
                            &clusters, &cluster_count, &flags) == CAIRO_STATUS_SUCCESS;
      const bool known = done && glyph_count == 1 && glyphs[0].index != 0;
      if (known) {
        cairo_text_extents_t extents;
        cairo_scaled_font_glyph_extents(font, glyphs, 1, &extents);
        glyphs[0].x = pen + (room - extents.x_advance) / 2;
        glyphs[0].y = baseline(t);
        cairo_show_text_glyphs(cr_, utf8.data(), static_cast<int>(utf8.size()), glyphs, glyph_count, clusters,
                               cluster_count, flags);
      }
      cairo_glyph_free(glyphs);
      cairo_text_cluster_free(clusters);
      if (known) return;
    }
  }

  static void fill(cairo_surface_t* image, const GridShape& g) {
    const int stride = cairo_image_surface_get_stride(image);
    unsigned char* data = cairo_image_surface_get_data(image);
    for (int y = 0; y < g.rows; y++) {
      auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
      for (int x = 0; x < g.columns; x++) {
        const Colour c = g.colours[static_cast<std::size_t>(y) * g.columns + x];
        const auto part = [&](std::uint8_t v) { return static_cast<std::uint32_t>((v * c.a + 127) / 255); };
        row[x] = std::uint32_t{c.a} << 24 | part(c.r) << 16 | part(c.g) << 8 | part(c.b);
      }
    }
    cairo_surface_mark_dirty(image);
  }

  cairo_t* cr_;
  Fonts& fonts_;
  LineLook look_;  // the look of the lines that are in Cairo's current path
  bool has_lines_ = false;
};

cairo_status_t append(void* document, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(document)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct PdfDocument::Pages {
  std::string document;
  Fonts fonts;
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface{
      cairo_pdf_surface_create_for_stream(append, &document, 1, 1), cairo_surface_destroy};
};

PdfDocument::PdfDocument() : pages_(std::make_unique<Pages>()) {
  cairo_surface_t* surface = pages_->surface.get();
  // PDF 1.4 is the oldest version with transparency. For later PDF versions, cairo 1.18 compresses more than
  // other versions of cairo, so the files would depend on the version of cairo.
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                 "");  // no date, because the files of equal scenes would differ
}

PdfDocument::~PdfDocument() = default;

void PdfDocument::add_page(const Scene& scene) {
  cairo_surface_t* surface = pages_->surface.get();
  cairo_pdf_surface_set_size(surface, scene.width * points_per_dp, scene.height * points_per_dp);
  const Quiet quiet;  // hides the error messages of fontconfig if no fonts are installed
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface), cairo_destroy);
  cairo_scale(cr.get(), points_per_dp, points_per_dp);
  cairo_rectangle(cr.get(), 0, 0, scene.width, scene.height);
  cairo_clip(cr.get());
  Page page(cr.get(), pages_->fonts);
  page(RectShape{{0, 0, scene.width, scene.height}, scene.background});
  for (const Shape& shape : scene.shapes) std::visit(page, shape.what);
  page.finish();
  cairo_show_page(cr.get());
}

std::string PdfDocument::finish() {
  cairo_surface_t* surface = pages_->surface.get();
  cairo_surface_finish(surface);
  if (const cairo_status_t status = cairo_surface_status(surface); status != CAIRO_STATUS_SUCCESS)
    throw WorkError(tr("The PDF could not be drawn: {}.", cairo_status_to_string(status)));
  return std::move(pages_->document);
}

std::string pdf(const Scene& scene) {
  PdfDocument document;
  document.add_page(scene);
  return document.finish();
}

}  // namespace upsweep
