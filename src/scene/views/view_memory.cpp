// The view "Shared memory" shows the values after the step, in rows with one word for each bank. The view
// marks cells that the step read or wrote, and banks from which the chosen request needs several words.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/cells.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/memory_motion.hpp"
#include "scene/views/memory_overview.hpp"
#include "scene/views/memory_rows.hpp"
#include "scene/views/views.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

class MemoryPicture {
 public:
  explicit MemoryPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        grid_(grid_index(trace_, in.cursor.step)),
        shape_(trace_.grids[static_cast<std::size_t>(grid_)].shared),
        request_(chosen_request(in.recording, in.cursor)),
        banks_(in.presented ? BankColumns::presented(p_, request_.banks.banks,
                                                     columns_in_use(in.recording, request_.banks.banks))
                            : BankColumns(p_, room_beside_banks(in), request_.banks.banks)),
        memory_(in, grid_, request_),
        rows_(memory_.rows()),
        differ_(cells_that_differ(in)),
        marked_(marked_cells(in.recording, in.cursor)) {}

  Motion motion() {
    if (memory_.cells().empty()) return {};
    lay_out();
    p_.top += degrees_;
    return memory_motion(
        in_, memory_, text_size_, [&](int cell) { return box_of(cell); },
        [&](int cell, const Cell& c) { return cell_text(cell, c, text_size_); });
  }

  ViewPicture draw() {
    if (memory_.cells().empty()) {
      p_.title("");
      p_.sentence(trace_.grids.size() > 1 ? tr("The kernel of this launch uses no shared memory.")
                                          : tr("This kernel uses no shared memory."));
      return std::move(p_).picture();
    }
    lay_out();
    if (degrees_ > 0 && request_) bank_degrees(p_, banks_, request_, p_.width < 640 || in_.presented);
    p_.top += degrees_;
    if (overview_) draw_memory_overview(p_, overview_box_, memory_, banks_.count, shown_);
    if (numbers_ > 0) bank_numbers(p_, banks_, request_, in_.cursor.hover);
    for (std::size_t i = 0; i < shown_.size(); i++) {
      if (i > 0 && shown_[i] != shown_[i - 1] + 1) dashed_gap(p_, banks_, y(i) - gap_ / 2);
      row(shown_[i], y(i));
    }
    marks();
    title();
    return std::move(p_).picture();
  }

 private:
  // --- layout: all rows, or the most important rows with a small picture of the whole memory. Padding does
  // not change the places of rows.

  void lay_out() {
    constexpr float least = 18;
    const float most = in_.presented ? std::clamp(1.6f * banks_.pitch, 38.0f, 110.0f) : 38.0f;
    numbers_ = p_.height >= 104 ? 18.0f : 0.0f;
    degrees_ = p_.height >= 128 ? 18.0f : 0.0f;
    const auto room_for_rows = [&] { return p_.height - p_.top - numbers_ - degrees_ - 6; };
    const int slots = std::max(rows_, padded_rows(in_) * bank_count / banks_.count);
    // Leaves out the numbers of wavefronts if the rows only fit without these numbers.
    const float needed = static_cast<float>(slots) * least;
    if (needed > room_for_rows() && needed <= room_for_rows() + degrees_) degrees_ = 0;
    const float room = room_for_rows();
    const float comfortable = room < 90 ? least : 26.0f;
    if (needed <= room) {
      for (int r = 0; r < rows_; r++) shown_.push_back(r);
      pitch_ = std::clamp(std::floor(room / static_cast<float>(slots)), least, most);
    } else {
      const int fit = std::clamp(static_cast<int>(room / comfortable), 1, slots);
      pitch_ = std::clamp(std::floor(room / static_cast<float>(fit)), 12.0f, most);
      shown_ = memory_.rows_that_matter(fit);
      const float beside = in_.presented ? 0 : room_beside_banks(in_);
      overview_ = beside > 0 && room >= 28;
      if (overview_) {
        const float cell = std::floor((beside - 24) / static_cast<float>(banks_.count));
        const float wide = cell * static_cast<float>(banks_.count);
        overview_box_ = {p_.width - p_.margin - wide, p_.top + degrees_ + numbers_, wide,
                         std::min(cell, room / static_cast<float>(slots)) * static_cast<float>(rows_)};
      }
    }
    gap_ = pitch_ < 22 ? 2.0f : 3.0f;
    choose_text_size();
  }

  // Returns the box of a cell. Returns nullopt if the cell's row is not visible.
  std::optional<Box> box_of(int cell) const {
    const auto at = std::ranges::lower_bound(shown_, memory_.row_of(cell));
    if (at == shown_.end() || *at != memory_.row_of(cell)) return {};
    return banks_.box_of_bytes(memory_.at(cell).byte, y(static_cast<std::size_t>(at - shown_.begin())),
                               pitch_ - gap_, memory_.at(cell).bytes);
  }

  float y(std::size_t place) const { return p_.top + numbers_ + pitch_ * static_cast<float>(place); }

  // --- title

  void title() {
    std::string rows = counted(rows_, "row");
    if (static_cast<int>(shown_.size()) < rows_)
      rows = tr("{} of {}", grouped(static_cast<std::int64_t>(shown_.size())), counted(rows_, "row"));
    const std::string columns = banks_.shown < banks_.count
                                    ? tr("banks 0–{} of {}", banks_.shown - 1, banks_.count)
                                    : banks_text(request_.banks);
    std::string what = tr("{} · {} · after this step", columns, rows);
    if (const Grid& g = trace_.grids[static_cast<std::size_t>(grid_)]; g.blocks > 1)
      what = tr("block {} · {}", block_text(g, in_.cursor.block), what);
    if (shape_.buffers == 2)
      what += tr(" · x0 from word 0, x1 from word {}", memory_.first_word(shape_.cells_per_buffer));
    for (const SharedRegion& region : shape_.more)
      what += tr(" · {} from word {}", region.name, region.first / 4);
    if (request_.cost.excess() > 0) what += tr(" · orange, notched: a bank conflict");
    what += tr(" · outlined: read · filled: written");
    if (replaced_) what += tr(" · small number: the old value");
    if (shape_.cells_per_buffer > shape_.elements) what += tr(" · hatched: padding");
    if (!differ_.empty())
      what = tr("different in the other run: {} (two dashes below) · {}",
                counted(std::ssize(differ_), "value"), what);
    const int cell = hovered_cell();
    p_.title(what, cell < 0 ? std::string() : cell_readout(trace_, shape_, memory_, cell));
  }

  int hovered_cell() const {
    const auto* hover = as<CellId>(in_.cursor.hover);
    return hover && hover->cell < static_cast<int>(memory_.cells().size()) ? hover->cell : -1;
  }

  // Returns true if the mouse is over this cell, its bank, a node whose value is in the cell, or an access to
  // the cell. The mouse may be in any view.
  bool lit(int cell) const {
    const Id& hover = in_.cursor.hover;
    if (const auto* c = as<CellId>(hover)) return c->cell == cell;
    if (const auto* bank = as<BankId>(hover))
      return memory_.bank_of_cell(cell) / memory_.words_of(cell) == bank->bank / memory_.words_of(cell);
    if (const auto* node = as<NodeId>(hover))
      return is_stored_in(in_.recording, in_.cursor, *node, memory_.at(cell));
    return memory_.touch(cell).lit;
  }

  // --- the rows of cells

  void row(int r, float top) {
    const Theme& t = p_.theme;
    const float h = pitch_ - gap_;
    const std::uint32_t begin = static_cast<std::uint32_t>(r * banks_.count);
    const int last_cell = memory_.first_cell(r + 1);
    if (memory_.first_cell(r) == last_cell) return;
    const std::uint32_t last =
        memory_.first_word(last_cell - 1) + static_cast<std::uint32_t>(memory_.words_of(last_cell - 1)) - 1;
    const std::string label = last == begin || in_.presented
                                  ? grouped(begin)
                                  : fmt::format("{} – {}", grouped(begin), grouped(last));
    p_.text({banks_.left - 12, top + h / 2}, label, t.faint_text,
            in_.presented    ? 13.0f
            : p_.width < 640 ? 10.0f
                             : 11.5f,
            Face::regular, Align::right);
    for (int cell = memory_.first_cell(r); cell < last_cell; cell++)
      one_cell(cell, banks_.box_of_bytes(memory_.at(cell).byte, top, h, memory_.at(cell).bytes));
    begin_marks(r, top, last_cell);
  }

  // Draws a mark at the beginning of a region, such as the second part of a double buffer.
  void begin_marks(int r, float top, int last_cell) {
    for (int cell = std::max(1, memory_.first_cell(r)); cell < last_cell; cell++) {
      if (memory_.at(cell).buffer == memory_.at(cell - 1).buffer &&
          memory_.at(cell).region == memory_.at(cell - 1).region)
        continue;
      const float x = banks_.box_of_bytes(memory_.at(cell).byte, top, 0, 4).x - banks_.gap / 2;
      p_.line({x, top - gap_}, {x, top + pitch_ - gap_}, p_.theme.text, 2);
      if (memory_.at(cell).byte % static_cast<std::uint32_t>(4 * banks_.count) == 0)
        p_.line({x, top - gap_ / 2}, {banks_.x(banks_.shown), top - gap_ / 2}, p_.theme.text, 1);
    }
  }

  // Draws the marks of hazards on the corners of their cells.
  void marks() {
    for (const auto& [box, id] : badges_) {
      constexpr float width = 13;
      hazard_mark(p_, p_.theme, {box.x + 2, box.y + 2}, width);
      p_.target({box.x - width / 2, box.y - width / 2, width + 4, width + 4}, id);
    }
  }

  void one_cell(int cell, Box box) {
    const Theme& t = p_.theme;
    const Cell& c = memory_.at(cell);
    const Touch& touch = memory_.touch(cell);
    const bool padding = c.element < 0;
    const bool broadcast =
        touch.requested && std::popcount(touch.lanes) > 1 && is_load(trace_.events[request_.event].kind);
    const Colour accent = touch.conflict ? t.conflict : broadcast ? t.broadcast : t.now;
    RectStyle style{.fill = t.cell, .stroke = t.cell_stroke, .width = 1, .radius = std::min(4.0f, box.w / 4)};
    Colour ink = t.faint_text;
    Face face = Face::regular;
    if (padding) {
      style = {.stroke = mix(t.cell_stroke, t.ghost_text, 0.5f),
               .width = 1,
               .radius = style.radius,
               .hatch = true};
    } else if (touch.written) {
      style.fill = style.stroke = accent;
      ink = t.on_now;
      face = Face::bold;
    } else if (touch.read) {
      style.fill = touch.conflict ? t.conflict_soft : broadcast ? t.broadcast_soft : t.now_soft;
      style.stroke = accent;
      style.width = 1.6f;
      ink = t.text;
    }
    const Id id = id_of(cell);
    const Box around{box.x - 1, box.y - 1, box.w + 2, box.h + 2};
    p_.rect(box, style, id);
    if (touch.conflict) notch(p_, box, touch.written ? t.background : t.conflict);
    if (const auto mark = marked_.find(cell); mark != marked_.end()) {
      p_.rect(around, {.stroke = t.conflict, .width = 2, .radius = style.radius + 1});
      badges_.emplace_back(box, mark->second);
    }
    value(cell, touch, padding, broadcast, box, ink, face);
    if (differ_.contains(cell)) two_dashes(p_, box, ink);
    if (lit(cell)) p_.rect(around, {.stroke = t.text, .width = 2, .radius = style.radius + 1});
    p_.target({box.x, box.y, box.w + banks_.gap, box.h + gap_}, id);
  }

  void value(int cell, const Touch& touch, bool padding, bool broadcast, Box box, Colour ink, Face face) {
    const Theme& t = p_.theme;
    if (padding) {
      if (box.w - 3 >= text_width(tr("pad"), 9, Face::regular))
        p_.text({box.x + box.w / 2, box.y + box.h / 2}, tr("pad"), t.faint_text, 9, Face::regular,
                Align::centre);
      return;
    }
    if (text_size_ < least_text()) return;
    std::string text = cell_text(cell, text_size_);
    if (text_width(text, text_size_, face) > box.w - 2) face = Face::regular;  // the regular face is narrower
    const float least = std::min(text_size_, smallest_value(in_));
    float size = fitting_size(text, text_size_, least, face, box.w - 1);
    if (text_width(text, size, face) > box.w - 1) text = "…", size = text_size_;  // the value does not fit
    if (text_width(text, size, face) > box.w) return;
    // If there is enough room, a small text stands above the value. The small text is the number of lanes
    // that read the cell in one broadcast, or the old value of a written cell.
    const bool room = box.h >= 26 && box.w >= 24, many = broadcast && room;
    // A presentation does not show old values, because the text would be too small.
    const bool replaced = room && !many && !in_.presented && old_differs(cell);
    // In a comparison, the value is a little higher, so that two_dashes() has room below the value.
    const float down = (many || replaced ? 5.0f : 0.0f) - (differ_.empty() ? 0.0f : 1.5f);
    p_.text({box.x + box.w / 2, box.y + box.h / 2 + down}, text, ink, size, face, Align::centre);
    if (replaced) old_above(cell, box, ink);
    if (many)
      p_.text({box.x + box.w / 2, box.y + 7}, fmt::format("×{}", std::popcount(touch.lanes)),
              touch.written ? ink : t.broadcast, 9, Face::bold, Align::centre);
  }

  // Returns true if the step stored a value that differs from the cell's value before the step.
  bool old_differs(int cell) const {
    if (!memory_.touch(cell).written) return false;
    const Cell old = memory_.before(cell);
    return old.known && old.value != memory_.at(cell).value;
  }

  // Draws the old value of a written cell above the new value.
  void old_above(int cell, const Box& box, Colour ink) {
    constexpr float size = 9.5f;
    const std::string text = cell_text(cell, memory_.before(cell), size);
    if (text_width(text, size, Face::regular) > box.w - 4) return;
    p_.text({box.x + box.w / 2, box.y + 8}, text, ink, size, Face::regular, Align::centre);
    replaced_ = true;
  }

  // If the values need a smaller text size, no values are drawn. A presentation enlarges the whole picture,
  // so a smaller size is legible there.
  float least_text() const { return in_.presented ? 7.0f : 9.0f; }

  float room_in(int cell) const {
    return banks_.pitch * static_cast<float>(memory_.at(cell).bytes) / 4 - banks_.gap - 2;
  }

  std::string cell_text(int cell, float size) const { return cell_text(cell, memory_.at(cell), size); }
  // Returns the text for the cell with the contents `c`.
  std::string cell_text(int cell, const Cell& c, float size) const {
    if (!c.known) return "·";
    if (c.cells == Cells::words) return std::to_string(c.value[0]);
    return short_text(c.value, trace_.settings, c.cells,
                      std::clamp(static_cast<int>(room_in(cell) / (size * advance('0', Face::bold))), 5, 9));
  }

  // Chooses the largest text size at which all visible values fit, but at least least_text(). In a
  // presentation, one value in eight may be too wide, so that a few long values do not make all others small.
  // Values that are too wide get a smaller size or become "…".
  void choose_text_size() {
    text_size_ = std::min(12.5f, pitch_ - gap_ - 3);
    // In a presentation, two digits and a margin must fit into a cell.
    if (in_.presented) {
      const float cell = banks_.pitch * static_cast<float>(memory_.at(0).bytes) / 4;
      text_size_ = std::min({40.0f, (pitch_ - gap_) * 0.7f,
                             (cell - 0.14f * banks_.pitch - banks_.gap) / text_width("00", 1, Face::bold)});
    }
    const auto enough_fit = [&] {
      int values = 0, too_wide = 0;
      for (const int r : shown_)
        for (int cell = memory_.first_cell(r); cell < memory_.first_cell(r + 1); cell++) {
          if (memory_.at(cell).element < 0) continue;
          values++;
          too_wide += text_width(cell_text(cell, text_size_), text_size_, Face::bold) > room_in(cell);
        }
      return in_.presented ? 8 * too_wide <= values : too_wide == 0;
    };
    while (text_size_ > least_text() && !enough_fit()) text_size_ = std::max(least_text(), text_size_ - 0.5f);
  }

  Id id_of(int cell) const {
    const Touch& touch = memory_.touch(cell);
    CellId id{.step = in_.cursor.step, .cell = cell, .element = memory_.at(cell).element};
    int event = touch.event, lane = touch.lane;
    if (event < 0 && memory_.at(cell).writer > 0) {
      event = static_cast<int>(memory_.at(cell).writer) - 1;
      lane = memory_.at(cell).writer_thread % 32;
    }
    if (event >= 0) id.by = {event, trace_.events[event].warp, lane, trace_.events[event].line};
    return id;
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const int grid_;
  const SharedShape& shape_;
  const SharedRequest request_;
  BankColumns banks_;
  const MemoryRows memory_;
  const int rows_;
  const std::set<int> differ_;                     // the cells whose values differ from the other run
  const std::map<int, FindingId> marked_;          // the cells with hazards in this step
  std::vector<std::pair<Box, FindingId>> badges_;  // the drawn cells with hazards
  std::vector<int> shown_;                         // the visible rows
  float text_size_ = 0, numbers_ = 0, degrees_ = 0, pitch_ = 0, gap_ = 0;
  bool overview_ = false;
  bool replaced_ = false;  // true if a cell shows its old value
  Box overview_box_;
};

ViewPicture draw_memory(const ViewInput& in) { return MemoryPicture(in).draw(); }
Motion motion_in_memory(const ViewInput& in) { return MemoryPicture(in).motion(); }

Id memory_sees(const Id& hover) {
  if (const auto* cell = as<CellId>(hover)) return CellId{.cell = cell->cell};
  if (const auto* node = as<NodeId>(hover)) return NodeId{.row = node->row, .element = node->element};
  if (const auto* line = as<LineId>(hover)) return LineId{-1, line->line};
  if (const auto* request = as<RequestId>(hover)) return RequestId{-1, {request->by.event}};
  if (is_lane(hover)) return sees_lane(hover);
  return is<BankId>(hover) ? hover : Id();
}

// Returns the height in dp that all rows need, including rows for padding. The result is at least 120 and at
// most 228.
float height_of_memory(const Recording& recording) {
  constexpr float title = 40, numbers = 18, margin = 16;
  const auto rows = static_cast<float>(padded_rows(recording));
  return std::clamp(title + 2 * numbers + margin + rows * 31, 120.0f, 228.0f);
}

}  // namespace

extern const View memory_view{.name = "memory",
                              .title = tr_noop("Shared memory"),
                              .home = Home::memory,
                              .draw = draw_memory,
                              .tip = cell_tip,
                              .click = click_on_cell,
                              .has_something = has_shared_memory,
                              .height = height_of_memory,
                              .why_nothing = why_no_shared_memory,
                              .sees = memory_sees,
                              .motion = motion_in_memory};

}  // namespace upsweep
