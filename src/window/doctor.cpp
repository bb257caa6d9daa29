#include "window/doctor.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/language.hpp"
#include "machine/install.hpp"
#include "render/fonts.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace {

Finding examine_offscreen() {
  Finding finding{plain(tr("OpenGL without a display (EGL)")), false, {}, {}};
  try {
    finding.detail = plain(OffscreenContext(16, 16).renderer());
    finding.found = true;
  } catch (const std::exception& e) {
    finding.detail = message_of(e);
    finding.consequence =
        plain(tr("`upsweep render` writes SVG and PDF, but no PNG. scan_opengl_hybrid cannot run."));
    finding.command = install_command(Installable::opengl, system_at("/"));
  }
  return finding;
}

Finding examine_display() {
  Finding finding{plain(tr("Display with OpenGL 3.3")), false, {}, {}};
  glfwSetErrorCallback(nullptr);
  GLFWwindow* window = nullptr;
  if (glfwInit()) {
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    window = glfwCreateWindow(64, 64, "", nullptr, nullptr);
  }
  const char* complaint = nullptr;
  glfwGetError(&complaint);
  if (window) {
    finding.found = true;
    finding.detail = plain(tr("GLFW {}", glfwGetVersionString()));
    glfwDestroyWindow(window);
  } else {
    finding.detail = plain(complaint ? complaint : tr("none"));
    finding.consequence = plain(tr("The window cannot be opened; every other command works."));
  }
  glfwTerminate();
  return finding;
}

Finding examine_fonts() {
  const Fonts fonts;
  Finding finding{plain(tr("Fonts (Inter, JetBrains Mono)")), fonts.notices().empty(), plain(tr("both")), {}};
  if (finding.found) return finding;
  finding.detail = plain(fmt::format("{}", fmt::join(fonts.notices(), " ")));
  finding.consequence = plain(fonts.any() ? tr("Text is drawn in another font.")
                                          : tr("The window and PNG pictures show no text."));
  finding.command = install_command(Installable::fonts, system_at("/"));
  return finding;
}

}  // namespace

std::vector<Finding> examine_drawing() { return {examine_display(), examine_offscreen(), examine_fonts()}; }

}  // namespace upsweep
