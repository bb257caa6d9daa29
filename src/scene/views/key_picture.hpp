// Draws the parts of the view "Keys": rows of keys before and after a pass, with arrows between them.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analysis/key_pass.hpp"
#include "scene/views/flow.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The base class of all parts of the picture: the pen, the pass, and the colours and texts of keys.
class KeyPen {
 public:
  KeyPen(ViewPen& p, const ViewInput& in, const KeyPass& pass)
      : p_(p), in_(in), pass_(pass), pointed_(as<ElementId>(in.cursor.hover)) {}

 protected:
  const Trace& trace() const { return in_.recording.trace; }
  std::uint32_t order(const KeyPass::Key& k) const {
    const auto& all = in_.recording.order;
    return k.element < all.size() ? all[k.element] : 0;
  }
  // Returns the colour of a key. The colour stands for the key's digit. In a merge, the colour stands for the
  // sorted run from which the key comes.
  Colour colour(const KeyPass::Key& k, bool after = false) const;
  Id id_of(const KeyPass::Key& k) const;
  bool is_pointed(const KeyPass::Key& k) const {
    return pointed_ && k.known && static_cast<std::int64_t>(k.element) == pointed_->input;
  }
  // Returns true if the key is one of the two equal keys that the picture marks. The marks show if the pass
  // keeps the order of these two keys.
  bool is_marked(const KeyPass::Key& k) const {
    return pass_.equal_pair && k.known &&
           (k.element == pass_.equal_pair->first || k.element == pass_.equal_pair->second);
  }
  // Returns true if the place to which the pass moves the key is known in this step.
  bool shows_place(const KeyPass::Key& k) const { return k.place >= 0 && (k.arrived || pass_.places_known); }
  // Returns the number of low bits that the picture shows.
  int shown_bits() const;
  bool has_values() const;
  std::string key_text(const KeyPass::Key& k) const;
  std::string value_text(const KeyPass::Key& k) const;

  // Draws a key, or the value of a key, in a box. For a key, `frame` is the key's colour; for a value,
  // `frame` is empty.
  void chip(const Box& box, const std::string& text, const KeyPass::Key& k, std::optional<Colour> frame,
            float size);
  // Draws the arrow of a key.
  void arrow(Point from, Point to, Course course, const KeyPass::Key& k);
  // Calls f for all keys whose new places are known, in the order in which their arrows are drawn.
  template <class F>
  void for_each_arrow(F f) const {
    for (const int last : {0, 1, 2})
      for (const KeyPass::Key& k : pass_.before)
        if (shows_place(k) && (is_pointed(k) ? 2 : is_marked(k) ? 1 : 0) == last) f(k);
  }

  // A line that joins equal keys after the pass. `at` contains the indices of the keys in ascending order.
  // Lines that would overlap are drawn in different tracks, side by side.
  struct EqualLine {
    std::vector<std::int64_t> at;
    int track = 0;
    bool in_order = true;  // true if the keys have the same order as in the input
  };
  // Returns a line for each group of equal keys. Lines in the same track do not overlap. Returns no lines if
  // the lines need more than eight tracks, because a reader would not notice that only some lines are
  // missing.
  std::vector<EqualLine> lines_of_equal_keys() const;
  // Returns the number of tracks (places side by side) that these lines use.
  static int tracks(const std::vector<EqualLine>& lines);
  // Draws lines that join equal keys. `place` returns the point for an index and a track. Leaves out lines
  // with keys that have not arrived.
  //
  // The colour of a line shows if the keys have the same order as in the input.
  template <class F>
  void draw_equal_lines(const std::vector<EqualLine>& lines, F place) {
    for (const EqualLine& line : lines) {
      if (!std::ranges::all_of(
              line.at, [&](std::int64_t i) { return pass_.after[static_cast<std::size_t>(i)].arrived; }))
        continue;
      const Colour c = line.in_order ? p_.theme.good : p_.theme.conflict;
      p_.line(place(line.at.front(), line.track), place(line.at.back(), line.track), c, 2);
      for (const std::int64_t i : line.at) p_.disc(place(i, line.track), 3, c);
    }
  }

  ViewPen& p_;
  const ViewInput& in_;
  const KeyPass& pass_;
  const ElementId* pointed_;
};

// A table with one row for each key, for a picture that is high enough.
class KeyTable : KeyPen {
 public:
  KeyTable(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box);
  bool fits() const { return pitch_ >= 13 && right_.key > 0; }
  void draw();

 private:
  struct Side {
    float index = 0, key = 0, value = 0, end = 0;  // the x of each column, and of the end of the values
  };
  void lay_out();
  void headers();
  void row(const KeyPass::Key& k);
  void bits_of(const KeyPass::Key& k, float y);
  void chips(const KeyPass::Key& k, const Side& side, bool after);
  float y(std::int64_t index) const { return top_ + pitch_ * (static_cast<float>(index) + 0.5f); }
  float bit_x(int bit) const;

  const Box box_;
  float header_ = 18, top_ = 0, pitch_ = 0, size_ = 11;
  float key_width_ = 0, value_width_ = 0, index_width_ = 0, bit_width_ = 0, column_ = 0;
  // The x at which each column begins; 0 if there is no room for the column.
  float bits_ = 0, flags_ = 0, scan_ = 0, goes_ = 0;
  float from_ = 0, to_ = 0;  // the x of the beginning and of the end of arrows
  Side left_, right_;
  std::vector<EqualLine> equal_lines_;
};

// A table with one column for each key, for a low and wide picture.
class KeyColumns : KeyPen {
 public:
  KeyColumns(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box);
  bool fits() const { return size_ > 0; }
  void draw();

 private:
  enum class Row { index, key, value, digit, zero, scan, place };
  struct Placed {
    Row row;
    float y;  // the y of the row's top
  };
  bool has(Row row) const;
  static float height(Row row);
  const char* name(Row row) const;
  bool texts_fit();
  std::string text(Row row, const KeyPass::Key& k) const;
  float x(std::int64_t index) const { return left_ + pitch_ * (static_cast<float>(index) + 0.5f); }
  void cell(const Placed& row, const KeyPass::Key& k, bool after);

  const Box box_;
  float left_ = 0, pitch_ = 0, size_ = 0;  // size_ is the text size; 0 if there is no room
  std::vector<Placed> before_, after_;     // the rows from top to bottom
  float from_ = 0, to_ = 0;                // the y of the beginning and of the end of arrows
  float tracks_ = 0;                       // the y at which the lines that join equal keys begin
  std::vector<EqualLine> equal_lines_;
};

// Two pictures: the keys before the pass at the left, and the keys after the pass at the right. In a picture,
// a row is a key, and a column is a bit. Arrows go from the left picture to the right picture. If there are
// too many keys, only some keys have an arrow. Lines beside the pictures mark the two equal keys.
class KeyStrips : KeyPen {
 public:
  KeyStrips(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box) : KeyPen(p, in, pass), box_(box) {}
  void draw();

 private:
  void picture(const std::vector<KeyPass::Key>& keys, Box box, bool after);
  void legend(const Box& room);  // explains the rows, the columns and the colours of the pictures
  const Box box_;
};

// Returns the name of the bits by which the pass sorts, such as "bits 8 to 15".
std::string bits_text(const KeyPass& pass);
// Returns the name of an array of keys, such as "keys" or "in". `grid` is the launch of the pass.
std::string array_name(const Trace& trace, const KeyPass::Array& array, int grid);

}  // namespace upsweep
