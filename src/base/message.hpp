// Defines messages for people, before the messages are turned into words. A message is an id and the values
// for the placeholders in its sentence. base/messages.inc lists the ids, and words/messages.inc lists the
// English sentences.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace upsweep {

enum class MessageId : std::uint16_t;  // see base/messages.hpp

struct Message;
// A value for a placeholder in a message's sentence: a number, a name or other text, or more messages.
using MessageArgument = std::variant<std::int64_t, double, std::string, std::vector<Message>>;

struct Message {
  MessageId id{};  // 0 if there is no message
  std::vector<MessageArgument> arguments{};
  explicit operator bool() const { return id != MessageId{}; }
  bool operator==(const Message&) const = default;
};

std::string_view name(MessageId id);
// Returns a message as text for tests and debuggers, such as "n_too_large(2048, 1024)".
std::string outline(const Message& message);

// Returns a message that consists of a finished text. Use this function only for texts that have no message
// id yet.
Message plain(std::string text);

}  // namespace upsweep
