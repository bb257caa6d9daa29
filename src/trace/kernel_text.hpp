// The branches and loops of a kernel's text, with their lines and the threads that take them together. All
// this follows from the text alone, so it is the same for every run.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// The largest group whose threads certainly take a branch, or go round a loop, together.
enum class Together : std::uint8_t { block, warp, nobody };

class KernelText {
 public:
  explicit KernelText(std::string_view text);

  struct Statement {
    enum class Kind : std::uint8_t { function, branch, loop, scope } kind = Kind::scope;
    int first = 0, last = 0;  // the first and the last line; a function begins at its parameters
    int parent = none;        // the index of the statement around it
    int else_of = none;       // for an `else`: the index of its `if`
    Together together = Together::block;
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

  // The step marks: step(Phase::scan, stride) in line 27 is {27, "scan"}.
  struct Mark {
    int line;
    std::string phase;
  };
  const std::vector<Mark>& marks() const { return marks_; }

  // Returns whether the loop that begins in this line can never end: nothing in the loop changes a variable
  // that its condition reads, the condition reads no memory, and no `break` or `return` leaves the loop.
  bool never_ends(int line) const;
  // Returns whether only other threads can end the loop that begins in this line: no condition in the loop
  // depends on a variable whose value in one round is computed from its value in the round before.
  bool only_waits(int line) const;
  // Returns whether a value that the line `from` reads or stores decides the accesses of the line `at`: an
  // index of memory in line `at`, or a condition that decides whether a thread reaches this line, depends on
  // the value. If the two lines are in different kernels: returns whether such an index or condition depends
  // on memory at all.
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
    bool counts = false;  // the new value depends on the old value, as in i += 2
  };
  struct Condition : Expression {
    int statement = 0;
  };
  bool decides(const Condition& c, int line) const;
  int loop_at(int line) const;
  std::vector<int> reads_of_conditions(int loop) const;

  std::vector<Statement> statements_;
  std::vector<int> scope_of_;  // by variable: the statement that declares it
  std::vector<Change> changes_;
  std::vector<Condition> conditions_;
  std::vector<int> exits_;  // the statements with a break or a return directly in them
  std::vector<Mark> marks_;
  std::vector<Expression> indices_;  // of buffers and of shared memory
  std::vector<bool> is_memory_;      // by variable
};

}  // namespace upsweep
