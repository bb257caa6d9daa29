#include "catalogue/plan.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>

#include "base/error.hpp"

namespace upsweep {

Plan plan(const Algorithm& a, const Settings& s) {
  Plan p;
  p.buffers = {{"in", Cells::elements, s.n}, {"out", Cells::elements, a.gives == "reduction" ? 1 : s.n}};
  p.launches = {{a.name, 1, s.block, {{.buffer = 0}, {.buffer = 1}, {.number = s.n}}, shared_shape(a, s)}};
  return p;
}

std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text) {
  static const std::map<std::string, Parameter> kinds = {
      {"Global<const T>", Parameter::const_elements},           {"Global<T>", Parameter::elements},
      {"Global<volatile T>", Parameter::volatile_elements},     {"Global<unsigned>", Parameter::words},
      {"Global<volatile unsigned>", Parameter::volatile_words}, {"int", Parameter::number}};
  static const std::regex kernel(R"(__global__ void (\w+)\(([^)]*)\))");
  std::vector<KernelSignature> all;
  for (std::sregex_iterator k(text.begin(), text.end(), kernel), end; k != end; ++k) {
    KernelSignature signature{(*k)[1], {}};
    const std::string list = (*k)[2];
    static const std::regex parameter(R"(\s*([^,]*\S)\s+\w+\s*(?:,|$))");
    for (std::sregex_iterator p(list.begin(), list.end(), parameter), none; p != none; ++p) {
      const auto kind = kinds.find((*p)[1]);
      if (kind == kinds.end())
        throw WorkError(
            fmt::format("{}: the kernel {} has a parameter of the type \"{}\", which no launch can fill.",
                        file, signature.name, (*p)[1].str()));
      signature.parameters.push_back(kind->second);
    }
    all.push_back(std::move(signature));
  }
  return all;
}

}  // namespace upsweep
