#include "trace/kernel_text.hpp"

#include <algorithm>

namespace upsweep {

int KernelText::loop_around(int line, int other) const {
  int found = none;
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const Statement& s = statements_[i];
    if (s.kind == Statement::Kind::loop && s.holds(line) && s.holds(other)) found = static_cast<int>(i);
  }
  return found;
}

int KernelText::function_of(int line) const {
  for (std::size_t i = 0; i < statements_.size(); ++i)
    if (statements_[i].kind == Statement::Kind::function && statements_[i].holds(line))
      return static_cast<int>(i);
  return none;
}

bool KernelText::within(int statement, int outer) const {
  while (statement != none && statement != outer)
    statement = statements_[static_cast<std::size_t>(statement)].parent;
  return statement == outer;
}

int KernelText::loop_at(int line) const {
  const auto found = std::find_if(statements_.begin(), statements_.end(), [&](const Statement& s) {
    return s.kind == Statement::Kind::loop && s.first == line;
  });
  return found == statements_.end() ? none : static_cast<int>(found - statements_.begin());
}

bool KernelText::never_ends(int line) const {
  const int loop = loop_at(line);
  if (loop == none) return false;
  if (std::any_of(exits_.begin(), exits_.end(), [&](int exit) { return within(exit, loop); })) return false;
  const auto condition = std::find_if(conditions_.begin(), conditions_.end(),
                                      [&](const Condition& c) { return c.statement == loop; });
  if (condition == conditions_.end()) return true;  // for (;;)
  return !condition->reads_memory && std::none_of(changes_.begin(), changes_.end(), [&](const Change& c) {
    return within(c.statement, loop) &&
           std::find(condition->reads.begin(), condition->reads.end(), c.variable) != condition->reads.end();
  });
}

// Returns the variables on which the conditions in a loop depend, directly or through other variables.
std::vector<int> KernelText::reads_of_conditions(int loop) const {
  std::vector<int> all;
  const auto add = [&](const std::vector<int>& more) {
    for (const int variable : more)
      if (std::find(all.begin(), all.end(), variable) == all.end()) all.push_back(variable);
  };
  for (const Condition& c : conditions_)
    if (within(c.statement, loop)) add(c.reads);
  for (std::size_t before = SIZE_MAX; before != all.size();) {
    before = all.size();
    for (const Change& c : changes_)
      if (within(c.statement, loop) && std::find(all.begin(), all.end(), c.variable) != all.end())
        add(c.reads);
  }
  return all;
}

// Returns whether a condition may decide if a thread reaches a line.
bool KernelText::decides(const Condition& c, int line) const {
  return function_of(c.line) == function_of(line) &&
         (statements_[static_cast<std::size_t>(c.statement)].holds(line) ||
          std::any_of(exits_.begin(), exits_.end(), [&](int exit) { return within(exit, c.statement); }));
}

bool KernelText::accesses_depend(int at, int from) const {
  const bool same_kernel = function_of(at) == function_of(from);
  std::vector<bool> needed(is_memory_.size());
  bool more = false, found = false;
  const auto need = [&](const Expression& e) {
    for (const int variable : e.reads) {
      const auto v = static_cast<std::size_t>(variable);
      more = more || !needed[v];
      needed[v] = true;
      found = found || (is_memory_[v] && (e.line == from || !same_kernel));
    }
  };
  for (const Expression& index : indices_)
    if (index.line == at) need(index);
  for (const Condition& c : conditions_)
    if (decides(c, at)) need(c);
  while (more && !found) {
    more = false;
    for (const Change& c : changes_)
      if (const auto v = static_cast<std::size_t>(c.variable); needed[v]) {
        need(c);
        found = found || (is_memory_[v] && c.line == from);
      }
  }
  return found;
}

bool KernelText::only_waits(int line) const {
  const int loop = loop_at(line);
  if (loop == none) return false;
  const std::vector<int> read = reads_of_conditions(loop);
  // Returns whether a variable carries a value from one iteration to the next: a condition depends on it, it
  // is declared outside the loop, and the loop changes it.
  const auto carried = [&](int variable) {
    return !is_memory_[static_cast<std::size_t>(variable)] &&
           std::find(read.begin(), read.end(), variable) != read.end() &&
           !within(scope_of_[static_cast<std::size_t>(variable)], loop) &&
           std::any_of(changes_.begin(), changes_.end(),
                       [&](const Change& c) { return c.variable == variable && within(c.statement, loop); });
  };
  return std::none_of(changes_.begin(), changes_.end(), [&](const Change& c) {
    return within(c.statement, loop) && carried(c.variable) &&
           (c.counts || std::any_of(c.reads.begin(), c.reads.end(), carried));
  });
}

}  // namespace upsweep
