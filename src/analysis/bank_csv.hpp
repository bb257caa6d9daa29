// Reads warp requests from a table, and returns the costs that the bank model predicts.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "analysis/banks.hpp"

namespace upsweep {

struct BankRequest {
  bool load = true;
  int width = 4;           // bytes per lane: 2, 4, 8 or 16
  std::uint32_t mask = 0;  // the active lanes: bit l for lane l
  Addresses addresses{};   // the byte addresses of all 32 lanes; addresses of inactive lanes are ignored
};

// Reads a CSV whose first line names the columns op, width_bytes, active_mask and byte_addresses, in any
// order. Ignores other columns and blank lines. Throws RequestError if the table is wrong.
//
// op is ld or st (or load, store). Numbers are decimal, or hexadecimal as in 0xff. byte_addresses are 32
// numbers separated by spaces; the addresses of active lanes must be multiples of the width.
std::vector<BankRequest> read_bank_requests(std::istream& in);

// Returns one line per request: the number of wavefronts, a comma, and the number of excess wavefronts.
std::string bank_table(const std::vector<BankRequest>& requests, const BankModel& model = {});

}  // namespace upsweep
