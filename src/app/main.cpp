// main(): turns errors into a sentence and an exit code. The codes are 0 for success, 1 if the work failed,
// and 2 if the request made no sense.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "app/command_line.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/heap.hpp"
#include "base/language.hpp"
#include "base/quiet.hpp"
#include "words/in_words.hpp"

namespace {

// Ends the program after Ctrl-C with a sentence and the exit code of failed work. Only the first call writes
// the sentence.
//
// A signal handler must not allocate memory or lock a mutex. For the test language "pseudo", tr() would do
// both. So the handler uses English instead of "pseudo".
void end_by_interruption(int) {
  static std::atomic_flag has_begun;
  if (has_begun.test_and_set()) return;
  upsweep::remove_incomplete_file();
  const auto chosen = upsweep::language();
  const auto spoken = chosen == upsweep::TextLanguage::pseudo ? upsweep::TextLanguage::english : chosen;
  const std::string_view sentence =
      upsweep::tr(spoken, upsweep::tr_noop("upsweep: Interrupted before the end.\n"));
  [[maybe_unused]] const auto written = ::write(upsweep::Quiet::visible(), sentence.data(), sentence.size());
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  // These two signals would end the program if it writes to a closed output, or if a file becomes larger than
  // allowed. If the signals are ignored, the write fails with an error instead.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (std::signal(SIGINT, end_by_interruption) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  const auto say = [](const std::string& sentence) {
    const std::string line = "upsweep: " + sentence + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  };
  upsweep::keep_freed_memory();
  try {
    upsweep::run_command_line(argc, argv);
    return 0;
  } catch (const upsweep::RequestError& e) {
    say(upsweep::in_words(e));
    return 2;
  } catch (const upsweep::ClosedOutput&) {
  } catch (const upsweep::WorkError& e) { say(upsweep::in_words(e)); } catch (const std::bad_alloc&) {
    say(upsweep::tr("There is not enough memory for this command."));
  } catch (const std::exception& e) { say(upsweep::tr("An unexpected error: ") + upsweep::in_words(e)); }
  return 1;
}
