#include "analysis/incidents.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/program_order.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {
namespace {

constexpr std::size_t most_kept = 4;  // keep() keeps the first three entries and the last entry

template <class T>
void keep(std::vector<T>& kept, T next) {
  if (kept.size() < most_kept) kept.push_back(std::move(next));
  else kept.back() = std::move(next);
}

class IncidentFinder {
 public:
  IncidentFinder(const Trace& trace, Job* job)
      : trace_(trace), text_(trace.text), order_(trace, text_), job_(job) {
    for (const BlockRun& run : trace.runs) all_in_focus_ = all_in_focus_ && run.in_focus;
  }

  Incident find(const HazardFinding& f) {
    if (job_) job_->check();
    Incident i;
    i.party = access_of(f, f.party, f.party_stores);
    i.other = access_of(f, f.other, f.other_stores);
    if (f.party.event != HazardParty::none) i.cells = trace_.cells_of(trace_.events[f.party.event]);
    const bool is_early_read = f.kind == Hazard::uninitialised_read && f.other.event != HazardParty::none;
    if (is_race(f.kind) || is_early_read) i.orders = orders_of(f, i);
    if (f.kind == Hazard::divergent_barrier) i.groups = at_barrier(f);
    if (f.kind == Hazard::deadlock) i.groups = when_stopped();
    if (f.kind == Hazard::endless_loop) i.loop = rounds();
    return i;
  }

 private:
  // Returns the address of the finding's cell as a byte offset, as in Lane::address.
  std::int64_t address_of(const HazardFinding& f, const Event& e) const {
    const std::int64_t bytes = cell_bytes(trace_.cells_of(e), trace_.element_bytes());
    const auto& more = trace_.grids[e.grid].shared.more;
    const auto region = static_cast<std::size_t>(f.buffer);
    return (f.shared && region > 0 && region <= more.size() ? more[region - 1].first : 0) + f.cell * bytes;
  }

  IncidentAccess access_of(const HazardFinding& f, const HazardParty& p, bool stores) const {
    IncidentAccess a;
    if (!f.has_cell || p.event == HazardParty::none) return a;
    const Event& e = trace_.events[p.event];
    if (!is_access(e.kind)) return a;
    a.how = is_atomic(e.kind)            ? IncidentAccess::How::changes
            : stores || is_store(e.kind) ? IncidentAccess::How::writes
                                         : IncidentAccess::How::reads;
    const std::int64_t address = address_of(f, e);
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      if (thread_of(e, lane) != p.thread || trace_.lanes[at].address != address || a.known) return;
      a.known = true;
      a.value = trace_.values[value];
      if (is_atomic(e.kind)) a.before = trace_.values[at];
    });
    return a;
  }

  // Returns the value of the finding's cell directly before a store.
  OrderResult before(const HazardFinding& f, const HazardParty& p) const {
    using What = OrderResult::What;
    const Event& store = trace_.events[p.event];
    const Cells cells = trace_.cells_of(store);
    const std::int64_t address = address_of(f, store), bytes = cell_bytes(cells, trace_.element_bytes());
    if (trace_.dropped > 0 || (!f.shared && !all_in_focus_)) return {};
    const EventRange range = f.shared
                                 ? block_events(trace_, static_cast<int>(p.grid), static_cast<int>(p.block))
                                 : EventRange{0, trace_.events.size()};
    const Event* last = nullptr;
    OrderResult found;
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace_.events[i];
      if (job_ && i % 65536 == 0) job_->check();
      if (!is_access(e.kind) || is_load(e.kind) || is_shared(e.kind) != f.shared || e.time >= store.time ||
          (!f.shared && e.buffer != f.buffer) || (last && e.time < last->time))
        continue;
      for_each_cell(e, [&](int, std::uint32_t at, std::uint32_t value) {
        const std::int64_t first = trace_.lanes[at].address, end = first + cell_bytes(e);
        if (first >= address + bytes || end <= address) return;
        last = &e;
        found.what = first == address && end == address + bytes ? What::value : What::unknown;
        found.value = trace_.values[value];
      });
    }
    if (last) return found;
    const auto role = trace_.roles().of(f.buffer);
    if (f.shared || role == BufferRole::output || !is_initialised(role, cells)) {
      found.what = What::unwritten;
    } else if (role == BufferRole::input) {
      const std::vector<Value>& contents = trace_.contents_before(f.buffer);
      if (f.cell < 0 || f.cell >= static_cast<std::int64_t>(contents.size())) return {};
      found = {What::value, contents[static_cast<std::size_t>(f.cell)]};
    } else {
      found.what = What::value;  // words are zero before the run
    }
    return found;
  }

  TwoOrders orders_of(const HazardFinding& f, const Incident& i) {
    using How = IncidentAccess::How;
    TwoOrders both;
    const Event &party = trace_.events[f.party.event], &other = trace_.events[f.other.event];
    // If both accesses are in one request, the recording does not show which lane came first. So neither
    // order is marked as recorded.
    if (f.party.event != f.other.event)
      (party.time < other.time ? both.party_first : both.other_first).recorded = true;
    both.required = required(f);
    if (i.party.how == How::reads || i.other.how == How::reads) {
      const bool party_reads = i.party.how == How::reads;
      both.reader = party_reads ? TwoOrders::Reader::party : TwoOrders::Reader::other;
      const HazardParty& writer = party_reads ? f.other : f.party;
      const IncidentAccess &read = party_reads ? i.party : i.other, &write = party_reads ? i.other : i.party;
      OrderResult &reads_first = party_reads ? both.party_first : both.other_first,
                  &writes_first = party_reads ? both.other_first : both.party_first;
      writes_first = known_or_unknown(write.known, write.value, writes_first.recorded);
      const bool recorded = reads_first.recorded;
      if (f.kind == Hazard::uninitialised_read) reads_first = {OrderResult::What::unwritten};
      else if (recorded) reads_first = known_or_unknown(read.known, read.value, true);
      else if (write.how == How::changes) reads_first = known_or_unknown(write.known, write.before, false);
      else reads_first = before(f, writer);
      reads_first.recorded = recorded;
    } else {
      both.other_first = last_of(i.other, i.party, f.party, both.other_first.recorded);
      both.party_first = last_of(i.party, i.other, f.other, both.party_first.recorded);
    }
    return both;
  }

  static OrderResult known_or_unknown(bool known, const Value& value, bool recorded) {
    return {known ? OrderResult::What::value : OrderResult::What::unknown, value, recorded};
  }

  // Returns the cell's value after the access `first` and then the access `second`. Each access is a store or
  // an atomic.
  OrderResult last_of(const IncidentAccess& first, const IncidentAccess& second, const HazardParty& of_second,
                      bool recorded) const {
    if (second.how == IncidentAccess::How::writes || recorded)
      return known_or_unknown(second.known, second.value, recorded);
    const Event& e = trace_.events[of_second.event];
    OrderResult result = known_or_unknown(first.known && second.known, second.value, recorded);
    const auto kind = static_cast<Atomic>(e.detail);
    if (kind == Atomic::exchange) return result;
    // An atomic addition of words adds the same number in both orders. So the result of the order that was
    // not recorded can be computed.
    if (kind == Atomic::add && trace_.cells_of(e) == Cells::words)
      result.value = {first.value[0] + (second.value[0] - second.before[0])};
    else result.what = OrderResult::What::unknown;
    return result;
  }

  TwoOrders::Required required(const HazardFinding& f) {
    using Required = TwoOrders::Required;
    if (f.party.grid != f.other.grid || f.party.block != f.other.block || f.party.event == f.other.event)
      return Required::unknown;
    if ((f.orders & load_and_store) != 0)
      return f.other_stores ? Required::party_first : Required::other_first;
    const bool has_barrier = f.interval.from != 0;
    if (f.orders == 0 || !has_barrier) return Required::unknown;
    const auto order =
        order_.compare({f.other.event, f.other.thread % 32}, {f.party.event, f.party.thread % 32});
    return order.first_is_earlier ? Required::other_first : Required::party_first;
  }

  // Returns the threads that waited together with the finding's thread, and the threads that never reached
  // the barrier. A barrier waits for all threads that have not left the kernel. So all threads that wait
  // together have passed the same number of barriers before.
  std::vector<ThreadGroup> at_barrier(const HazardFinding& f) const {
    const EventRange block =
        block_events(trace_, static_cast<int>(f.party.grid), static_cast<int>(f.party.block));
    const auto threads = static_cast<std::size_t>(trace_.grids[f.party.grid].threads);
    std::vector<int> arrivals(threads), last_line(threads);
    int round = 0;
    const auto each_thread = [&](std::size_t event, auto&& visit) {
      const Event& e = trace_.events[event];
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
        if (const auto t = static_cast<std::size_t>(thread_of(e, std::countr_zero(m))); t < threads) visit(t);
    };
    for (std::size_t i = block.first; i <= f.party.event && i < block.last; ++i)
      if (trace_.events[i].kind == Kind::barrier)
        each_thread(i, [&](std::size_t t) { round += static_cast<int>(t) == f.party.thread; });
    std::vector<int> waits_in(threads);
    for (std::size_t i = block.first; i < block.last; ++i)
      each_thread(i, [&](std::size_t t) {
        const Event& e = trace_.events[i];
        if (arrivals[t] < round) last_line[t] = e.line;
        if (e.kind == Kind::barrier && ++arrivals[t] == round) waits_in[t] = e.line;
      });
    std::map<int, ThreadGroup> waiting;  // the keys are lines
    std::map<int, ThreadGroup> gone;     // the keys are the lines of the last events
    for (std::size_t t = 0; t < threads; ++t) {
      const bool waits = waits_in[t] != 0;
      ThreadGroup& g = waits ? waiting[waits_in[t]] : gone[last_line[t]];
      g.grid = f.party.grid;
      g.block = f.party.block;
      g.wait = waits ? Wait::barrier : Wait::none;
      g.line = waits ? waits_in[t] : last_line[t];
      g.threads.push_back(static_cast<int>(t));
    }
    std::vector<ThreadGroup> all;
    for (auto* groups : {&waiting, &gone})
      for (auto& [line, group] : *groups) all.push_back(std::move(group));
    return all;
  }

  std::vector<ThreadGroup> when_stopped() const {
    std::vector<ThreadGroup> all;
    for (const StoppedThreads& p : trace_.stopped.places) {
      ThreadGroup g{p.grid, p.block, {}, p.wait, static_cast<int>(p.line)};
      for (const std::uint32_t t : p.threads) g.threads.push_back(static_cast<int>(t));
      all.push_back(std::move(g));
    }
    return all;
  }

  std::optional<LoopRounds> rounds() const {
    const auto& places = trace_.stopped.places;
    if (places.empty() || places[0].line == 0 || places[0].threads.empty()) return {};
    const StoppedThreads& p = places[0];
    const int line = static_cast<int>(p.line), thread = static_cast<int>(p.threads[0]);
    LoopRounds r;
    const int loop = text_.loop_around(line, line);
    if (loop == KernelText::none) return {};
    r.first_line = text_.statements()[static_cast<std::size_t>(loop)].first;
    r.last_line = text_.statements()[static_cast<std::size_t>(loop)].last;
    const EventRange block = block_events(trace_, static_cast<int>(p.grid), static_cast<int>(p.block));
    std::int64_t step = -1;
    for (std::size_t i = block.first; i < block.last; ++i) {
      const Event& e = trace_.events[i];
      if (e.line < r.first_line || e.line > r.last_line) continue;
      // A barrier is recorded in the step that ends with the barrier. This step may have begun before the
      // loop. So barriers do not show in which steps the loop runs.
      if (e.kind != Kind::barrier && step != static_cast<std::int64_t>(e.step)) {
        step = e.step;
        ++r.step_count;
        keep(r.steps, static_cast<int>(e.step));
        r.one_number =
            r.one_number && trace_.steps[e.step] == trace_.steps[static_cast<std::size_t>(r.steps[0])];
      }
      const int lane = thread % 32;
      if (e.line != r.first_line || !is_access(e.kind) || is_store(e.kind) || e.warp != thread / 32 ||
          (e.mask >> lane & 1) == 0)
        continue;
      for_each_cell(e, [&](int of, std::uint32_t at, std::uint32_t) {
        if (of != lane) return;
        ++r.load_count;
        keep(r.loaded, trace_.values[at]);
      });
      r.load = static_cast<std::uint32_t>(i);
    }
    return r;
  }

  const Trace& trace_;
  const KernelText text_;
  ProgramOrder order_;
  Job* job_;
  bool all_in_focus_ = true;
};

}  // namespace

std::vector<Incident> incidents(const Trace& trace, const Hazards& hazards, Job* job) {
  std::vector<Incident> all;
  if (hazards.findings.empty()) return all;
  IncidentFinder finder(trace, job);
  for (const HazardFinding& f : hazards.findings) all.push_back(finder.find(f));
  return all;
}

}  // namespace upsweep
