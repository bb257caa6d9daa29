#include "scene/deeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/memory.hpp"
#include "scene/names.hpp"
#include "scene/request.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

class Reader {
 public:
  Reader(const Trace& trace, int block, int step)
      : trace_(trace), step_(step), range_(step_events(trace, block, step)), places_(places(trace)) {}

  std::vector<Deed> read() {
    for (std::size_t i = range_.first; i < range_.last; i++)
      if (is_store(trace_.events[i].kind)) store(i);
    for (std::size_t i = range_.first; i < range_.last; i++)
      if (is_load(trace_.events[i].kind)) unused_load(i);
    return std::move(out_);
  }

 private:
  // The element (or place in a global buffer) at an access, and which buffer it lies in.
  std::pair<int, int> index_of(const Event& e, std::uint32_t entry) const {
    const std::size_t at = trace_.lanes[entry].address / trace_.element_bytes();
    if (is_global(e.kind)) return {static_cast<int>(at), e.buffer};
    return at < places_.size() ? std::pair{places_[at].element, places_[at].buffer} : std::pair{-1, 0};
  }

  // One lane's value, followed back through its registers to where they were read.
  Expression expression(Origin origin, int lane, std::size_t store_event, const Value& value, int depth) {
    Expression x;
    if (origin == 0) {
      x.value = value;
      return x;
    }
    const Event& e = trace_.events[origin - 1];
    const std::uint32_t entry = entry_of(e, lane);
    if (is_load(e.kind)) {
      const auto [index, buffer] = index_of(e, entry);
      x.form = is_shared(e.kind) ? Form::element : Form::input;
      x.indices = {index};
      x.buffer = buffer;
      x.earlier = static_cast<int>(e.step) < step_;
      x.old = is_shared(e.kind) && !x.earlier &&
              overwritten(origin, store_event, e.warp, lane, trace_.lanes[entry].address);
      used_.insert({origin - 1, lane});
    } else if (e.kind == Kind::operation && depth < 3) {
      x.form = Form::operation;
      const Lane& l = trace_.lanes[entry];
      x.operands.push_back(expression(l.left, lane, store_event, {}, depth + 1));
      x.operands.push_back(expression(l.right, lane, store_event, {}, depth + 1));
    } else {
      x.form = Form::other;
    }
    return x;
  }

  // Whether the thread stored to an address between two events of its step.
  bool overwritten(std::size_t from, std::size_t to, int warp, int lane, std::uint32_t address) const {
    for (std::size_t i = from; i < to; i++) {
      const Event& e = trace_.events[i];
      if (e.kind == Kind::shared_store && e.warp == warp && ((e.mask >> lane) & 1u) != 0 &&
          trace_.lanes[entry_of(e, lane)].address == address)
        return true;
    }
    return false;
  }

  static std::string shape(const Expression& x) {
    std::string text =
        fmt::format("{}{}{}{}", static_cast<int>(x.form), x.buffer, x.earlier ? 'e' : ' ', x.old ? 'o' : ' ');
    for (const Expression& o : x.operands) text += fmt::format("({})", shape(o));
    return text;
  }

  static void append(Expression& to, const Expression& from) {
    to.indices.insert(to.indices.end(), from.indices.begin(), from.indices.end());
    for (std::size_t i = 0; i < to.operands.size(); i++) append(to.operands[i], from.operands[i]);
  }

  // The same instruction issued twice in one step (a loop) makes two deeds: `round` counts per warp.
  void add(const Event& e, int round, int lane, std::uint32_t entry, Expression from) {
    const auto [index, buffer] = index_of(e, entry);
    const auto key = std::tuple(e.kind, e.line, round, buffer, shape(from));
    const auto [at, fresh] = known_.try_emplace(key, out_.size());
    if (fresh) {
      Deed d{.kind = e.kind,
             .line = e.line,
             .buffer = buffer,
             .threads = {},
             .indices = {},
             .from = from,
             .value = trace_.values[entry]};
      out_.push_back(std::move(d));
    } else {
      append(out_[at->second].from, from);
    }
    out_[at->second].threads.push_back(thread_of(e, lane));
    out_[at->second].indices.push_back(index);
  }

  void store(std::size_t i) {
    const Event& e = trace_.events[i];
    const int round = rounds_[{e.warp, e.line, e.kind}]++;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      add(e, round, lane, entry, expression(trace_.lanes[entry].left, lane, i, trace_.values[entry], 0));
    });
  }

  void unused_load(std::size_t i) {
    const Event& e = trace_.events[i];
    const int round = rounds_[{e.warp, e.line, e.kind}]++;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      if (used_.count({i, lane}) == 0) add(e, round, lane, entry, {});
    });
  }

  const Trace& trace_;
  const int step_;
  const EventRange range_;
  const std::vector<Place> places_;
  std::vector<Deed> out_;
  std::map<std::tuple<Kind, std::uint16_t, int, int, std::string>, std::size_t> known_;
  std::map<std::tuple<int, int, Kind>, int> rounds_;  // per warp, line and kind
  std::set<std::pair<std::size_t, int>> used_;        // loads: event and lane
};

}  // namespace

std::vector<Deed> deeds(const Trace& trace, int block, int step) { return Reader(trace, block, step).read(); }

}  // namespace upsweep
