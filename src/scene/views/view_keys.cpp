// The view "Keys" shows one pass of a radix sort. Each key is drawn in the colour of the key's digit in this
// pass. Two equal keys are marked, so that readers see if these keys keep their order.
//
// An arrow goes from each key to the key's place after the pass. The arrow appears when the key's new place
// is known, and is pale until the key moves.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/key_picture.hpp"
#include "scene/views/tip_lines.hpp"
#include "scene/wrap.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

bool sorts_keys(const Recording& r) { return !r.order.empty(); }

class KeysPicture {
 public:
  explicit KeysPicture(const ViewInput& in) : p_(in), in_(in), r_(in.recording), trace_(in.recording.trace) {}

  ViewPicture draw() {
    if (!sorts_keys(r_)) {
      p_.title("");
      p_.sentence(tr("This run does not sort keys."));
      return std::move(p_).picture();
    }
    const auto& pass = r_.key_pass(in_.cursor.block, in_.cursor.step);
    if (!pass || pass->known == 0) {
      p_.title("");
      p_.sentence(
          !pass             ? tr("All keys have reached their places.")
          : pass->size == 0 ? tr("This block has no keys.")
          : is_of_block(*pass)
              ? tr("This block was not recorded in full, so its keys are not known.")
              : tr("Only some blocks were recorded in full, so the keys before this pass are not known."));
      return std::move(p_).picture();
    }
    pass_ = &*pass;
    const float beside = p_.width >= 1000 && p_.height - p_.top >= 180 ? 250.0f : 0.0f;
    const float below = beside == 0 && p_.height - p_.top >= 110 ? 22.0f : 0.0f;
    const Box box{p_.margin, p_.top, p_.width - 2 * p_.margin - beside, p_.height - p_.top - below - 4};
    if (box.w < 60 || box.h < 30) return std::move(p_).picture();
    KeyTable table(p_, in_, *pass_, box);
    KeyColumns columns(p_, in_, *pass_, box);
    const bool all = table.fits() || columns.fits();
    p_.title(heading(all), readout());
    if (table.fits()) table.draw();
    else if (all) columns.draw();
    else KeyStrips(p_, in_, *pass_, box).draw();
    if (beside > 0) notes({p_.width - p_.margin - beside + 24, p_.top + 4, beside - 24, box.h - 4});
    if (below > 0) caption();
    return std::move(p_).picture();
  }

 private:
  using Kind = KeyPass::Kind;
  static bool is_of_block(const KeyPass& pass) {
    return pass.kind == Kind::load || pass.kind == Kind::split || pass.kind == Kind::store;
  }
  bool has_stopped() const { return pass_->kind == Kind::split && pass_->in_order && pass_->moved == 0; }
  bool is_stable() const { return pass_->stable || has_stopped(); }
  const Grid& grid() const { return trace_.grid_of(static_cast<std::uint32_t>(pass_->last_step)); }
  std::string name_of(const KeyPass::Array& array) const {
    return array_name(trace_, array, grid_index(trace_, pass_->last_step));
  }

  // --- texts

  std::string heading(bool table) const {
    std::string text;
    switch (pass_->kind) {
      case Kind::load: text = tr("the block loads its {}", counted(pass_->size, "key")); break;
      case Kind::store: text = tr("the block stores its {}, sorted", counted(pass_->size, "key")); break;
      case Kind::split:
        text = has_stopped() ? tr("the block's keys are in order, so the block stops")
                             : tr("split by {}: first keys with 0, then keys with 1; keys with equal bits "
                                  "keep their order",
                                  bits_text(*pass_));
        break;
      case Kind::digit:
        text = tr("pass {} of {}: sorts by {}; keys with equal digits keep their order", pass_->number + 1,
                  pass_->count, bits_text(*pass_));
        break;
      case Kind::merge:
        text = tr("merge {} of {}: two sorted runs of {} become one run", pass_->number + 1, pass_->count,
                  counted(pass_->run_length, "key"));
        break;
    }
    if (is_of_block(*pass_) && grid().blocks > 1)
      text += tr(" · block {}", block_text(grid(), in_.cursor.block));
    if (const auto shown = std::ssize(pass_->before); !table && shown < pass_->size)
      text += tr(" · {} of {} shown", grouped(shown), counted(pass_->size, "key"));
    if (pass_->moved < pass_->size && !has_stopped())
      text += tr(" · {} of {} recorded", grouped(pass_->moved), counted(pass_->size, "move"));
    return text;
  }

  std::string readout() const {
    const auto* pointed = as<ElementId>(in_.cursor.hover);
    if (pointed)
      for (const KeyPass::Key& k : pass_->before)
        if (k.known && static_cast<std::int64_t>(k.element) == pointed->input)
          return fmt::format("{}[{}] = {}{}", name_of(pass_->from), pass_->from.first + k.index,
                             exact_text(k.key, trace_.settings),
                             k.place < 0 || !(k.arrived || pass_->places_known)
                                 ? ""
                                 : fmt::format(" → {}[{}]", name_of(pass_->to), pass_->to.first + k.place));
    if (pass_->zeros && pass_->kind == Kind::split)
      return fmt::format("{}, {}", counted(*pass_->zeros, "zero"),
                         counted(pass_->size - *pass_->zeros, "one"));
    return {};
  }

  // Returns true if at least one key has arrived at its new place. Returns false for a pass that only loads
  // keys, because loads move no key.
  bool has_arrived() const {
    return pass_->kind != Kind::load && std::ranges::any_of(pass_->before, &KeyPass::Key::arrived);
  }
  std::string stable_text() const {
    if (has_stopped()) return tr("No key is greater than the next key: the block is done.");
    return pass_->stable ? tr("Equal keys keep the order of the input.")
                         : tr("Equal keys have lost the order of the input.");
  }
  // Returns a text about the two marked keys. Adds their order if both keys have arrived.
  std::string pair_text() const {
    if (!pass_->equal_pair) return {};
    const auto [one, other] = *pass_->equal_pair;
    const auto find = [](const std::vector<KeyPass::Key>& keys, std::uint32_t element) {
      return std::ranges::find_if(keys, [&](const auto& k) { return k.known && k.element == element; });
    };
    const auto &before = pass_->before, &after = pass_->after;
    const auto a = find(before, one), b = find(before, other), c = find(after, one), d = find(after, other);
    if (a == before.end() || b == before.end()) return {};
    const std::string key = exact_text(a->key, trace_.settings);
    if (c == after.end() || d == after.end() || !c->arrived || !d->arrived)
      return tr("Two keys are marked. Both are {}.", key);
    const auto name = [&](const KeyPass::Key& k) {
      return k.value ? tr("value ") + exact_text(*k.value, trace_.settings, Cells::words)
                     : fmt::format("in[{}]", k.element);
    };
    const bool kept = (a < b) == (c < d);
    const std::string first = name(a < b ? *a : *b), second = name(a < b ? *b : *a);
    return kept ? tr("Both marked keys are {}: {} stays before {}.", key, first, second)
                : tr("Both marked keys are {}: {} no longer comes before {}.", key, first, second);
  }
  // The bits of a signed or float number do not sort correctly, so the radix sort compares converted bits:
  // the order bits. Returns a sentence that says how the order bits differ from the number's bits. Returns an
  // empty text if the order bits equal the number's bits.
  std::string order_text() const {
    switch (trace_.settings.type) {
      case Scalar::uint32: return {};
      case Scalar::float32:
        return tr(
            "Order bits: negative floats have all bits inverted, other floats have only the sign bit "
            "inverted.");
      default: return tr("Order bits: the sign bit is inverted, so negative numbers come first.");
    }
  }

  void caption() {
    const float y = p_.height - 14, room = p_.width - 2 * p_.margin;
    const Theme& t = p_.theme;
    float x = p_.margin;
    if (has_arrived() || has_stopped()) {
      const std::string words = cut(stable_text(), 13, Face::bold, room);
      p_.text({x, y}, words, is_stable() ? t.good : t.conflict, 13, Face::bold);
      x += text_width(words, 13, Face::bold) + 12;
    }
    if (const std::string pair = pair_text(); !pair.empty() && x + 80 < p_.width - p_.margin) {
      const std::string words = cut(pair, 13, Face::regular, p_.width - p_.margin - x);
      p_.text({x, y}, words, t.text, 13);
      x += text_width(words, 13, Face::regular) + 12;
    }
    if (x + 80 > p_.width - p_.margin) return;
    p_.text({x, y}, cut(order_text(), 12, Face::regular, p_.width - p_.margin - x), t.faint_text, 12);
  }

  // Writes the notes at the right. The notes explain how the kernel finds the new place of each key.
  void notes(Box box) {
    const Theme& t = p_.theme;
    float y = box.y + 8;
    const auto paragraph = [&](const std::string& words, Colour c, Face face, float size) {
      const auto lines = wrapped(words, size, face, box.w);
      if (words.empty() || y + static_cast<float>(lines.size()) * size * 1.45f > box.y + box.h) return;
      for (const std::string& line : lines) {
        p_.text({box.x, y}, line, c, size, face);
        y += size * 1.45f;
      }
      y += size * 0.5f;
    };
    if (has_arrived() || has_stopped())
      paragraph(stable_text(), is_stable() ? t.good : t.conflict, Face::bold, 14);
    paragraph(pair_text(), t.text, Face::regular, 13);
    if (pass_->kind == Kind::split) {
      if (pass_->zeros)
        paragraph(fmt::format("{}, {}", counted(*pass_->zeros, "zero"),
                              counted(pass_->size - *pass_->zeros, "one")),
                  t.text, Face::bold, 14);
      if (!has_stopped()) {
        paragraph(
            tr("Keys whose bit is 0 come first, in their old order. {}.",
               pass_->scan.empty() || pass_->scan_finished ? tr("The scan has counted these keys")
                                                           : tr("The scan is still counting these keys")),
            t.text, Face::regular, 13);
        paragraph(tr("Keys whose bit is 1 follow, in their old order."), t.text, Face::regular, 13);
      }
    }
    if (pass_->kind == Kind::digit)
      paragraph(
          tr("A key goes after all keys with a smaller digit, and after earlier keys with the same digit."),
          t.text, Face::regular, 13);
    if (pass_->kind == Kind::merge)
      paragraph(tr("Blue keys come from the first sorted run of a pair, and purple keys come from the second "
                   "run. If two keys are equal, the key of the first run comes first."),
                t.text, Face::regular, 13);
    paragraph(order_text(), t.faint_text, Face::regular, 12);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  const Trace& trace_;
  const KeyPass* pass_ = nullptr;
};

ViewPicture draw_keys(const ViewInput& in) { return KeysPicture(in).draw(); }

bool keys_are_ready(const Recording& r, const Cursor& at) {
  return !sorts_keys(r) || r.has_key_pass(at.block, at.step);
}

void find_keys(const Recording& r, const Cursor& at, const Job& job) { r.key_pass(at.block, at.step, &job); }

}  // namespace

extern const View keys_view{
    .name = "keys",
    .title = tr_noop("Keys"),
    .home = Home::tree,
    .draw = draw_keys,
    .has_something = sorts_keys,
    .comes_first = sorts_keys,
    .sees = sees_only<ElementId>,
    .is_ready = keys_are_ready,
    .find = find_keys,
};

}  // namespace upsweep
