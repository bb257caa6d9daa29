#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "words/words.hpp"

namespace upsweep {

void ExplainCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--at-block", at_block);
}

void ExplainCommand::run() const {
  const Recording r = recording_of(options);
  const auto paragraph = [&](int index) {
    Cursor cursor;
    cursor.step = index;
    cursor.block = chosen_block(at_block, r, index);
    return words(r, cursor);
  };
  if (step) return print(paragraph(chosen_step(step, r)) + "\n");
  std::string text;
  for (int i = 0; i < static_cast<int>(r.trace.steps.size()); ++i)
    text += fmt::format("{}Step {}. {}\n", i > 0 ? "\n" : "", i, paragraph(i));
  print(text);
}

}  // namespace upsweep
