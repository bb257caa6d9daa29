#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <cstdlib>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "render/fonts.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace {

Finding examine_offscreen() {
  Finding finding{"OpenGL without a display (EGL)", false, "", ""};
  try {
    finding.detail = OffscreenContext(16, 16).renderer();
    finding.found = true;
  } catch (const std::exception& e) {
    finding.detail = e.what();
    finding.consequence = "`upsweep render` writes SVG and PDF, but no PNG.";
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
  const Fonts fonts(font_folders());
  Finding finding{"Fonts (Inter, JetBrains Mono)", fonts.notices().empty(), "both", ""};
  if (finding.found) return finding;
  finding.detail = fmt::format("{}", fmt::join(fonts.notices(), " "));
  finding.consequence =
      fonts.any() ? "Text is drawn in another font." : "Windows and PNG pictures have no text.";
  return finding;
}

}  // namespace

void DoctorCommand::run() const {
  std::vector<Finding> findings = examine_machine();
  findings.push_back(examine_display());
  findings.push_back(examine_offscreen());
  findings.push_back(examine_fonts());
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("{}  {}\n         {}\n", f.found ? "found  " : "missing", f.what, f.detail);
    if (!f.consequence.empty()) text += fmt::format("         It follows: {}\n", f.consequence);
  }
  print(text);
}

}  // namespace upsweep
