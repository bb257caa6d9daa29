// Makes textures that hold one number in each texel, row by row, and draws into such textures. An OpenGL
// context must be current.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gl/program.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// The form of all textures of a run: n texels in rows of 2^width_log.
struct TextureForm {
  int width_log = 0;
  int width() const { return 1 << width_log; }
  int rows(std::int64_t n) const { return static_cast<int>((n + width() - 1) >> width_log); }
};
// Returns the form for textures of up to n texels. Throws RequestError if OpenGL has no texture that is large
// enough.
TextureForm form_for(std::int64_t n);

// A texture of numbers of one type (int32, uint32 or float32), or of events of four words.
class Texture {
 public:
  enum class Texel { int32, uint32, float32, event };
  // Makes a texture with this many rows. Throws WorkError if there is not enough memory.
  Texture(Texel texel, const TextureForm& form, int rows);
  ~Texture();
  Texture(Texture&& other) noexcept;
  Texture& operator=(Texture&&) = delete;

  unsigned id() const { return id_; }
  // Fills all texels with the bytes 0xA5, which also fill uninitialised memory on the emulator.
  void fill() const;
  // write() replaces `count` texels, beginning with the first texel of a row. read() returns the first
  // `count` texels.
  void write(const void* from, int row, std::int64_t count) const;
  void read(void* to, std::int64_t count) const;
  // Makes the texture the target of the next drawing.
  void draw_into() const;

 private:
  Texel texel_;
  TextureForm form_;
  int rows_ = 0;
  unsigned id_ = 0, framebuffer_ = 0;
};

// Returns the kind of texel that holds numbers of this type. The type must be int32, uint32 or float32.
Texture::Texel texel_of(Scalar type);

// bind_for_reading() makes a texture readable in the next drawing. For unit 0, the texture has the name
// texture_0 in shaders/pass.frag, and so on up to unit 3.
inline constexpr int most_textures = 4;  // shaders/pass.frag declares this number of textures
void bind_for_reading(const Texture& texture, int unit);

// Draws the texels [0, count) of the current target, in rows of the form. Requires that draw_state() was
// called in this context.
void draw_texels(const TextureForm& form, std::int64_t count);
void draw_state();

// A framebuffer for a part of a recorded pass, with one target for numbers and one target for each event.
class EventTargets {
 public:
  EventTargets(Texture::Texel texel, const TextureForm& form, int rows);
  ~EventTargets();
  EventTargets(const EventTargets&) = delete;
  EventTargets& operator=(const EventTargets&) = delete;

  int rows() const { return rows_; }
  void draw_into() const;
  // Copies the first `count` numbers to the texture `to`, beginning at its row `first_row`.
  void copy_numbers(const Texture& to, int first_row, std::int64_t count) const;
  // Reads event k of the first `rows` rows. Requires that `to` has space for all texels of these rows.
  void read_events(int k, int rows, void* to) const;

 private:
  TextureForm form_;
  int rows_ = 0;
  std::vector<Texture> targets_;
  unsigned framebuffer_ = 0;
};

}  // namespace upsweep
