// What an algorithm makes of its input: a table with one row for each kind of result.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// Somebody who follows a sequential loop over the input: with numbers, or with bounds of their rounding.
class LoopBody {
 public:
  virtual ~LoopBody() = default;
  virtual void begin() = 0;              // the running value becomes the operator's identity
  virtual void take(std::size_t i) = 0;  // the running value is combined with element i of the input
  virtual void give(std::size_t i) = 0;  // the running value is element i of the output
};

// A new kind of result is a new row of the table in result.cpp. Nothing else has to know of it.
struct Result {
  std::string_view name;  // as a kernel file's field Gives has it: "exclusive scan"
  std::string_view
      family;  // of algorithms that give it and do not state another; empty: no kernel can give it
  // Elements that come out; of a selection, whose input decides it, the most.
  int (*size)(const Settings&);
  // The sequential loop that combines elements to this result; null if they are only moved.
  void (*loop)(const Settings&, LoopBody&);
  // If elements are only moved: what comes out, and whether an element is the one that was due.
  std::vector<Value> (*moved)(const Settings&, const std::vector<Value>& input) = nullptr;
  bool (*equal)(const Settings&, const Value&, const Value&) = nullptr;
  // Of two-dimensional data: the elements in a row of the output, unless n of them lie as the input does.
  int (*columns)(const Settings&) = nullptr;

  bool operator==(const Result& other) const { return name == other.name; }
  // Rows that code asks for. CUB alone gives the last two.
  static const Result reduction, inclusive_scan, exclusive_scan, copy, selection, sorting;
};

std::span<const Result> results();

// The elements in a row of two-dimensional data. If the settings do not say, n elements lie in as square a
// rectangle as n has.
int data_columns(const Settings& s);

// What a kernel file's field Gives names: one result, or two that differ in their first word, as in
// "inclusive or exclusive scan". Of an unknown one, or one that no kernel can give, there are no results.
struct Given {
  std::vector<const Result*> results;
  std::vector<std::string> words;  // the first words, if there are two results
};
Given results_named(const std::string& gives);
// What the field may say, for a sentence.
std::string known_results();

}  // namespace upsweep
