#include "window/doctor.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machine/install.hpp"
#include "render/fonts.hpp"
#include "render/render.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

Finding examine_offscreen() {
  Finding finding{"OpenGL without a display (EGL)", false, "", ""};
  try {
    finding.detail = OffscreenContext(16, 16).renderer();
    finding.found = true;
  } catch (const std::exception& e) {
    finding.detail = in_words(e);
    finding.consequence = "`upsweep render` writes SVG and PDF, but no PNG.";
    finding.command = install_command(Installable::opengl, system_at("/"));
  }
  return finding;
}

Finding examine_display() {
  Finding finding{"Display with OpenGL 3.3", false, "", ""};
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
    finding.detail = fmt::format("GLFW {}", glfwGetVersionString());
    glfwDestroyWindow(window);
  } else {
    finding.detail = complaint ? complaint : "none";
    finding.consequence = "The window cannot be opened; every other command works.";
  }
  glfwTerminate();
  return finding;
}

Finding examine_fonts() {
  const Fonts fonts;
  Finding finding{"Fonts (Inter, JetBrains Mono)", fonts.notices().empty(), "both", ""};
  if (finding.found) return finding;
  finding.detail = fmt::format("{}", fmt::join(fonts.notices(), " "));
  finding.consequence =
      fonts.any() ? "Text is drawn in another font." : "Windows and PNG pictures have no text.";
  finding.command = install_command(Installable::fonts, system_at("/"));
  return finding;
}

}  // namespace

std::vector<Finding> examine_drawing() { return {examine_display(), examine_offscreen(), examine_fonts()}; }

}  // namespace upsweep
