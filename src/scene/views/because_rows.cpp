#include "scene/views/because_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/block_index.hpp"
#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"
#include "words/lane_formula.hpp"

namespace upsweep {
namespace {

using LaneColumn = LaneTable::Column;
using LaneTone = LaneTable::Tone;

class TableMaker {
 public:
  TableMaker(const ViewInput& in, int event, const RequestSource& source)
      : in_(in),
        trace_(in.recording.trace),
        number_(event),
        e_(trace_.events[static_cast<std::size_t>(event)]),
        source_(source) {}

  LaneTable make() && {
    for (int lane = 0; lane < 32; ++lane) {
      LaneTable::Row& row = table_.rows[static_cast<std::size_t>(lane)];
      row.active = is_active(lane);
      row.is_lit = lane_of(in_.cursor.hover, e_.warp) == lane;
      row.id = LaneId{in_.cursor.step, {-1, e_.warp, lane, e_.line}};
    }
    add(tr("lane"), true, 0, [](int lane) { return std::to_string(lane); });
    condition();
    if (is_shared(e_.kind)) shared();
    else if (is_global(e_.kind)) global();
    else if (e_.kind == Kind::shuffle) shuffle();
    fold();
    return std::move(table_);
  }

 private:
  bool is_active(int lane) const { return (e_.mask >> lane & 1u) != 0; }

  template <class Text>
  LaneColumn& add(std::string title, bool is_number, int rank, Text text) {
    LaneColumn& c = table_.columns.emplace_back();
    c.title = std::move(title);
    c.is_number = is_number;
    c.rank = rank;
    for (int lane = 0; lane < 32; ++lane)
      if (is_active(lane)) c.cells[static_cast<std::size_t>(lane)] = text(lane);
    return c;
  }

  std::string condition_text() const {
    std::string all;
    for (const RequestSource::Condition& c : source_.conditions)
      all +=
          (all.empty() ? "" : " && ") +
          (source_.conditions.size() > 1 && c.text.find("||") != c.text.npos ? "(" + c.text + ")" : c.text);
    return all;
  }
  void condition() {
    if (!source_.conditions.empty()) add(condition_text(), false, 2, [](int) { return tr("yes"); });
  }

  // Adds the column with the index of each lane's element. `element` returns the index for a lane, or nullopt
  // if the lane accesses no element.
  template <class Element>
  void index(Element element) {
    std::vector<int> threads, indices;
    bool is_known = true;
    for (int lane = 0; lane < 32; ++lane) {
      if (!is_active(lane)) continue;
      const std::optional<std::int64_t> i = element(lane);
      is_known = is_known && i && *i >= 0 && *i <= std::numeric_limits<int>::max();
      if (!is_known) break;
      threads.push_back(thread_of(e_, lane));
      indices.push_back(static_cast<int>(*i));
    }
    const auto formula =
        is_known ? LaneFormula::fit(trace_.grids[e_.grid].block_dim(), threads, indices) : std::nullopt;
    const std::string name = index_name();
    const bool says_more = formula && formula->text() != name;
    add(says_more ? name + " = " + formula->text() : name, false, 1, [&](int lane) {
      const std::optional<std::int64_t> i = element(lane);
      if (!i) return std::string(tr("no element"));
      return formula ? formula->with_numbers(thread_of(e_, lane)) : grouped(*i);
    });
  }
  std::string index_name() const { return source_.index.empty() ? tr("index") : source_.index; }

  void shared() {
    b_ = because(in_.recording, number_, banks_of(in_.cursor));
    const auto lane_at = [&](int lane) -> const LaneAccess& {
      return b_.lanes[static_cast<std::size_t>(lane)];
    };
    index([&](int lane) { return lane_at(lane).element; });
    const bool moves = std::any_of(b_.lanes.begin(), b_.lanes.end(),
                                   [](const LaneAccess& a) { return a.active && a.cell != a.element; });
    if (source_.pads || moves) {
      const std::string padded = source_.pads ? tr("pad({})", index_name()) : tr("cell");
      add(source_.cell.empty() ? padded : source_.cell + " = " + padded, true, 3,
          [&](int lane) { return lane_at(lane).cell ? grouped(*lane_at(lane).cell) : std::string(); });
    }
    add(b_.width > 4 ? tr("first word") : tr("word"), true, 1,
        [&](int lane) { return word_text(lane_at(lane)); });
    add(tr("word mod {}", b_.model.banks), true, 5,
        [&](int lane) { return tr("{} mod {}", grouped(lane_at(lane).word), b_.model.banks); });
    LaneColumn& bank = add(b_.width > 4 ? tr("banks") : tr("bank"), true, 0, [&](int lane) {
      const LaneAccess& a = lane_at(lane);
      return b_.width > 4 ? fmt::format("{}–{}", a.bank, a.bank + b_.width / 4 - 1) : std::to_string(a.bank);
    });
    bank.is_strong = true;
    table_.keeps_marks = !is_atomic(e_.kind);
    if (!is_atomic(e_.kind))
      add(tr("wavefront"), true, 4, [&](int lane) {
        return lane_at(lane).wavefront < 0 ? std::string() : std::to_string(lane_at(lane).wavefront + 1);
      });
    mark_collisions();
    for (int lane = 0; lane < 32; ++lane) link(lane, lane_at(lane));
  }

  // Returns a text that shows how the word's index follows from the cell's index, such as "2·40 + 64 = 144".
  std::string word_text(const LaneAccess& a) const {
    const std::string word = grouped(a.word);
    if (!a.cell) return word;
    const int bytes = cell_bytes(e_);
    if (bytes < 4) {
      const std::int64_t begin = a.word - *a.cell * bytes / 4;
      return begin == 0 ? tr("{} div {} = {}", grouped(*a.cell), 4 / bytes, word) : word;
    }
    const std::int64_t begin = a.word - *a.cell * (bytes / 4);
    std::string text = bytes > 4 ? fmt::format("{}·{}", bytes / 4, grouped(*a.cell)) : grouped(*a.cell);
    if (begin > 0) text += " + " + grouped(begin);
    return text == word ? word : text + " = " + word;
  }

  // Marks lanes with bank conflicts. If there is no conflict, marks lanes with broadcasts. A wide access is
  // served in several groups of lanes. Lanes of one group get the same letter if they need different words of
  // one bank.
  void mark_collisions() {
    if (b_.wavefronts <= b_.groups) return mark_broadcasts();
    std::vector<int> group_of_wave;
    const SharedRequest request = chosen_request(in_.recording, in_.cursor);
    int group = -1;
    for (const bool extra : request.extra) group_of_wave.push_back(extra ? group : ++group);
    // The key is a group of lanes and a bank. The value contains the words that the group needs from the
    // bank.
    std::map<std::pair<int, int>, std::set<std::int64_t>> words;
    const auto key = [&](const LaneAccess& a) {
      const bool is_known = request.event == number_ && is_index(a.wavefront, group_of_wave.size());
      return std::pair(is_known ? group_of_wave[static_cast<std::size_t>(a.wavefront)] : 0, a.bank);
    };
    for (const LaneAccess& a : b_.lanes)
      if (a.active && a.wavefront >= 0) words[key(a)].insert(a.word);
    std::map<std::pair<int, int>, int> letters;
    for (std::size_t lane = 0; lane < b_.lanes.size(); ++lane) {
      const LaneAccess& a = b_.lanes[lane];
      if (!a.active || a.wavefront < 0 || words[key(a)].size() < 2) continue;
      const int letter = letters.emplace(key(a), static_cast<int>(letters.size())).first->second;
      table_.rows[lane].mark = std::string(1, static_cast<char>('a' + letter));
      table_.rows[lane].tone = letter % 2 == 0 ? LaneTone::first : LaneTone::second;
    }
  }

  void mark_broadcasts() {
    if (!is_load(e_.kind)) return;
    std::map<std::optional<std::int64_t>, int> lanes;
    for (const LaneAccess& a : b_.lanes)
      if (a.active) ++lanes[a.element];
    for (std::size_t lane = 0; lane < b_.lanes.size(); ++lane)
      if (b_.lanes[lane].active && lanes[b_.lanes[lane].element] > 1)
        table_.rows[lane].tone = LaneTone::broadcast;
  }

  // Links a row of the table with the cell and the bank that the row shows.
  void link(int lane, const LaneAccess& a) {
    LaneTable::Row& row = table_.rows[static_cast<std::size_t>(lane)];
    if (!a.active) return;
    const int element = a.element ? static_cast<int>(*a.element) : -1;
    row.id = ServedId{in_.cursor.step, a.place, element, {number_, e_.warp, lane, e_.line}};
    const Id& hover = in_.cursor.hover;
    if (const auto* cell = as<CellId>(hover)) row.is_lit = cell->cell >= 0 && cell->cell == a.place;
    if (const auto* node = as<NodeId>(hover)) row.is_lit = node->element >= 0 && node->element == element;
    if (const auto* bank = as<BankId>(hover))
      row.is_lit = bank->bank >= a.bank && bank->bank < a.bank + std::max(1, b_.width / 4);
  }

  void global() {
    const BecauseGlobal g = because_global(trace_, number_);
    const auto lane_at = [&](int lane) -> const LaneBytes& {
      return g.lanes[static_cast<std::size_t>(lane)];
    };
    index([&](int lane) { return std::optional(lane_at(lane).element); });
    add(tr("bytes"), true, 2, [&](int lane) {
      return fmt::format("{}–{}", grouped(lane_at(lane).byte), grouped(lane_at(lane).byte + g.width - 1));
    });
    add(tr("byte div 32"), true, 4, [&](int lane) { return tr("{} div 32", grouped(lane_at(lane).byte)); });
    add(tr("sector"), true, 0, [&](int lane) { return grouped(lane_at(lane).sector); });
    // The rows of every second sector have a coloured background, so that readers see which lanes access the
    // same sector.
    std::map<std::int64_t, int> sectors;
    for (std::size_t lane = 0; lane < g.lanes.size(); ++lane)
      if (g.lanes[lane].active) {
        const int number =
            sectors.emplace(g.lanes[lane].sector, static_cast<int>(sectors.size())).first->second;
        if (number % 2 == 0)
          table_.rows[lane].tone = g.sectors > g.fewest ? LaneTone::first : LaneTone::second;
      }
  }

  void shuffle() {
    add(tr("takes from lane"), true, 1,
        [&](int lane) { return std::to_string(trace_.lanes[entry_of(e_, lane)].address); });
    add(tr("value"), true, 0, [&](int lane) {
      return short_text(trace_.values[entry_of(e_, lane)], trace_.settings, trace_.cells_of(e_), 8);
    });
  }

  // Adds lines that say why the other lanes do not take part in the request.
  void fold() {
    const std::uint32_t present = present_lanes(trace_.grids[e_.grid], e_.warp);
    const std::vector<WarpLanes> warps = in_.recording.block(e_.grid, static_cast<int>(e_.block))
                                             .warp_lanes(trace_, static_cast<int>(e_.step));
    std::vector<int> absent, exited, masked;
    for (int lane = 0; lane < 32; ++lane) {
      if (is_active(lane)) continue;
      const bool is_known = e_.warp < warps.size();
      if ((present >> lane & 1u) == 0) absent.push_back(lane);
      else if (is_known && warps[e_.warp].lanes[static_cast<std::size_t>(lane)] == LaneState::exited)
        exited.push_back(lane);
      else masked.push_back(lane);
    }
    const auto line = [&](const std::vector<int>& lanes, const std::string& what) {
      if (!lanes.empty())
        table_.folded.push_back(
            fmt::format("{} {}  {}", lanes.size() == 1 ? tr("lane") : tr("lanes"), ranges(lanes), what));
    };
    line(masked,
         source_.conditions.empty() ? tr("masked off") : tr("masked off: {} is not true", condition_text()));
    line(exited, tr("exited"));
    line(absent, lane_count_text());
  }
  std::string lane_count_text() const {
    return tr("absent: the block has {}", counted(trace_.grids[e_.grid].threads, "thread"));
  }

  const ViewInput& in_;
  const Trace& trace_;
  const int number_;
  const Event& e_;
  const RequestSource& source_;
  Because b_;
  LaneTable table_;
};

}  // namespace

LaneTable because_table(const ViewInput& in, int event, const RequestSource& source) {
  return TableMaker(in, event, source).make();
}

UtilisationBars utilisation_bars(const ViewInput& in, int most) {
  const Trace& trace = in.recording.trace;
  const Grid& grid = trace.grid_of(static_cast<std::uint32_t>(in.cursor.step));
  const auto begin = static_cast<int>(grid.first_step), end = begin + static_cast<int>(grid.steps);
  const auto step = [&](int s) -> const Step& { return trace.steps[static_cast<std::size_t>(s)]; };
  int first = in.cursor.step, last = in.cursor.step;
  while (first > begin && step(first - 1).phase == step(in.cursor.step).phase) --first;
  while (last + 1 < end && step(last + 1).phase == step(in.cursor.step).phase) ++last;
  UtilisationBars bars;
  if (last - first >= most) {
    bars.left_out = last - first + 1 - most;
    first = std::clamp(in.cursor.step - most / 2, first, last - most + 1);
    last = first + most - 1;
  }
  for (int s = first; s <= last; ++s) {
    const StepFacts& f = in.recording.facts.steps[static_cast<std::size_t>(s)];
    if (f.working_warps == 0) continue;
    const std::string number = number_text(trace, step(s));
    bars.all.push_back(
        {s, number.empty() ? step_text(trace, step(s)) : number, f.active_lanes / (32.0 * f.working_warps)});
  }
  return bars;
}

}  // namespace upsweep
