// Draws a table with one row for each active lane of a request. Below the rows, a few lines describe the
// other lanes.
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
    bool is_number = false;  // true if the cells are aligned at the right
    // If there is not enough room, the column with the highest rank is left out first.
    int rank = 0;
    std::array<std::string, 32> cells{};
    // True if the cells are bold. In rows with a mark, bold cells have the colour of conflicts.
    bool is_strong = false;
  };
  enum class Tone : std::uint8_t { plain, first, second, broadcast };  // the background of a row
  struct Row {
    bool active = false;
    std::string mark;  // a letter; lanes with the same letter have a bank conflict with each other
    Tone tone = Tone::plain;
    bool is_lit = false;
    Id id;
  };
  std::vector<Column> columns;
  std::array<Row, 32> rows;
  // True if rows always have room for a mark, so that columns do not move when marks appear.
  bool keeps_marks = false;
  std::vector<std::string> folded;  // one line about each group of lanes that do not take part
};

// The heights in dp of a row and of other parts of the table. Usually, a row is at least `least_lane_row`
// high. If only smaller rows have room for all active lanes, the smallest height is `lowest_lane_row`.
inline constexpr float lowest_lane_row = 10, least_lane_row = 14, most_lane_row = 22, lane_head = 24,
                       folded_row = 17;

// Returns the number of active lanes.
int lane_rows(const LaneTable& table);
// Returns the table's height in dp, if the table shows `shown` rows of the height `row`.
float lane_table_height(const LaneTable& table, int shown, float row);
// Draws the table into the left part of a box. If not all rows fit, a line contains the number of rows that
// are left out.
void draw_lane_table(Painter& p, const LaneTable& table, const Box& box);

}  // namespace upsweep
