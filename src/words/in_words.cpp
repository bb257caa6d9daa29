#include "words/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr std::string_view places[] = {
    "",
#define UPSWEEP_MESSAGE(id, ...) #__VA_ARGS__,
#include "base/messages.inc"
#undef UPSWEEP_MESSAGE
};
constexpr std::size_t message_count = std::size(places);

struct Text {
  MessageId id;
  std::string_view text;
  bool sentence;
};
constexpr Text all_texts[] = {
    {MessageId::none, "", false},
#define UPSWEEP_TEXT(id, text) {MessageId::id, text, true},
#define UPSWEEP_PHRASE(id, text) {MessageId::id, text, false},
#include "words/messages.inc"
#undef UPSWEEP_TEXT
#undef UPSWEEP_PHRASE
};

// Returns the position of a name in a list such as "n, block", from 0. Returns -1 if the list does not
// contain the name.
constexpr int number_of(std::string_view name, std::string_view list) {
  for (int number = 0; !list.empty(); ++number) {
    const std::size_t end = list.find(',');
    if (list.substr(0, end) == name) return number;
    if (end == list.npos) return -1;
    list.remove_prefix(end + 1);
    while (!list.empty() && list[0] == ' ') list.remove_prefix(1);
  }
  return -1;
}

// A place in a message's text that an argument fills: "{name:how}" or "{name?one|many}".
struct Blank {
  std::string_view name, how;
  char mark = 0;  // ':', '?', or 0 for "{name}"
};
constexpr Blank blank_in(std::string_view inside) {
  const std::size_t mark = inside.find_first_of(":?");
  if (mark == inside.npos) return {inside, {}, 0};
  return {inside.substr(0, mark), inside.substr(mark + 1), inside[mark]};
}

// Returns whether the text of a message uses the name of every argument of this message, and no other names.
constexpr bool fits(std::string_view text, std::string_view list) {
  unsigned used = 0;
  while (true) {
    const std::size_t begin = text.find_first_of("{}");
    if (begin == text.npos) break;
    const std::size_t end = text.find('}', begin);
    if (text[begin] == '}' || end == text.npos) return false;
    const int number = number_of(blank_in(text.substr(begin + 1, end - begin - 1)).name, list);
    if (number < 0) return false;
    used |= 1u << number;
    text.remove_prefix(end + 1);
  }
  return used == (1u << count_names(list)) - 1;
}

constexpr bool every_message_has_one_text() {
  std::array<int, message_count> texts{};
  for (const Text& t : all_texts) ++texts[static_cast<std::size_t>(t.id)];
  for (const int count : texts)
    if (count != 1) return false;
  return true;
}
static_assert(every_message_has_one_text(), "words/messages.inc must have one text for each message");
#define UPSWEEP_TEXT(id, text)                                               \
  static_assert(fits(text, places[static_cast<std::size_t>(MessageId::id)]), \
                "the text of " #id " uses other arguments");
#define UPSWEEP_PHRASE UPSWEEP_TEXT
#include "words/messages.inc"
#undef UPSWEEP_TEXT
#undef UPSWEEP_PHRASE

constexpr auto texts = [] {
  std::array<Text, message_count> by_id{};
  for (const Text& t : all_texts) by_id[static_cast<std::size_t>(t.id)] = t;
  return by_id;
}();

std::string chosen(bool one, std::string_view words) {
  const std::size_t bar = words.find('|');
  return std::string(one ? words.substr(0, bar) : words.substr(bar + 1));
}

std::string filled(const Blank& blank, std::int64_t x) {
  if (blank.mark == '?') return chosen(x == 1, blank.how);
  if (blank.how == ",") return grouped(x);
  if (blank.mark == ':') return grouped(x) + " " + chosen(x == 1, blank.how);
  return std::to_string(x);
}
std::string filled(const Blank& blank, double x) {
  return fmt::format(fmt::runtime(fmt::format("{{:{}}}", blank.how)), x);
}
std::string filled(const Blank&, const std::string& text) { return text; }
std::string filled(const Blank& blank, const std::vector<Message>& messages) {
  std::string text;
  for (const Message& m : messages) {
    const std::string more = in_words(m);
    if (!text.empty() && !more.empty()) text += blank.how.empty() ? std::string_view(" ") : blank.how;
    text += more;
  }
  return text;
}

}  // namespace

std::string_view english(MessageId id) { return texts[static_cast<std::size_t>(id)].text; }
bool is_sentence(MessageId id) { return texts[static_cast<std::size_t>(id)].sentence; }

std::string in_words(const Message& message) {
  std::string words;
  std::string_view text = tr(english(message.id));
  while (true) {
    const std::size_t begin = text.find('{');
    words += text.substr(0, begin);
    if (begin == text.npos) return words;
    const std::size_t end = text.find('}', begin);
    const Blank blank = blank_in(text.substr(begin + 1, end - begin - 1));
    const int number = number_of(blank.name, places[static_cast<std::size_t>(message.id)]);
    const MessageArgument& argument = message.arguments.at(static_cast<std::size_t>(number));
    words += std::visit([&](const auto& x) { return filled(blank, x); }, argument);
    text.remove_prefix(end + 1);
  }
}

std::string in_words(MessageId id) { return in_words(Message{id}); }

std::string in_words(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  return printable(ours ? in_words(ours->message) : error.what());
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 400, kept_before = 240, kept_behind = 120;
  const auto inside_character = [&](std::size_t at) { return at < text.size() && (text[at] & 0xc0) == 0x80; };
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::min(text.find(' ', at), text.size()) - at;
    std::size_t end = at + length, from = end;  // "..." replaces the text in [end, from)
    if (length > longest) {
      for (end = at + kept_before; inside_character(end);) --end;
      for (from = at + length - kept_behind; inside_character(from);) ++from;
    }
    const auto show = [&](std::size_t begin, std::size_t behind) {
      for (const char c : text.substr(begin, behind - begin))
        if (const auto code = static_cast<unsigned char>(c); code < 0x20 || code == 0x7f)
          shown += fmt::format("\\x{:02x}", code);
        else shown += c;
    };
    show(at, end);
    if (from > end) shown += "...";
    if (from > end) show(from, at + length);
    at += length;
    if (at < text.size()) shown += text[at++];
  }
  return shown;
}

std::string in_words(const Stopped& stopped) { return in_words(stop_message(stopped)); }

}  // namespace upsweep
