// One thing that a person wants, from beginning to end: undo takes it back whole.
#pragma once
#include "study/session.hpp"

namespace upsweep {

// Remembers the state at its beginning, if something has changed when it ends. Of several within each other
// only the outermost does.
class Session::Intention {
 public:
  explicit Intention(Session& s);
  ~Intention();
  Intention(const Intention&) = delete;
  Intention& operator=(const Intention&) = delete;

 private:
  Session& s_;
  Left before_;
};

// What happens meanwhile is no intention of its own: a recording that arrives, or undo itself.
class Session::Unremembered {
 public:
  explicit Unremembered(Session& s) : s_(s) { ++s_.intentions_; }
  ~Unremembered() { --s_.intentions_; }
  Unremembered(const Unremembered&) = delete;
  Unremembered& operator=(const Unremembered&) = delete;

 private:
  Session& s_;
};

}  // namespace upsweep
