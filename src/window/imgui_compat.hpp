// Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and 1.92 (upstream): what differs between them is in here and
// nowhere else. Not to be used at all: ImGui's keys (1.86 loses them, see keys.hpp), AddRect and PathStroke
// (1.92.8 swapped two of their arguments, and the old order compiles).
#pragma once
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#if __has_include(<imgui_stdlib.h>)
#include <imgui_stdlib.h>
#else
#include <misc/cpp/imgui_stdlib.h>
#endif
#if IMGUI_VERSION_NUM < 19200 && __has_include(<imgui_freetype.h>)
#include <imgui_freetype.h>
#define UPSWEEP_IMGUI_FREETYPE
#endif

namespace upsweep::compat {

// Text as FreeType draws it, lightly hinted like the scenes' text.
inline void use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#ifdef UPSWEEP_IMGUI_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

// The atlas' texture after its fonts were loaded anew; the first one comes with the first frame. (1.86 draws
// nothing any more once all device objects have been destroyed and made again, so the texture alone is.) 1.92
// follows the fonts by itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// A font at the size it was loaded with; every push is popped with ImGui::PopFont().
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  ImGui::PushFont(font);
#endif
}

// Whether input waits for a further frame: from 1.87 on a press and its release, arriving together, take a
// frame each.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

// A mouse without a window: where it is, whether its left button is held, how far its wheel turns.
inline void move_mouse(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(x, y);
#else
  ImGui::GetIO().MousePos = {x, y};
#endif
}
inline void hold_mouse(bool held) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(0, held);
#else
  ImGui::GetIO().MouseDown[0] = held;
#endif
}
inline void turn_mouse_wheel(float ticks) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(0, ticks);
#else
  ImGui::GetIO().MouseWheel = ticks;
#endif
}

// Whether Enter and Escape may pass ImGui by; from 1.87 on it has a queue of its own, in step with the text
// typed.
inline constexpr bool loses_keys = IMGUI_VERSION_NUM < 18700;

// Takes the keyboard away from a text field whose Enter or Escape ImGui has not seen.
inline void release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace upsweep::compat
