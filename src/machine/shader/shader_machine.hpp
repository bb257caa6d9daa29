// Runs algorithms that are written for OpenGL's fragment shaders. Each launch of the plan is a pass, which
// draws one texture and may read other textures. The same shader text runs fast, or with a recorder that
// draws each fragment's events.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"

namespace upsweep {

class ShaderMachine : public Machine {
 public:
  ShaderMachine();  // throws RequestError if OpenGL is not available
  ~ShaderMachine() override;
  MachineKind kind() const override { return MachineKind::opengl; }
  std::string device() const override;  // returns GL_RENDERER, the name of the renderer
  // Returns true for a renderer that runs on the CPU, such as llvmpipe.
  bool is_software() const;

  // All following functions may be called in any thread. They throw RequestError if the algorithm is not
  // written for shaders, or if it needs larger textures than OpenGL has. They throw WorkError if OpenGL
  // fails.
  Trace record(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) override;
  Contents run_all(const Settings& s, const Inputs& inputs, Job* job = nullptr) override;
  // Records a run of any algorithm. The algorithm need not be registered.
  Trace record(const Algorithm& a, const Settings& s, const Inputs& inputs,
               const RecordOptions& options = {});

  // begin_timing() prepares the run that time() measures. The run has the same data as the timed runs on the
  // CPU and the GPU. end_timing() frees the run's textures.
  void begin_timing(const Settings& s);
  void end_timing();
  // Returns the seconds of one run, measured between two timer queries. If `cold` is true, other data is
  // drawn before the run, so that the caches hold none of the run's data.
  double time(bool cold);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
