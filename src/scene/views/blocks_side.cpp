#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "scene/views/blocks_picture.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"
#include "words/time_words.hpp"

namespace upsweep {
namespace {

constexpr float side_item_height = 26;

// A line of the list at the side. `who` is a block, a tile, a cell or a time. `what` is a value, a cell or an
// event, such as the launch of a grid. `effect` is the effect of an access.
struct SideItem {
  std::string who, what, effect;
  Colour ground{0, 0, 0, 0};
  bool strong = true;
};

class BlocksSide {
 public:
  BlocksSide(BlocksPicture& b, const Box& box) : b_(b), p_(b.pen), t_(b.pen.theme), box_(box) {}

  void draw() {
    y_ = box_.y;
    const bool charted = looked_back() && box_.h >= 300;
    const float chart = charted ? 118.0f : 0.0f;
    const TimeLine::Row* row = b_.chosen == TimeLine::none ? nullptr : &b_.row(b_.chosen);
    if (row && row->looks > 0) looks(*row, box_.y + box_.h - chart);
    else if (b_.line.has_atomics) atomics(box_.y + box_.h - chart);
    else if (row) published_and_launched(*row, box_.y + box_.h - chart);
    if (charted) distances(box_.y + box_.h - chart + 14, box_.y + box_.h);
  }

 private:
  void heading(const std::string& words) {
    p_.text({box_.x, y_ + 8}, cut(words, 13, Face::bold, box_.w), t_.text, 13, Face::bold);
    y_ += 26;
  }

  // Draws the items that fit above `bottom`, and a line with the number of items that are left out.
  void list(const std::vector<SideItem>& items, float bottom) {
    const int room = std::max(0, static_cast<int>((bottom - y_) / side_item_height));
    const int all = static_cast<int>(items.size()), drawn = all <= room ? all : std::max(0, room - 1);
    float who = 60;
    for (int k = 0; k < drawn; ++k)
      who = std::max(who, text_width(items[static_cast<std::size_t>(k)].who, 12, Face::bold) + 24);
    who = std::min(who, box_.w * 0.5f);
    for (int k = 0; k < drawn; ++k) {
      const SideItem& item = items[static_cast<std::size_t>(k)];
      const float y = y_ + side_item_height / 2 - 1;
      p_.rect({box_.x, y_, box_.w, side_item_height - 3}, {.fill = item.ground, .radius = 4});
      const float effect = text_width(item.effect, 12, Face::bold);
      p_.text({box_.x + box_.w - 9, y}, item.effect, item.strong ? t_.text : t_.faint_text, 12, Face::bold,
              Align::right);
      const Face face = item.strong ? Face::bold : Face::regular;
      p_.text({box_.x + 9, y}, cut(item.who, 12, face, who - 14), item.strong ? t_.text : t_.faint_text, 12,
              face);
      p_.text({box_.x + who, y}, cut(item.what, 12, Face::regular, box_.w - who - effect - 22),
              item.strong ? t_.text : t_.faint_text, 12);
      y_ += side_item_height;
    }
    if (drawn < all && room > 0) {
      p_.text({box_.x + 9, y_ + side_item_height / 2 - 1}, tr("and {} more", grouped(all - drawn)),
              t_.faint_text, 12);
      y_ += side_item_height;
    }
  }

  void sentence(const std::string& words, float bottom) {
    for (const std::string& line : wrapped(words, 12.5f, Face::regular, box_.w)) {
      if (y_ + 16 > bottom) return;
      p_.text({box_.x, y_ + 9}, line, t_.text, 12.5f);
      y_ += 18;
    }
  }

  // Lists the tiles whose values a tile read in its look-back, or the blocks whose values a block read.
  void looks(const TimeLine::Row& row, float bottom) {
    const std::string name = capitalised(row_text(b_.recording, row));
    heading(name + (row.tile >= 0 ? tr(" looks back") : tr(" reads")));
    std::vector<SideItem> items;
    const std::string_view sign = operation_sign(b_.trace().settings.op);
    for (const TimeLine::Look& look : b_.line.looks_of(row)) {
      if (!look.is_used || look.asked > b_.now) continue;
      SideItem item;
      item.who = look.target != TimeLine::none ? row_text(b_.recording, b_.row(look.target))
                                               : global_name(b_.trace(), look.buffer, look.cell);
      std::uint32_t mark = 0;  // the last status that the block has read in this cell up to the shown time
      for (const TimeLine::Seen& seen : b_.line.seen_in(look))
        if (seen.time <= b_.now) mark = seen.mark;
      const bool answered = look.answered <= b_.now;
      const std::string value = answered ? held_text(b_.recording, look.held) : "";
      const bool is_final = is_last(row, look, mark);
      if (answered && look.cells > 1)
        item.what = tr("{} of {}", counted(look.cells, "cell"), buffer_name(b_.trace(), look.buffer));
      else
        item.what = answered ? marked_value_text(b_.recording, look.buffer, mark, look.held)
                             : mark_text(b_.recording, look.buffer, mark);
      if (!answered) item.effect = tr("waits");
      else if (!value.empty())
        item.effect = fmt::format("{} {}{}", sign, value, is_final ? tr(", stops") : "");
      item.strong = answered;
      item.ground = !answered ? mix(t_.background, t_.line, 0.6f) : is_final ? b_.part() : t_.now_soft;
      items.push_back(std::move(item));
    }
    const std::string said = look_back_text(b_.recording, row.grid, row.block, b_.now);
    std::string own;
    for (const TimeLine::Published& p : b_.line.published_by(row))
      if (p.time == row.whole && p.time <= b_.now && p.held.buffer >= 0)
        own = tr("The block has published its {}: {}.", mark_text(b_.recording, p.buffer, p.mark),
                 held_text(b_.recording, p.held));
    const std::string text = own.empty() ? said : said + " " + own;
    const float sentences = 18 * static_cast<float>(wrapped(text, 12.5f, Face::regular, box_.w).size()) + 10;
    list(items, bottom - sentences);
    y_ += 4;
    sentence(text, bottom);
  }

  // Returns true if this read ends the look-back of the tile.
  bool is_last(const TimeLine::Row& row, const TimeLine::Look& look, std::uint32_t mark) const {
    const TimeLine::Protocol& protocol = b_.protocol(row);
    return look.buffer == protocol.status && !protocol.one_state && mark == protocol.final_mark;
  }

  bool looked_back() const {
    return std::ranges::any_of(b_.line.rows, [](const TimeLine::Row& r) { return r.looked_back > 0; });
  }

  SideItem item_of(const TimeLine::Moment& m) const {
    const Event& e = b_.trace().events[m.event];
    SideItem item;
    item.who = row_text(b_.recording, b_.row(m.row));
    item.strong = m.time <= b_.now;
    if (m.row == b_.chosen) item.ground = t_.now_soft;
    const int lanes = std::popcount(e.mask);
    if (m.of == MomentOf::launch) {
      const std::int64_t grid = b_.trace().lanes[e.first].address;
      item.what = grid >= 0 ? tr("launches {}", grouped(grid + 1)) : tr("launches a grid");
      if (lanes > 1) item.what += tr(" and {} more", lanes - 1);
      return item;
    }
    item.what =
        global_name(b_.trace(), e.buffer, b_.trace().lanes[e.first].address / std::max<int>(1, e.width));
    if (lanes > 1) item.what += fmt::format(", {}", counted(lanes, "lane"));
    item.effect = change_text(e);
    return item;
  }

  // Returns the value of the cell before and after an atomic, such as "120 → 365". Returns an empty text if
  // the lanes change different cells.
  //
  // The order of the lanes is unknown. Each lane finds a value in the cell, and stores a value. The value
  // before the atomic is a found value that no lane stored. The value after the atomic is a stored value that
  // no lane found.
  std::string change_text(const Event& e) const {
    std::vector<const Value*> before, after;
    bool one_cell = true;
    for (std::uint32_t entry = e.first,
                       last = e.first + 2 * static_cast<std::uint32_t>(std::popcount(e.mask));
         entry < last; entry += 2) {
      one_cell = one_cell && b_.trace().lanes[entry].address == b_.trace().lanes[e.first].address;
      before.push_back(&b_.trace().values[entry]);
      after.push_back(&b_.trace().values[entry + 1]);
    }
    if (!one_cell) return {};
    const auto alone = [](const std::vector<const Value*>& all, const std::vector<const Value*>& others) {
      for (const Value* v : all)
        if (std::ranges::none_of(others, [&](const Value* other) { return *other == *v; })) return v;
      return all.front();
    };
    return fmt::format("{} → {}", held_text(b_.recording, {e.buffer, *alone(before, after)}),
                       held_text(b_.recording, {e.buffer, *alone(after, before)}));
  }

  // Lists the atomics of all blocks near the shown time, sorted by time.
  void atomics(float bottom) {
    heading(tr("Atomics, in their order"));
    const int room = std::max(1, static_cast<int>((bottom - y_) / side_item_height));
    constexpr int most_skipped = 5000;
    const auto& all = b_.line.moments;
    const auto next = std::ranges::upper_bound(all, b_.now, {}, &TimeLine::Moment::time);
    std::vector<SideItem> before, after;
    int skipped = 0;
    for (auto m = next; m != all.begin() && static_cast<int>(before.size()) < room && skipped < most_skipped;
         ++skipped)
      if ((--m)->of == MomentOf::atomic) before.push_back(item_of(*m));
    const int kept = room - std::min(static_cast<int>(before.size()), room / 2 + 1);
    skipped = 0;
    for (auto m = next; m != all.end() && static_cast<int>(after.size()) < kept && skipped < most_skipped;
         ++m, ++skipped)
      if (m->of == MomentOf::atomic) after.push_back(item_of(*m));
    before.resize(std::min(before.size(), static_cast<std::size_t>(room) - after.size()));
    std::vector<SideItem> items(before.rbegin(), before.rend());
    items.insert(items.end(), after.begin(), after.end());
    list(items, bottom);
  }

  // Lists the events of one block: the beginning, the published values, the launched grids, and the end.
  void published_and_launched(const TimeLine::Row& row, float bottom) {
    heading(capitalised(row_text(b_.recording, row)));
    std::vector<SideItem> items;
    constexpr std::size_t most = 200;
    for (const std::uint32_t at : b_.line.moments_of(row)) {
      const TimeLine::Moment& m = b_.line.moments[at];
      if (items.size() >= most) break;
      SideItem item;
      item.strong = m.time <= b_.now;
      item.who = time_text_of(b_.line, m.time);
      if (m.of == MomentOf::begin) item.what = tr("begins");
      else if (m.of == MomentOf::end) item.what = tr("ends");
      else if (m.of == MomentOf::launch) item.what = item_of(m).what;
      else if (m.of == MomentOf::publish) item.what = published_text(row, m);
      else continue;
      items.push_back(std::move(item));
    }
    list(items, bottom);
  }
  std::string published_text(const TimeLine::Row& row, const TimeLine::Moment& m) const {
    for (const TimeLine::Published& p : b_.line.published_by(row))
      if (p.event == m.event)
        return tr("publishes ") +
               (p.cells > 1 ? tr("{} of {}", counted(p.cells, "cell"), buffer_name(b_.trace(), p.buffer))
                            : marked_value_text(b_.recording, p.buffer, p.mark, p.held));
    return tr("publishes");
  }

  // Draws a bar for each tile. The bar's height shows how far the tile looked back. If there are too many
  // tiles, one bar stands for several tiles and shows their greatest distance.
  void distances(float top, float bottom) {
    const std::string title = cut(tr("How far each tile looked back"), 13, Face::bold, box_.w);
    p_.text({box_.x, top + 8}, title, t_.text, 13, Face::bold);
    std::vector<const TimeLine::Row*> tiles;
    for (const TimeLine::Row& row : b_.line.rows)
      if (row.tile >= 0 && row.grid == grid_of_chosen()) tiles.push_back(&row);
    if (tiles.empty()) return;
    int most = 1;
    for (const TimeLine::Row* row : tiles) most = std::max(most, row->looked_back);
    const float low = bottom - 20, high = top + 30;
    const float columns = std::min(static_cast<float>(tiles.size()), std::floor(box_.w / 3));
    const float pitch = std::min(box_.w / columns, 16.0f), gap = pitch > 6 ? 2.0f : 0.5f;
    const std::string greatest = tr("at most {}", counted(most, "tile"));
    const float greatest_width = text_width(greatest, 11, Face::regular);
    const bool fits = text_width(title, 13, Face::bold) + 10 + greatest_width <= box_.w;
    if (fits) p_.text({box_.x + box_.w, top + 8}, greatest, t_.faint_text, 11, Face::regular, Align::right);
    const auto per = static_cast<float>(tiles.size()) / columns;
    float marked = -1;
    for (int c = 0; c < static_cast<int>(columns); ++c) {
      const auto from = static_cast<std::size_t>(static_cast<float>(c) * per),
                 to = std::min(tiles.size(),
                               std::max(from + 1, static_cast<std::size_t>(static_cast<float>(c + 1) * per)));
      int far = 0;
      bool known = true, mine = false;
      for (std::size_t k = from; k < to; ++k) {
        far = std::max(far, tiles[k]->looked_back);
        known = known && (tiles[k]->looked_back == 0 || answered(*tiles[k]) <= b_.now);
        mine = mine || tiles[k] == (b_.chosen == TimeLine::none ? nullptr : &b_.row(b_.chosen));
      }
      const float h = (low - high) * static_cast<float>(far) / static_cast<float>(most);
      const float x = box_.x + pitch * static_cast<float>(c);
      if (h > 0) {
        const RectStyle read{.fill = mine ? t_.text : b_.whole(), .radius = 1};
        p_.rect({x, low - h, std::max(1.0f, pitch - gap), h}, known ? read : b_.later(1));
      }
      if (mine) marked = x + (pitch - gap) / 2;
    }
    p_.line({box_.x, low + 0.5f}, {box_.x + pitch * columns, low + 0.5f}, t_.line);
    if (marked >= 0) p_.triangle({marked, low + 2}, {marked - 4, low + 8}, {marked + 4, low + 8}, t_.text);
    const std::string first = row_text(b_.recording, *tiles.front()),
                      last = row_text(b_.recording, *tiles.back());
    const float end = box_.x + pitch * columns;
    p_.text({box_.x, low + 14}, first, t_.faint_text, 10.5f);
    if (end - text_width(last, 10.5f, Face::regular) > box_.x + text_width(first, 10.5f, Face::regular) + 12)
      p_.text({end, low + 14}, last, t_.faint_text, 10.5f, Face::regular, Align::right);
  }
  int grid_of_chosen() const {
    if (b_.chosen != TimeLine::none) return b_.row(b_.chosen).grid;
    return 0;
  }
  // Returns the time at which a tile had read all values of its look-back.
  std::uint64_t answered(const TimeLine::Row& row) const {
    std::uint64_t time = 0;
    for (const TimeLine::Look& look : b_.line.looks_of(row))
      if (look.is_used) time = std::max(time, look.answered);
    return time;
  }

  BlocksPicture& b_;
  ViewPen& p_;
  const Theme& t_;
  const Box box_;
  float y_ = 0;
};

}  // namespace

bool has_blocks_side(const BlocksPicture& b) { return b.line.has_talk(); }

void draw_blocks_side(BlocksPicture& b, const Box& box) { BlocksSide(b, box).draw(); }

}  // namespace upsweep
