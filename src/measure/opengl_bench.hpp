// Timing on OpenGL. Each run is between two timer queries.
#pragma once
#include <string>

#include "base/message.hpp"
#include "machine/shader/shader_machine.hpp"
#include "timing/timings.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// Returns whether a row measures an algorithm that runs only on OpenGL.
bool runs_on_opengl(const Timing& row);

class OpenGlBench {
 public:
  OpenGlBench() = default;  // throws RequestError if there is no OpenGL

  // If the OpenGL renderer runs on the CPU, adds the renderer's name to the row's variant, because times of
  // the CPU say nothing about a GPU.
  void name_renderer(Timing& row) const;
  // Runs the algorithm on random data and compares the output with a sequential loop. Returns an empty
  // message if the outputs agree.
  Message mistake(const Settings& s);
  // Returns the seconds of one run.
  double seconds(const Settings& s, Cache cache);
  // Frees the memory of the latest run.
  void forget();

 private:
  ShaderMachine machine_;
  Settings prepared_{.n = 0};  // the settings of the textures that the machine holds
};

}  // namespace upsweep
