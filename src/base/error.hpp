// Defines the program's errors. Each error has a message that says what was wrong and what would be correct.
// main(), the window and tests turn the message into words (words/in_words.hpp). main() also chooses the exit
// code by the type of the error.
#pragma once
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/message.hpp"

namespace upsweep {

struct Error : std::runtime_error {
  explicit Error(Message m) : std::runtime_error(outline(m)), message(std::move(m)) {}
  // Use this constructor only for texts that have no message id yet.
  explicit Error(std::string text) : Error(plain(std::move(text))) {}
  Message message;  // what() returns outline(message), which is only for tests and debuggers
};

// The work failed: for example, a device was lost or a file could not be written. Exit code 1.
struct WorkError : Error {
  using Error::Error;
};

// The user's request is wrong: for example, a name is unknown or a size is out of range. Exit code 2.
struct RequestError : Error {
  using Error::Error;
};

// Returns the message of an exception. If another library threw the exception, the message is the text of
// what().
inline Message message_of(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  return ours ? ours->message : plain(error.what());
}

}  // namespace upsweep
