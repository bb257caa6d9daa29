#include "base/message.hpp"

#include <utility>

#include "base/messages.hpp"

namespace upsweep {

std::string_view name(MessageId id) {
  static constexpr std::string_view names[] = {
      "none",
#define UPSWEEP_MESSAGE(id, ...) #id,
#include "base/messages.inc"
#undef UPSWEEP_MESSAGE
  };
  return names[static_cast<std::size_t>(id)];
}

std::string outline(const Message& message) {
  std::string text(name(message.id));
  const char* before = "(";
  for (const MessageArgument& argument : message.arguments) {
    text += std::exchange(before, ", ");
    if (const auto* whole = std::get_if<std::int64_t>(&argument)) text += std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&argument)) text += std::to_string(*real);
    if (const auto* as_it_is = std::get_if<std::string>(&argument)) text += *as_it_is;
    if (const auto* inner = std::get_if<std::vector<Message>>(&argument))
      for (const Message& m : *inner) {
        if (&m != inner->data()) text += ' ';
        text += outline(m);
      }
  }
  return message.arguments.empty() ? text : text + ")";
}

Message plain(std::string text) { return say::plain(std::move(text)); }

}  // namespace upsweep
