#include "window/picture_clipboard.hpp"

#ifdef UPSWEEP_XCB
#include <xcb/xcb.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"

namespace upsweep {
#ifdef UPSWEEP_XCB
namespace {

template <class T>
using Freed = std::unique_ptr<T, decltype(&std::free)>;

}  // namespace

struct PictureClipboard::State {
  State() : connection(xcb_connect(nullptr, nullptr)) {
    if (xcb_connection_has_error(connection)) {
      xcb_disconnect(connection);
      throw WorkError(
          tr("Upsweep found no X11 display, so the clipboard takes no picture: save the picture as PNG."));
    }
    window = xcb_generate_id(connection);
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
    clipboard = atom("CLIPBOARD");
    targets = atom("TARGETS");
    image = atom("image/png");
    over = atom("UPSWEEP_OVER");
    thread = std::thread([this] { answer(); });
  }
  ~State() {
    send(window, XCB_EVENT_MASK_NO_EVENT,
         xcb_client_message_event_t{XCB_CLIENT_MESSAGE, 32, 0, window, over, {}});
    thread.join();
    xcb_disconnect(connection);
  }

  xcb_atom_t atom(std::string_view name) const {
    const auto cookie = xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(name.size()), name.data());
    const Freed<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(connection, cookie, nullptr), std::free);
    return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
  }

  // Sends an event. Every event has 32 bytes.
  template <class Event>
  void send(xcb_window_t to, std::uint32_t mask, const Event& event) const {
    char bytes[32] = {};
    static_assert(sizeof(event) <= sizeof(bytes));
    std::memcpy(bytes, &event, sizeof(event));
    xcb_send_event(connection, 0, to, mask, bytes);
    xcb_flush(connection);
  }

  // Answers the requests of other programs, until the window gets the message `over` or the connection ends.
  void answer() {
    while (true) {
      const Freed<xcb_generic_event_t> event(xcb_wait_for_event(connection), std::free);
      if (!event) return;
      const int kind = event->response_type & 127;
      if (kind == XCB_CLIENT_MESSAGE &&
          reinterpret_cast<const xcb_client_message_event_t*>(event.get())->type == over)
        return;
      const std::lock_guard lock(mutex);
      if (kind == XCB_SELECTION_CLEAR) png.clear();
      if (kind == XCB_SELECTION_REQUEST)
        answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
    }
  }

  void answer(const xcb_selection_request_event_t& asked) const {
    xcb_selection_notify_event_t reply{};
    reply.response_type = XCB_SELECTION_NOTIFY;
    reply.time = asked.time;
    reply.requestor = asked.requestor;
    reply.selection = asked.selection;
    reply.target = asked.target;
    // Old programs do not name a property in their requests. For these programs, the property has the name of
    // the target.
    reply.property = asked.property != XCB_ATOM_NONE ? asked.property : asked.target;
    if (asked.target == targets) {
      const xcb_atom_t known[] = {targets, image};
      xcb_change_property(connection, XCB_PROP_MODE_REPLACE, asked.requestor, reply.property, XCB_ATOM_ATOM,
                          32, std::size(known), known);
    } else if (asked.target == image && !png.empty()) {
      xcb_change_property(connection, XCB_PROP_MODE_REPLACE, asked.requestor, reply.property, image, 8,
                          static_cast<std::uint32_t>(png.size()), png.data());
    } else {
      reply.property = XCB_ATOM_NONE;
    }
    send(asked.requestor, XCB_EVENT_MASK_NO_EVENT, reply);
  }

  void offer(std::string bytes) {
    constexpr std::size_t head = 64;  // the number of bytes of a request without the picture
    if (bytes.size() + head > std::size_t{4} * xcb_get_maximum_request_length(connection))
      throw WorkError(tr("The picture is too large for the clipboard: save the picture as a file."));
    const std::lock_guard lock(mutex);
    png = std::move(bytes);
    xcb_set_selection_owner(connection, window, clipboard, XCB_CURRENT_TIME);
    xcb_flush(connection);
  }

  xcb_connection_t* connection;
  xcb_window_t window = 0;
  xcb_atom_t clipboard = 0, targets = 0, image = 0, over = 0;
  std::mutex mutex;
  std::string png;
  std::thread thread;  // the last member, so that all other members exist when the thread begins
};

PictureClipboard::PictureClipboard() : state_(std::make_unique<State>()) {}
void PictureClipboard::offer(std::string png) { state_->offer(std::move(png)); }
#else
struct PictureClipboard::State {};

PictureClipboard::PictureClipboard() {
  throw WorkError(
      tr("This Upsweep was built without XCB, so the clipboard takes no picture: save the picture as PNG."));
}
void PictureClipboard::offer(std::string) {}
#endif

PictureClipboard::~PictureClipboard() = default;

}  // namespace upsweep
