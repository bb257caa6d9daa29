// A table with one row for each active lane of a request. The other lanes are folded into a few lines below
// it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scene/paint.hpp"

namespace upsweep {

struct LaneTable {
  struct Column {
    std::string title;
    bool is_number = false;  // aligned at the right
    int rank = 0;            // if room is short, the columns of the highest rank are left out first
    std::array<std::string, 32> cells{};
    bool is_strong = false;  // bold, and in the colour of conflicts for lanes with a mark
  };
  enum class Tone : std::uint8_t { plain, first, second, broadcast };  // of a row's background
  struct Row {
    bool active = false;
    std::string mark;  // a letter that lanes share if they collide
    Tone tone = Tone::plain;
    bool is_lit = false;
    Id id;
  };
  std::vector<Column> columns;
  std::array<Row, 32> rows;
  bool keeps_marks = false;  // whether rows have room for a mark even if none has one, so that columns stay
  std::vector<std::string> folded;  // one line for each group of lanes that do not take part
};

inline constexpr float least_lane_row = 14, most_lane_row = 22, lane_head = 24, folded_row = 17;

// Returns the number of active lanes.
int lane_rows(const LaneTable& table);
// Returns the height in dp of the table if it shows `shown` rows of height `row`.
float lane_table_height(const LaneTable& table, int shown, float row);
// Draws the table into the left part of a box. If not all rows fit, a line says how many rows are left out.
void draw_lane_table(Painter& p, const LaneTable& table, const Box& box);

}  // namespace upsweep
