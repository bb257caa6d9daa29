// Turns messages, errors and the ends of runs into sentences.
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "trace/stopped.hpp"

namespace upsweep {

std::string in_words(const Message& message);  // empty if there is no message
std::string in_words(MessageId id);            // for a message without places
// Returns the sentence of an error, for an exception of another library its what(). The sentence has gone
// through printable(), because it may contain text that the user typed.
std::string in_words(const std::exception& error);
std::string in_words(const Stopped& stopped);  // empty if the run came to its end

// Returns a text with its control characters as escapes such as \x1b, and without the middle of words longer
// than 400 bytes. It is for names of files and words of an input, which may contain anything.
std::string printable(std::string_view text);

// Returns a message's text with its places unfilled.
std::string_view english(MessageId id);
// Returns whether the text is one or more complete sentences. If not, it is part of a sentence, or a name.
bool is_sentence(MessageId id);

}  // namespace upsweep
