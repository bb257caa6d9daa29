#include "scene/views/views.hpp"

#include <algorithm>
#include <iterator>

// Tests define this macro to use another list of views.
#ifndef UPSWEEP_VIEWS
#define UPSWEEP_VIEWS "scene/views/views.list"
#endif

namespace upsweep {

// Declares the views. The file view_NAME.cpp defines the view NAME.
#define VIEW(name) extern const View name##_view;
#include UPSWEEP_VIEWS
#undef VIEW

std::span<const View> views() {
  static const View table[] = {
#define VIEW(name) name##_view,
#include UPSWEEP_VIEWS
#undef VIEW
  };
  return table;
}

int view_index(std::string_view name) {
  const auto all = views();
  const auto at = std::find_if(all.begin(), all.end(), [&](const View& v) { return v.name == name; });
  return at == all.end() ? -1 : static_cast<int>(at - all.begin());
}

bool has_something(int view, const Recording& recording) {
  const View& v = views()[static_cast<std::size_t>(view)];
  return v.has_something == nullptr || v.has_something(recording);
}

}  // namespace upsweep
