// Checks a GPU's results on arrays that are too large for a loop on the host. The GPU makes the data and
// compares every element. The data are chosen so that no operation rounds, in any order of the operations.
//
// An element of a scan is therefore correct if and only if it equals the previous element combined with one
// element of the input. The total of a reduction is computed a second time, by many threads. Each thread
// combines one part of the array in order.
#pragma once
#include <cstdint>
#include <memory>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

class LargeCheck {
 public:
  LargeCheck();  // throws RequestError if no GPU can be used; the error says what is missing
  ~LargeCheck();

  // Returns whether results of this kind can be compared on the GPU.
  static bool can_compare(const Result& result);
  // bytes() returns the size of the GPU memory that a call of mistake() needs. free_bytes() returns the size
  // of the free GPU memory.
  static std::uint64_t bytes(const Settings& s);
  std::uint64_t free_bytes() const;

  // Runs the kernel, with the recorder off, on data from the seed. Returns an empty message if every element
  // is correct, else a message about the first wrong element. Throws WorkError if the GPU fails or the kernel
  // does not end. Throws RequestError if this GPU cannot run the settings, for example because a block needs
  // too much shared memory.
  Message mistake(const Settings& s, std::uint64_t seed);
  // Checks an algorithm that need not be in the catalogue.
  Message mistake(const Algorithm& algorithm, const Settings& s, std::uint64_t seed);
  double seconds() const;  // how long the kernel took in the latest call of mistake()

  // Returns the kernels that check results of this kind. An Algorithm contains them, so that they can be
  // compiled like the kernels of the catalogue.
  static const Algorithm& kernels(const Result& result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
