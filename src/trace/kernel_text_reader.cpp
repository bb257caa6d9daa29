// Reads the statements of a kernel's text. The reader supports only the part of C++ that kernels use:
// declarations, assignments, if, else, for and while.
#include <algorithm>
#include <array>
#include <optional>

#include "trace/kernel_reading.hpp"

namespace upsweep {
namespace {

bool is_assignment(std::string_view t) {
  return t == "=" || (t.size() >= 2 && t.back() == '=' && t != "==" && t != "!=" && t != "<=" && t != ">=");
}

}  // namespace

class KernelTextReader : KernelReading {
 public:
  KernelTextReader(KernelText& to, std::string_view text) : KernelReading(to, text) {}

  void read() {
    int parentheses = 0;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view t = tokens_[i].text;
      if (t == "(" && parentheses++ == 0) opened = i;
      if (t == ")") --parentheses;
      if (t != "{" || parentheses != 0) continue;
      if (i > 0 && tokens_[i - 1].text == ")") i = function(opened, i);
      else i = closing(i);
    }
    find_together();
  }

 private:
  using Kind = KernelText::Statement::Kind;

  int open(Kind kind, int line, int parent) {
    to_.statements_.push_back({.kind = kind, .first = line, .last = line, .parent = parent});
    values_.push_back({});
    return static_cast<int>(to_.statements_.size()) - 1;
  }
  void close(int statement, std::size_t last) {
    to_.statements_[static_cast<std::size_t>(statement)].last =
        tokens_[std::min(last, tokens_.size() - 1)].line;
  }

  // Returns the position of the bracket that closes the bracket at `i`.
  std::size_t closing(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      const std::string_view t = tokens_[i].text;
      if (t == "(" || t == "{" || t == "[") ++depth;
      if ((t == ")" || t == "}" || t == "]") && --depth == 0) return i;
    }
    return tokens_.size();
  }

  std::size_t function(std::size_t parameters, std::size_t body) {
    const int f = open(Kind::function, tokens_[parameters].line, KernelText::none);
    for (const Range& r : split({parameters + 1, body - 1}, ",")) {
      std::size_t last = r.end;
      while (last > r.begin && !is_identifier(at(last - 1))) --last;
      if (last > r.begin) declare(at(last - 1), f, {r.begin, last - 1});
    }
    const std::size_t end = closing(body);
    for (std::size_t i = body + 1; i < end;) i = statement(i, f);
    close(f, end);
    return end;
  }

  // Splits a range at each token `by` that is not inside brackets of any kind.
  std::vector<Range> split(Range r, std::string_view by) const {
    std::vector<Range> parts{{r.begin, r.begin}};
    int depth = 0, angles = 0;
    for (std::size_t i = r.begin; i < r.end; ++i) {
      const std::string_view t = at(i);
      if (t == "(" || t == "{" || t == "[") ++depth;
      if (t == ")" || t == "}" || t == "]") --depth;
      // After the name of a template, "<" begins its arguments. After other names, "<" means "less than".
      if (t == "<" && i > r.begin && is_template(at(i - 1))) ++angles;
      if (angles > 0 && (t == ">" || t == ">>")) angles = std::max(0, angles - static_cast<int>(t.size()));
      if (depth == 0 && angles == 0 && t == by) parts.push_back({i + 1, i + 1});
      else parts.back().end = i + 1;
    }
    return parts;
  }
  static bool is_template(std::string_view t) {
    static constexpr std::array<std::string_view, 6> names = {"Global", "Shared", "Message",
                                                              "Four",   "Pack",   "identity"};
    return std::find(names.begin(), names.end(), t) != names.end();
  }

  // Reads one statement and returns the position after it.
  std::size_t statement(std::size_t i, int parent) {
    const std::string_view t = at(i);
    const int line = i < tokens_.size() ? tokens_[i].line : 0;
    if (t == "{") {
      const int block = open(Kind::scope, line, parent);
      const std::size_t end = closing(i);
      for (++i; i < end;) i = statement(i, block);
      close(block, end);
      return end + 1;
    }
    if (t == "switch" || t == "do" || t == "goto") to_.unread_.push_back(line);
    if (t == "if") return branch(i, parent);
    if (t == "for" || t == "while") return loop(i, parent);
    std::size_t end = i;
    while (end < tokens_.size() && at(end) != ";") {
      if (at(end) == "(" || at(end) == "{" || at(end) == "[") end = closing(end);
      ++end;
    }
    simple({i, std::min(end, tokens_.size())}, parent);
    return end + 1;
  }

  std::size_t branch(std::size_t i, int parent) {
    const int line = tokens_[i].line;
    if (at(++i) == "constexpr") ++i;
    const std::size_t end = closing(i);
    const Range condition{i + 1, end};
    const int then = open(Kind::branch, line, parent);
    note_condition(condition, then);
    i = statement(end + 1, then);
    close(then, i - 1);
    if (at(i) != "else") return i;
    const int otherwise = open(Kind::branch, tokens_[i].line, parent);
    to_.statements_.back().else_of = then;
    note_condition(condition, otherwise);
    i = statement(i + 1, otherwise);
    close(otherwise, i - 1);
    return i;
  }

  std::size_t loop(std::size_t i, int parent) {
    const int line = tokens_[i].line;
    const bool is_for = at(i) == "for";
    const std::size_t end = closing(++i);
    const int around = open(Kind::scope, line, parent);
    const std::vector<Range> head = split({i + 1, end}, ";");
    if (is_for) simple(head[0], around);
    const int body = open(Kind::loop, line, around);
    if (!is_for) note_condition({i + 1, end}, body);
    else if (head.size() > 1 && head[1].end > head[1].begin) note_condition(head[1], body);
    i = statement(end + 1, body);
    if (is_for && head.size() > 2) simple(head[2], body);
    close(body, i - 1);
    close(around, i - 1);
    return i;
  }

  // Reads a statement that contains no other statement: a declaration, an assignment, a call or a jump.
  void simple(Range r, int parent) {
    if (r.begin >= r.end) return;
    const std::string_view first = at(r.begin);
    if (first == "return" || first == "break" || first == "continue") {
      jumps_.push_back({parent, first == "return"});
      to_.jumps_.push_back({parent, tokens_[r.begin].line, first == "return"});
      if (first != "continue") to_.exits_.push_back(parent);
      return;
    }
    if (first == "step" && at(r.begin + 1) == "(") note_mark(r);
    // Finds the end of the type, if the statement declares something.
    std::size_t name = r.begin;
    while (at(name) == "const" || at(name) == "volatile" || at(name) == "constexpr" || at(name) == "static")
      ++name;
    const std::size_t type = name;
    if (is_identifier(at(name))) ++name;
    while (at(name) == "int" || at(name) == "long" || at(name) == "char") ++name;  // as in unsigned int
    if (name > type && is_template(at(name - 1)) && at(name) == "<") {
      int angles = 0;
      for (; name < r.end; ++name) {
        if (at(name) == "<") ++angles;
        else if (at(name) == ">" || at(name) == ">>") angles -= static_cast<int>(at(name).size());
        if (angles == 0) break;
      }
      ++name;
    }
    const bool declares = name > type && name < r.end && is_identifier(at(name));
    note_indices(r, parent);
    for (Range part : split(r, ",")) {
      if (declares) {
        if (part.begin < name) part.begin = name;
        declare(at(part.begin), parent, {r.begin, name});
      }
      assign(part, parent, declares);
    }
  }

  void note_mark(Range r) {
    for (std::size_t i = r.begin; i < r.end; ++i) {
      std::string_view t = at(i);
      if (t == "::" && i + 1 < r.end) {
        to_.marks_.push_back({tokens_[r.begin].line, std::string(at(i + 1))});
        return;
      }
      if (t.starts_with('"')) {
        to_.marks_.push_back({tokens_[r.begin].line, std::string(t.substr(1, t.size() - 2))});
        return;
      }
    }
  }

  void declare(std::string_view name, int scope, Range type) {
    Variable v{.scope = scope};
    bool is_memory = false, is_shared = false;
    for (std::size_t i = type.begin; i < type.end; ++i) {
      is_shared = is_shared || at(i) == "Shared";
      is_memory = is_memory || at(i) == "Global" || at(i) == "Shared";
      v.is_volatile = v.is_volatile || at(i) == "volatile";
    }
    values_[static_cast<std::size_t>(scope)][name] = static_cast<int>(variables_.size());
    v.is_shared = is_shared;
    variables_.push_back(v);
    to_.names_.emplace_back(name);
    to_.is_memory_.push_back(is_memory);
    to_.scope_of_.push_back(scope);
  }
  // Notes which variables a declaration or an expression changes.
  void assign(Range r, int statement, bool declares) {
    std::size_t equals = r.end;
    int depth = 0;
    for (std::size_t i = r.begin; i < r.end; ++i) {
      const std::string_view t = at(i);
      if (t == "(" || t == "{" || t == "[") ++depth;
      if (t == ")" || t == "}" || t == "]") --depth;
      if (depth == 0 && is_assignment(t) && equals == r.end) equals = i;
      if (t == "++" || t == "--") {
        const std::string_view name = i + 1 < r.end && is_identifier(at(i + 1)) ? at(i + 1) : at(i - 1);
        if (const auto v = find(name, statement)) change(*v, statement, true, {i, i});
      }
    }
    if (equals == r.end) {  // no "=", as in int x(t) or T q[8]
      if (declares && at(r.begin + 1) == "(")
        if (const auto v = find(at(r.begin), statement); v && !to_.is_memory_[static_cast<std::size_t>(*v)])
          change(*v, statement, false, {r.begin + 1, r.end});
      return;
    }
    std::size_t base = r.begin;
    while (base < equals && !is_identifier(at(base))) ++base;
    const auto v = find(at(base), statement);
    if (!v) return;
    const Range value{equals + 1, r.end};
    Variable& variable = variables_[static_cast<std::size_t>(*v)];
    if (declares && value.end - value.begin == 3 && at(value.begin) == "threadIdx" &&
        at(value.begin + 2) == "x")
      variable.is_number = true;
    change(*v, statement, at(equals) != "=", value);
  }

  void change(int variable, int statement, bool counts, Range value) {
    KernelText::Change& c = to_.changes_.emplace_back();
    c.variable = variable;
    c.statement = statement;
    c.counts = counts;
    c.value = text_of(value);
    read_names(value, statement, c);
    value_of_change_.push_back(value);
  }
  void note_indices(Range r, int statement) {
    for (std::size_t i = r.begin; i + 1 < r.end; ++i)
      if (const auto v = is_identifier(at(i)) ? find(at(i), statement) : std::nullopt;
          v && to_.is_memory_[static_cast<std::size_t>(*v)]) {
        if (at(i + 1) == "[") read_names({i + 2, closing(i + 1)}, statement, to_.indices_.emplace_back());
        note_access(r, i, *v, statement);
      }
  }
  // If the name at `i` is the memory of an access, notes this access.
  void note_access(Range r, std::size_t i, int memory, int statement) {
    KernelText::Access a{.line = tokens_[i].line, .statement = statement};
    a.memory = at(i);
    a.is_shared = variables_[static_cast<std::size_t>(memory)].is_shared;
    Range index;
    if (at(i + 1) == "[") {
      index = {i + 2, closing(i + 1)};
      std::size_t behind = index.end + 1;
      const bool is_flat = at(behind) != "[";
      while (at(behind) == "[") behind = closing(behind) + 1;
      if (!is_flat) index.end = index.begin;
      a.stores = is_assignment(at(behind));
      a.loads = !a.stores || at(behind) != "=";
      if (i > r.begin && at(i - 1) == "&") a.stores = true;
    } else if (at(i + 1) == "," && i >= r.begin + 2 && at(i - 1) == "(") {
      const std::string_view call = at(i - 2);
      a.loads = call.starts_with("load_");
      a.stores = call.starts_with("store_") || call.starts_with("stream_");
      if (!a.loads && !a.stores) return;
      index = split({i + 2, closing(i - 1)}, ",")[0];
    } else {
      return;
    }
    if (index.end > index.begin && at(index.begin) == "pad" && closing(index.begin + 1) + 1 == index.end) {
      a.pads = true;
      index = {index.begin + 2, index.end - 1};
    }
    a.index = text_of(index);
    a.index_variable = variable_of(index, statement);
    a.is_optional = is_optional(r, i);
    to_.accesses_.push_back(std::move(a));
  }
  // Returns whether a part of the expression before `i` decides if the access at `i` happens.
  bool is_optional(Range r, std::size_t i) const {
    std::vector<bool> decides(1);  // one element for each depth of brackets
    for (std::size_t k = r.begin; k < i; ++k) {
      const std::string_view t = at(k);
      if (t == "(" || t == "{" || t == "[") decides.push_back(false);
      if ((t == ")" || t == "}" || t == "]") && decides.size() > 1) decides.pop_back();
      if (t == "," || t == ";") decides.back() = false;
      if (t == "?" || t == "&&" || t == "||") decides.back() = true;
    }
    return std::find(decides.begin(), decides.end(), true) != decides.end();
  }
  // If the range is the name of a variable, returns this variable. Otherwise, returns KernelText::none.
  int variable_of(Range r, int statement) const {
    const auto v =
        r.end - r.begin == 1 && is_identifier(at(r.begin)) ? find(at(r.begin), statement) : std::nullopt;
    return v.value_or(KernelText::none);
  }
  // Returns the text of a range, with one space instead of several spaces or line breaks.
  std::string text_of(Range r) const {
    std::string text;
    for (std::size_t i = r.begin; i < std::min(r.end, tokens_.size()); ++i) {
      const std::string_view t = at(i);
      const bool is_apart = i > r.begin && t.data() != at(i - 1).data() + at(i - 1).size();
      text += (is_apart ? " " : "") + std::string(t);
    }
    return text;
  }
  void note_condition(Range r, int statement) {
    KernelText::Condition& c = to_.conditions_.emplace_back();
    c.statement = statement;
    read_names(r, statement, c);
    conditions_.push_back({statement, r});
    KernelText::Statement& s = to_.statements_[static_cast<std::size_t>(statement)];
    s.condition = text_of(r);
    s.condition_variable = variable_of(r, statement);
    const std::size_t noted = to_.accesses_.size();
    note_indices(r, statement);
    if (s.else_of != KernelText::none) to_.accesses_.resize(noted);  // already noted for the `if`
    for (std::size_t i = noted; i < to_.accesses_.size(); ++i) to_.accesses_[i].in_condition = true;
    assign(r, statement, false);  // the condition may change a variable, as in ++k < most
  }
  void read_names(Range r, int statement, KernelText::Expression& e) const {
    e.line = tokens_[r.begin].line;
    for (std::size_t i = r.begin; i < r.end; ++i) {
      const std::string_view t = at(i);
      if (t.starts_with("atomic") || t.starts_with("__") || t.starts_with("load_")) e.reads_memory = true;
      if (const auto v = is_identifier(t) && !is_member(i) ? find(t, statement) : std::nullopt) {
        e.reads_memory = e.reads_memory || to_.is_memory_[static_cast<std::size_t>(*v)];
        e.reads.push_back(*v);
      }
    }
  }
};

KernelText::KernelText(std::string_view text) { KernelTextReader(*this, text).read(); }

}  // namespace upsweep
