// An intention: all changes during one action of the user. One undo takes them back together.
#pragma once
#include "study/session.hpp"

namespace upsweep {

// Copies the session's state in its constructor. If the state has changed at the end, the destructor adds the
// copy to the history. If intentions are nested, only the outermost one adds a copy.
class Session::Intention {
 public:
  explicit Intention(Session& s);
  ~Intention();
  Intention(const Intention&) = delete;
  Intention& operator=(const Intention&) = delete;

 private:
  Session& s_;
  PastState before_;
};

// As long as an object of this class exists, changes do not get into the history. It is used when a recording
// arrives, and by undo itself.
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
