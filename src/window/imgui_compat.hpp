// This file contains all code that depends on the version of Dear ImGui: 1.86 (Debian 12), 1.90 (Debian 13)
// or 1.92 (upstream).
//
// The program must not use ImGui's keys, because 1.86 loses some keys (see key_queue.hpp). The program must
// not use AddRect and PathStroke, because 1.92.8 exchanged two of their arguments, and code with the old
// order still compiles.
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

// Makes ImGui draw text with FreeType and light hinting, so that the text looks like the text of scenes.
inline void use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#ifdef UPSWEEP_IMGUI_FREETYPE
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

// Adds a font from memory. The memory must exist as long as the atlas. Returns null if the memory contains no
// font.
//
// Before 1.92, ImGui copies memory that the atlas does not own, and this copy takes longer than drawing all
// characters. To avoid the copy, the atlas owns the memory while the font is added.
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

// Creates the texture of the font atlas again, after fonts were loaded again. Keeps all other device objects,
// because 1.86 draws nothing after these objects were created again. Does nothing for 1.92, because 1.92
// updates the texture itself.
inline void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// Makes a font current, at the size at which the font was loaded. Each call needs a later call of
// ImGui::PopFont().
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  ImGui::PushFont(font);
#endif
}

// Returns true if ImGui needs another frame to handle its input. From 1.87 on, ImGui handles a press and a
// release in two frames, even if both arrive together.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
  return false;
#endif
}

// These three functions simulate the mouse: its position, its left button, and its wheel.
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

// True if ImGui may lose the keys Enter and Escape. From 1.87 on, ImGui has a queue that keeps these keys in
// order with the typed text.
inline constexpr bool loses_keys = IMGUI_VERSION_NUM < 18700;

// Takes the keyboard from a text field. The caller uses this function if ImGui has lost the key (Enter or
// Escape) that should close the field.
inline void release_keyboard() { ImGui::ClearActiveID(); }

}  // namespace upsweep::compat
