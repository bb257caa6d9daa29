// Turns sizes, times and rates into short text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace upsweep {

// Returns "512", "1 Ki" or "48 Mi". If n is not a multiple of a binary unit, returns it in digits: "1,000".
std::string size_text(double n);
// Reads a number: "1048576", "1,048,576", "2^20" and "1 Mi" are the same number, and "1e6" is 1,000,000.
// Returns INT64_MAX for numbers above INT64_MAX. Returns nullopt for a text that is no number, such as "1,00"
// or "-2^3".
std::optional<std::int64_t> element_count(std::string_view text);
// Returns "2^20". If n is not a power of two, returns it in digits: "1,000".
std::string power_text(int n);
// Returns three significant figures: "0.0123", "4.21", "42.1", "421", "4,213"; "1e+12" for very large
// numbers.
std::string figures_text(double value);
// Returns a number with a fixed number of decimals and its thousands grouped: "58,794.8".
std::string decimal_text(double value, int decimals);
// Returns a number, rounded, in few characters: "600", "76,800", "315 M", "1.26 G".
std::string short_count(double value);
// Returns "850 ns", "6.80 µs", "1.23 ms" or "4.50 s".
std::string time_text(double seconds);
// Returns "1,234 GB/s".
std::string bandwidth_text(double bytes_per_second);

// Returns whether a number is finite and above 0, so that a logarithmic axis can show it.
bool is_positive(double value);

}  // namespace upsweep
