// One paragraph on one step. Every sentence is derived from the recording; where no pattern fits, indices are
// said as they were.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/lanes.hpp"
#include "scene/deeds.hpp"
#include "scene/names.hpp"
#include "scene/pattern.hpp"
#include "scene/request.hpp"
#include "scene/views.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

bool is_identity(const Value& v, const Settings& s) { return v == identity(s); }

class Paragraph {
 public:
  Paragraph(const Recording& recording, const Cursor& cursor)
      : recording_(recording), trace_(recording.trace), cursor_(cursor), op_(trace_.settings.op) {}

  std::string text() {
    const auto steps = static_cast<int>(trace_.steps.size());
    if (cursor_.step < 0 || cursor_.step >= steps) return "Nothing was recorded.";
    deeds_ = deeds(trace_, cursor_.block, cursor_.step);
    sentences_.push_back(name_of_step() + ".");
    what_happened();
    global_memory();
    banks();
    lanes();
    work();
    if (trace_.dropped > 0)
      sentences_.push_back(
          fmt::format("{} did not fit the recorder's buffer: what is said here is not all that happened.",
                      counted(static_cast<std::int64_t>(trace_.dropped), "record")));
    return fmt::format("{}", fmt::join(sentences_, " "));
  }

 private:
  const StepFacts& facts() const { return recording_.facts.steps[cursor_.step]; }
  const Step& step() const { return trace_.steps[cursor_.step]; }

  bool stores() const {
    return std::any_of(deeds_.begin(), deeds_.end(), [](const Deed& d) { return is_store(d.kind); });
  }

  // Where a barrier splits one stride in two, each half is named by what it does.
  std::string name_of_step() const {
    std::string text = capitalised(step_text(step()));
    const auto same = [&](int other) {
      return other >= 0 && other < static_cast<int>(trace_.steps.size()) && trace_.steps[other] == step();
    };
    if (same(cursor_.step + 1) && !stores()) return text + ": reading";
    if (same(cursor_.step - 1) && stores()) return text + ": writing";
    return text;
  }

  // --- what the threads did

  static std::string threads_text(const std::vector<int>& threads) {
    std::vector<int> sorted = threads;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return fmt::format("{} {}", sorted.size() == 1 ? "Thread" : "Threads", ranges(sorted));
  }

  std::string place(const Deed& d, int buffer, const std::vector<int>& indices, bool shared) const {
    const std::string index = index_text(d.threads, indices);
    if (shared) return element_name(trace_, buffer, index);
    return (buffer == 0 ? "in[" : "out[") + index + "]";
  }

  std::string target(const Deed& d) const { return place(d, d.buffer, d.indices, is_shared(d.kind)); }

  std::string value_text(const Value& v) const {
    const std::string exact = exact_text(v, trace_.settings);
    return (is_identity(v, trace_.settings) ? "the identity " : "the constant ") + exact;
  }

  std::string leaf(const Deed& d, const Expression& x) const {
    switch (x.form) {
      case Form::constant: return value_text(x.value);
      case Form::input: return place(d, 0, x.indices, false);
      case Form::element: return (x.old ? "the old " : "") + place(d, x.buffer, x.indices, true);
      case Form::operation: return "(" + formula(d, x) + ")";
      case Form::other: return "a value from its registers";
    }
    return {};
  }

  std::string formula(const Deed& d, const Expression& x) const {
    const std::string a = leaf(d, x.operands[0]), b = leaf(d, x.operands[1]);
    switch (op_) {
      case Operator::sum: return a + " + " + b;
      case Operator::product: return a + " × " + b;
      case Operator::min: return "the smaller of " + a + " and " + b;
      case Operator::max: return "the larger of " + a + " and " + b;
      case Operator::affine: return a + " and then " + b;
    }
    return {};
  }

  static bool is_target(const Deed& d, const Expression& x) {
    return x.form == Form::element && is_shared(d.kind) && x.buffer == d.buffer && x.indices == d.indices;
  }

  // The verb and what follows it: "add x[8t+3] into x[8t+7]".
  std::string deed_text(const Deed& d) const {
    const bool one = d.threads.size() == 1;
    const auto verb = [one](std::string_view many, std::string_view single) {
      return std::string(one ? single : many);
    };
    if (is_load(d.kind)) return verb("read ", "reads ") + target(d);
    const Expression& x = d.from;
    const std::string to = target(d);
    if (x.form == Form::constant) return verb("put ", "puts ") + leaf(d, x) + " into " + to;
    if (x.form == Form::input) return verb("load ", "loads ") + leaf(d, x) + " into " + to;
    if (x.form != Form::operation)
      return (is_global(d.kind) ? verb("write ", "writes ") : verb("copy ", "copies ")) + leaf(d, x) +
             " to " + to;
    const bool left = is_target(d, x.operands[0]), right = is_target(d, x.operands[1]);
    if (left != right && (op_ == Operator::sum || op_ == Operator::product)) {
      const std::string other = leaf(d, x.operands[left ? 1 : 0]);
      return op_ == Operator::sum ? verb("add ", "adds ") + other + " into " + to
                                  : verb("multiply ", "multiplies ") + to + " by " + other;
    }
    if (op_ == Operator::affine) return verb("compose ", "composes ") + formula(d, x) + " into " + to;
    return verb("put ", "puts ") + formula(d, x) + " into " + to;
  }

  // Deeds of the same threads share a sentence.
  void what_happened() {
    if (deeds_.empty()) {
      sentences_.emplace_back("No thread reads or writes memory.");
      return;
    }
    std::vector<bool> said(deeds_.size());
    for (std::size_t i = 0; i < deeds_.size(); i++) {
      if (said[i]) continue;
      std::vector<std::string> parts;
      for (std::size_t k = i; k < deeds_.size(); k++)
        if (!said[k] && deeds_[k].threads == deeds_[i].threads) {
          std::string part = deed_text(deeds_[k]);
          if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
          said[k] = true;
        }
      const bool one = deeds_[i].threads.size() == 1;
      std::string text = threads_text(deeds_[i].threads) + (one ? " " : " each ");
      for (std::size_t p = 0; p < parts.size(); p++)
        text += (p == 0                 ? ""
                 : p + 1 < parts.size() ? ", "
                 : parts.size() > 2     ? ", and "
                                        : " and ") +
                parts[p];
      if (one && parts.size() == 1 && is_store(deeds_[i].kind) && deeds_[i].from.form != Form::constant)
        text += fmt::format(", which is now {}", exact_text(deeds_[i].value, trace_.settings));
      sentences_.push_back(text + ".");
    }
    if (!stores()) sentences_.emplace_back("Nothing is stored before the next barrier.");
    for (const Deed& d : deeds_)
      for (const Expression& x : d.from.operands)
        if (x.earlier && x.form == Form::element) {
          sentences_.push_back(fmt::format("{} had read {} in an earlier step.",
                                           d.threads.size() == 1 ? "It" : "They", leaf(d, x)));
          return;
        }
  }

  // --- what it cost

  void global_memory() {
    for (const bool load : {true, false}) {
      const GlobalTotals& g = load ? facts().totals.global_load : facts().totals.global_store;
      if (g.requests == 0) continue;
      const std::string verb = g.requests == 1 ? load ? "reads" : "writes" : load ? "read" : "write";
      std::string text = fmt::format("{} to global memory {} {} of 32 bytes", counted(g.requests, "request"),
                                     verb, counted(g.sectors, "sector"));
      text += g.sectors > g.ideal_sectors ? fmt::format(" where {} would do.", grouped(g.ideal_sectors))
                                          : ", the fewest possible.";
      sentences_.push_back(std::move(text));
    }
  }

  void banks() {
    const Totals& totals = facts().totals;
    const std::int64_t requests = totals.shared_load.requests + totals.shared_store.requests;
    const std::int64_t wavefronts = totals.shared_load.wavefronts + totals.shared_store.wavefronts;
    const std::int64_t excess = totals.shared_load.excess + totals.shared_store.excess;
    const Request request = chosen_request(recording_, cursor_);
    if (!request) return;
    broadcast(request);
    if (excess == 0) {
      std::string text = fmt::format("No two words of a request meet in one bank: {} to shared memory {} {}",
                                     counted(requests, "request"), requests == 1 ? "takes" : "take",
                                     counted(wavefronts, "wavefront"));
      if (wavefronts > requests)
        text += fmt::format(", the fewest for elements of {} bytes", trace_.element_bytes());
      sentences_.push_back(text + ".");
      return;
    }
    // The chosen request may be one without conflicts: then only the totals speak of them.
    std::string text;
    if (request.cost.excess() > 0) {
      const Event& e = trace_.events[request.event];
      text = fmt::format("{} share bank {}, so {} {} {}takes {} instead of {}", shared_words(request),
                         worst_bank(request), is_load(e.kind) ? "reading" : "writing", access_text(trace_, e),
                         trace_.grid_of(e.step).warps() > 1 ? fmt::format("in warp {} ", e.warp) : "",
                         counted(request.cost.wavefronts, "wavefront"), request.cost.groups);
      if (requests == 1) {
        sentences_.push_back(text + ".");
        return;
      }
      if (alike(request, requests)) {
        text += requests == 2 ? ", and so does the step's other request"
                              : fmt::format(", and so does each of the step's other {} requests",
                                            grouped(requests - 1));
        sentences_.push_back(fmt::format("{}: {} in excess.", text, counted(excess, "wavefront")));
        return;
      }
      sentences_.push_back(text + ".");
    }
    sentences_.push_back(fmt::format("The step's {} to shared memory {} {}, {} more than without conflicts.",
                                     counted(requests, "request"), requests == 1 ? "takes" : "take",
                                     counted(wavefronts, "wavefront"), grouped(excess)));
  }

  // Whether every shared request of the step costs what this one does.
  bool alike(const Request& request, std::int64_t requests) const {
    const std::vector<int> all = shared_requests(trace_, cursor_.block, cursor_.step);
    return static_cast<std::int64_t>(all.size()) == requests &&
           std::all_of(all.begin(), all.end(), [&](int event) {
             const BankCost cost = bank_cost(trace_, trace_.events[event]);
             return cost.wavefronts == request.cost.wavefronts && cost.groups == request.cost.groups;
           });
  }

  static int worst_bank(const Request& r) {
    return static_cast<int>(std::max_element(r.words.begin(), r.words.end()) - r.words.begin());
  }

  // "Words 3 and 35": those of the first group of lanes that crowds the worst bank.
  static std::string shared_words(const Request& r) {
    const int bank = worst_bank(r);
    std::vector<std::uint32_t> words;
    for (std::size_t w = 0; w < r.waves.size(); w++) {
      if (!r.extra[w] && static_cast<int>(words.size()) == r.words[bank]) break;
      if (!r.extra[w]) words.clear();
      for (const Wavefront::Served& s : r.waves[w].served)
        if (s.bank == bank) words.push_back(s.word);
    }
    std::sort(words.begin(), words.end());
    if (words.size() == 2) return fmt::format("Words {} and {}", words[0], words[1]);
    if (words.size() == 3) return fmt::format("Words {}, {} and {}", words[0], words[1], words[2]);
    return fmt::format("Words {}, {} and {} more", words[0], words[1], words.size() - 2);
  }

  void broadcast(const Request& request) {
    const Event& e = trace_.events[request.event];
    if (!is_load(e.kind)) return;
    std::uint32_t most = 0;
    std::uint32_t word = 0;
    for (const Wavefront& w : request.waves)
      for (const Wavefront::Served& s : w.served)
        if (std::popcount(s.lanes) > std::popcount(most)) most = s.lanes, word = s.word;
    if (std::popcount(most) < 2) return;
    sentences_.push_back(
        fmt::format("{} lanes of warp {} read the same word, {}: one wavefront serves them all, a broadcast.",
                    std::popcount(most), e.warp, word));
  }

  void lanes() {
    int working = 0, masked = 0, waiting = 0, exited = 0, waiting_warps = 0;
    for (const WarpLanes& w : warp_lanes(trace_, cursor_.block, cursor_.step)) {
      const auto count = [&](LaneState s) {
        return static_cast<int>(std::count(w.lanes.begin(), w.lanes.end(), s));
      };
      working += count(LaneState::working);
      masked += count(LaneState::masked);
      exited += count(LaneState::exited);
      waiting += count(LaneState::waiting);
      waiting_warps += count(LaneState::waiting) > 0;
    }
    const auto are = [](int n) { return n == 1 ? "is" : "are"; };
    if (masked + waiting + exited == 0) {
      sentences_.push_back(working == 1 ? "Its one lane works."
                                        : fmt::format("All {} lanes work.", grouped(working)));
      return;
    }
    std::vector<std::string> parts;
    if (masked > 0) parts.push_back(fmt::format("{} {} masked off", counted(masked, "lane"), are(masked)));
    if (waiting_warps > 0)
      parts.push_back(fmt::format("{} ({}) {} no work", counted(waiting_warps, "whole warp"),
                                  counted(waiting, "lane"), waiting_warps == 1 ? "has" : "have"));
    if (exited > 0)
      parts.push_back(fmt::format("{} {} exited", counted(exited, "lane"), exited == 1 ? "has" : "have"));
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    sentences_.push_back(text + ".");
  }

  void work() {
    std::int64_t so_far = 0;
    for (int s = 0; s <= cursor_.step; s++) so_far += recording_.facts.steps[s].totals.operations;
    const std::int64_t all = recording_.facts.totals.operations;
    if (all == 0) return;
    const Noun noun = operation_noun(op_);
    const bool last = cursor_.step + 1 == static_cast<int>(trace_.steps.size());
    if (last) {
      std::string text = fmt::format("The run took {}", counted(all, noun.one, noun.many));
      const double expected = recording_.expected_operations;
      if (expected >= 0)
        text += expected == static_cast<double>(all)
                    ? ", as the formula says"
                    : fmt::format("; the formula says {}", grouped(static_cast<std::int64_t>(expected)));
      sentences_.push_back(text + ".");
    } else if (facts().totals.operations > 0) {
      sentences_.push_back(fmt::format("{} of {} done.", grouped(so_far), counted(all, noun.one, noun.many)));
    }
  }

  const Recording& recording_;
  const Trace& trace_;
  const Cursor& cursor_;
  const Operator op_;
  std::vector<Deed> deeds_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::string words(const Recording& recording, const Cursor& cursor) {
  return Paragraph(recording, cursor).text();
}

}  // namespace upsweep
