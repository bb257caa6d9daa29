// Tests the view "Image": its box, its sums, its zoom, and its pictures of recorded summed-area tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "base/job.hpp"
#include "catalogue/ladder.hpp"
#include "panels/saved_files.hpp"
#include "picture/read_picture.hpp"
#include "scene/views/image_grids.hpp"
#include "scene/views/image_mouse.hpp"
#include "scene/views/image_sums.hpp"
#include "study/data_source.hpp"
#include "support/compile_cases.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/recorded_scene.hpp"
#include "support/session_start.hpp"
#include "support/temporary_folder.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace image_view_test {

// Returns a recording whose input is pixels from 0 to 255.
Recording recorded(const Settings& s, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<Value> input(static_cast<std::size_t>(s.n * (s.choice("channels") == "3" ? 3 : 1)));
  for (Value& v : input) set_scalar(v, s.type, 0, random() % 256);
  return make_recording(Emulator().record(s, input, {.blocks = UINT32_MAX}));
}

constexpr PictureShape shapes[] = {{1, 1, 1},  {1, 97, 1}, {61, 1, 3}, {2, 2, 3},
                                   {7, 13, 1}, {31, 9, 3}, {16, 16, 1}};

// --- numbers

TEST(ImageNumbers, AreTheRecordedOnes) {
  std::mt19937 random(3);
  for (const PictureShape& shape : shapes)
    for (const Scalar type :
         {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float32, Scalar::float64}) {
      const Recording r = recorded(table_settings(shape, type));
      ASSERT_EQ(r.picture, shape);
      const RecordedTable& table = r.table();
      for (int round = 0; round < 20; ++round) {
        const int row = static_cast<int>(random() % static_cast<unsigned>(shape.rows)),
                  column = static_cast<int>(random() % static_cast<unsigned>(shape.columns));
        const AreaBox box =
            box_around(row, column, static_cast<int>(random() % 6), shape.rows, shape.columns);
        for (int k = 0; k < shape.channels; ++k) {
          long double sum = 0;
          for (int y = box.top; y <= box.bottom; ++y)
            for (int x = box.left; x <= box.right; ++x) sum += scalar(r.trace.input[shape.at(y, x, k)], type);
          EXPECT_EQ(table.sum(box, k), sum);
          EXPECT_EQ(table.corners_of(box, k).sum(), sum);
          EXPECT_EQ(table.cell(row, column, k), scalar(r.trace.output[shape.at(row, column, k)], type));
        }
      }
      EXPECT_EQ(table.errors().wrong, 0);
    }
}

TEST(ImageNumbers, OfABoxAreRightAlthoughTheTableWraps) {
  const PictureShape shape{5, 9, 1};
  Settings s = table_settings(shape, Scalar::int32);
  std::vector<Value> input(45);
  for (Value& v : input) set_scalar(v, s.type, 0, 300'000'000);
  const Recording r = make_recording(Emulator().record(s, input));
  const RecordedTable& table = r.table();
  EXPECT_EQ(table.sum({2, 3, 3, 4}, 0), 1'200'000'000);
  EXPECT_EQ(table.errors().wrong, 31);  // sums of more than seven numbers are wrong
  EXPECT_NE(result_sentences(table, {.made = Made::errors}).front().find("31 cells have wrapped"),
            std::string::npos);
}

TEST(ImageNumbers, ShowWhatHelpsAgainstRounding) {
  const PictureShape shape{64, 64, 1};
  Settings s = table_settings(shape, Scalar::float32);
  std::mt19937 random(8);
  std::vector<Value> input(64 * 64);
  for (Value& v : input) set_scalar(v, s.type, 0, 1000 + std::ldexp(random() % 4096, -12));
  const Recording r = make_recording(Emulator().record(s, input));
  const TableErrors& errors = r.table().errors();
  EXPECT_GT(errors.wrong, 1000);
  EXPECT_GT(errors.largest, 10 * errors.if_centred);
  EXPECT_EQ(std::abs(errors.cells[errors.worst]), errors.largest);
  EXPECT_EQ(result_sentences(r.table(), {.made = Made::errors}).size(), 2u);
}

TEST(ImageNumbers, MeansOfBoxesAreThoseOfTheFilter) {
  for (const PictureShape& shape : shapes)
    for (const int width : {1, 3, 7, 301}) {
      const Recording r = recorded(table_settings(shape, Scalar::uint32));
      const RecordedTable& table = r.table();
      if (table.black() != 0 || table.white() != 255) continue;  // all pixels are below 64: another scale
      Picture due = table.picture();
      box_filter(due, width);
      EXPECT_EQ(table.box_means(width), due) << width;
    }
}

TEST(ImageNumbers, OnlyTablesHaveAPicture) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 16, first_settings(*a));
    EXPECT_EQ(has_something(view_index("image"), r), a->ladder == "summed_area_table") << a->name;
  }
}

TEST(ImageNumbers, TheSceneHasItsDepths) {
  for (const int channels : {1, 3}) {
    const Recording r = recorded_scene({12, 20, channels}, Scalar::int32);
    EXPECT_TRUE(r.table().lens()->is_recorded);
    EXPECT_EQ(r.table().lens()->columns, 20);
    const Recording other = recorded(table_settings({12, 20, channels}, Scalar::int32));
    EXPECT_FALSE(other.table().lens()->is_recorded);
    EXPECT_NE(made_picture(r.table(), {.made = Made::depth_of_field, .focus = 3.5f}),
              made_picture(r.table(), {.made = Made::depth_of_field, .focus = 9}));
  }
}

// --- pictures

bool has_grid(const Scene& scene, int columns, int rows) {
  return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& s) {
    const auto* g = std::get_if<GridShape>(&s.what);
    return g && g->columns == columns && g->rows == rows &&
           g->colours.size() == static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  });
}

TEST(ImageView, KeepsInsideItsPictureWithoutOverlap) {
  for (const PictureShape& shape : shapes) {
    const Recording r = recorded(table_settings(shape, Scalar::int32));
    const int last = static_cast<int>(r.trace.steps.size()) - 1;
    for (const Point size : {Point{500, 90}, Point{560, 140}, Point{843, 212}, Point{1272, 420},
                             Point{900, 700}, Point{2400, 1200}})
      for (const int step : {0, last / 2, last})
        for (const Made made : {Made::box_means, Made::depth_of_field, Made::errors})
          for (const Id& hover : {Id(), Id(PixelId{0, 0}), Id(PixelId{shape.rows - 1, shape.columns - 1})}) {
            Cursor c = at_step(step);
            c.image.made = made;
            c.hover = hover;
            SCOPED_TRACE(fmt::format("{} x {} x {}, step {}, {} x {}", shape.rows, shape.columns,
                                     shape.channels, step, size.x, size.y));
            expect_words_fit(draw("image", r, c, size.x, size.y), size);
            if (HasFailure()) return;
          }
  }
}

// The marked mean is the mean around the pixel under the mouse, even if the picture's border cuts the box.
TEST(ImageView, MarksThePixelUnderTheMouse) {
  const Recording r = recorded(table_settings({16, 16, 1}, Scalar::int32));
  const auto mark_at = [&](int place) {
    Cursor c = at_end(r);
    c.image.made = Made::box_means;
    c.image.box_width = 11;
    c.hover = PixelId{place, place};
    const Scene scene = draw("image", r, c, 1272, 800);
    const Box* mark = nullptr;  // the smallest box with the mark's outline
    for (const Shape& shape : scene.shapes)
      if (const auto* rect = std::get_if<RectShape>(&shape.what);
          rect && rect->stroke == dark_theme().now && (!mark || rect->box.w < mark->w))
        mark = &rect->box;
    return mark ? mark->x : NAN;
  };
  const float pixel = mark_at(3) - mark_at(2);
  EXPECT_GT(pixel, 2);
  EXPECT_NEAR(mark_at(13) - mark_at(2), 11 * pixel, 0.1);
  EXPECT_NEAR(mark_at(2) - mark_at(0), 2 * pixel, 0.1) << "the mark is closed at the border, too";
}

// If the box is larger than the visible part of the picture, no edge of the box is visible. So the view must
// not draw a frame around the visible part.
TEST(ImageView, FramesOnlyTheVisibleEdgesOfTheBox) {
  const Recording r = recorded(table_settings({64, 64, 1}, Scalar::int32));
  Cursor c = at_end(r);
  c.image.box_width = 21;
  c.hover = PixelId{32, 32};
  c.image.column_count = 8;
  const auto edges = [&](int first_row, int first_column) {
    c.image.first_row = first_row;
    c.image.first_column = first_column;
    const Scene scene = draw("image", r, c, 1272, 800);
    return std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* rect = std::get_if<RectShape>(&shape.what);
      const auto* line = std::get_if<LineShape>(&shape.what);
      EXPECT_FALSE(rect && rect->stroke == dark_theme().now && rect->box.w > 100) << "a closed frame";
      return line && line->colour == dark_theme().now;
    });
  };
  EXPECT_EQ(edges(30, 30), 0);
  EXPECT_EQ(edges(18, 30), 2) << "one edge in the picture, one in the table";
  EXPECT_EQ(edges(18, 18), 4);
}

TEST(ImageView, ShowsTheFourCellsAndTheirSum) {
  const PictureShape shape{16, 16, 1};
  const Recording r = recorded(table_settings(shape, Scalar::int32));
  Cursor c = at_end(r);
  c.image.box_width = 5;
  c.hover = PixelId{6, 9};
  const AreaBox box{4, 7, 8, 11};
  for (const Point size : {Point{843, 212}, Point{1272, 420}, Point{1272, 800}}) {
    const Scene scene = draw("image", r, c, size.x, size.y);
    const Corners<long double> four = r.table().corners_of(box, 0);
    for (const long double cell : {four.a, four.b, four.c, four.d, r.table().sum(box, 0)})
      EXPECT_TRUE(says(scene, number_text(cell))) << size.x << ' ' << static_cast<double>(cell);
    for (const char* letter : {"A", "B", "C", "D"}) EXPECT_TRUE(says(scene, letter));
    EXPECT_TRUE(says(scene, "mean"));
  }
}

// At the picture's border, the sum of a box needs fewer than four cells. So the view must say "at most".
TEST(ImageView, ClaimsNoMoreReadsThanABoxNeeds) {
  const Recording r = record("summed_area_table", 64);
  const Scene scene = draw("image", r, at_end(r), 1270, 830);
  EXPECT_TRUE(says(scene, "at most 4 cells"));
  EXPECT_TRUE(tip_of({r, at_step(0)}, PixelId{0, 0}).at(1).starts_with("pixel "));
}

// The view draws a letter at each corner of the box, even before the table is written. Before the table is
// written, a note says that the filtered picture was made from the finished table.
TEST(ImageView, AnEmptyTableHasItsLetters) {
  const Recording r = recorded(table_settings({24, 32, 1}, Scalar::int32));
  for (const Point size : {Point{843, 212}, Point{1272, 420}, Point{2400, 1200}})
    for (const bool end : {false, true}) {
      const Scene scene = draw("image", r, end ? at_end(r) : at_step(0), size.x, size.y);
      const auto all = texts(scene);
      for (const std::string letter : {"A", "B", "C", "D"}) {
        const auto count = std::ranges::count_if(all, [&](const TextShape& t) {
          const bool has_number = t.text.size() > 2 && t.text[2] >= '0' && t.text[2] <= '9';
          return t.text == letter || (t.text.starts_with(letter + " ") && has_number);
        });
        // Each letter is drawn in the table and beside its number. If the picture shows no numbers, the
        // letter is also drawn in the picture.
        EXPECT_EQ(count, size.x == 2400 ? 2 : 3) << letter << ", " << size.x << ", " << end;
      }
      EXPECT_EQ(says(scene, "from the finished table"), !end);
    }
}

TEST(ImageView, TheSubtractedAreasAreNamed) {
  const Recording r = recorded(table_settings({60, 80, 1}, Scalar::int32));
  Cursor c = at_end(r);
  c.image.box_width = 15;
  const Scene scene = draw("image", r, c, 1900, 700);
  for (const char* words : {"− above", "− left", "twice", "added back"})
    EXPECT_TRUE(says(scene, words)) << words;
  c.hover = PixelId{0, 0};  // no pixel is above or left of this box
  for (const char* words : {"− above", "− left", "twice"})
    EXPECT_FALSE(says(draw("image", r, c, 1900, 700), words)) << words;
}

// Before the table is complete, the view shows the data that the launches have written, with the rows and
// columns that the data have in memory.
TEST(ImageView, ShowsWhatTheLaunchesHaveWritten) {
  const Recording r = recorded(table_settings({7, 13, 3}, Scalar::int32));
  const auto after = [&](std::size_t grid) {
    const Grid& g = r.trace.grids.at(grid);
    return draw("image", r, at_step(static_cast<int>(g.first_step + g.steps) - 1), 1272, 500);
  };
  EXPECT_TRUE(has_grid(after(0), 13, 3 * 7));  // three planes with 7 rows each
  EXPECT_TRUE(says(after(0), "deinterleave wrote planes"));
  EXPECT_TRUE(has_grid(after(1), 13, 3 * 7));
  EXPECT_TRUE(has_grid(after(2), 7, 3 * 13));  // three transposed planes with 13 rows each
  EXPECT_TRUE(has_grid(after(3), 7, 3 * 13));
  EXPECT_TRUE(has_grid(after(4), 13, 3 * 7));
  EXPECT_FALSE(says(after(4), "each cell"));
  EXPECT_TRUE(says(after(5), "each cell: the sum"));
  EXPECT_TRUE(says(draw("image", recorded(table_settings({7, 13, 1}, Scalar::int32)), at_step(0), 1272, 500),
                   "nothing is written yet"));
}

TEST(ImageView, ProgressIsWhatIsStored) {
  const PictureShape shape{6, 10, 1};
  const Recording r = recorded(table_settings(shape, Scalar::int32));
  for (std::size_t g = 0; g < r.trace.grids.size(); ++g) {
    const Grid& grid = r.trace.grids[g];
    const int step = static_cast<int>(grid.first_step + grid.steps) - 1;
    const Progress now = progress_at(r, step);
    EXPECT_EQ(now.grid, static_cast<int>(g));
    EXPECT_EQ(now.rows, g == 1 || g == 2 ? 10 : 6) << g;
    EXPECT_FALSE(now.is_partial);
    const GridShape drawn = progress_grid({0, 0, 100, 100}, r, now, step, {}, {1, 2, 3, 4});
    EXPECT_TRUE(
        std::none_of(drawn.colours.begin(), drawn.colours.end(), [](Colour c) { return c.a != 255; }));
    if (g >= 2) {
      EXPECT_EQ(drawn.colours.back(), (Colour{255, 255, 255}));  // white stands for the sum of all numbers
    }
  }
}

TEST(ImageView, AFrameIsSmallForLargePictures) {
  const PicturePart part{0, 0, 5000, 3000};
  const GridShape grid = grid_of({0, 0, 10, 10}, part, [](int, int) { return Colour{}; });
  EXPECT_LE(grid.colours.size(), std::size_t{1} << 18);
  EXPECT_EQ(grid.colours.size(),
            static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
}

TEST(ImageView, PixelsAndSlidersAreHitAndDragged) {
  const PictureShape shape{40, 50, 1};
  const Recording r = recorded(table_settings(shape, Scalar::int32));
  Cursor c = at_end(r);
  const Scene scene = draw("image", r, c, 1272, 500);
  int pictures = 0, sliders = 0;
  for (const Scene::Target& t : scene.targets) {
    const Point corner{t.box.x + t.box.w - 0.25f, t.box.y + t.box.h - 0.25f},
        beyond{corner.x + 900, corner.y + 900};
    if (is<PixelId>(t.id)) {
      ++pictures;
      EXPECT_EQ(hit(scene, {t.box.x + 0.25f, t.box.y + 0.25f}), Id(PixelId{0, 0}));
      EXPECT_EQ(hit(scene, corner), Id(PixelId{39, 49}));
      EXPECT_EQ(dragged_to(scene, {t.box.x + 1, t.box.y + 1}, beyond), Id(PixelId{39, 49}));
    }
    if (const auto* slider = as<SliderId>(t.id)) {
      ++sliders;
      const Id end = dragged_to(scene, {t.box.x + 1, t.box.y + 1}, beyond);
      EXPECT_EQ(end, Id(SliderId{image_name, slider->slider, slider_end}));
      const Click effect = view("image").drag({r, c}, t.id, end);
      ASSERT_TRUE(std::holds_alternative<SetImageLook>(effect));
      EXPECT_EQ(std::get<SetImageLook>(effect).look.box_width, 39);
    }
  }
  EXPECT_EQ(pictures, 3);
  EXPECT_EQ(sliders, 1);
}

TEST(ImageView, DraggingMovesTheBoxOrAZoomedPicture) {
  const PictureShape shape{40, 50, 1};
  const Recording r = recorded(table_settings(shape, Scalar::int32));
  Cursor c = at_end(r);
  const auto dragged = [&] {
    return std::get<SetImageLook>(view("image").drag({r, c}, PixelId{9, 9}, PixelId{12, 7})).look;
  };
  EXPECT_EQ(dragged().pixel, 12 * 50 + 7);
  c.image = {.first_row = 5, .first_column = 5, .column_count = 10};
  EXPECT_EQ(dragged(), (ImageLook{.first_row = 2, .first_column = 7, .column_count = 10}));
}

// --- the session

TEST(ImageView, LooksAreRequestsAndCanBeUndone) {
  Session s(start(64));
  s.settle(10);
  ASSERT_EQ(s.apply({.box_width = 7, .focus = 9.0f}), Answer::shown);
  EXPECT_EQ(s.cursor().image.box_width, 7);
  EXPECT_EQ(s.apply({.box_width = 8}), Answer::refused);
  EXPECT_EQ(s.apply({.made = "nothing"}), Answer::refused);
  s.apply({.made = "errors"});
  EXPECT_EQ(s.cursor().image.made, Made::errors);
  s.carry_out_click(SetImageLook{{.made = Made::errors, .column_count = 5}});
  s.show_whole_tree();
  EXPECT_EQ(s.cursor().image.column_count, 0);
  while (s.undo()) {}
  EXPECT_EQ(s.cursor().image, ImageLook());
}

TEST(ImageView, SavesThePictureWithAllItsPixels) {
  const TemporaryFolder folder;
  const Recording r = recorded(table_settings({31, 9, 3}, Scalar::int32));
  const ImageLook look{.box_width = 5, .column_count = 4};
  for (const char* name : {"upsweep-box-5.png", "upsweep-box-5-2.png"}) {
    const std::string said = save_made_picture(r, look, folder);
    EXPECT_NE(said.find(name), std::string::npos) << said;
    EXPECT_EQ(read_picture(folder / name), r.table().box_means(5));
  }
  // A name is taken if a link has this name, even if the link's target does not exist.
  const std::filesystem::path link = folder / "upsweep-box-5-3.png";
  std::filesystem::create_symlink("elsewhere", link);
  EXPECT_NE(save_made_picture(r, look, folder).find("upsweep-box-5-4.png"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

}  // namespace image_view_test
}  // namespace upsweep
