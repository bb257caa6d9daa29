// Turns messages, errors and the ends of runs into sentences.
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "trace/stopped.hpp"

namespace upsweep {

std::string in_words(const Message& message);  // empty if there is no message
std::string in_words(MessageId id);            // for a message without values
// Returns the sentence of an error, or the what() of an exception of another library. printable() is applied
// to the result, because it may contain text that the user typed.
std::string in_words(const std::exception& error);
std::string in_words(const Stopped& stopped);  // empty if the run came to its end

// Returns a text in which control characters are replaced by escapes such as \x1b. Words longer than 400
// bytes lose their middle. Use it for names of files and words of an input, which may contain anything.
std::string printable(std::string_view text);

// Returns the text of a message, with the names of its values in braces instead of the values.
std::string_view english(MessageId id);
// Returns whether the text is one or more complete sentences. Otherwise it is a part of a sentence, or a
// name.
bool is_sentence(MessageId id);

}  // namespace upsweep
