// Translates the program's texts. Each text is written in English at the place that uses it, and tr() returns
// this text in the chosen language. The translations are in assets/languages/zh.po; scripts/texts.py finds
// the texts in the sources and stops the build if a translation is missing or unused.
#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>

namespace upsweep {

// `pseudo` is English with accents, about 40 % longer than English. With this language, developers see which
// texts are too long for their place, and which texts do not pass through tr().
enum class TextLanguage { english, chinese, pseudo };

// Returns the chosen language. Any thread can call this function at any time. When the program starts, the
// language is English.
TextLanguage language();
void set_language(TextLanguage language);
// name() returns "en", "zh" or "pseudo". text_language_of() returns the language with this name, or nullopt
// if no language has this name.
std::string_view name(TextLanguage language);
std::optional<TextLanguage> text_language_of(std::string_view name);
// Returns the language that the environment variables LC_ALL, LC_MESSAGES and LANG choose: Chinese for "zh…",
// or else English.
TextLanguage text_language_of_environment();

// Returns the translation of a text, or the text itself if it has no translation. For a string literal, the
// result is valid until the program ends. For a string_view, the result may be the argument itself, so the
// result is valid only as long as the argument.
const char* tr(const char* english);
std::string_view tr(std::string_view english);
std::string_view tr(TextLanguage language, std::string_view english);
inline std::string tr(const std::string& english) { return std::string(tr(std::string_view(english))); }

// Returns a Chinese text with the correct spaces. There is one space between a Chinese character and a Latin
// letter or digit. There is no space between two Chinese characters, or beside full-width punctuation. If the
// chosen language is not Chinese, does not change the text.
std::string typeset(std::string text);

// Returns the translation of `english`, in which the arguments replace the placeholders {}. The arguments are
// the same as for fmt::format().
template <class... Arguments>
requires(sizeof...(Arguments) > 0) std::string
    tr(fmt::format_string<Arguments...> english, Arguments&&... arguments) {
  const fmt::string_view text = english;
  return typeset(
      fmt::vformat(tr(std::string_view(text.data(), text.size())), fmt::make_format_args(arguments...)));
}

// Returns the text unchanged. The call only tells scripts/texts.py that the text needs a translation. Other
// code later passes the text to tr().
constexpr const char* tr_noop(const char* english) { return english; }

// Like tr_noop(), but for the singular of a noun that counted() in words/names.hpp writes after a number.
constexpr const char* noun_noop(const char* singular) { return singular; }
// Returns the Chinese words that follow a number, such as "个通道" for "lane". If the chosen language is not
// Chinese, returns an empty text.
std::string_view tr_counted(std::string_view singular);

}  // namespace upsweep
