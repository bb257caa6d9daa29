#include "trace/settings_json.hpp"

namespace upsweep {

nlohmann::ordered_json settings_json(const Settings& s) {
  nlohmann::ordered_json all = {{"algorithm", s.algorithm},
                                {"n", s.n},
                                {"block", s.block},
                                {"type", name(s.type)},
                                {"op", operator_text(s)},
                                {"layout", s.choice("layout")},
                                {"load_pattern", s.choice("load_pattern")},
                                {"grid", s.grid},
                                {"variants", s.variants()},
                                {"without_barrier", s.without_barrier}};
  if (s.op == Operator::own) all["identity"] = s.identity;
  if (s.columns > 0) all["columns"] = s.columns;
  return all;
}

}  // namespace upsweep
