// This file contains all differences between Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and 1.92
// (upstream). Two things must not be used: ImGui's keys, because 1.86 loses some (see key_queue.hpp); and
// AddRect and PathStroke, because 1.92.8 swapped two of their arguments, and the old order still compiles.
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

// Draws text with FreeType and light hinting, like the text of scenes.
inline void use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#ifdef UPSWEEP_IMGUI_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

// Updates the texture of the atlas after its fonts were loaded again; the first frame makes the first
// texture. Only the texture is made again, because 1.86 draws nothing after all device objects were destroyed
// and made again. 1.92 updates the texture itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// Pushes a font at its loaded size. Every push needs an ImGui::PopFont().
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  ImGui::PushFont(font);
#endif
}

// Returns whether ImGui needs another frame for its input. From 1.87 on, a press and a release that arrive
// together need one frame each.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

// These three functions set the mouse without a window: its place, its left button, and its wheel.
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

// True if ImGui may miss Enter and Escape. From 1.87 on, ImGui's own queue keeps these keys in order with the
// typed text.
inline constexpr bool loses_keys = IMGUI_VERSION_NUM < 18700;

// Takes the keyboard from a text field after an Enter or Escape that ImGui missed.
inline void release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace upsweep::compat
