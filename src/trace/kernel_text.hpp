// Finds the branches and loops of a kernel's text, their lines, and the threads that take each branch or loop
// together. All these facts follow from the text alone, so they are the same for every run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// The largest group whose threads certainly take a branch together, or execute an iteration of a loop
// together.
enum class Together : std::uint8_t { block, warp, nobody };

class KernelText {
 public:
  explicit KernelText(std::string_view text);

  struct Statement {
    enum class Kind : std::uint8_t { function, branch, loop, scope } kind = Kind::scope;
    int first = 0, last = 0;  // the first and the last line; a function begins at its parameters
    int parent = none;        // the index of the statement around this statement
    int else_of = none;       // for an `else`: the index of its `if`
    Together together = Together::block;
    // The condition of a branch or loop, as in the text; an `else` has the condition of its `if`.
    std::string condition{};
    int condition_variable = none;  // the variable's index if the condition is only a variable's name
    bool holds(int line) const { return first <= line && line <= last; }
  };
  static constexpr int none = -1;
  // Returns all statements in the order of the text. A statement comes after the statement around it.
  const std::vector<Statement>& statements() const { return statements_; }
  // Returns the innermost loop that holds both lines, or none. The line of a loop's head belongs to the loop.
  int loop_around(int line, int other) const;
  // Returns whether a statement is inside `outer` or is `outer` itself.
  bool within(int statement, int outer) const;
  // Returns the kernel that holds the line, or none.
  int function_of(int line) const;

  // A step mark. For step(Phase::scan, stride) in line 27, the mark is {27, "scan"}.
  struct Mark {
    int line;
    std::string phase;
  };
  const std::vector<Mark>& marks() const { return marks_; }

  // An access to memory: name[index], or a call such as load_four(name, index).
  struct Access {
    int line = 0;
    int statement = 0;                   // the innermost statement around the access
    std::string memory{};                // the name of the buffer or of shared memory
    bool is_shared = false;              // whether the name is declared as Shared
    bool loads = false, stores = false;  // both are true for an atomic
    bool pads = false;                   // whether the index is pad(...)
    std::string index{};        // the index as in the text, without pad(); empty for two or more dimensions
    int index_variable = none;  // the variable's index if `index` is only a variable's name
    bool in_condition = false;  // whether the access is in the condition of `statement` itself
    // True if an operator (&&, || or ?) in the same expression decides whether the access happens.
    bool is_optional = false;
  };
  const std::vector<Access>& accesses() const { return accesses_; }
  // A condition that decides whether a thread executes a line. `condition` is the condition of a branch or
  // loop as in the text, or "!(...)" for an `else`. If the condition is only the name of a variable,
  // `variable` is the index of this variable, else `none`.
  struct Guard {
    int line = 0;
    std::string condition;
    int variable = none;
    bool operator==(const Guard&) const = default;
  };
  // Returns the conditions that decide which threads of a warp execute a line of a statement, the outermost
  // first. Leaves out the conditions that are certainly equal for all threads of a warp. Returns nullopt if
  // something else, such as an earlier `return` of some threads, may also decide which threads execute the
  // line.
  std::optional<std::vector<Guard>> guards(int statement, int line, bool in_condition = false) const;
  // Returns the innermost statement that holds a line, or none.
  int statement_at(int line) const;
  // The value that the text assigns to a variable, and its line.
  struct Definition {
    int line = 0;
    std::string name, value;
  };
  // Returns the definition of a variable to which the text assigns a value exactly once. Returns nullopt for
  // other variables.
  std::optional<Definition> definition(int variable) const;

  // Returns whether the loop that begins in this line can never end. Such a loop changes no variable that its
  // condition reads, the condition reads no memory, and no `break` or `return` leaves the loop.
  bool never_ends(int line) const;
  // Returns whether only other threads can end the loop that begins in this line. This is so if no condition
  // in the loop depends on a counter: a variable whose new value depends on its value in the previous
  // iteration, as in ++i.
  bool only_waits(int line) const;
  // Returns whether a value that the line `from` reads or stores can decide which cells the line `at`
  // accesses, or which threads reach the line `at`. If the two lines are in different kernels, any value in
  // memory counts as such a value.
  bool accesses_depend(int at, int from) const;

 private:
  friend class KernelReading;
  friend class KernelTextReader;
  // The variables that an expression reads. Buffers and shared memory are variables, too.
  struct Expression {
    int line = 0;
    std::vector<int> reads{};
    bool reads_memory = false;
  };
  // An assignment of a value to a variable.
  struct Change : Expression {
    int variable = 0;
    int statement = 0;    // the innermost statement around the assignment
    bool counts = false;  // whether the new value depends on the old value, as in i += 2
    std::string value{};  // the expression for the new value, exactly as in the kernel's source text
  };
  struct Jump {
    int statement = 0;  // the innermost statement around the jump
    int line = 0;
    bool is_return = false;  // false for `break` and `continue`
  };
  bool is_shared_by_warp(int statement, int outer) const;
  struct Condition : Expression {
    int statement = 0;
  };
  bool decides(const Condition& c, int line) const;
  int loop_at(int line) const;
  std::vector<int> reads_of_conditions(int loop) const;

  std::vector<Statement> statements_;
  std::vector<int> scope_of_;  // for each variable: the statement that declares the variable
  std::vector<Change> changes_;
  std::vector<Condition> conditions_;
  std::vector<int> exits_;  // for each break and return: the innermost statement around it
  std::vector<Mark> marks_;
  std::vector<Access> accesses_;
  std::vector<Jump> jumps_;
  std::vector<int> unread_;  // the lines with a statement that the reader does not understand, such as switch
  std::vector<std::string> names_;   // one element for each variable
  std::vector<Expression> indices_;  // the indices of buffers and of shared memory
  std::vector<bool> is_memory_;      // one element for each variable
};

}  // namespace upsweep
