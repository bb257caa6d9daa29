// The parts of the view Keys: rows of keys before and after a pass, with arrows between them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/key_pass.hpp"
#include "scene/views/flow.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// What all parts of the picture know.
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
  // Returns the colour of a key: that of its digit. In a merge, it is that of the run from which the key
  // comes.
  Colour colour(const KeyPass::Key& k, bool after = false) const;
  Id id_of(const KeyPass::Key& k) const;
  bool is_pointed(const KeyPass::Key& k) const {
    return pointed_ && k.known && static_cast<std::int64_t>(k.element) == pointed_->input;
  }
  // Returns the number of low bits that are shown.
  int shown_bits() const;

  ViewPen& p_;
  const ViewInput& in_;
  const KeyPass& pass_;
  const ElementId* pointed_;
};

// A table with one row for each key. It needs some height for each key.
class KeyTable : KeyPen {
 public:
  KeyTable(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box);
  bool fits() const { return pitch_ >= 13 && right_.key > 0; }
  void draw();

 private:
  struct Side {
    float index = 0, key = 0, value = 0, end = 0;  // where the columns begin
  };
  void lay_out();
  void headers();
  void row(const KeyPass::Key& k);
  void bits_of(const KeyPass::Key& k, float y);
  void chips(const KeyPass::Key& k, const Side& side, bool after);
  void arrow(const KeyPass::Key& k);
  void rails();
  float y(std::int64_t index) const { return top_ + pitch_ * (static_cast<float>(index) + 0.5f); }
  std::string key_text(const KeyPass::Key& k) const;
  std::string value_text(const KeyPass::Key& k) const;
  bool has_values() const;
  float bit_x(int bit) const;
  int find_rails();

  const Box box_;
  float header_ = 18, top_ = 0, pitch_ = 0, size_ = 11;
  float key_width_ = 0, value_width_ = 0, index_width_ = 0, bit_width_ = 0, column_ = 0;
  float bits_ = 0, flags_ = 0, scan_ = 0, goes_ = 0;  // where columns begin; 0 if there is no room
  float from_ = 0, to_ = 0;                           // the ends of the arrows
  Side left_, right_;
  // Keys that are equal, after the pass: their indices, ascending, and the column of the line that joins
  // them.
  struct Rail {
    std::vector<std::int64_t> at;
    int lane = 0;
    bool in_order = true;
  };
  std::vector<Rail> rails_;
};

// All keys as pictures whose rows are keys and whose columns are bits, with some of the arrows.
class KeyStrips : KeyPen {
 public:
  KeyStrips(ViewPen& p, const ViewInput& in, const KeyPass& pass, Box box) : KeyPen(p, in, pass), box_(box) {}
  void draw();

 private:
  void picture(const std::vector<KeyPass::Key>& keys, Box box, bool after);
  const Box box_;
};

// Returns "keys" or "in". `grid` is the launch of the pass.
std::string array_name(const Trace& trace, const KeyPass::Array& array, int grid);

}  // namespace upsweep
