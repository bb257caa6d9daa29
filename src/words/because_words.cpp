#include "words/because_words.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

#include "trace/requests.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns how far apart the words of the active lanes are.
std::string distance_text(const Because& b) {
  if (!b.stride_words) return "The distances between the lanes' words are not equal.";
  const std::string words = grouped(std::abs(*b.stride_words));
  if (!b.padded) return fmt::format("Neighbouring active lanes access words that are {} apart.", words);
  return fmt::format(
      "Neighbouring active lanes access elements that are {} apart; with padding, their words are {} apart.",
      grouped(std::abs(*b.stride_elements)), words);
}

// Returns how many banks hold the words. If the words are evenly spaced, says why.
std::string banks_of_words(const Because& b) {
  const std::string words = counted(b.words, "word");
  if (b.wavefronts == 1)
    return fmt::format("They access {}, each in a bank of its own, so 1 wavefront serves them all.",
                       b.words < b.active ? counted(b.words, "different word") : words);
  const std::string in_turn = fmt::format("Bank {} holds {} of them, and serves one in each wavefront: {}.",
                                          b.fullest_bank, b.most_words, counted(b.wavefronts, "wavefront"));
  if (b.stride_words && b.width == 4) {
    const auto divisor = std::gcd(*b.stride_words, std::int64_t{bank_count});
    return fmt::format(
        "The greatest common divisor of {} and {} banks is {}, so the {} are in only {} / {} = {}. {}",
        grouped(std::abs(*b.stride_words)), bank_count, divisor, words, bank_count, divisor,
        counted(b.banks, "bank"), in_turn);
  }
  return fmt::format("They access {} in {}. {}", counted(b.words, "different word"), counted(b.banks, "bank"),
                     in_turn);
}

}  // namespace

std::string reason_text(const Because& b) {
  if (b.words == 0) return "No active lane's address is inside shared memory.";
  if (b.groups > 1)
    return fmt::format(
        "Each active lane accesses {}, so shared memory serves the lanes in {} groups, one after another. {}",
        counted(b.width / 4, "word"), b.groups,
        b.wavefronts == b.groups
            ? fmt::format("No group has a bank conflict: {}.", counted(b.wavefronts, "wavefront"))
            : fmt::format("Bank conflicts within the groups add {}: {}.", b.wavefronts - b.groups,
                          counted(b.wavefronts, "wavefront")));
  if (b.active == 1) return "Only 1 lane is active, so the request takes 1 wavefront.";
  if (b.words == 1)
    return fmt::format("All {} active lanes access one word, and 1 wavefront serves them all.", b.active);
  return distance_text(b) + " " + banks_of_words(b);
}

}  // namespace upsweep
