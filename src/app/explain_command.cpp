#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

namespace upsweep {

void ExplainCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--at-block", at_block);
  parser.add_option("--request", request);
  parser.add_option("--banks", banks);
}

void ExplainCommand::run() const {
  const bool half_warps = half_warps_chosen(banks);
  const Recording r = recording_of(options);
  const auto paragraph = [&](int index) {
    Cursor cursor;
    cursor.step = index;
    cursor.half_warps = half_warps;
    cursor.block = chosen_block(at_block, r, index);
    cursor.request = chosen_request(request, r, index, cursor.block);
    return words(r, cursor);
  };
  if (request && !step)
    throw RequestError(tr("--request needs --step: give the step that contains the request."));
  if (step) return print(paragraph(chosen_step(step, r)) + "\n");
  std::string text;
  for (int i = 0; i < static_cast<int>(r.trace.steps.size()); ++i)
    text += tr("{}Step {} of {}. {}\n", i > 0 ? "\n" : "", grouped(i + 1), grouped(std::ssize(r.trace.steps)),
               paragraph(i));
  print(text);
}

}  // namespace upsweep
