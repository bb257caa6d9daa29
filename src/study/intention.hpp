// The changes that one undo takes back together: all changes during one action of the user.
#pragma once
#include "study/session.hpp"

namespace upsweep {

// Copies the state in its constructor. If the state has changed since, the destructor adds the copy to the
// past. If intentions are nested, only the outermost one does this.
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

// Undo ignores changes during its lifetime. It is used when a recording arrives, and by undo itself.
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
