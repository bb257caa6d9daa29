#include "base/language.hpp"

#include <atomic>
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "base/translation.hpp"
#include "base/utf8.hpp"

namespace upsweep {
namespace {

std::atomic<TextLanguage> chosen{TextLanguage::english};

constexpr std::string_view names[] = {"en", "zh", "pseudo"};

// A text in a gettext file may have a context, such as "count". The file then contains the context, this
// character, and the text.
constexpr char context_end = '\4';

using Texts = std::unordered_map<std::string_view, std::string_view>;

// Returns the Chinese text for each English text.
const Texts& chinese_texts() {
  static const Texts all = [] {
    Texts texts;
    const std::span<const Translation> from = translations();
    texts.reserve(from.size());
    for (const auto& [english, chinese] : from) texts.emplace(english, chinese);
    return texts;
  }();
  return all;
}

// Replaces each vowel by two accented vowels, except inside placeholders {} and in code between backticks.
std::string accented(std::string_view english) {
  constexpr std::string_view vowels = "aeiouAEIOU";
  constexpr std::string_view accents[] = {"á", "é", "í", "ó", "ú", "Á", "É", "Í", "Ó", "Ú"};
  std::string text;
  bool is_place = false, is_code = false;
  for (const char c : english) {
    if (c == '{' || c == '}') is_place = c == '{';
    if (c == '`') is_code = !is_code;
    const std::size_t vowel = is_place || is_code ? vowels.npos : vowels.find(c);
    if (vowel == vowels.npos) {
      text += c;
    } else {
      text += accents[vowel];
      text += accents[vowel % 5];
    }
  }
  return text;
}

// Returns accented(english). The result is valid until the program ends.
std::string_view pseudo_text(std::string_view english) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::string> known;
  static std::unordered_set<std::string_view> made;
  const std::lock_guard lock(mutex);
  if (made.contains(english)) return english;  // the text is accented already
  const auto [place, is_new] = known.try_emplace(std::string(english));
  if (is_new) {
    place->second = accented(english);
    made.insert(place->second);
  }
  return place->second;
}

}  // namespace

TextLanguage language() { return chosen.load(std::memory_order_relaxed); }
void set_language(TextLanguage language) {
  if (language == TextLanguage::chinese)
    chinese_texts();  // builds the table now: a signal handler must not build it
  chosen.store(language, std::memory_order_relaxed);
}

std::string_view name(TextLanguage language) { return names[static_cast<std::size_t>(language)]; }

std::optional<TextLanguage> text_language_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (names[i] == name) return static_cast<TextLanguage>(i);
  return {};
}

TextLanguage text_language_of_environment() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(variable); value && *value)
      return std::string_view(value).starts_with("zh") ? TextLanguage::chinese : TextLanguage::english;
  return TextLanguage::english;
}

std::string_view tr(std::string_view english) { return tr(language(), english); }

std::string_view tr(TextLanguage language, std::string_view english) {
  switch (language) {
    case TextLanguage::english: break;
    case TextLanguage::pseudo: return pseudo_text(english);
    case TextLanguage::chinese:
      if (const auto found = chinese_texts().find(english); found != chinese_texts().end())
        return found->second;
  }
  return english;
}

// data() points to a text that ends with a zero byte, because the argument and all translations end with a
// zero byte.
const char* tr(const char* english) { return tr(std::string_view(english)).data(); }

std::string typeset(std::string text) {
  if (language() != TextLanguage::chinese) return text;
  const auto is_chinese = [](char32_t c) { return c >= 0x4e00 && c <= 0x9fff; };
  const auto is_stop = [](char32_t c) {
    return std::u32string_view(U"、。，；：！？（）“”").find(c) != std::u32string_view::npos;
  };
  const auto is_letter = [](char32_t c) {
    return (c < 0x80 && std::isalnum(static_cast<unsigned char>(c)) != 0) || c == ']' || c == '`';
  };
  std::string set;
  char32_t before = 0;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view after = rest;
    const char32_t c = take_character(after);
    std::string_view beyond = after;
    const char32_t next = after.empty() ? 0 : take_character(beyond);
    const bool is_needless =
        c == ' ' && (is_stop(before) || is_stop(next) || (is_chinese(before) && is_chinese(next)));
    const bool lacks_blank =
        (is_chinese(before) && is_letter(c) && c != ']') || (is_letter(before) && is_chinese(c));
    if (lacks_blank) set += ' ';
    if (!is_needless) set += rest.substr(0, rest.size() - after.size());
    before = c;
    rest = after;
  }
  return set;
}

std::string_view tr_counted(std::string_view noun) {
  if (language() != TextLanguage::chinese) return {};
  static constexpr std::string_view context = "count";
  const auto found = chinese_texts().find(std::string(context) + context_end + std::string(noun));
  return found == chinese_texts().end() ? std::string_view{} : found->second;
}

}  // namespace upsweep
