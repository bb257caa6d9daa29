// The view "Global memory" shows one warp request. A row is 128 bytes of a buffer: four sectors of 32 bytes.
//
// Bytes that lanes access are filled. Other bytes of the same sectors are tinted. A coalesced request fills a
// few rows almost completely.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/coalescing.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr int line_bytes = 128;  // the bytes of one row: 32 words, four sectors

class GlobalPicture {
 public:
  explicit GlobalPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        words_(p_),
        number_(global_event(in.recording, in.cursor)),
        step_(in.recording.step(in.cursor.block, in.cursor.step)) {}

  ViewPicture draw() {
    if (number_ < 0) {
      p_.title("");
      p_.sentence(tr("No request to global memory in this step."));
      return std::move(p_).picture();
    }
    read();
    lay_out();
    p_.title(heading(), readout());
    for (std::size_t r = 0; r < shown_.size(); r++) {
      if (r > 0 && shown_[r] != shown_[r - 1] + 1) gap_mark(r);
      row(r);
    }
    footer();
    return std::move(p_).picture();
  }

 private:
  const Event& event() const { return trace_.events[static_cast<std::size_t>(number_)]; }
  Cells cells() const { return trace_.cells_of(event()); }
  int cell_size() const { return cell_bytes(event()); }

  // A cell that the request accesses. Contains the first lane that accesses the cell, the number of lanes
  // that access the cell, and the cell's value.
  struct Asked {
    int lane = 0, lanes = 0;
    Value value{};
  };

  void read() {
    const Event& e = event();
    cost_ = sector_cost(trace_, e);
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      const std::int64_t address = trace_.lanes[at].address;
      if (address < 0) return;
      Asked& a = asked_[address / cell_size()];
      if (a.lanes++ == 0) a.lane = lane;
      a.value = trace_.values[value];
    });
    for (const auto& [cell, a] : asked_) {
      const std::int64_t byte = cell * cell_size();
      rows_.insert(byte / line_bytes);
      sectors_.insert(byte / sector_bytes);
    }
  }

  std::string heading() const {
    const Event& e = event();
    const char* verb = is_load(e.kind) ? tr("reads") : is_store(e.kind) ? tr("writes") : tr("changes");
    std::string text = tr("warp {} {} {} · ", e.warp, verb, access_text(trace_, e));
    if (is_atomic(e.kind)) {
      const int most = contention(trace_, e);
      text += most > 1 ? tr("{} at one address, one after the other", counted(most, "lane"))
                       : counted(std::popcount(e.mask), "lane");
    } else {
      text += fmt::format("{} × {} → {}", counted(std::popcount(e.mask), "lane"), counted(e.width, "byte"),
                          counted(cost_.sectors, "sector"));
      text += cost_.sectors > cost_.ideal ? tr(" instead of {}", cost_.ideal) : tr(", the fewest possible");
    }
    return tr("{} · {} · line {}", request_text(in_.recording, in_.cursor, number_), text, e.line);
  }

  std::string readout() const {
    const int lane = lane_of(in_.cursor.hover, event().warp);
    if (lane < 0 || (event().mask >> lane & 1u) == 0) return {};
    const std::uint32_t at = entry_of(event(), lane);
    const std::int64_t address = trace_.lanes[at].address, cell = address / cell_size();
    const auto value = asked_.find(cell);
    return tr("thread {} · {}{} · byte {} · sector {}",
              thread_text(trace_.grids[event().grid], thread_of(event(), lane)),
              global_name(trace_, event().buffer, cell),
              value == asked_.end() ? "" : " = " + exact_value(trace_, value->second.value, cells()), address,
              address / sector_bytes);
  }

  void lay_out() {
    const float foot = p_.height >= 112 ? 20.0f : 0.0f;
    const float room = p_.height - p_.top - foot - 4;
    constexpr float least = 16, most = 34;
    const int fit = std::max(1, static_cast<int>(room / least));
    const std::vector<std::int64_t> all(rows_.begin(), rows_.end());
    left_out_ = std::max(0, static_cast<int>(all.size()) - fit);
    // Shows all rows if all rows fit. Otherwise, shows the first rows.
    shown_.assign(all.begin(),
                  all.begin() + std::min<std::ptrdiff_t>(fit, static_cast<std::ptrdiff_t>(all.size())));
    pitch_ = std::clamp(std::floor(room / static_cast<float>(std::max<std::size_t>(shown_.size(), 1))), least,
                        most);
    gap_ = pitch_ < 22 ? 2.0f : 4.0f;
    foot_ = foot > 0 ? p_.top + pitch_ * static_cast<float>(shown_.size()) + 10 : 0;
  }

  float y(std::size_t row) const { return p_.top + pitch_ * static_cast<float>(row); }

  void gap_mark(std::size_t row) {
    const float at = y(row) - gap_ / 2;
    for (float x = words_.left; x < words_.x(32) - words_.gap; x += 8)
      p_.line({x, at}, {x + 3, at}, p_.theme.ghost_text, 1);
  }

  void row(std::size_t r) {
    const Theme& t = p_.theme;
    const std::int64_t first = shown_[r] * line_bytes;
    const float top = y(r), h = pitch_ - gap_;
    const std::int64_t cell = first / cell_size();
    p_.text({words_.left - 12, top + h / 2},
            cut(global_name(trace_, event().buffer, cell), 11, Face::regular, words_.left - p_.margin - 8),
            t.faint_text, 11, Face::regular, Align::right);
    const std::int64_t size = event().buffer < trace_.buffers.size()
                                  ? trace_.buffers[event().buffer].count * cell_size()
                                  : first + line_bytes;
    for (int s = 0; s < line_bytes / sector_bytes; s++) {
      const std::int64_t byte = first + s * sector_bytes;
      const bool touched = sectors_.count(byte / sector_bytes) > 0;
      const Box box = words_.box(8 * s, top, h, 8);
      if (byte >= size && !touched) continue;
      p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
              {.fill = touched ? (wasteful() ? t.conflict_soft : t.now_soft) : Colour{0, 0, 0, 0},
               .stroke = touched ? mix(t.background, wasteful() ? t.conflict : t.now, 0.5f) : t.line,
               .width = 1,
               .radius = 4});
    }
    for (int byte = 0; byte < line_bytes; byte += cell_size())
      cell_box(first + byte, words_.box_of_bytes(byte, top, h, cell_size()));
  }

  bool wasteful() const { return cost_.sectors > cost_.ideal; }

  // Returns the text in a cell: the value, or the number of lanes if several lanes access the cell.
  std::string number_in(const Asked& a) const {
    return a.lanes > 1 ? fmt::format("×{}", a.lanes) : short_text(a.value, trace_.settings, cells(), 6);
  }

  // Returns a text size at which the texts of all cells fit into cells of this size. Returns 0 if some texts
  // do not even fit at the smallest size. In this case, no cell shows a text.
  float number_size(const Box& cell) const {
    if (cell.h < 11) return 0;
    const float largest = std::clamp(cell.h - 5, 9.0f, 11.5f);
    float width = 0;  // the width of the widest text at the largest text size
    for (const auto& [_, a] : asked_) width = std::max(width, text_width(number_in(a), largest, Face::bold));
    const float size = std::min(largest, std::floor(2 * largest * cell.w / width) / 2);
    return size >= 7.5f ? size : 0;
  }

  void cell_box(std::int64_t byte, Box box) {
    const Theme& t = p_.theme;
    const std::int64_t cell = byte / cell_size();
    const auto at = asked_.find(cell);
    const float inset = std::min(2.0f, box.h / 8), side = std::min(1.0f, box.w / 8);
    const Box inner{box.x + side, box.y + inset, box.w - 2 * side, box.h - 2 * inset};
    if (at == asked_.end()) {
      if (sectors_.count(byte / sector_bytes) == 0) return;
      const float r = 1.2f;  // the radius of a dot for a cell that was fetched, but not accessed
      p_.rect({box.x + box.w / 2 - r, box.y + box.h / 2 - r, 2 * r, 2 * r},
              {.fill = t.ghost_text, .radius = r});
      return;
    }
    const Asked& a = at->second;
    const bool several = a.lanes > 1;
    const LaneId id{in_.cursor.step, {-1, event().warp, a.lane, event().line}};
    p_.rect(inner,
            {.fill = several ? (is_load(event().kind) ? t.broadcast : t.conflict) : t.now, .radius = 3}, id);
    if (const float size = number_size(inner); size > 0)
      p_.text({inner.x + inner.w / 2, inner.y + inner.h / 2}, number_in(a), t.on_now, size, Face::bold,
              Align::centre);
    if (lane_of(in_.cursor.hover, event().warp) == a.lane)
      p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2}, {.stroke = t.text, .width = 2, .radius = 4});
    p_.target({box.x, box.y, box.w + words_.gap, box.h + gap_}, id);
  }

  // Draws a legend, the number of rows that are left out, and the cost of all loads and stores in the step.
  void footer() {
    if (foot_ == 0) return;
    std::string text = tr("row: 128 bytes in 4 sectors · filled: requested · tinted: the rest of the sector");
    if (left_out_ > 0) text = tr("{} more · {}", counted(left_out_, "row"), text);
    const GlobalTotals &load = step_.global_load, &store = step_.global_store;
    const GlobalTotals all{load.requests + store.requests, load.sectors + store.sectors,
                           load.ideal_sectors + store.ideal_sectors};
    if (all.requests > 1)
      text += tr(" · this step: {}, {} ({} at best)", counted(all.requests, "request"),
                 counted(all.sectors, "sector"), grouped(all.ideal_sectors));
    p_.text({words_.left, std::min(foot_, p_.height - 8)},
            cut(text, 11, Face::regular, p_.width - p_.margin - words_.left), p_.theme.faint_text, 11);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const BankColumns words_;
  const int number_;  // the request's index in Trace::events; -1 for none
  const StepIndex& step_;
  SectorCost cost_;
  std::map<std::int64_t, Asked> asked_;  // the key is the index of the cell
  std::set<std::int64_t> rows_, sectors_;
  std::vector<std::int64_t> shown_;  // the visible rows
  int left_out_ = 0;
  float pitch_ = 0, gap_ = 0, foot_ = 0;
};

ViewPicture draw_global(const ViewInput& in) { return GlobalPicture(in).draw(); }

bool has_no_shared(const Recording& r) {
  return std::all_of(r.trace.grids.begin(), r.trace.grids.end(),
                     [](const Grid& g) { return g.shared.bytes == 0; });
}

}  // namespace

extern const View global_view{.name = "global",
                              .title = tr_noop("Global memory"),
                              .home = Home::memory,
                              .draw = draw_global,
                              .comes_first = has_no_shared,
                              .height = [](const Recording&) { return 176.0f; },
                              .sees = sees_lane};

}  // namespace upsweep
