// compile_kernel [--fast | --traced] [--types] [ARCHITECTURE] FILE...: compiles kernel files with NVRTC. The
// files need not be in the registry. Compiles each variant or, with --types, each type and operator.
// ARCHITECTURE defaults to sm_90. Needs no GPU.
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/compile_cases.hpp"
#include "words/in_words.hpp"

int main(int argc, char** argv) {
  using namespace upsweep;
  std::string architecture = "sm_90";
  std::vector<Mode> modes = {Mode::fast, Mode::traced};
  std::vector<std::string> files;
  bool types = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--fast") modes = {Mode::fast};
    else if (argument == "--traced") modes = {Mode::traced};
    else if (argument == "--types") types = true;
    else if (argument.starts_with("sm_") || argument.starts_with("compute_")) architecture = argument;
    else files.push_back(argument);
  }
  if (files.empty()) {
    fmt::print(stderr, "compile_kernel [--fast | --traced] [--types] [ARCHITECTURE] FILE...\n");
    return 2;
  }
  int failed = 0;
  for (const std::string& file : files) try {
      std::ifstream in(file);
      std::stringstream text;
      text << in.rdbuf();
      const Algorithm a = parse_kernel(std::filesystem::path(file).stem(), file, text.str());
      int done = 0;
      for (const Settings& s : types ? every_type(a) : every_variant(a))
        for (const Mode mode : modes) try {
            const std::string log = compile(program(a, s, mode), architecture).log;
            if (!log.empty()) throw WorkError(log);
            ++done;
          } catch (const WorkError& e) {
            fmt::print("{}, {}:\n{}\n", describe(s), mode == Mode::fast ? "fast" : "traced", in_words(e));
            ++failed;
          }
      fmt::print("{}: {} programs compiled for {}\n", file, done, architecture);
    } catch (const std::exception& e) {
      fmt::print("{}\n", in_words(e));
      ++failed;
    }
  return failed != 0;
}
