// This file contains everything that differs between Dear ImGui 1.86 (Debian 12), 1.90 (Debian 13) and 1.92
// (upstream). The program must not use two things: ImGui's keys, because 1.86 loses some (see key_queue.hpp);
// and AddRect and PathStroke, because 1.92.8 swapped two of their arguments, and code with the old order
// still compiles.
#pragma once
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <span>

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

// Draws text with FreeType and light hinting, so that it looks like the text of scenes.
inline void use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#ifdef UPSWEEP_IMGUI_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

// Adds a font from memory. Returns null if it is no font. The memory must last as long as the atlas. Before
// 1.92, ImGui copies memory that the atlas does not own, which takes longer than drawing all characters.
inline ImFont* add_font(ImFontAtlas& atlas, std::span<const char> memory, float size, ImFontConfig config,
                        const ImWchar* ranges) {
  if (memory.empty()) return nullptr;
  config.FontDataOwnedByAtlas = IMGUI_VERSION_NUM < 19200;
  ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(memory.data()), static_cast<int>(memory.size()),
                                            size, &config, ranges);
#if IMGUI_VERSION_NUM < 19200
  if (font) atlas.ConfigData.back().FontDataOwnedByAtlas = false;
#endif
  return font;
}

// Recreates the texture of the font atlas after fonts were loaded again. Recreates only the texture, because
// 1.86 draws nothing if all device objects are destroyed and created again. Does nothing for 1.92, which
// updates the texture itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// Makes a font current, at the size at which it was loaded. Every call needs an ImGui::PopFont().
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  ImGui::PushFont(font);
#endif
}

// Returns whether ImGui needs another frame to handle its input. From 1.87 on, a press and a release that
// arrive together are handled in two frames.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

// These three functions simulate the mouse: its place, its left button, and its wheel.
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

// True if ImGui may lose the keys Enter and Escape. From 1.87 on, ImGui's own queue keeps them in order with
// the typed text.
inline constexpr bool loses_keys = IMGUI_VERSION_NUM < 18700;

// Takes the keyboard from a text field. Needed if ImGui has lost the Enter or Escape that would do this.
inline void release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace upsweep::compat
