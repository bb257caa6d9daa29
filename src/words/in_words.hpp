// Turns messages, errors, and the reasons why runs were stopped into sentences.
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "trace/stopped.hpp"

namespace upsweep {

std::string in_words(const Message& message);  // empty if there is no message
std::string in_words(MessageId id);            // for a message without arguments
// Returns the sentence of an error, or the what() of an exception of another library. printable() is applied
// to the result, because the result may contain text that the user typed.
std::string in_words(const std::exception& error);
std::string in_words(const Stopped& stopped);  // empty if the run came to its end

// Replaces control characters by escapes such as \x1b. If a word is longer than 400 bytes, replaces its
// middle by "...". Use printable() for names of files and for words of an input, because such texts may
// contain any characters.
std::string printable(std::string_view text);

// Returns the English text of a message. Instead of an argument, the text contains the name of the argument
// in braces.
std::string_view english(MessageId id);
// Returns whether the text is one or more complete sentences. Other texts are names or parts of sentences.
bool is_sentence(MessageId id);

}  // namespace upsweep
