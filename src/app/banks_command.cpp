#include <fmt/format.h>

#include <sstream>

#include "analysis/bank_csv.hpp"
#include "app/commands.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "words/in_words.hpp"

namespace upsweep {

void BanksCommand::add_to(ArgumentParser& parser) {
  parser.add_option("FILE", file);
  parser.add_option("--banks", banks);
}

void BanksCommand::run() const {
  if (file.empty())
    throw RequestError(
        tr("The table is missing: give a CSV file. `upsweep banks --help` describes the columns."));
  constexpr std::size_t most_bytes = 64 << 20;
  std::istringstream in(read_text_file(file, most_bytes));
  try {
    print(bank_table(read_bank_requests(in), half_warps_chosen(banks) ? half_warp_banks : BankModel()));
  } catch (const RequestError& e) { throw RequestError(fmt::format("{}: {}", file, in_words(e))); }
}

}  // namespace upsweep
