#include "words/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "analysis/actions.hpp"
#include "analysis/block_index.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/run_index.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "analysis/time_line.hpp"
#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/action_sentences.hpp"
#include "words/action_words.hpp"
#include "words/bank_words.hpp"
#include "words/because_words.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/pattern.hpp"
#include "words/result_words.hpp"
#include "words/step_words.hpp"
#include "words/time_words.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

// The sentences about one step.
class Paragraph {
 public:
  Paragraph(const Recording& recording, const Place& place)
      : recording_(recording),
        trace_(recording.trace),
        place_(place),
        grid_(grid_index(trace_, place.step)),
        op_(trace_.settings.op),
        index_(recording.step(place.block, place.step)),
        actions_(recording.actions(place.block, place.step)) {}

  std::vector<std::string> sentences() && {
    const auto steps = static_cast<int>(trace_.steps.size());
    sentences_.push_back(name_of_step() + tr("."));
    if (place_.time >= 0 && !has_begun()) {
      sentences_ = {not_begun_text(recording_, grid_, place_.block)};
      add(progress_text(recording_, static_cast<std::uint64_t>(place_.time)));
      return std::move(sentences_);
    }
    if (place_.time >= 0) {
      add(look_back_text(recording_, grid_, place_.block, static_cast<std::uint64_t>(place_.time)));
      add(progress_text(recording_, static_cast<std::uint64_t>(place_.time)));
      if (is_under_way(recording_, place_))
        sentences_.emplace_back(tr(
            "The block is still in this step. The next sentences also say what happens later in the step."));
    }
    if (!in_focus(trace_, grid_, place_.block))
      sentences_.push_back(
          tr("Block {} was not recorded in full. The recording contains only its fences, and its atomic and "
             "volatile accesses to global memory. The totals include this block.",
             block_text(grid(), place_.block)));
    if (std::string text = hazard_text(recording_, place_); !text.empty())
      sentences_.push_back(std::move(text));
    what_happened();
    look_back();
    synchronisation();
    global_memory();
    add(neighbours_text(recording_, place_));
    banks();
    if (in_focus(trace_, grid_, place_.block)) lanes();
    add(rounds_text(recording_, place_));
    add(request_lanes_text(recording_, place_));
    if (!run_goes_on(recording_, place_)) work(), result();
    if (trace_.stopped && place_.step + 1 == steps) sentences_.push_back(shown_stop(recording_, place_));
    if (const int out = trace_.settings.without_barrier; out > 0)
      sentences_.push_back(tr("The barrier in line {} is taken out.", out));
    if (trace_.dropped > 0)
      sentences_.push_back(tr("{} did not fit into the recorder's buffer, so this description is incomplete.",
                              counted(static_cast<std::int64_t>(trace_.dropped), "record")));
    if (hides_answer(recording_, place_))
      for (std::string& sentence : sentences_) sentence = without_name(std::move(sentence));
    return std::move(sentences_);
  }

 private:
  // Returns whether the place's block has begun at the place's time.
  bool has_begun() const {
    return event_at(recording_.time_line(), trace_, grid_, place_.block,
                    static_cast<std::uint64_t>(place_.time)) >= 0;
  }
  void add(std::string text) {
    if (!text.empty()) sentences_.push_back(std::move(text));
  }

  const StepFacts& facts() const { return recording_.facts.steps[place_.step]; }
  const Step& step() const { return trace_.steps[place_.step]; }

  const Grid& grid() const { return trace_.grids[static_cast<std::size_t>(grid_)]; }

  bool stores() const {
    return std::any_of(actions_.begin(), actions_.end(),
                       [](const StepAction& d) { return is_store(d.kind) || is_atomic(d.kind); });
  }
  bool computes() const {
    return std::any_of(actions_.begin(), actions_.end(),
                       [](const StepAction& d) { return !is_load(d.kind) && d.kind != Kind::fence; });
  }

  // If a barrier splits a stride into two steps, the names of the two steps end in "reading" and "writing".
  std::string name_of_step() const {
    std::string text = capitalised(step_text(trace_, step()));
    if (const std::string launch = launch_text(trace_, grid_); !launch.empty())
      text += fmt::format(" ({})", launch);
    const auto same = [&](int other) {
      return other >= static_cast<int>(grid().first_step) && other < end_step(trace_, grid_) &&
             trace_.steps[other] == step() && !number_text(trace_, step()).empty();
    };
    if (same(place_.step + 1) && !computes()) return text + tr(": reading");
    if (same(place_.step - 1) && stores()) return text + tr(": writing");
    return text;
  }

  // --- the actions of the threads

  void what_happened() {
    if (actions_.empty()) {
      sentences_.push_back(idle_text(trace_, grid_, place_));
      return;
    }
    const auto [texts, left_out] = action_sentences(trace_, grid_, actions_);
    for (const std::string& text : texts) sentences_.push_back(of_block(text));
    if (!grid().threads_across.flat() &&
        std::any_of(actions_.begin(), actions_.end(),
                    [](const StepAction& d) { return d.threads.size() > 1; }))
      sentences_.emplace_back(grid().threads_across.z == 1
                                  ? tr("x and y are threadIdx.x and threadIdx.y.")
                                  : tr("x, y and z are threadIdx.x, threadIdx.y and threadIdx.z."));
    if (left_out > 0)
      sentences_.push_back(
          tr("And {} like these.", (actions_.size() == most_actions ? tr("at least ") : "") +
                                       counted(static_cast<std::int64_t>(left_out), "more statement")));
    if (!computes())
      sentences_.emplace_back(index_.has_barrier ? tr("Nothing is stored before the next barrier.")
                              : one_value()      ? tr("The value stays in a register.")
                                                 : tr("The values stay in registers."));
    for (const StepAction& d : actions_)
      for (const Expression& x : d.from.operands)
        if (x.earlier && x.form == Form::element) {
          sentences_.push_back(tr("{} had read {} in an earlier step.", threads_text(grid(), d.threads),
                                  operand_text(trace_, grid_, d, x)));
          return;
        }
  }

  bool one_value() const {
    const StepAction& d = actions_[0];
    return actions_.size() == 1 && d.threads.size() == 1 && d.parts == 1;
  }

  // If the grid has several blocks, the first sentence about the block contains the number of the block.
  std::string of_block(std::string text) {
    if (grid().blocks < 2 || block_said_) return text;
    block_said_ = true;
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return tr("In block {}, {}", block_text(grid(), place_.block), text);
  }

  // If the block looks back in this step, adds a sentence that says over how many tiles the block looks back.
  // While the block still looks back, look_back_text() says which tiles it has read.
  void look_back() {
    if (step().phase != Phase::look_back || is_under_way(recording_, place_)) return;
    const TimeLine& line = recording_.time_line();
    const std::uint32_t row = row_of(line, grid_, place_.block);
    if (row == TimeLine::none || line.rows[row].looked_back == 0) return;
    const TimeLine::Row& r = line.rows[row];
    const bool prefix = !line.protocols[static_cast<std::size_t>(grid_)].one_state;
    sentences_.push_back(
        tr("Tile {} looks back over {}, as far as the {} of tile {}.", r.tile, counted(r.looked_back, "tile"),
           prefix ? whole_name(recording_, grid_) : part_name(recording_, grid_), r.tile - r.looked_back));
  }

  // Adds sentences about votes, warp barriers and fences.
  void synchronisation() {
    const std::int64_t votes = index_.votes, warp_barriers = index_.warp_barriers;
    if (votes > 0)
      sentences_.push_back(
          tr("The block's warps vote {}.", votes == 1 ? tr("once") : counted(votes, "time")));
    if (warp_barriers > 0)
      sentences_.push_back(
          warp_barriers == 1
              ? tr("A warp barrier: the lanes of a warp wait for each other, but not for other warps.")
              : tr("{} warp barriers: the lanes of a warp wait for each other, but not for other warps.",
                   grouped(warp_barriers)));
    if (index_.device_fences > 0)
      sentences_.emplace_back(
          tr("A fence orders a thread's writes: other blocks that see a later write also see the earlier "
             "writes."));
    else if (index_.block_fences > 0)
      sentences_.emplace_back(
          tr("A fence orders a thread's writes: threads of this block that see a later write also see the "
             "earlier writes."));
  }

  // --- the costs

  void atomics() {
    const LaneTotals &shared = facts().totals.shared_atomic, &global = facts().totals.global_atomic;
    const int most = facts().max_contention;
    if (shared.requests + global.requests == 0 || most < 2) return;
    sentences_.push_back(
        tr("Up to {} of one request change the same address, one after the other.", counted(most, "lane")));
  }

  void global_memory() {
    atomics();
    for (const bool load : {true, false}) {
      const GlobalTotals& g = load ? index_.global_load : index_.global_store;  // the totals of this block
      if (g.requests == 0) continue;
      const std::string verb = g.requests == 1 ? load ? tr("reads") : tr("writes")
                               : load ? tr("read")
                                               : tr("write");
      std::string text = tr("{requests} to global memory {read} {sectors} of 32 bytes",
                            fmt::arg("requests", counted(g.requests, "request")), fmt::arg("read", verb),
                            fmt::arg("sectors", counted(g.sectors, "sector")));
      text += g.sectors > g.ideal_sectors ? tr("; {} would be enough.", grouped(g.ideal_sectors))
              : g.requests == 1           ? tr(", the fewest possible for this request.")
                                          : tr(", the fewest possible for these requests.");
      sentences_.push_back(std::move(text));
      if (load) add(repeated_reads_text(recording_, place_, g.sectors));
      if (load) add(loads_text(recording_, place_));
    }
  }

  void banks() {
    const auto& [requests, wavefronts, excess] = index_.shared_totals;
    const SharedRequest request = chosen_request(recording_, place_);
    if (!request) return;
    if (place_.half_warps) return sentences_.push_back(bank_model_text(trace_, index_.shared, request.banks));
    add(std::string(layout_note(trace_, excess)));
    broadcast(request);
    if (excess == 0) {
      std::string text = tr("No bank conflicts: {}", wavefronts_text(requests, wavefronts));
      if (wavefronts > requests) text += tr(", the fewest for elements of {} bytes", trace_.element_bytes());
      sentences_.push_back(text + tr("."));
      return;
    }
    // If the chosen request has no conflicts, only the sentence about the totals mentions conflicts.
    if (request.cost.excess() > 0) {
      const Event& e = trace_.events[request.event];
      const int bank = worst_bank(request);
      sentences_.push_back(tr("{} share bank {}: a {}-way bank conflict.", shared_words(request), bank,
                              request.words[static_cast<std::size_t>(bank)]));
      const std::string warp = trace_.grid_of(e.step).warps() > 1 ? tr("in warp {} ", e.warp) : "",
                        needed = counted(request.cost.wavefronts, "wavefront");
      sentences_.push_back(is_load(e.kind) ? tr("Reading {} {}takes {} instead of {}.",
                                                access_text(trace_, e), warp, needed, request.cost.groups)
                                           : tr("Writing {} {}takes {} instead of {}.",
                                                access_text(trace_, e), warp, needed, request.cost.groups));
      if (requests == 1) return;
      if (index_.shared_alike) {
        sentences_.push_back(tr("{} also takes {}.",
                                requests == 2
                                    ? tr("The step's other request")
                                    : tr("Each of the step's other {} requests", grouped(requests - 1)),
                                needed));
        sentences_.push_back(tr("In all: {}.", counted(excess, "excess wavefront")));
        return;
      }
    }
    sentences_.push_back(
        tr("The step's {}: {}.", wavefronts_text(requests, wavefronts), counted(excess, "excess wavefront")));
  }

  static int worst_bank(const SharedRequest& r) {
    return static_cast<int>(std::max_element(r.words.begin(), r.words.end()) - r.words.begin());
  }

  // Finds the first group of lanes that has a conflict in the worst bank. Returns the words that this group
  // accesses in this bank: "Words 3 and 35".
  static std::string shared_words(const SharedRequest& r) {
    const int bank = worst_bank(r);
    std::vector<std::uint32_t> words;
    for (std::size_t w = 0; w < r.waves.size(); w++) {
      if (!r.extra[w] && static_cast<int>(words.size()) == r.words[bank]) break;
      if (!r.extra[w]) words.clear();
      for (const Wavefront::Served& s : r.waves[w].served)
        if (s.bank == bank) words.push_back(s.word);
    }
    std::sort(words.begin(), words.end());
    if (words.size() == 2) return tr("Words {} and {}", words[0], words[1]);
    if (words.size() == 3) return tr("Words {}, {} and {}", words[0], words[1], words[2]);
    return tr("Words {}, {} and {} more", words[0], words[1], words.size() - 2);
  }

  void broadcast(const SharedRequest& request) {
    const Event& e = trace_.events[request.event];
    if (!is_load(e.kind)) return;
    std::uint32_t most = 0;
    std::uint32_t word = 0;
    for (const Wavefront& w : request.waves)
      for (const Wavefront::Served& s : w.served)
        if (std::popcount(s.lanes) > std::popcount(most)) most = s.lanes, word = s.word;
    if (std::popcount(most) < 2) return;
    sentences_.push_back(
        tr("{} lanes of warp {} read word {}, and one wavefront serves all these lanes: a broadcast.",
           std::popcount(most), e.warp, word));
  }

  // Adds a sentence with the number of lanes in each state.
  void lanes() {
    int active = 0, masked = 0, waiting = 0, exited = 0, waiting_warps = 0;
    bool diverged = false;
    for (const WarpLanes& w : recording_.block(grid_, place_.block).warp_lanes(trace_, place_.step)) {
      const auto count = [&](LaneState s) {
        return static_cast<int>(std::count(w.lanes.begin(), w.lanes.end(), s));
      };
      active += count(LaneState::working);
      masked += count(LaneState::masked);
      exited += count(LaneState::exited);
      waiting += count(LaneState::waiting);
      waiting_warps += count(LaneState::waiting) > 0;
      diverged = diverged || w.diverged;
    }
    if (masked + waiting + exited == 0) {
      sentences_.push_back(active == 1 ? tr("The only lane of the block is active.")
                                       : tr("{} lanes are active{}.",
                                            active == 2 ? tr("Both") : tr("All ") + grouped(active),
                                            diverged ? tr(", but not in every request") : ""));
      return;
    }
    std::vector<std::string> parts;
    if (masked > 0) parts.push_back(tr("{} masked off", grouped(masked)));
    if (waiting_warps > 0)
      parts.push_back(tr("{} ({}) waiting at the {}barrier", counted(waiting_warps, "whole warp"),
                         counted(waiting, "lane"), index_.has_barrier ? "" : tr("next ")));
    if (exited > 0) parts.push_back(tr("{} exited", grouped(exited)));
    sentences_.push_back(tr("{} active, {}.", counted(active, "lane"), fmt::join(parts, tr(", "))));
  }

  void result() {
    if (place_.step + 1 == static_cast<int>(trace_.steps.size()) && recording_.mistake)
      sentences_.push_back(shown_wrong_text(recording_, place_));
    if (place_.step + 1 != static_cast<int>(trace_.steps.size())) return;
    add(mean_text(recording_));
    add(other_scan_text(recording_));
  }

  void work() {
    const std::int64_t so_far = recording_.run().operations_of_first(place_.step + 1);
    const std::int64_t all = recording_.facts.totals.operations;
    if (all == 0) return;
    const Noun noun = operation_noun(op_);
    const bool last = place_.step + 1 == static_cast<int>(trace_.steps.size());
    if (last) {
      std::string text = tr("The run took {}", counted(all, noun.one, noun.many));
      const double expected = recording_.expected_operations;
      if (expected >= 0)
        text += expected == static_cast<double>(all)
                    ? tr(", as the formula predicts")
                    : tr("; the formula gives {}", grouped(static_cast<std::int64_t>(expected)));
      sentences_.push_back(text + tr("."));
    } else if (facts().totals.operations > 0) {
      sentences_.push_back(recording_.is_part
                               ? tr("{} done.", counted(so_far, noun.one, noun.many))
                               : tr("{} of {} done.", grouped(so_far), counted(all, noun.one, noun.many)));
    }
  }

  const Recording& recording_;
  const Trace& trace_;
  const Place& place_;
  const int grid_;
  const Operator op_;
  const StepIndex& index_;
  const std::vector<StepAction>& actions_;
  bool block_said_ = false;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> sentences(const Recording& recording, const Place& place) {
  if (place.step < 0 || place.step >= static_cast<int>(recording.trace.steps.size()))
    return {tr("Nothing was recorded.")};
  return Paragraph(recording, place).sentences();
}

std::string words(const Recording& recording, const Place& place) {
  return typeset(fmt::format("{}", fmt::join(sentences(recording, place), " ")));
}

}  // namespace upsweep
