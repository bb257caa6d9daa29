// Exports scenes as SVG (in which text stays text), and as PDF (with Cairo).
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "scene/scene.hpp"

namespace upsweep {

// Returns the scene as an SVG document. Equal scenes produce equal bytes on every machine. All ids in
// the document begin with `prefix`, so that one HTML document can contain several pictures.
std::string svg(const Scene& scene, std::string_view prefix = {});

// Returns a text that is escaped for XML and HTML. Leaves out characters that XML does not allow. Replaces
// bytes that are not UTF-8 by U+FFFD.
std::string escaped_for_xml(std::string_view text);

// A PDF document. Each page contains one scene. 1 dp becomes 0.75 pt.
class PdfDocument {
 public:
  PdfDocument();
  ~PdfDocument();
  void add_page(const Scene& scene);
  // Returns the bytes of the whole document. Must be called once, after the last page. Throws WorkError if
  // the document could not be drawn.
  std::string finish();

 private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
};

// Returns the scene as a PDF document of one page.
std::string pdf(const Scene& scene);

}  // namespace upsweep
