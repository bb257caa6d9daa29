// Checks a GPU's results on arrays that are too large for a loop on the host. The data are made on the GPU,
// and the GPU compares every element.
//
// The data are chosen so that no order of the operations rounds. So an element of a scan is right if and only
// if it equals its neighbour combined with one element of the input. The total of a reduction is computed a
// second time, by threads that walk through neighbouring parts in order.
#pragma once
#include <cstdint>
#include <memory>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

class LargeCheck {
 public:
  LargeCheck();  // Throws RequestError, which says what is missing.
  ~LargeCheck();

  // Returns whether results of this kind can be compared on the GPU: reductions, scans and copies.
  static bool can_compare(const Result& result);
  // Returns the bytes of the GPU's memory that mistake() takes, and those that are free.
  static std::uint64_t bytes(const Settings& s);
  std::uint64_t free_bytes() const;

  // Runs the kernel with the recorder off on data that the seed decides. Returns an empty message if every
  // element is right, else the first wrong element. Throws WorkError if the GPU fails or the kernel does not
  // end, and RequestError if the settings ask for more than the GPU has.
  Message mistake(const Settings& s, std::uint64_t seed);
  // Runs any algorithm in the same way, registered or not.
  Message mistake(const Algorithm& algorithm, const Settings& s, std::uint64_t seed);

  // Returns the kernels that check, in the form of an algorithm, so that they compile as algorithms do.
  static const Algorithm& kernels();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
