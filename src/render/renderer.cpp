#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/painter.hpp"
#include "render/program.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace {

constexpr GLint atlas_unit = 0, cells_unit = 1;
constexpr int cells_width = 4096;  // texels, as shaders/grid.frag has it

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void set_up_blending() {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glDisable(GL_PRIMITIVE_RESTART);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // colours come premultiplied
}

}  // namespace

struct Renderer::State {
  GlyphAtlas atlas;
  Batches batches;
  std::vector<ShaderProgram> programs;
  std::vector<Colour> cells;
  std::vector<Instance> instances;
  GLuint vertex_array = 0, buffer = 0, cells_texture = 0;
  int width = 0, height = 0;

  explicit State(const std::vector<std::string>& font_folders) : atlas(font_folders) {
    programs.reserve(brushes);
    for (const char* name : brush_names) {
      programs.emplace_back(name);
      programs.back().use();
      programs.back().set("atlas", atlas_unit);
      programs.back().set("cells", cells_unit);
    }
    glGenVertexArrays(1, &vertex_array);
    glGenBuffers(1, &buffer);
    glGenTextures(1, &cells_texture);
  }
  ~State() {
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &cells_texture);
  }

  void upload_cells() {
    const int rows = static_cast<int>((cells.size() + cells_width - 1) / cells_width);
    cells.resize(static_cast<std::size_t>(cells_width) * rows);
    glBindTexture(GL_TEXTURE_2D, cells_texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, cells_width, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, cells.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }

  void upload_instances() {
    instances.clear();
    for (int i = 0; i < batches.count(); i++)
      instances.insert(instances.end(), batches[i].instances.begin(), batches[i].instances.end());
    glBindVertexArray(vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
                 instances.data(), GL_STREAM_DRAW);
    for (GLuint attribute = 0; attribute < 4; attribute++) {
      glEnableVertexAttribArray(attribute);
      glVertexAttribDivisor(attribute, 1);
    }
  }

  void draw_batch(const Batches::Batch& batch, std::size_t first) const {
    const auto at = [&](std::size_t member) { return offset(first * sizeof(Instance) + member); };
    constexpr GLsizei stride = sizeof(Instance);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, a)));
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, b)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(Instance, fill)));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(Instance, stroke)));
    programs[static_cast<int>(batch.brush)].use();
    const bool opaque =
        batch.brush == Brush::box && std::all_of(batch.instances.begin(), batch.instances.end(),
                                                 [](const Instance& i) { return i.fill.a == 255; });
    (opaque ? glDisable : glEnable)(GL_BLEND);  // large grounds cost a software driver half without
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.instances.size()));
  }
};

Renderer::Renderer() : Renderer(font_folders()) {}
Renderer::Renderer(const std::vector<std::string>& folders) : state_(std::make_unique<State>(folders)) {}
Renderer::~Renderer() = default;

const std::vector<std::string>& Renderer::notices() const { return state_->atlas.fonts().notices(); }

void Renderer::begin(int pixel_width, int pixel_height, Colour clear) {
  state_->width = pixel_width;
  state_->height = pixel_height;
  const auto part = [&](std::uint8_t c) { return static_cast<float>(c) / 255; };
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClearColor(part(clear.r), part(clear.g), part(clear.b), part(clear.a));
  glClear(GL_COLOR_BUFFER_BIT);
}

void Renderer::draw(const Scene& scene, float x, float y, float scale) {
  State& s = *state_;
  const Point origin{x * scale, y * scale};
  s.atlas.make_room();
  s.cells.clear();
  s.batches.clear(s.width, s.height);
  InstancePainter paint(s.batches, s.atlas, s.cells, origin, scale);
  if (scene.background.a > 0) paint(RectShape{{0, 0, scene.width, scene.height}, scene.background});
  for (const Shape& shape : scene.shapes) std::visit(paint, shape.what);
  if (s.batches.count() == 0) return;

  // OpenGL counts rows from the bottom; what the scene ends within is part of it.
  const int left = static_cast<int>(std::round(origin.x)), top = static_cast<int>(std::round(origin.y));
  const int right = static_cast<int>(std::round(origin.x + scene.width * scale));
  const int bottom = static_cast<int>(std::round(origin.y + scene.height * scale));
  glViewport(0, 0, s.width, s.height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, s.height - bottom, std::max(right - left, 0), std::max(bottom - top, 0));
  set_up_blending();

  glActiveTexture(GL_TEXTURE0 + cells_unit);
  glBindSampler(cells_unit, 0);
  if (!s.cells.empty()) s.upload_cells();
  glActiveTexture(GL_TEXTURE0 + atlas_unit);
  glBindSampler(atlas_unit, 0);
  s.atlas.bind();
  s.upload_instances();
  for (int i = 0; i < brushes; i++) {
    s.programs[i].use();
    s.programs[i].set("viewport", static_cast<float>(s.width), static_cast<float>(s.height));
    s.programs[i].set("origin", origin.x, origin.y);
    s.programs[i].set("hatch", hatch_period * scale, hatch_width * scale / 2, hatch_opacity);
  }
  std::size_t first = 0;
  for (int i = 0; i < s.batches.count(); first += s.batches[i].instances.size(), i++)
    s.draw_batch(s.batches[i], first);
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace upsweep
