// Makes a message from its id and the values for its placeholders, such as say::too_few_elements(3).
#pragma once
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "base/message.hpp"

namespace upsweep {

enum class MessageId : std::uint16_t {
  none,
#define UPSWEEP_MESSAGE(id, ...) id,
#include "base/messages.inc"
#undef UPSWEEP_MESSAGE
};

// Returns the number of names in a list such as "n, block".
constexpr int count_names(std::string_view list) {
  int count = list.empty() ? 0 : 1;
  for (const char c : list) count += c == ',';
  return count;
}

inline MessageArgument message_argument(Message message) { return std::vector<Message>{std::move(message)}; }
inline MessageArgument message_argument(std::vector<Message> messages) { return messages; }
inline MessageArgument message_argument(std::integral auto number) {
  return static_cast<std::int64_t>(number);
}
inline MessageArgument message_argument(std::floating_point auto number) {
  return static_cast<double>(number);
}
inline MessageArgument message_argument(std::string_view text) { return std::string(text); }

// Makes messages with one id. A call compiles only if it has one argument for each placeholder.
template <MessageId id, int places>
struct MessageMaker {
  template <class... Arguments>
  requires(sizeof...(Arguments) == places) Message operator()(Arguments&&... arguments) const {
    return {id, {message_argument(std::forward<Arguments>(arguments))...}};
  }
};

namespace say {
#define UPSWEEP_MESSAGE(id, ...) inline constexpr MessageMaker<MessageId::id, count_names(#__VA_ARGS__)> id;
#include "base/messages.inc"
#undef UPSWEEP_MESSAGE
}  // namespace say

}  // namespace upsweep
