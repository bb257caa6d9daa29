#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gl/program.hpp"
#include "render/difference.hpp"
#include "render/painter.hpp"
#include "render/render.hpp"

namespace upsweep {
namespace {

constexpr GLint atlas_unit = 0, cells_unit = 1;
constexpr int cells_width = 4096;  // texels; shaders/grid.frag has the same number

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
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // the shaders multiply colours by their alpha
}

// A scene that was converted into batches.
struct Layer {
  PixelBox box;
  Point origin;  // in pixels
  float scale = 1;
  std::vector<Batches::Batch> batches;
  std::vector<Colour> cells;
  TileHashes tiles;
  std::uint64_t number = 0;  // the caller's number of the scene, see Renderer::draw()
};
using Layers = std::vector<std::shared_ptr<const Layer>>;

bool is_opaque(Brush brush, std::span<const Instance> instances) {
  return brush == Brush::box &&
         std::all_of(instances.begin(), instances.end(), [](const Instance& i) { return i.fill.a == 255; });
}

bool touches(const Extent& e, const PixelBox& box) {
  return e.left < static_cast<float>(box.right) && e.right > static_cast<float>(box.left) &&
         e.top < static_cast<float>(box.bottom) && e.bottom > static_cast<float>(box.top);
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

  // The picture that the renderer keeps between frames, and the layers (scenes) that the picture shows.
  struct Picture {
    GLuint framebuffer = 0, texture = 0;
    int width = 0, height = 0;
    Colour ground;
    // The result of the atlas's times_forgotten() when the picture was painted. If times_forgotten() returns
    // another number now, glyphs may have moved in the atlas.
    int times_forgotten = 0;
    Layers layers;
  } picture;
  bool is_keeping = false;
  Colour ground;
  Layers kept;  // the layers of the scenes that were drawn since begin_kept()

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
    glDeleteFramebuffers(1, &picture.framebuffer);
    glDeleteTextures(1, &picture.texture);
  }

  void upload_cells(std::vector<Colour> cells) const {
    const int rows = static_cast<int>((cells.size() + cells_width - 1) / cells_width);
    cells.resize(static_cast<std::size_t>(cells_width) * rows);
    glBindTexture(GL_TEXTURE_2D, cells_texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, cells_width, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, cells.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  }

  // Some instances of one batch: those that touch a box of the picture.
  struct Draw {
    Brush brush;
    std::size_t first, count;  // in `instances`
  };

  // Adds the instances of a layer that touch `box` to `instances`. Returns a Draw for each batch with such
  // instances, in the order of the batches.
  std::vector<Draw> draws_in(const PixelBox& box, const Layer& layer) {
    std::vector<Draw> draws;
    for (const Batches::Batch& batch : layer.batches) {
      const std::size_t first = instances.size();
      for (const Instance& in : batch.instances)
        if (touches(extent_of(batch.brush, in), box)) instances.push_back(in);
      if (instances.size() > first) draws.push_back({batch.brush, first, instances.size() - first});
    }
    return draws;
  }

  void upload_instances() const {
    glBindVertexArray(vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
                 instances.data(), GL_STREAM_DRAW);
    for (GLuint attribute = 0; attribute < 4; attribute++) {
      glEnableVertexAttribArray(attribute);
      glVertexAttribDivisor(attribute, 1);
    }
  }

  // OpenGL counts rows from the bottom, so this function converts the y of the box.
  void clip_to(const PixelBox& box) const {
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.left, height - box.bottom, std::max(box.right - box.left, 0),
              std::max(box.bottom - box.top, 0));
  }

  void clear(const PixelBox& box, Colour colour) const {
    const auto part = [](std::uint8_t c) { return static_cast<float>(c) / 255; };
    clip_to(box);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClearColor(part(colour.r), part(colour.g), part(colour.b), part(colour.a));
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }

  // Converts a scene into a layer. `origin` is in pixels.
  Layer layer_of(const Scene& scene, Point origin, float scale) {
    if (!is_keeping) atlas.make_room();
    cells.clear();
    batches.clear(width, height);
    InstancePainter paint(batches, atlas, cells, origin, scale);
    if (scene.background.a > 0) paint(RectShape{{0, 0, scene.width, scene.height}, scene.background});
    for (const Shape& shape : scene.shapes) std::visit(paint, shape.what);
    // The layer's box is the scene's box, because the scene is clipped to this box.
    Layer layer{{static_cast<int>(std::round(origin.x)), static_cast<int>(std::round(origin.y)),
                 static_cast<int>(std::round(origin.x + scene.width * scale)),
                 static_cast<int>(std::round(origin.y + scene.height * scale))},
                origin,
                scale,
                {},
                cells,
                {},
                0};
    for (int i = 0; i < batches.count(); i++) layer.batches.push_back(batches[i]);
    if (is_keeping) layer.tiles = TileHashes(layer.box, layer.batches, layer.cells);
    return layer;
  }

  // Returns the layer with this number, origin and scale if the kept picture shows this layer. Otherwise,
  // returns null.
  std::shared_ptr<const Layer> shown(std::uint64_t number, Point origin, float scale) const {
    const bool is_shown = number != 0 && picture.width == width && picture.height == height &&
                          picture.times_forgotten == atlas.times_forgotten();
    for (const auto& layer : picture.layers)
      if (is_shown && layer->number == number && layer->origin == origin && layer->scale == scale)
        return layer;
    return nullptr;
  }

  // Paints the parts of a layer that are inside `boxes`.
  void paint(const Layer& layer, std::span<const PixelBox> boxes) {
    instances.clear();
    std::vector<std::pair<PixelBox, std::vector<Draw>>> parts;
    for (const PixelBox& box : boxes) {
      const PixelBox within = common(layer.box, box);
      if (within.is_empty()) continue;
      if (auto draws = draws_in(within, layer); !draws.empty()) parts.emplace_back(within, std::move(draws));
    }
    if (parts.empty()) return;
    glViewport(0, 0, width, height);
    set_up_blending();
    glActiveTexture(GL_TEXTURE0 + cells_unit);
    glBindSampler(cells_unit, 0);
    if (!layer.cells.empty()) upload_cells(layer.cells);
    glActiveTexture(GL_TEXTURE0 + atlas_unit);
    glBindSampler(atlas_unit, 0);
    atlas.bind();
    upload_instances();
    for (int i = 0; i < brushes; i++) {
      programs[i].use();
      programs[i].set("viewport", static_cast<float>(width), static_cast<float>(height));
      programs[i].set("origin", layer.origin.x, layer.origin.y);
      programs[i].set("hatch", hatch_period * layer.scale, hatch_width * layer.scale / 2, hatch_opacity);
    }
    for (const auto& [within, draws] : parts) {
      clip_to(within);
      for (const Draw& d : draws) draw(d);
    }
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
  }

  // Returns boxes that cover all differences between the scenes of this frame and the kept picture.
  std::vector<PixelBox> changes() const {
    const PixelBox whole{0, 0, width, height};
    if (picture.width != width || picture.height != height || !(picture.ground == ground) ||
        picture.times_forgotten != atlas.times_forgotten())
      return {whole};
    TileSet tiles(width, height);
    for (std::size_t i = 0; i < std::max(kept.size(), picture.layers.size()); ++i) {
      const Layer* now = i < kept.size() ? kept[i].get() : nullptr;
      const Layer* before = i < picture.layers.size() ? picture.layers[i].get() : nullptr;
      if (now == before) continue;
      if (now && before && now->box == before->box && now->origin == before->origin &&
          now->scale == before->scale) {
        now->tiles.add_difference(before->tiles, tiles);
        continue;
      }
      for (const Layer* layer : {now, before})
        if (layer) tiles.add(layer->box);
    }
    return tiles.boxes();
  }

  void paint_picture() {
    const std::vector<PixelBox> boxes = changes();
    if (picture.framebuffer == 0) {
      glGenFramebuffers(1, &picture.framebuffer);
      glGenTextures(1, &picture.texture);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, picture.framebuffer);
    if (picture.width != width || picture.height != height) {
      glActiveTexture(GL_TEXTURE0 + cells_unit);
      glBindTexture(GL_TEXTURE_2D, picture.texture);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture.texture, 0);
      glBindTexture(GL_TEXTURE_2D, cells_texture);
    }
    for (const PixelBox& box : boxes) clear(box, ground);
    for (const auto& layer : kept) paint(*layer, boxes);
    picture.width = width;
    picture.height = height;
    picture.ground = ground;
    picture.times_forgotten = atlas.times_forgotten();
    std::swap(picture.layers, kept);
  }

  void draw(const Draw& d) const {
    const auto at = [&](std::size_t member) { return offset(d.first * sizeof(Instance) + member); };
    constexpr GLsizei stride = sizeof(Instance);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, a)));
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, at(offsetof(Instance, b)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(Instance, fill)));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at(offsetof(Instance, stroke)));
    programs[static_cast<int>(d.brush)].use();
    // Software drivers are faster without blending.
    (is_opaque(d.brush, std::span(instances).subspan(d.first, d.count)) ? glDisable : glEnable)(GL_BLEND);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(d.count));
  }
};

Renderer::Renderer() : Renderer(std::vector<std::string>{}) {}
Renderer::Renderer(const std::vector<std::string>& folders) : state_(std::make_unique<State>(folders)) {}
Renderer::~Renderer() = default;

const std::vector<std::string>& Renderer::notices() const { return state_->atlas.fonts().notices(); }

void Renderer::begin(int pixel_width, int pixel_height, Colour clear) {
  State& s = *state_;
  s.width = pixel_width;
  s.height = pixel_height;
  s.is_keeping = false;
  s.clear({0, 0, pixel_width, pixel_height}, clear);
}

void Renderer::begin_kept(int pixel_width, int pixel_height, Colour clear) {
  State& s = *state_;
  s.width = pixel_width;
  s.height = pixel_height;
  s.is_keeping = true;
  s.ground = clear;
  s.kept.clear();
  s.atlas.make_room();
}

void Renderer::draw(const Scene& scene, float x, float y, float scale, std::uint64_t number) {
  State& s = *state_;
  const Point origin{x * scale, y * scale};
  if (s.is_keeping)
    if (auto layer = s.shown(number, origin, scale)) return s.kept.push_back(std::move(layer));
  Layer layer = s.layer_of(scene, origin, scale);
  layer.number = number;
  if (s.is_keeping) s.kept.push_back(std::make_shared<const Layer>(std::move(layer)));
  else s.paint(layer, {&layer.box, 1});
}

void Renderer::show() {
  State& s = *state_;
  s.is_keeping = false;
  GLint shown = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &shown);
  s.paint_picture();
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s.picture.framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(shown));
  glBlitFramebuffer(0, 0, s.width, s.height, 0, 0, s.width, s.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(shown));
}

}  // namespace upsweep
