// Makes test kernels from a few lines of text. Some of these kernels never end.
#pragma once
#include <ostream>
#include <string>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns a kernel with one element per thread. `body` is the code after the declarations of temp and of the
// thread's index t. If the string `buffers` is not empty, the kernel has an additional buffer named `words`.
// `buffers` then states the size of this buffer in words.
inline Algorithm kernel(const std::string& name, const std::string& body, const std::string& buffers = "") {
  std::string header =
      "// Test\n// Idea        A test.\n// Gives       copy\n// Elements    any\n// Blocks      any\n";
  std::string parameters = "Global<const T> in, Global<T> out, ", arguments = "in, out, ";
  if (!buffers.empty()) {
    header += "// Buffers     words: " + buffers + "\n";
    parameters += "Global<volatile unsigned> words, ";
    arguments += "words, ";
  }
  header += "// Shared      temp: 1024\n// Launches    " + name + "<<<ceil_div(n, block), block>>>(" +
            arguments + "n)\n";
  header +=
      "// Variants    none\n// Steps       1\n// Operations  0\n// Watch       It.\n// Source      None.\n";
  return parse_kernel(name, "tests/" + name,
                      header + "template <class T>\n__global__ void " + name + "(" + parameters +
                          "int n) {\n  Shared<T> temp;\n  const int t = threadIdx.x;\n" + body + "\n}\n");
}

// A kernel that never ends, and the sentence that reports the stop.
struct Hopeless {
  const char* name;
  const char* body;
  int blocks;
  const char* says;  // a part of this sentence
};
inline void PrintTo(const Hopeless& h, std::ostream* out) { *out << h.name; }
inline const Hopeless hopeless_kernels[] = {
    {"endless_loop", "  T x = in[t];\n  for (int i = 1; i > 0;) {\n    temp[t] = x;\n  }\n  out[t] = x;", 1,
     "The loop of line 19 never ends"},
    {"endless_barriers",
     "  for (int i = 1; i > 0;) {\n    temp[t] = in[t];\n    __syncthreads();\n  }\n  out[t] = temp[t];", 1,
     "The loop of line 18 never ends"},
    {"endless_for_one",
     "  T x = in[t];\n  if (t == 7) {\n    while (t == 7) temp[t] = x;\n  }\n  __syncthreads();\n  out[t] = "
     "x;",
     1, "The loop of line 20 never ends"},
    {"spins_for_nobody",
     "  T x = in[t];\n  if (t == 3) {\n    while (words[0] == 0) __nanosleep(50);\n  }\n  __syncthreads();\n "
     " out[t] = x;",
     1, "thread 3 waits in the loop of line 20"},
    {"spins_without_a_nap",
     "  T x = in[t];\n  if (t == 3) {\n    unsigned k = words[0];\n    while (k == 0) k = words[0];\n  }\n  "
     "__syncthreads();\n  out[t] = x;",
     2, "waits in the loop of line 21"},
    {"waits_for_a_later_lane",
     "  T x = in[t];\n  if (t % 32 == 0) {\n    __syncwarp(3);\n  }\n  if (t % 32 == 1) {\n    while "
     "(words[0] == 0) __nanosleep(50);\n  }\n  out[t] = x;",
     1, "wait"},
    {"barrier_and_spin",
     "  T x = in[t];\n  if (t < 32) {\n    __syncthreads();\n    words[0] = 1;\n  } else {\n    while "
     "(words[0] == 0) __nanosleep(50);\n  }\n  out[t] = x;",
     1, "of line 20"},
};

}  // namespace upsweep
