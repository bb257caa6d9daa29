// Groups all changes during one action of the user into an intention. One undo takes back all these changes
// together.
#pragma once
#include "study/session.hpp"

namespace upsweep {

// The constructor copies the session's state. If the state then changes, the destructor adds the copy to the
// history. If intentions are nested, only the outermost intention adds a copy.
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

// While an object of this class exists, changes are not added to the history. The class is used for undo and
// redo, and for changes that the user did not make, such as the arrival of a recording.
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
