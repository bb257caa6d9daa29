// Finds the threads that certainly take the branches of a kernel together.
#include <algorithm>
#include <array>
#include <charconv>

#include "trace/kernel_reading.hpp"

namespace upsweep {
namespace {

Together less(Together a, Together b) { return std::max(a, b); }

}  // namespace

std::optional<int> KernelReading::find(std::string_view name, int statement) const {
  for (; statement != KernelText::none;
       statement = to_.statements_[static_cast<std::size_t>(statement)].parent) {
    const auto& declared = values_[static_cast<std::size_t>(statement)];
    if (const auto found = declared.find(name); found != declared.end()) return found->second;
  }
  return {};
}

// Returns the largest group of threads (block, warp or nobody) that all compute the same value for the
// expression.
Together KernelReading::agree(Range r, int statement) const {
  Together all = Together::block;
  for (std::size_t i = r.begin; i < r.end; ++i) {
    const std::string_view t = at(i);
    const auto v = is_identifier(t) && !is_member(i) ? find(t, statement) : std::nullopt;
    const Variable* variable = v ? &variables_[static_cast<std::size_t>(*v)] : nullptr;
    if (t == "threadIdx" || (variable != nullptr && variable->is_number)) {
      const std::size_t behind = t == "threadIdx" ? i + 3 : i + 1;
      const bool x = t != "threadIdx" || at(i + 2) == "x";
      all = less(all, x ? agree_on_number(r, i, behind) : Together::nobody);
    } else if (variable != nullptr) {
      const bool is_memory = to_.is_memory_[static_cast<std::size_t>(*v)];
      all = less(all,
                 is_memory ? variable->is_volatile ? Together::nobody : Together::block : variable->together);
    } else if (t.starts_with("atomic") || t.starts_with("__shfl")) {
      all = Together::nobody;
    } else if (t.starts_with("__ballot") || t.starts_with("__any") || t.starts_with("__all") ||
               t.starts_with("__reduce")) {
      all = less(all, Together::warp);
    }
  }
  return all;
}

// Returns the result of agree() for an expression in which token `i` is the thread's number (often the
// variable t). All threads of a warp compute the same value for t / 32, t >> 5, t < 64 and t >= 64.
Together KernelReading::agree_on_number(Range r, std::size_t i, std::size_t behind) const {
  static constexpr std::array<std::string_view, 6> before = {"(", "&&", "||", "!", "=", ","};
  const bool stands_alone =
      i == r.begin || std::find(before.begin(), before.end(), at(i - 1)) != before.end();
  const std::string_view by = at(behind), with = at(behind + 1);
  int number = -1;
  const auto [end, error] = std::from_chars(with.data(), with.data() + with.size(), number);
  if (error != std::errc() || end != with.data() + with.size()) number = -1;
  const std::string_view next = behind + 2 < r.end ? at(behind + 2) : ")";
  const bool ends = next == ")" || next == "&&" || next == "||";
  if (stands_alone && behind + 1 < r.end &&
      ((by == "/" && (number == 32 || with == "warpSize")) || (by == ">>" && number == 5) ||
       ((by == "<" || by == ">=") && number > 0 && number % 32 == 0 && ends)))
    return Together::warp;
  return Together::nobody;
}

// A branch depends on the variables in its condition. A variable depends on the values that are assigned to
// it, and on the branches around these assignments. So the search is repeated until nothing changes.
void KernelReading::find_together() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto raise = [&](Together& t, Together to) {
      if (to > t) {
        t = to;
        changed = true;
      }
    };
    for (const auto& [statement, condition] : conditions_)
      raise(to_.statements_[static_cast<std::size_t>(statement)].together, agree(condition, statement));
    for (const auto& [statement, is_return] : jumps_) {
      // The largest group whose threads take all branches between the loop and the jump together.
      Together around = Together::block;
      for (int s = statement; s != KernelText::none && !is_return;
           s = to_.statements_[static_cast<std::size_t>(s)].parent) {
        KernelText::Statement& outer = to_.statements_[static_cast<std::size_t>(s)];
        if (outer.kind == KernelText::Statement::Kind::loop) {
          raise(outer.together, around);
          break;
        }
        around = less(around, outer.together);
      }
    }
    for (std::size_t i = 0; i < to_.changes_.size(); ++i) {
      const KernelText::Change& c = to_.changes_[i];
      Variable& v = variables_[static_cast<std::size_t>(c.variable)];
      raise(v.together, agree(value_of_change_[i], c.statement));
      for (int s = c.statement; s != KernelText::none && s != v.scope;
           s = to_.statements_[static_cast<std::size_t>(s)].parent)
        raise(v.together, to_.statements_[static_cast<std::size_t>(s)].together);
    }
  }
}

}  // namespace upsweep
