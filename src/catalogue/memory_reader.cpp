#include "catalogue/memory_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

// Removes the kind of the cells from the end of a text: "messages" from "tiles messages". Returns the kind.
Cells cells_named_in(std::string& count) {
  for (const char* both : {" messages of counts", " message of counts"})
    if (cut_end(count, both)) return Cells::count_messages;
  for (const Cells cells : {Cells::words, Cells::messages, Cells::counts, Cells::numbers, Cells::pixels}) {
    const std::string many = " " + std::string(text_of(cells));
    if (cut_end(count, many) || cut_end(count, many.substr(0, many.size() - 1))) return cells;
  }
  return Cells::elements;
}

// Returns the rank of a kind of cells in shared memory. A kernel file must list its regions in ascending
// order of rank. Regions with large cells usually come first, so that few gaps are needed for alignment.
int place_in_shared(Cells cells) { return cells == Cells::elements ? 0 : cells == Cells::numbers ? 1 : 2; }

}  // namespace

// Reads one buffer, such as "status: tiles words" or "values: n words if pairs".
BufferRule MemoryReader::read_buffer(const char* field, const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = trimmed(text.substr(0, colon));
  if (colon == text.npos || !is_name(name))
    fail(field, text, "a name, a colon and how many elements, words, counts, numbers or messages");
  std::string count = trimmed(text.substr(colon + 1));
  std::optional<Formula> condition;
  if (const auto at = count.find(" if "); at != count.npos) {
    condition = formula(field, count.substr(at + 4));
    count.resize(at);
  }
  const Cells cells = cells_named_in(count);
  return {name, cells, product(field, count), columns(field, count), condition};
}

// Reads a list of inputs or outputs.
std::vector<BufferRule> MemoryReader::read_data(const char* field, const std::string& text) {
  std::vector<BufferRule> all;
  for (const std::string& item : split(text, ',')) {
    all.push_back(read_buffer(field, item));
    const BufferRule& rule = all.back();
    if (all.size() == 1 && rule.condition) fail(field, item, "a list whose first buffer always exists");
    if (is_message(rule.cells)) fail(field, item, "a list without messages");
    if (rule.cells == Cells::pixels) expect_pixels(field, item);
    const auto same = [&](const BufferRule& other) { return &other != &rule && other.name == rule.name; };
    if (std::any_of(all.begin(), all.end(), same)) fail(field, item, "a name that is not yet taken");
  }
  return all;
}

// Throws WorkError if the pixels are not an input, or if no choice says whether a pixel is one byte.
void MemoryReader::expect_pixels(const char* field, const std::string& text) const {
  const Choice* choice = a_.choice("pixels");
  if (std::string_view(field) != "Inputs" || !choice || !choice->option("bytes"))
    fail(field, text, "pixels only as an input, and then a variant pixels elements|bytes");
}

void MemoryReader::read_inputs(const std::string& text) {
  std::vector<BufferRule> all = read_data("Inputs", text);
  for (const BufferRule& rule : all)
    if (rule.name == "out") fail("Inputs", text, "a list without the name out");
  if (!all.empty() && !is_element(all[0].cells))
    fail("Inputs", text, "a list whose first input holds elements or pixels");
  a_.inputs = std::move(all);
}

void MemoryReader::read_outputs(const std::string& text) {
  std::vector<BufferRule> all = read_data("Outputs", text);
  for (const BufferRule& rule : all)
    if (is_input(rule.name)) fail("Outputs", text, "a list without the name of an input");
  a_.outputs = std::move(all);
}

void MemoryReader::read_buffers(const std::string& text) {
  for (const std::string& item : split(text, ',')) {
    BufferRule rule = read_buffer("Buffers", item);
    if (is_buffer(rule.name)) fail("Buffers", item, "a name that is not yet taken");
    if (rule.cells == Cells::pixels) expect_pixels("Buffers", item);
    a_.buffers.push_back(std::move(rule));
  }
}

std::vector<RegionRule> MemoryReader::read_regions(const std::string& text) {
  std::vector<RegionRule> regions;
  if (text == "none") return regions;
  for (const std::string& item : split(text, ',')) {
    const auto colon = item.find(':');
    const std::string name = trimmed(item.substr(0, colon));
    if (colon == item.npos || !is_name(name))
      fail("Shared", item, "none, or a name, a colon and how many elements, words, counts or numbers");
    std::string count = trimmed(item.substr(colon + 1));
    const int buffers = cut_begin(count, "2 buffers of ") ? 2 : 1;
    const Cells cells = cells_named_in(count);
    if (is_message(cells)) fail("Shared", item, "without messages, which only global memory holds");
    if (cells == Cells::pixels) expect_pixels("Shared", item);
    std::optional<Formula> pitch;
    if (const auto at = count.find(" pitch "); at != count.npos) {
      pitch = formula("Shared", count.substr(at + 7));
      count.resize(at);
    }
    if (buffers > 1 && (!regions.empty() || cells == Cells::words))
      fail("Shared", item, "a single buffer: only the first region of elements may be a double buffer");
    if (!regions.empty() && place_in_shared(cells) < place_in_shared(regions.back().cells))
      fail("Shared", item, "ordered: elements, then numbers, then counts and words");
    regions.push_back({name, cells, product("Shared", count), buffers, columns("Shared", count), pitch});
    if (pitch && (!regions.back().columns || a_.choice("layout") || a_.text.find("pad(") != a_.text.npos))
      fail("Shared", item, "rows x columns, in a kernel without layouts and pad(), if it has a pitch");
  }
  return regions;
}

void MemoryReader::read_shared(const std::string& text) {
  if (text.empty()) {
    const bool tree = a_.elements_per_thread && a_.elements_per_thread->text() != "1";
    if (a_.text.find("Shared<") == std::string::npos) return;
    if (a_.many_blocks)
      throw WorkError(fmt::format("{} lacks the field \"Shared\" in its opening comment.", a_.file));
    a_.shared = {{"", {{"temp", Cells::elements, formula("Shared", tree ? "tree_width(n)" : "n")}}}};
    return;
  }
  for (const std::string& part : split(text, ';')) {
    const std::string name = leading_name(part);
    if (!kernel(name) || !std::string_view(part).substr(name.size()).starts_with('(')) {
      a_.shared.push_back({"", read_regions(part)});
      continue;
    }
    if (!part.ends_with(')')) fail("Shared", part, "a kernel's name with its regions in parentheses");
    a_.shared.push_back(
        {name, read_regions(trimmed(part.substr(name.size() + 1, part.size() - name.size() - 2)))});
  }
  const auto unnamed =
      std::count_if(a_.shared.begin(), a_.shared.end(), [](const SharedRule& r) { return r.kernel.empty(); });
  if (unnamed > 0 && a_.shared.size() > 1)
    fail("Shared", text, "one list for all kernels, or one list in parentheses after each kernel's name");
}

}  // namespace upsweep
