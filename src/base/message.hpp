// What is said to a person, before it is put into words: which message it is, and what fills its places. The
// ids are listed in base/messages.inc, their English in words/messages.inc.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace upsweep {

enum class MessageId : std::uint16_t;  // see base/messages.hpp

struct Message;
// A number, a name or other text as it is, or further messages.
using MessageArgument = std::variant<std::int64_t, double, std::string, std::vector<Message>>;

struct Message {
  MessageId id{};  // 0: there is nothing to say
  std::vector<MessageArgument> arguments{};
  explicit operator bool() const { return id != MessageId{}; }
  bool operator==(const Message&) const = default;
};

std::string_view name(MessageId id);
// "n_too_large(2048, 1024)": for tests and debuggers.
std::string outline(const Message& message);

// A message that is its text already, of the layers whose texts are not in words yet.
Message plain(std::string text);

}  // namespace upsweep
