// Messages, errors and the ends of runs as sentences: the edge at which facts become words.
#pragma once
#include <exception>
#include <string>
#include <string_view>

#include "base/message.hpp"
#include "trace/stopped.hpp"

namespace upsweep {

std::string in_words(const Message& message);  // empty if there is nothing to say
std::string in_words(MessageId id);            // of a message without places
// What an error says to a person; of exceptions that are not ours what().
std::string in_words(const std::exception& error);
std::string in_words(const Stopped& stopped);  // empty if the run came to its end

// A message's text before its places are filled.
std::string_view english(MessageId id);
// Whether it is one or more whole sentences; else a phrase that stands within one, or a name.
bool is_sentence(MessageId id);

}  // namespace upsweep
