// Records summed-area tables for tests.
#pragma once
#include <string>
#include <vector>

#include "analysis/recorded_table.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/data_source.hpp"
#include "study/recording.hpp"

namespace upsweep {

// Returns the settings of a summed-area table of this shape.
inline Settings table_settings(const PictureShape& shape, Scalar type,
                               const std::string& algorithm = "summed_area_table") {
  Settings s{.algorithm = algorithm, .n = shape.rows * shape.columns, .block = 32, .type = type};
  s.columns = shape.columns;
  s.choose("channels", std::to_string(shape.channels));
  return s;
}

// Records the table of the built-in scene, which has depths.
inline Recording recorded_scene(const PictureShape& shape, Scalar type = Scalar::float32) {
  Settings s = table_settings(shape, type);
  const std::vector<Value> input = load({DataSource::Kind::scene}, s);
  return make_recording(Emulator().record(s, input));
}

}  // namespace upsweep
