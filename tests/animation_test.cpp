// Reads exported animations back. Checks the number of pictures, their sizes, their times and their pixels.
#include "export/animation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "export/gif_palette.hpp"
#include "support/decoded_animations.hpp"

namespace upsweep {
namespace animation_test {

using Random = std::mt19937;

int number(Random& random, int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); }

// Returns a picture with 4 channels. `colours` is the number of different colours in the picture.
Picture random_picture(Random& random, int width, int height, int colours) {
  std::vector<std::array<std::uint8_t, 3>> palette(static_cast<std::size_t>(colours));
  for (auto& c : palette)
    for (auto& value : c) value = static_cast<std::uint8_t>(random());
  Picture p = black_picture(height, width, 4);
  for (std::size_t at = 0; at < p.values.size(); at += 4) {
    const auto& c = palette[random() % palette.size()];
    std::copy(c.begin(), c.end(), p.values.begin() + static_cast<std::ptrdiff_t>(at));
    p.values[at + 3] = 255;
  }
  return p;
}

// Copies a random box of `from` into `p`.
void change(Random& random, Picture& p, const Picture& from) {
  const int left = number(random, 0, p.columns - 1), right = number(random, left, p.columns - 1);
  const int top = number(random, 0, p.rows - 1), bottom = number(random, top, p.rows - 1);
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) std::copy_n(&from.values[from.at(y, x)], 4, &p.values[p.at(y, x)]);
}

TEST(Gif, IsExactWithFewColours) {
  Random random(1);
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 1}, {1, 7}, {3, 5}, {17, 31}, {64, 64}, {127, 255}})
    for (const int colours : {1, 2, 3, 17, 128}) {
      SCOPED_TRACE(fmt::format("{} x {}, {} colours", width, height, colours));
      const auto gif = gif_animation(width, height);
      std::vector<Picture> pictures = {random_picture(random, width, height, colours)};
      // The pixels that change from one picture to the next have fewer than 256 different colours. Therefore
      // all these colours fit into the palette, beside the index that means "unchanged".
      for (int k = 0; k < 5; ++k) {
        pictures.push_back(pictures.back());
        if (k != 2)
          change(random, pictures.back(), random_picture(random, width, height, std::min(colours, 100)));
      }
      for (const Picture& p : pictures) gif->add(p, 0.25);
      const DecodedAnimation back = decoded_gif(gif->finish());
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.height, height);
      EXPECT_TRUE(back.repeats);
      ASSERT_EQ(back.pictures.size(), pictures.size());
      for (std::size_t k = 0; k < pictures.size(); ++k)
        EXPECT_EQ(back.pictures[k], with_channels(pictures[k], 3)) << k;
    }
}

TEST(Gif, KeepsFrequentColoursAndIsNearWithMany) {
  Random random(2);
  const int width = 120, height = 90;
  Picture p = random_picture(random, width, height, 20'000);
  // The picture looks like text with smooth edges: it contains many shades of grey on a light background.
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (y % 3 != 0) {
        const auto grey = static_cast<std::uint8_t>(x % 2 == 0 ? 250 : 250 - x);
        std::fill_n(&p.values[p.at(y, x)], 3, grey);
      }
  const auto gif = gif_animation(width, height);
  gif->add(p, 1);
  Picture next = p;
  std::fill_n(&next.values[next.at(5, 5)], 3, std::uint8_t{7});
  gif->add(next, 1);
  const DecodedAnimation back = decoded_gif(gif->finish());
  ASSERT_EQ(back.pictures.size(), 2u);
  std::set<std::vector<std::uint8_t>> colours;
  double error = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = back.pictures[0].at(y, x);
      colours.insert({back.pictures[0].values.begin() + static_cast<std::ptrdiff_t>(at),
                      back.pictures[0].values.begin() + static_cast<std::ptrdiff_t>(at) + 3});
      for (std::size_t k = 0; k < 3; ++k) {
        const int off = back.pictures[0].values[at + k] - p.values[p.at(y, x) + k];
        error += off * off;
        if (y % 3 != 0) EXPECT_EQ(off, 0) << "a frequent grey is not exact";
      }
    }
  EXPECT_LE(colours.size(), 256u);
  EXPECT_GT(colours.size(), 200u);
  // A third of the pixels are random, and the palette has only about 128 colours for them. Each of these
  // colours stands for about 51 levels of each channel. Therefore some error cannot be avoided, but the error
  // must be below 30.
  EXPECT_LT(std::sqrt(error / (width * height)), 30);
  Picture expected = back.pictures[0];
  std::fill_n(&expected.values[expected.at(5, 5)], 3, std::uint8_t{7});
  EXPECT_EQ(back.pictures[1], expected) << "pixels that do not change flicker";
}

TEST(Gif, DelaysAddUp) {
  for (const double speed : {0.1, 0.7, 1.0, 3.0, 7.0, 24.0, 50.0}) {
    const auto gif = gif_animation(4, 4);
    Random random(3);
    constexpr int count = 61;
    for (int k = 0; k < count; ++k) gif->add(random_picture(random, 4, 4, 9), 1 / speed);
    const DecodedAnimation back = decoded_gif(gif->finish());
    ASSERT_EQ(back.begins.size(), std::size_t{count});
    for (int k = 0; k < count; ++k)
      EXPECT_NEAR(back.begins[static_cast<std::size_t>(k)], k / speed, 0.0051) << speed;
    EXPECT_NEAR(back.seconds, count / speed, 0.0051);
  }
}

TEST(Palette, IsExactIfItCanBe) {
  Random random(4);
  for (const int count : {0, 1, 2, 255, 256}) {
    ColourTable table;
    std::map<std::uint32_t, std::uint32_t> expected;
    while (std::ssize(expected) < count) {
      const std::uint32_t colour = random() & 0xffffff;
      for (int k = number(random, 1, 4); k > 0; --k) table.add(colour), ++expected[colour];
    }
    const SmallPalette p = palette_of(table.colours(), 256);
    ASSERT_EQ(table.colours().size(), expected.size());
    for (std::size_t i = 0; i < table.colours().size(); ++i) {
      EXPECT_EQ(p.colours.at(p.nearest.at(i)), table.colours()[i].colour);
      EXPECT_EQ(table.colours()[i].pixels, expected[table.colours()[i].colour]);
    }
  }
}

TEST(Palette, TakesTheNearestOfFewColours) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    std::set<std::uint32_t> some;
    const int span = 1 << number(random, 2, 8),
              count = std::min(number(random, 2, 3000), span * span * span / 2);
    while (std::ssize(some) < count) {
      std::uint32_t colour = 0;
      for (int k = 0; k < 3; ++k)
        colour = colour << 8 | static_cast<std::uint32_t>(number(random, 0, span - 1));
      some.insert(colour);
    }
    std::vector<ColourCount> colours;
    for (const std::uint32_t c : some)
      colours.push_back({c, static_cast<std::uint32_t>(number(random, 1, 99))});
    const int most = number(random, 1, 256);
    const SmallPalette p = palette_of(colours, most);
    ASSERT_GE(p.colours.size(), 1u);
    ASSERT_LE(p.colours.size(), static_cast<std::size_t>(most));
    const auto distance = [](std::uint32_t a, std::uint32_t b) {
      int sum = 0;
      for (int shift = 0; shift < 24; shift += 8) {
        const int d = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
        sum += d * d;
      }
      return sum;
    };
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const int chosen = distance(colours[i].colour, p.colours.at(p.nearest.at(i)));
      for (const std::uint32_t c : p.colours) ASSERT_LE(chosen, distance(colours[i].colour, c));
    }
  }
}

#ifdef UPSWEEP_READS_WEBM
double luma_of(const std::uint8_t* p) {
  return 16 + 219 * (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255;
}

TEST(Webm, HasEveryPictureAtItsTime) {
  ASSERT_TRUE(has_webm());
  Random random(6);
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {65, 33}, {200, 121}})
    for (const double speed : {0.1, 2.0, 30.0}) {
      SCOPED_TRACE(fmt::format("{} x {} at {}", width, height, speed));
      // Like the views, the pictures have large areas of one colour. Some boxes change from one picture to
      // the next.
      std::vector<Picture> pictures = {random_picture(random, width, height, 1)};
      constexpr int count = 35;
      while (std::ssize(pictures) < count) {
        pictures.push_back(pictures.back());
        change(random, pictures.back(), random_picture(random, width, height, 1));
      }
      const auto webm = webm_animation(width, height);
      for (const Picture& p : pictures) webm->add(p, 1 / speed);
      const DecodedAnimation back = decoded_webm(webm->finish());
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.height, height);
      ASSERT_EQ(back.pictures.size(), std::size_t{count});
      ASSERT_EQ(back.begins.size(), std::size_t{count});
      EXPECT_NEAR(back.seconds, count / speed, 0.001);
      EXPECT_GE(back.key_pictures, 3) << "a player must be able to begin in the middle";
      EXPECT_GE(back.cues, back.key_pictures);
      for (std::size_t k = 0; k < pictures.size(); ++k) {
        EXPECT_NEAR(back.begins[k], static_cast<double>(k) / speed, 0.001);
        ASSERT_EQ(back.pictures[k].columns, width);
        ASSERT_EQ(back.pictures[k].rows, height);
        double error = 0;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            error += std::abs(back.pictures[k].values[back.pictures[k].at(y, x)] -
                              luma_of(&pictures[k].values[pictures[k].at(y, x)]));
        EXPECT_LT(error / (width * height), width * height < 100 ? 10 : 3) << k;
      }
    }
}
#else
TEST(Webm, SaysThatItWasNotBuiltOrNotRead) {
  if (!has_webm()) EXPECT_THROW(webm_animation(4, 4), WorkError);
  GTEST_SKIP() << "libvpx or libwebm is missing";
}
#endif

}  // namespace animation_test
}  // namespace upsweep
