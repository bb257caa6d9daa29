// All differences between Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and 1.92 (upstream) are in this file.
// These must not be used: ImGui's keys (1.86 loses them, see keys.hpp), AddRect and PathStroke (1.92.8
// swapped two of their arguments, and the old order still compiles).
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

// Draws text with FreeType, lightly hinted like the scenes' text.
inline void use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#ifdef UPSWEEP_IMGUI_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

// Updates the texture of the atlas after its fonts were loaded again; the first frame makes the first
// texture. Only the texture is made again, because 1.86 draws nothing after all device objects have been
// destroyed and made again. 1.92 updates the texture itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// Pushes a font at the size at which it was loaded. Every push needs an ImGui::PopFont().
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  ImGui::PushFont(font);
#endif
}

// Returns whether input waits for another frame. From 1.87 on, a press and its release that arrive together
// need one frame each.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

// A mouse without a window: its place, whether its left button is held, and how far its wheel turns.
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

// Whether ImGui may miss Enter and Escape. From 1.87 on it has its own queue, which keeps them in order with
// the typed text.
inline constexpr bool loses_keys = IMGUI_VERSION_NUM < 18700;

// Takes the keyboard from a text field whose Enter or Escape ImGui has not seen.
inline void release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace upsweep::compat
