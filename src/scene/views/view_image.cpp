// The view "Image" shows a picture, the summed-area table of the picture, and a picture that is computed from
// sums of boxes. The view derives the sum of the box under the mouse from four cells of the table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/language.hpp"
#include "scene/views/image_grids.hpp"
#include "scene/views/image_layout.hpp"
#include "scene/views/image_look.hpp"
#include "scene/views/image_marks.hpp"
#include "scene/views/image_mouse.hpp"
#include "scene/views/image_sums.hpp"
#include "scene/wrap.hpp"
#include "trace/value.hpp"

namespace upsweep {

extern const View image_view;

namespace {

constexpr float tint = 0.3f;  // the opacity of colours on pixels whose sum is subtracted

class ImagePicture {
 public:
  explicit ImagePicture(const ViewInput& in)
      : p_(in),
        in_(in),
        r_(in.recording),
        table_(in.recording.table()),
        shape_(table_.shape()),
        look_(in.cursor.image),
        part_(visible_part(look_, shape_)),
        box_(chosen_box(table_, look_, in.cursor.hover)),
        marks_(p_, part_, box_),
        is_done_(in.cursor.step + 1 >= static_cast<int>(r_.trace.steps.size()) && !r_.trace.stopped) {}

  ViewPicture draw() && {
    const int pixels = static_cast<int>(shape_.pixels());
    p_.title(tr("four cells of the table give the sum of any box · {} × {}, {}", shape_.columns, shape_.rows,
                shape_.channels == 3 ? tr("red, green and blue") : tr("grey")),
             readout());
    if (pixels == 0) return std::move(p_).picture();
    if (!lay_out()) {
      p_.sentence(tr("There is no room for the pictures: enlarge this view."));
      return std::move(p_).picture();
    }
    source_picture();
    table_picture();
    if (at_.count > 2) result_picture();
    const BoxSums sums(table_, box_);
    if (at_.text == ImageText::line) sums.draw_line(p_, at_.sums, at_.scale);
    else if (at_.sums.h > 0)
      sums.draw_column(p_, at_.sums, at_.scale, is_done_, at_.text == ImageText::narrow_column);
    if (at_.controls.h > 0) controls();
    return std::move(p_).picture();
  }

 private:
  std::string readout() const {
    const auto* pixel = as<PixelId>(in_.cursor.hover);
    if (!pixel || !is_pixel_of(*pixel, shape_)) return {};
    return tr("row {}, column {}", pixel->row, pixel->column);
  }

  // Chooses the places of the pictures and of the texts. Returns false if there is no room for pictures.
  bool lay_out() {
    const float aspect =
        std::clamp(static_cast<float>(shape_.columns) / static_cast<float>(shape_.rows), 1 / 3.0f, 3.0f);
    at_ = image_layout({p_.margin, p_.top, p_.width - 2 * p_.margin, p_.height - p_.top - 10}, aspect,
                       BoxSums::size(table_));
    for (const Box& texts : {at_.sums, at_.controls})
      if (texts.h > 0) p_.scene.keep_clear.push_back(texts);
    return at_.count > 0;
  }

  // --- the pictures

  // Writes the name of a picture. Beside the name, writes the first text of `texts` that fits.
  void caption(int slot, const std::string& name, std::initializer_list<std::string> texts) {
    const Box& at = at_.pictures[slot];
    const float y = p_.top + 7, w = text_width(name, 13, Face::bold);
    p_.text({at.x, y}, cut(name, 13, Face::bold, at_.slot), p_.theme.text, 13, Face::bold);
    for (const std::string& text : texts)
      if (text_width(text, 12, Face::regular) <= at_.slot - w - 12)
        return p_.text({at.x + w + 12, y}, text, p_.theme.faint_text, 12);
  }

  static Shades table_shades() { return {{0, 0, 0}, dark_theme().now}; }

  void add(GridShape grid) { p_.scene.shapes.push_back({std::move(grid), {}}); }
  void pixel_target(const Box& box) {
    p_.target(box, PixelId{part_.row, part_.column, part_.rows, part_.columns});
  }

  void source_picture() {
    const Box& box = at_.pictures[0];
    const Theme& t = p_.theme;
    const std::string size = fmt::format("{} × {}", box_.columns(), box_.rows());
    caption(0, tr("Picture"), {tr("a box of ") + size, size});
    add(picture_grid(box, table_.picture(), part_));
    const bool written = has_numbers(box, false);
    marks_.draw_areas(box, tint, !written);
    if (written) numbers(box, table_.picture(), {}, r_.trace.input, false);
    marks_.frame(box, box_, 0, t.now, 2);
    if (!written) marks_.draw_corners(box, true);
    if (!written) marks_.name_areas(box);
    p_.scene.keep_clear.push_back(marks_.extent(box));
    pixel_target(box);
  }

  void table_picture() {
    const Box& box = at_.pictures[1];
    if (!is_done_) return progress_picture(box);
    caption(1, tr("Table"),
            {tr("each cell: the sum from the top left corner to its pixel"),
             tr("sums from the top left corner"), tr("of sums")});
    add(picture_grid(box, table_.table(), part_, table_shades()));
    // True if the cells show numbers. In this case, numbers() also draws the letters of the corners.
    const bool written = has_numbers(box, true);
    if (written) numbers(box, table_.table(), table_shades(), r_.trace.output, true);
    marks_.frame(box, box_, 0, dark_theme().now, 1);
    if (!written) marks_.draw_corners(box, true);
    p_.scene.keep_clear.push_back(marks_.extent(box));
    pixel_target(box);
  }

  // Draws the numbers that the launches have written so far.
  void progress_picture(const Box& room) {
    const Progress now = progress_at(r_, in_.cursor.step);
    if (now.buffer < 0) {
      caption(1, tr("Table"), {tr("nothing is written yet"), tr("not written yet"), tr("empty")});
      p_.rect(room, {.fill = p_.theme.cell, .stroke = p_.theme.cell_stroke, .width = 1});
      return marks_.draw_corners(room, false);
    }
    const Grid& grid = r_.trace.grids[static_cast<std::size_t>(now.grid)];
    const float aspect =
        std::clamp(static_cast<float>(now.columns) / static_cast<float>(now.rows), 0.25f, 4.0f);
    const float h = std::min(room.h, at_.slot / aspect);
    const Box box{room.x, room.y, std::round(h * aspect), std::round(h)};
    const std::string& name = r_.trace.buffers[static_cast<std::size_t>(now.buffer)].name;
    const std::string wrote = tr("{} wrote {}", grid.kernel, name);
    caption(1, tr("So far"),
            {wrote + (now.is_partial ? tr("; some blocks are not recorded") : ""), wrote, name});
    add(progress_grid(box, r_, now, in_.cursor.step, table_shades(), p_.theme.cell));
    p_.rect(box, {.stroke = p_.theme.cell_stroke, .width = 1});
    const bool alike = now.rows == shape_.rows && now.columns == shape_.columns;
    if (alike && part_.columns == shape_.columns) marks_.draw_corners(box, false);
  }

  // --- numbers in the cells

  bool has_numbers(const Box& box, bool lettered) const {
    const float w = box.w / static_cast<float>(part_.columns), h = box.h / static_cast<float>(part_.rows);
    return w >= (lettered ? 18.0f : 14.0f) * (shape_.channels > 1 ? 2 : 1) &&
           h >= 12 * static_cast<float>(shape_.channels);
  }

  // Writes the numbers into the cells. If `lettered` is true, the box's four corner cells have frames and
  // letters.
  void numbers(const Box& box, const Picture& picture, const Shades& shades, const std::vector<Value>& values,
               bool lettered) {
    const Theme& t = p_.theme;
    const std::vector<BoxMarks::Area> taken = marks_.areas();
    for (int row = part_.row; row < part_.row + part_.rows; ++row)
      for (int column = part_.column; column < part_.column + part_.columns; ++column) {
        const Box cell = marks_.place_of(box, {row, column, row, column});
        const char letter = lettered ? corner_letter(box_, row, column) : ' ';
        Colour ground = pixel_colour(picture, row, column, shades);
        for (const BoxMarks::Area& area : taken)
          if (!lettered && area.has(row, column)) ground = mix(ground, corner_colour(area.letter, t), tint);
        if (letter != ' ')
          p_.rect({cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2},
                  {.fill = corner_colour(letter, t), .radius = 2});
        const float h = cell.h / static_cast<float>(shape_.channels);
        for (int k = 0; k < shape_.channels; ++k)
          number({cell.x, cell.y + h * static_cast<float>(k), cell.w, h}, k == 0 ? letter : ' ',
                 short_text(values[shape_.at(row, column, k)], r_.trace.settings, 7),
                 letter != ' ' ? t.on_now : ink_on(ground));
      }
  }
  // Writes a number into the box `room`, with a letter before or above the number. If the box is too small,
  // writes only the letter. The formulas beside the pictures show the number for each letter.
  void number(const Box& room, char letter, const std::string& text, Colour ink) {
    const float size = std::clamp(std::min(room.h * 0.6f, room.w * 0.4f), 9.0f, 15.0f),
                smaller = std::max(9.0f, 0.75f * size);
    const Point middle{room.x + room.w / 2, room.y + room.h / 2};
    const auto write = [&](const std::string& shown, Point at, Face face) {
      const float used = text_width(shown, size, face) <= room.w - 3 ? size : smaller;
      if (text_width(shown, used, face) <= room.w - 2) p_.text(at, shown, ink, used, face, Align::centre);
    };
    const std::string named = fmt::format("{} {}", letter, text), alone(1, letter);
    if (letter == ' ') return write(text, middle, Face::mono);
    if (text_width(named, smaller, Face::mono) <= room.w - 3) return write(named, middle, Face::mono);
    if (room.h < 2.6f * smaller) return write(alone, middle, Face::bold);
    write(alone, {middle.x, middle.y - 0.65f * smaller}, Face::bold);
    write(text, {middle.x, middle.y + 0.65f * smaller}, Face::mono);
  }

  // --- the picture that is made from boxes

  // Returns true if the lens shows the built-in scene instead of the run's picture.
  bool shows_other_scene() const {
    return look_.made == Made::depth_of_field && !shows_depths(table_, look_);
  }

  void result_picture() {
    const Box& room = at_.pictures[2];
    tabs();
    made_picture_in(room);
    if (is_done_ && !shows_other_scene()) return;
    const std::string words = shows_other_scene() ? tr("built-in scene") : tr("from the finished table");
    const float w = text_width(words, 11, Face::bold) + 10;
    if (w + 8 > room.w) return;
    p_.rect({room.x + 4, room.y + 4, w, 18}, {.fill = faded(p_.theme.background, 0.85f), .radius = 4});
    p_.text({room.x + 9, room.y + 13}, words, p_.theme.text, 11, Face::bold);
  }

  void made_picture_in(const Box& room) {
    if (look_.made == Made::box_means) return means_picture(room);
    const bool is_given = look_.made == Made::depth_of_field && in_.lens_frame;
    const Picture own = is_given ? Picture{} : made_picture(table_, look_);
    const Picture& made = is_given ? in_.lens_frame->picture : own;
    if (made.rows == 0) return;
    if (shows_other_scene()) {
      const float aspect = static_cast<float>(made.columns) / static_cast<float>(made.rows);
      const float h = std::min(room.h, at_.slot / aspect);
      return add(picture_grid({room.x, room.y, std::round(h * aspect), std::round(h)}, made,
                              {0, 0, made.rows, made.columns}));
    }
    Shades shades;
    if (look_.made == Made::errors) shades = {p_.theme.cell, p_.theme.conflict};
    add(picture_grid(room, made, part_, shades));
    if (look_.made == Made::errors) p_.rect(room, {.stroke = p_.theme.cell_stroke, .width = 1});
    if (shows_depths(table_, look_)) mark_pixel(room);
    pixel_target(room);
  }

  // Draws the means of boxes. Computes only the visible pixels, so that the time does not depend on the
  // picture's size.
  void means_picture(const Box& room) {
    const int reach = box_width(look_, shape_) / 2;
    add(grid_of(room, part_, [&](int row, int column) -> Colour {
      const AreaBox box = box_around(row, column, reach, shape_.rows, shape_.columns);
      const std::uint8_t first = table_.mean(box, 0);
      if (shape_.channels < 3) return {first, first, first};
      return {first, table_.mean(box, 1), table_.mean(box, 2)};
    }));
    mark_pixel(room);
    pixel_target(room);
  }

  // Marks the pixel that is computed from the box.
  void mark_pixel(const Box& room) {
    const PixelId middle = chosen_pixel(look_, shape_, in_.cursor.hover);
    const Box pixel = marks_.place_of(room, {middle.row, middle.column, middle.row, middle.column});
    marks_.frame(room, {middle.row, middle.column, middle.row, middle.column}, 2, p_.theme.now, 2);
    p_.scene.keep_clear.push_back({pixel.x - 4, pixel.y - 4, pixel.w + 8, pixel.h + 8});
  }

  // Draws the names of the pictures that can be computed. A click on a name shows the picture.
  void tabs() {
    const char* const names[][3] = {{tr("Box filter"), tr("Depth of field"), tr("Error")},
                                    {tr("Box"), tr("Focus"), tr("Error")}};
    const auto width_of = [](const auto& all) {
      float w = 0;
      for (const char* name : all) w += text_width(name, 13, Face::bold) + 16;
      return w - 16;
    };
    const auto& all = names[width_of(names[0]) <= at_.slot ? 0 : 1];
    const float shrink = std::min(1.0f, at_.slot / width_of(all)), size = 13 * shrink;
    float x = at_.pictures[2].x;
    const float y = p_.top + 7;
    for (int k = 0; k < 3; ++k) {
      const OwnId id{image_name, k};
      const bool chosen = static_cast<int>(look_.made) == k, pointed = in_.cursor.hover == Id(id);
      // Uses the width of the bold name, so that no name moves after a click.
      const float w = text_width(all[k], size, Face::bold);
      p_.text({x, y}, all[k],
              chosen    ? p_.theme.text
              : pointed ? p_.theme.now
                        : p_.theme.faint_text,
              size, chosen ? Face::bold : Face::regular);
      p_.target({x - 6, y - 10, w + 12, 20}, id);
      x += w + 16 * shrink;
    }
  }

  // --- the slider, and sentences about the picture

  void controls() {
    const Box& room = at_.controls;
    float y = room.y + 7 * at_.scale;
    if (look_.made == Made::errors)
      p_.text({room.x, y}, tr("Error against float64"), p_.theme.text, 13 * at_.scale, Face::bold);
    else if (look_.made == Made::depth_of_field)
      draw_slider(p_, room, at_.scale, tr("Focus"), tr("depth {:.1f}", look_.focus),
                  {image_name, static_cast<int>(ImageSlider::focus), focus_place(look_)}, in_.cursor.hover);
    else
      draw_slider(p_, room, at_.scale, tr("Box width"), tr("{} px", box_width(look_, shape_)),
                  {image_name, static_cast<int>(ImageSlider::box_width), box_place(look_, shape_)},
                  in_.cursor.hover);
    y += (look_.made == Made::errors ? 20 : 40) * at_.scale;
    const float size = 12 * at_.scale;
    const float pitch = 17 * at_.scale;
    for (const std::string& sentence : result_sentences(table_, look_, in_.lens_frame)) {
      const auto lines = wrapped(sentence, size, Face::regular, room.w);
      // Stops before the first sentence that does not fit completely.
      if (y + pitch * static_cast<float>(lines.size()) - pitch + size / 2 > room.y + room.h) return;
      for (const std::string& line : lines) {
        p_.text({room.x, y}, line, p_.theme.faint_text, size);
        y += pitch;
      }
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  const RecordedTable& table_;
  const PictureShape shape_;
  const ImageLook look_;
  const PicturePart part_;
  const AreaBox box_;
  BoxMarks marks_;
  const bool is_done_;  // true if the table is complete in this step
  ImageLayout at_;
};

ViewPicture draw_image(const ViewInput& in) {
  if (has_picture(in.recording)) return ImagePicture(in).draw();
  ViewPen p(in);
  p.title("");
  p.sentence(tr("This run made no summed-area table."));
  return std::move(p).picture();
}

}  // namespace

extern const View image_view{.name = "image",
                             .title = tr_noop("Image"),
                             .home = Home::tree,
                             .draw = draw_image,
                             .tip = image_tip,
                             .click = click_on_image,
                             .has_something = has_picture,
                             .comes_first = has_picture,
                             .sees = image_sees,
                             .hand = Hand::its_own,
                             .turn = turn_over_image,
                             .drag = drag_in_image,
                             .shows_the_end = true,
                             .shows_lens_frame = true};

}  // namespace upsweep
