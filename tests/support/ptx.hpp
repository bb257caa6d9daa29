// Rewrites PTX so that two kernels can be compared, and finds the size of machine code.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace upsweep {

// Returns the instructions of a PTX module's kernel, one per line. Registers, labels and symbols are numbered
// in the order of their first use.
inline std::string ptx_instructions(const std::string& ptx) {
  std::smatch shared;  // match 1 is the name of the dynamic shared memory
  const std::string declarations = ptx.substr(0, ptx.find(".entry"));
  std::regex_search(declarations, shared, std::regex(R"(\.extern \.shared .* ([A-Za-z0-9_$]+)\[\])"));
  const std::regex name(R"(%[a-z]+[0-9]+|[A-Za-z_$][A-Za-z0-9_$]*)");
  std::map<std::string, std::string> numbered;
  const auto normal_name = [&](const std::string& found) -> std::string {
    if (!shared.empty() && found == shared[1]) return "shared";
    if (const std::size_t p = found.rfind("_param_"); p != std::string::npos) return found.substr(p + 1);
    if (found[0] != '%' && found[0] != '$') return found;  // part of an instruction
    std::string& known = numbered[found];
    if (known.empty())
      known = found.substr(0, found.find_first_of("0123456789_")) + "#" + std::to_string(numbered.size());
    return known;
  };

  std::string instructions;
  std::istringstream lines(ptx.substr(ptx.find(".entry")));
  int depth = 0;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line == "{") ++depth;
    if (line == "}" && --depth == 0) break;
    if (depth == 0 || line.empty() || line[0] == '.' || line[0] == '{' || line[0] == '}') continue;
    std::string normal;
    auto rest = line.cbegin();
    for (std::sregex_iterator m(line.begin(), line.end(), name), end; m != end; ++m) {
      normal.append(rest, (*m)[0].first).append(normal_name(m->str()));
      rest = (*m)[0].second;
    }
    instructions += normal.append(rest, line.cend()) + "\n";
  }
  return instructions.substr(0, instructions.rfind("ret;"));  // leaves out labels of debug information
}

// The size of a kernel's machine code in a cubin.
struct Sass {
  int instructions = 0;  // without the padding after the last instruction
  int registers = 0;     // per thread
};

// Reads a cubin, which is an ELF file whose sections .text.NAME hold 16-byte instructions (since Volta).
inline Sass sass(const std::string& cubin, const std::string& kernel) {
  const auto read = [&](std::size_t at, auto& value) {
    std::memcpy(&value, cubin.data() + at, sizeof value);
  };
  struct Section {
    std::uint32_t name, type;
    std::uint64_t flags, address, offset, size;
    std::uint32_t link, info;
  };
  std::uint64_t table = 0;
  std::uint16_t count = 0, names_index = 0;
  read(40, table);
  read(60, count);
  read(62, names_index);
  const auto section = [&](std::size_t i) {
    Section s{};
    read(table + i * 64, s);
    return s;
  };
  const Section names = section(names_index);
  const auto name_of = [&](const Section& s) { return std::string(cubin.c_str() + names.offset + s.name); };
  // Returns the name of symbol `number`.
  const auto symbol = [&](std::uint32_t number) {
    for (std::size_t i = 0; i < count; ++i) {
      const Section s = section(i);
      if (name_of(s) != ".symtab") continue;
      std::uint32_t name = 0;
      read(s.offset + number * 24, name);
      return std::string(cubin.c_str() + section(s.link).offset + name);
    }
    return std::string();
  };

  Sass result;
  for (std::size_t i = 0; i < count; ++i) {
    const Section s = section(i);
    if (name_of(s) == ".text." + kernel) {
      constexpr std::uint64_t opcode_mask = 0xfff, nop = 0x918;
      for (std::uint64_t at = s.offset; at < s.offset + s.size; at += 16) {
        std::uint64_t word = 0;
        read(at, word);
        if ((word & opcode_mask) != nop) ++result.instructions;
      }
    }
    // .nv.info is a list of attributes. Each attribute consists of a format, a number, and then either a
    // small value or a size. If there is a size, data of this size come next.
    if (name_of(s) == ".nv.info") {
      constexpr std::uint8_t followed = 4, register_count = 0x2f;
      for (std::uint64_t at = s.offset; at < s.offset + s.size;) {
        std::uint8_t form = 0, attribute = 0;
        std::uint16_t bytes = 0;
        read(at, form);
        read(at + 1, attribute);
        read(at + 2, bytes);
        if (form == followed && attribute == register_count) {
          std::uint32_t number = 0, registers = 0;
          read(at + 4, number);
          read(at + 8, registers);
          if (symbol(number) == kernel) result.registers = static_cast<int>(registers);
        }
        at += 4 + (form == followed ? bytes : 0u);
      }
    }
  }
  return result;
}

}  // namespace upsweep
