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
  // Returns whether a variable carries a value from one iteration to the next. The variable must be declared
  // outside the loop, a condition must depend on the variable, and the loop must change the variable.
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

int KernelText::statement_at(int line) const {
  int found = none;
  for (std::size_t i = 0; i < statements_.size(); ++i)
    if (statements_[i].holds(line) && (found == none || within(static_cast<int>(i), found)))
      found = static_cast<int>(i);
  return found;
}

std::optional<KernelText::Definition> KernelText::definition(int variable) const {
  if (variable == none) return {};
  const Change* only = nullptr;
  for (const Change& c : changes_)
    if (c.variable == variable) {
      if (only || c.counts) return {};
      only = &c;
    }
  if (!only || only->value.empty()) return {};
  return Definition{only->line, names_[static_cast<std::size_t>(variable)], only->value};
}

// Returns whether the threads of a warp certainly take all branches and loops around `statement` together.
// Checks `statement` and the statements around it, up to but not including `outer`.
bool KernelText::is_shared_by_warp(int statement, int outer) const {
  for (; statement != none && statement != outer;
       statement = statements_[static_cast<std::size_t>(statement)].parent)
    if (statements_[static_cast<std::size_t>(statement)].together == Together::nobody) return false;
  return true;
}

std::optional<std::vector<KernelText::Guard>> KernelText::guards(int statement, int line,
                                                                 bool in_condition) const {
  const int function = function_of(line);
  if (statement == none || function == none) return {};
  for (const int unread : unread_)
    if (statements_[static_cast<std::size_t>(function)].holds(unread)) return {};
  const auto loop_of = [&](int s) {
    while (s != none && statements_[static_cast<std::size_t>(s)].kind != Statement::Kind::loop)
      s = statements_[static_cast<std::size_t>(s)].parent;
    return s;
  };
  for (const Jump& jump : jumps_) {
    if (function_of(jump.line) != function) continue;
    const int left = jump.is_return ? function : loop_of(jump.statement);
    if (left == none || !within(statement, left) || is_shared_by_warp(jump.statement, left)) continue;
    const bool comes_before = jump.line <= line || loop_around(jump.line, line) != none;
    if (comes_before) return {};
  }
  std::vector<Guard> all;
  for (int s = statement; s != none; s = statements_[static_cast<std::size_t>(s)].parent) {
    const Statement& around = statements_[static_cast<std::size_t>(s)];
    const bool decides = around.kind == Statement::Kind::branch || around.kind == Statement::Kind::loop;
    if (!decides || around.together != Together::nobody) continue;
    // The access is inside this condition, so the condition does not decide whether the access happens. But
    // in a loop, only the threads that stay in the loop evaluate the condition again, and these threads are
    // not known.
    if (s == statement && in_condition) {
      if (around.kind == Statement::Kind::loop) return {};
      continue;
    }
    if (around.condition.empty()) return {};
    const Statement& then =
        around.else_of == none ? around : statements_[static_cast<std::size_t>(around.else_of)];
    all.push_back({then.first, around.else_of == none ? around.condition : "!(" + around.condition + ")",
                   around.else_of == none ? around.condition_variable : none});
  }
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace upsweep
