// Traced and fast: the kernel's text through NVRTC and the driver API, both opened by name when they are there.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// The program handed to NVRTC for one setting: the vocabulary as headers, the settings as compile-time constants, the kernel's text.
enum class Mode { fast, traced };
struct Compiled {
  std::string image;         // cubin (real architecture) or PTX (virtual)
  std::string lowered_name;  // of the kernel
  std::string log;
};
// `architecture` such as "sm_90" gives a cubin, "compute_90" PTX. Needs libnvrtc but no GPU.
// Throws WorkError with NVRTC's log if the text does not compile, RequestError if NVRTC is missing.
Compiled compile(const Settings& s, Mode mode, const std::string& architecture);
bool nvrtc_available();

class Gpu : public Machine {
 public:
  Gpu();  // Throws RequestError saying what is missing.
  ~Gpu() override;
  std::string name() const override { return "gpu"; }
  std::string device() const override;
  Trace record(const Settings& s, const std::vector<Value>& input) override;
  // The fast machine: recorder off; gives the output alone.
  std::vector<Value> run(const Settings& s, const std::vector<Value>& input);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
