// Messages for people, before they become words: the id of the message, and the values for its places.
// base/messages.inc lists the ids, and words/messages.inc their English.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace upsweep {

enum class MessageId : std::uint16_t;  // see base/messages.hpp

struct Message;
// A value for a place: a number, a name or other text, or further messages.
using MessageArgument = std::variant<std::int64_t, double, std::string, std::vector<Message>>;

struct Message {
  MessageId id{};  // 0 if there is no message
  std::vector<MessageArgument> arguments{};
  explicit operator bool() const { return id != MessageId{}; }
  bool operator==(const Message&) const = default;
};

std::string_view name(MessageId id);
// Returns "n_too_large(2048, 1024)", for tests and debuggers.
std::string outline(const Message& message);

// Returns a message that is already text, for layers whose texts are not messages yet.
Message plain(std::string text);

}  // namespace upsweep
