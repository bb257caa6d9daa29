#include "panels/tooltip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "analysis/banks.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "scene/views/work_rows.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

using Lines = std::vector<std::string>;

const char* const wavefront_meaning =
    "A wavefront is one pass of the 32 banks; excess are those that bank conflicts add.";

std::string counter(Kind kind) {
  return fmt::format("Hardware: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
                     kind == Kind::shared_load ? "ld" : "st");
}

// "thread 35 (warp 1, lane 3)".
std::string thread_text(int warp, int lane) {
  return fmt::format("thread {} (warp {}, lane {})", warp * 32 + lane, warp, lane);
}

std::string cost_text(const SharedTotals& t) {
  return fmt::format("{}, {}, {} excess", counted(t.requests, "request"), counted(t.wavefronts, "wavefront"),
                     grouped(t.excess));
}

bool in_range(int i, std::size_t count) { return i >= 0 && i < static_cast<int>(count); }

class Tip {
 public:
  Tip(const Recording& recording, const Cursor& cursor, const Id& id, const LineCounters* counters)
      : r_(recording), trace_(recording.trace), cursor_(cursor), id_(id), counters_(counters) {}

  Lines lines() {
    switch (id_.what) {
      case Id::What::node: node(); break;
      case Id::What::cell: cell(); break;
      case Id::What::lane: id_.cell >= 0 ? served() : lane(); break;
      case Id::What::step: step(); break;
      case Id::What::request: request(); break;
      case Id::What::line: line(); break;
      case Id::What::counters: counters(); break;
      case Id::What::bank: bank(); break;
      case Id::What::handle: work(); break;
      case Id::What::view: view(); break;
      case Id::What::block: block(); break;
      case Id::What::grid: grid(); break;
      case Id::What::barrier: barrier(); break;
      case Id::What::timing:  // charts say the others themselves
        if (id_.row < 0) lines_ = {"Timing", "What it costs at full size, and whether its conflicts matter"};
        break;
      case Id::What::none: break;
    }
    return std::move(lines_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> text, Args&&... args) {
    lines_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  std::string value(const Value& v) const { return exact_text(v, trace_.settings); }
  const Event* event() const {
    return in_range(id_.event, trace_.events.size()) ? &trace_.events[static_cast<std::size_t>(id_.event)]
                                                     : nullptr;
  }
  std::string step_of(int step) const { return step_text(trace_.steps.at(static_cast<std::size_t>(step))); }

  void view() {
    if (in_range(id_.row, views().size())) lines_.push_back(views()[static_cast<std::size_t>(id_.row)].title);
  }

  void block() {
    if (!in_range(id_.grid, trace_.grids.size())) return;
    const Grid& g = trace_.grids[static_cast<std::size_t>(id_.grid)];
    add("Block {} of {}", block_text(g, id_.block), configuration_text(g));
    const bool gpu = trace_.machine == MachineKind::gpu;
    for (const BlockRun& run : trace_.runs) {
      if (run.grid != id_.grid || static_cast<int>(run.block) != id_.block) continue;
      if (gpu) {
        add("ran on multiprocessor {} from {} to {} ns", run.sm,
            grouped(static_cast<std::int64_t>(run.begin)), grouped(static_cast<std::int64_t>(run.end)));
        lines_.push_back("From %smid and %globaltimer, which ticks about every 32 ns.");
      } else {
        add("ran in place {} of the emulator, from event {} to {}", run.sm,
            grouped(static_cast<std::int64_t>(run.begin)), grouped(static_cast<std::int64_t>(run.end)));
      }
      if (!run.in_focus) lines_.push_back("not recorded in full; a click records it");
    }
  }

  void grid() {
    if (!in_range(id_.grid, trace_.grids.size())) return;
    const Grid& g = trace_.grids[static_cast<std::size_t>(id_.grid)];
    add("{}", configuration_text(g));
    add("{} of {}, {}", counted(g.blocks, "block"), counted(g.threads, "thread"),
        counted(end_step(trace_, id_.grid) - static_cast<int>(g.first_step), "step"));
    if (g.parent >= 0)
      add("started by grid {}, {} {} deep", g.parent + 1, g.depth, g.depth == 1 ? "level" : "levels");
    else lines_.push_back("launched by the host");
  }

  void barrier() {
    const bool out = trace_.settings.without_barrier == id_.line;
    lines_.push_back(out ? "Put this barrier back" : "Take this barrier out");
    lines_.push_back("The kernel runs again, and every view shows what it does then. Key: X");
  }

  void node() {
    const Tree& tree = tree_at(r_, cursor_);
    if (!in_range(id_.row, tree.rows.size())) return;
    const TreeRow& row = tree.rows[static_cast<std::size_t>(id_.row)];
    const auto at = std::find_if(row.nodes.begin(), row.nodes.end(),
                                 [&](const TreeNode& n) { return n.element == id_.element; });
    if (at == row.nodes.end()) return;
    add("{} = {}", node_name(trace_, row, *at), value(at->value));
    std::vector<std::string> operands;
    for (const auto& s : at->sources)
      operands.push_back(
          value(tree.rows[static_cast<std::size_t>(s.row)].nodes[static_cast<std::size_t>(s.node)].value));
    if (at->operation && operands.size() == 2) {
      const bool word = trace_.settings.op == Operator::min || trace_.settings.op == Operator::max;
      const auto sign = operation_sign(trace_.settings.op);
      word ? add("{}({}, {})", sign, operands[0], operands[1])
           : add("{} {} {}", operands[0], sign, operands[1]);
    } else if (at->operation) {
      add("one {}", operation_noun(trace_.settings.op).one);
    } else {
      lines_.push_back(operands.empty() ? "loaded, or a constant such as the identity"
                                        : "copied, not computed");
    }
    add("{} in {} by {}, line {}",
        row.place == TreeRow::Place::loaded      ? "loaded"
        : row.place == TreeRow::Place::registers ? "computed"
                                                 : "stored",
        step_of(row.step), thread_text(id_.warp, id_.lane), id_.line);
    const auto all = ancestors(tree, {id_.row, static_cast<int>(at - row.nodes.begin())});
    if (all.size() > 1)
      add("{} went into it, lit in the tree",
          counted(static_cast<std::int64_t>(all.size()) - 1, "recorded value"));
  }

  void cell() {
    const int grid = grid_index(trace_, cursor_.step);
    const auto cells =
        memory_at(trace_, grid, cursor_.block, step_events(trace_, cursor_.block, cursor_.step).last);
    if (!in_range(id_.cell, cells.size())) return;
    const Cell& c = cells[static_cast<std::size_t>(id_.cell)];
    const std::string name = cell_name(trace_.grids[static_cast<std::size_t>(grid)].shared, c);
    if (c.element < 0) {
      lines_.push_back("Padding");
      lines_.push_back("Holds no element; it moves what follows it to other banks.");
    } else if (c.known) {
      add("{} = {}", name, exact_value(trace_, c.value, c.cells()));
    } else {
      add("{}: nothing stored yet", name);
    }
    add("cell {}, byte {} of shared memory, bank {}{}", id_.cell, c.byte, bank_of(c.byte),
        c.bytes > 4 ? fmt::format(" and the next {}", c.bytes / 4 - 1) : "");
    if (c.writer > 0) {
      const Event& e = trace_.events[c.writer - 1];
      add("stored in {} by thread {}, line {}", step_of(static_cast<int>(e.step)),
          thread_text(trace_.grids[e.grid], c.writer_thread), e.line);
    }
  }

  void lane() {
    const auto warps = warp_lanes(trace_, cursor_.block, cursor_.step);
    if (!in_range(id_.warp, warps.size()) || !in_range(id_.lane, 32)) return;
    add("Thread {}",
        thread_text(trace_.grid_of(static_cast<std::uint32_t>(cursor_.step)), id_.warp * 32 + id_.lane));
    add("warp {}, lane {}", id_.warp, id_.lane);
    switch (warps[static_cast<std::size_t>(id_.warp)].lanes[static_cast<std::size_t>(id_.lane)]) {
      case LaneState::working: lines_.push_back("working: an access or an operation in this step"); break;
      case LaneState::masked:
        lines_.push_back("masked off: its warp works, this lane only comes along");
        break;
      case LaneState::waiting: lines_.push_back("waiting: its whole warp waits at the barrier"); break;
      case LaneState::exited: lines_.push_back("exited: returned from the kernel before this step"); break;
      case LaneState::absent: lines_.push_back("absent: the block has no such thread"); break;
    }
  }

  void step() {
    if (!in_range(id_.step, r_.facts.steps.size())) return;
    const StepFacts& f = r_.facts.steps[static_cast<std::size_t>(id_.step)];
    add("{}", capitalised(step_of(id_.step)));
    add("{} in {}", counted(f.active_lanes, "active lane"), counted(f.working_warps, "warp"));
    if (f.totals.operations > 0) {
      const Noun noun = operation_noun(trace_.settings.op);
      lines_.push_back(counted(f.totals.operations, noun.one, noun.many));
    }
    if (f.max_degree > 0) {
      add("worst degree {}: the most different words one bank had to serve for one request", f.max_degree);
      add("loads: {}", cost_text(f.totals.shared_load));
      add("stores: {}", cost_text(f.totals.shared_store));
      lines_.push_back(wavefront_meaning);
    }
  }

  void request() {
    const Event* e = event();
    if (!e || !is_shared(e->kind)) return;
    const BankCost cost = bank_cost(trace_, *e);
    add("{} of warp {}, line {}", is_load(e->kind) ? "Load" : "Store", e->warp, e->line);
    add("{}, {} bytes each", counted(std::popcount(e->mask), "active lane"), e->width);
    add("1 request, {}, {} excess, degree {}", counted(cost.wavefronts, "wavefront"), cost.excess(),
        cost.degree);
    lines_.push_back(wavefront_meaning);
    lines_.push_back(counter(e->kind));
  }

  // A word that a wavefront serves.
  void served() {
    const Event* e = event();
    if (!e) return request();
    const SharedShape& shape = trace_.grids[e->grid].shared;
    const auto places = cell_places(shape, trace_.element_bytes());
    if (!in_range(id_.cell, places.size())) return request();
    const CellPlace& place = places[static_cast<std::size_t>(id_.cell)];
    std::uint32_t lanes = 0;
    Value v{};
    for_each_lane(*e, [&](int l, std::uint32_t entry) {
      if (cell_at(places, trace_.lanes[entry].address) != id_.cell) return;
      lanes |= 1u << l;
      v = trace_.values[entry];
    });
    if (lanes == 0) return request();
    add("{} = {}", place.element >= 0 ? cell_name(shape, place) : fmt::format("cell {}", id_.cell),
        exact_value(trace_, v, place.cells()));
    add("byte {}, bank {}", place.byte, bank_of(place.byte));
    if (std::popcount(lanes) == 1) add("for {}", thread_text(e->warp, std::countr_zero(lanes)));
    else add("for {} at once: one word, a broadcast", counted(std::popcount(lanes), "lane"));
  }

  void line() {
    const auto here = line_facts(trace_, cursor_.step);
    const auto find = [&](const std::vector<LineFacts>& in) {
      const auto at =
          std::find_if(in.begin(), in.end(), [&](const LineFacts& l) { return l.line == id_.line; });
      return at == in.end() ? nullptr : &*at;
    };
    const LineFacts* now = find(here);
    const LineFacts* run = find(r_.facts.lines);
    if (!run) return;
    add("Line {}", id_.line);
    if (now) totals("this step", now->totals);
    totals("whole run", run->totals);
    if (run->totals.shared_load.requests + run->totals.shared_store.requests > 0)
      lines_.push_back(wavefront_meaning);
    if (const LineCounters::Entry* e = counters_ ? counters_->of(id_.line) : nullptr) measured(*e);
  }

  // Beside the prediction of the whole run, number by number.
  void measured(const LineCounters::Entry& e) {
    std::string all;
    for (const LineCounters::Number& n : e.numbers)
      all +=
          fmt::format("{}{} {}{}", all.empty() ? "" : ", ", grouped(n.measured), n.what,
                      n.measured == n.predicted ? "" : fmt::format(" (predicted: {})", grouped(n.predicted)));
    if (e.lines.size() > 1)
      add("measured by {} on lines {} together, which its machine code does not tell apart: {}",
          counters_->device, fmt::join(e.lines, ", "), all);
    else add("measured by {}: {}", counters_->device, all);
    if (e.agreement == LineCounters::Agreement::varies)
      lines_.push_back("It varies from run to run: how often blocks look while they wait for others.");
    if (e.agreement == LineCounters::Agreement::same)
      lines_.push_back("All as predicted from the recording.");
  }

  void counters() {
    lines_.push_back("What the hardware counts");
    if (counters_) lines_.push_back(summary(*counters_));
    lines_.push_back(
        "Requests, wavefronts, excess and lanes of each line over the whole run, predicted from the "
        "recording "
        "and, where there is a GPU with CUPTI, counted by its own counters. Key: W");
  }

  void totals(const char* when, const Totals& t) {
    const SharedTotals shared{t.shared_load.requests + t.shared_store.requests,
                              t.shared_load.wavefronts + t.shared_store.wavefronts,
                              t.shared_load.excess + t.shared_store.excess};
    if (shared.requests > 0) add("{}: shared memory {}", when, cost_text(shared));
    const std::int64_t requests = t.global_load.requests + t.global_store.requests;
    if (requests > 0)
      add("{}: global memory {}, {} of 32 bytes ({} at best)", when, counted(requests, "request"),
          counted(t.global_load.sectors + t.global_store.sectors, "sector"),
          grouped(t.global_load.ideal_sectors + t.global_store.ideal_sectors));
    const Noun noun = operation_noun(trace_.settings.op);
    if (t.operations > 0) add("{}: {}", when, counted(t.operations, noun.one, noun.many));
  }

  void bank() {
    if (id_.lane < 0) return;
    add("Bank {}", id_.lane);
    add("serves one 4-byte word per wavefront; word w lies in bank w mod {}", bank_count);
  }

  // A row of the Work view.
  void work() {
    const auto shared = [&](const char* name, const SharedTotals& t, Kind kind) {
      add("{}: {}", name, cost_text(t));
      lines_.push_back(
          "A request is one warp's access; a wavefront one pass of the 32 banks; excess what bank conflicts "
          "add.");
      lines_.push_back(counter(kind));
      add("and l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
          kind == Kind::shared_load ? "ld" : "st");
    };
    const auto global = [&](const char* name, const GlobalTotals& t, const char* suffix) {
      add("{}: {}, {}", name, counted(t.requests, "request"), counted(t.sectors, "sector"));
      add("A sector is {} bytes of global memory; {} would hold what was asked for.", 32,
          grouped(t.ideal_sectors));
      add("Hardware: l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", suffix);
    };
    const Totals& t = r_.facts.totals;
    const Noun noun = operation_noun(trace_.settings.op);
    switch (static_cast<WorkRow>(id_.row)) {
      case WorkRow::operations:
        add("Work: {}", counted(r_.work.operations, noun.one, noun.many));
        lines_.push_back("Applications of the operator by all threads together, counted from the recording.");
        if (r_.expected_operations >= 0)
          add("The algorithm's formula gives {:g} for this n.", r_.expected_operations);
        break;
      case WorkRow::steps:
        add("Steps: {}", r_.work.steps);
        lines_.push_back("Steps with an operation in them; a step is what happens between two barriers.");
        if (r_.expected_steps >= 0) add("The algorithm's formula gives {:g} for this n.", r_.expected_steps);
        break;
      case WorkRow::parallelism:
        add("Parallelism: {} at its peak, {:.2f} on average", grouped(r_.work.peak), r_.work.average);
        lines_.push_back("The most operations in one step; and all operations divided by the steps.");
        break;
      case WorkRow::shared_load: shared("Shared loads", t.shared_load, Kind::shared_load); break;
      case WorkRow::shared_store: shared("Shared stores", t.shared_store, Kind::shared_store); break;
      case WorkRow::global_load: global("Global loads", t.global_load, "ld"); break;
      case WorkRow::global_store: global("Global stores", t.global_store, "st"); break;
    }
  }

  const Recording& r_;
  const Trace& trace_;
  const Cursor& cursor_;
  const Id& id_;
  const LineCounters* counters_;
  Lines lines_;
};

}  // namespace

std::vector<std::string> tooltip(const Recording& recording, const Cursor& cursor, const Id& id,
                                 const LineCounters* counters) {
  return Tip(recording, cursor, id, counters).lines();
}

}  // namespace upsweep
