#include "analysis/request_source.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// Returns the accesses in the kernel's text that may have made the recorded event.
std::vector<const KernelText::Access*> candidates(const KernelText& text, const Event& e) {
  std::vector<const KernelText::Access*> found;
  for (const KernelText::Access& a : text.accesses())
    if (a.line == e.line && a.is_shared == is_shared(e.kind) &&
        (is_atomic(e.kind) ? a.loads && a.stores
         : is_load(e.kind) ? a.loads
                           : a.stores))
      found.push_back(&a);
  return found;
}

// Returns whether the event may belong to a condition in its line, such as a vote in `if (__any_sync(...))`.
// In this case, the line does not show whether the event comes from the condition or from the branch.
bool may_be_in_condition(const KernelText& text, const Event& e) {
  const std::string_view call = e.kind == Kind::vote ? "__" : e.kind == Kind::shuffle ? "__shfl" : "op(";
  int begun = 0;
  for (const KernelText::Statement& s : text.statements()) {
    if (s.first != e.line || s.condition.empty()) continue;
    ++begun;
    if (s.condition.find(call) != s.condition.npos || s.condition.find("apply(") != s.condition.npos)
      return true;
  }
  return begun > 1;
}

std::optional<std::vector<KernelText::Guard>> guards_of(const KernelText& text, const Event& e) {
  if (!is_access(e.kind)) {
    if (may_be_in_condition(text, e)) return {};
    return text.guards(text.statement_at(e.line), e.line);
  }
  std::optional<std::vector<KernelText::Guard>> all;
  for (const KernelText::Access* a : candidates(text, e)) {
    if (a->is_optional) return {};
    const auto here = text.guards(a->statement, a->line, a->in_condition);
    if (!here || (all && *all != *here)) return {};
    all = here;
  }
  return all;
}

// Returns whether a lane that is alive, but not active in this event, may have executed the same instruction
// in another event of the step. This can happen if the hardware did not run the lanes of the warp together.
bool may_do_it_apart(const Trace& trace, int event) {
  const Event& e = trace.events[static_cast<std::size_t>(event)];
  std::array<int, 32> until{}, all{};
  const EventRange range = step_events(trace, static_cast<int>(e.block), static_cast<int>(e.step));
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& other = trace.events[i];
    if (other.warp != e.warp || other.line != e.line || other.kind != e.kind) continue;
    for (std::uint32_t m = other.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(m));
      ++all[lane];
      until[lane] += i <= static_cast<std::size_t>(event);
    }
  }
  int round = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((e.mask >> lane & 1u) != 0) round = std::max(round, until[static_cast<std::size_t>(lane)]);
  for (int lane = 0; lane < 32; ++lane)
    if ((e.mask >> lane & 1u) == 0 && all[static_cast<std::size_t>(lane)] >= round) return true;
  return false;
}

// Returns X for "pad(X)", and nullopt for other texts.
std::optional<std::string> inside_pad(const std::string& text) {
  if (!text.starts_with("pad(") || !text.ends_with(')')) return {};
  int depth = 0;
  for (std::size_t i = 3; i + 1 < text.size(); ++i)
    if ((depth += (text[i] == '(') - (text[i] == ')')) == 0) return {};
  return text.substr(4, text.size() - 5);
}

bool is_variable(const std::string& text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

void read_index(RequestSource& source, const KernelText& text, const Trace& trace, const Event& e) {
  const std::vector<const KernelText::Access*> all = candidates(text, e);
  if (all.empty() ||
      std::any_of(all.begin(), all.end(), [&](const auto* a) { return a->index != all[0]->index; }))
    return;
  const KernelText::Access& a = *all[0];
  source.pads = std::all_of(all.begin(), all.end(), [](const auto* each) { return each->pads; });
  const auto defined = text.definition(a.index_variable);
  const auto padded = defined ? inside_pad(defined->value) : std::nullopt;
  if (padded && !source.pads) {
    source.pads = true;
    source.cell = a.index;
    if (is_variable(*padded)) source.index = *padded;
  } else if (a.index_variable != KernelText::none) {
    source.index = a.index;
  }
  if (defined) source.definition = *defined;
  // The kernel may use a pointer to a part of the memory, such as one buffer of a double buffer. In this
  // case, the index in the kernel's text counts from the beginning of the part. Such an index is not the
  // index of the element, so this code clears source.index.
  const SharedShape& shape = trace.grids[e.grid].shared;
  const std::string& name = is_global(e.kind)
                                ? e.buffer < trace.buffers.size() ? trace.buffers[e.buffer].name : ""
                            : e.buffer > 0 ? shape.more[e.buffer - 1u].name
                                           : shape.name;
  const bool is_whole = a.memory == name && !(is_shared(e.kind) && e.buffer == 0 && shape.buffers > 1);
  if (!is_whole) source.index.clear();
}

}  // namespace

RequestSource request_source(const Trace& trace, int event) {
  RequestSource source;
  const Event& e = trace.events[static_cast<std::size_t>(event)];
  if (e.line == 0) return source;
  const KernelText text(trace.text);
  if (const auto guards = guards_of(text, e); guards && !may_do_it_apart(trace, event)) {
    source.is_complete = true;
    for (const KernelText::Guard& g : *guards) {
      const auto meaning = text.definition(g.variable);
      source.conditions.push_back({g.line, g.condition, meaning ? meaning->value : ""});
    }
  }
  if (is_access(e.kind)) read_index(source, text, trace, e);
  return source;
}

}  // namespace upsweep
