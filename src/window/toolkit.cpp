#include "window/toolkit.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>

#include <array>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/font_search.hpp"
#include "base/language.hpp"
#include "base/translation.hpp"
#include "base/utf8.hpp"
#include "catalogue/catalogue.hpp"
#include "study/puzzle.hpp"
#include "window/imgui_compat.hpp"

namespace upsweep {
namespace {

// In ImGui, the size of a font is the distance from its ascender to its descender (about the highest and the
// lowest point of its letters). This distance is 1.21 times the usual font size (the em) for Inter, and 1.32
// times for JetBrains Mono.
constexpr float inter_height = 1.21f, mono_height = 1.32f;

struct ControlFont {
  FontRole role;
  float em, height;
};
// The fonts of the controls, in the order of Toolkit::Font.
constexpr ControlFont choices[] = {
    {FontRole::words, small_text, inter_height},
    {FontRole::words, plain_text, inter_height},
    {FontRole::strong_words, large_text, inter_height},
    {FontRole::titles, title_text, inter_height},
};
constexpr std::size_t font_count = std::size(choices);

ImVec4 vec(Colour c) { return {c.r / 255.f, c.g / 255.f, c.b / 255.f, c.a / 255.f}; }
ImVec4 clear() { return {0, 0, 0, 0}; }

using Characters = std::set<char32_t>;

// Adds the characters of a text that are not Latin characters.
void add(Characters& all, std::string_view text) {
  while (!text.empty())
    if (const char32_t c = take_character(text); c >= 0x2000 && c <= 0xffff) all.insert(c);
}

// Returns the Chinese characters that a font needs: all characters of the translations, or only the
// characters of the algorithms' titles. Every character takes about 15 µs when the language changes.
Characters chinese_of(Toolkit::Font font) {
  Characters all;
  if (font == Toolkit::Font::small || font == Toolkit::Font::plain)
    for (const Translation& t : translations()) add(all, t.chinese);
  if (font == Toolkit::Font::title)
    for (const Algorithm& a : algorithms()) add(all, tr(a.title)), add(all, puzzle_title(a));
  return all;
}

// Returns the characters in ImGui's format: the first and the last character of each range, and a zero at the
// end.
std::vector<ImWchar> ranges_of(const Characters& used) {
  std::vector<ImWchar> ranges;
  for (const char32_t c : used) {
    const auto character = static_cast<ImWchar>(c);
    if (!ranges.empty() && ranges.back() + 1 == character) ranges.back() = character;
    else ranges.insert(ranges.end(), {character, character});
  }
  ranges.push_back(0);
  return ranges;
}

void set_style(const Theme& t, float scale) {
  ImGuiStyle style;
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.PopupRounding = style.FrameRounding = style.GrabRounding = 6;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 10;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 5};
  style.ItemSpacing = {8, 6};
  style.ScaleAllSizes(scale);
  style.PopupBorderSize = std::max(1.f, std::floor(scale));
  style.AntiAliasedLinesUseTex = false;

  auto& c = style.Colors;
  ImGui::StyleColorsDark(&style);
  c[ImGuiCol_Text] = vec(t.text);
  c[ImGuiCol_TextDisabled] = vec(t.faint_text);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_ChildBg] = clear();
  c[ImGuiCol_PopupBg] = vec(t.panel);
  c[ImGuiCol_Border] = vec(t.cell_stroke);
  c[ImGuiCol_FrameBg] = vec(t.dark ? t.cell : t.background);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec(t.now_soft);
  c[ImGuiCol_Button] = vec(t.dark ? t.line : t.background);
  c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ButtonActive] = vec(t.now_soft);
  c[ImGuiCol_Header] = c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vec(t.now_soft);
  c[ImGuiCol_Separator] = vec(t.line);
  c[ImGuiCol_TextSelectedBg] = vec(t.now_soft);
  c[ImGuiCol_NavHighlight] = clear();
  c[ImGuiCol_ScrollbarBg] = clear();
  c[ImGuiCol_ScrollbarGrab] = c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] =
      vec(t.ghost_text);
  ImGui::GetStyle() = style;
}

}  // namespace

struct Toolkit::State {
  GLFWwindow* window;
  std::array<std::optional<FontFile>, font_count> files;
  std::optional<FontFile> chinese;
  std::array<std::vector<ImWchar>, font_count> ranges;  // the ranges of Chinese characters
  std::map<std::string, boost::interprocess::mapped_region> mapped;
  bool has_chinese = false;  // true if the fonts contain Chinese characters
  std::array<ImFont*, font_count> fonts{};
  float scale = 0;
  const Theme* theme = nullptr;
  std::vector<std::string> notices;
  // `pointer` is the point at which the simulated mouse is held, or nullopt. hand_x and hand_y are the real
  // mouse's position when the simulation began. If the real mouse moves, the simulation ends.
  std::optional<ImVec2> pointer;
  double hand_x = 0, hand_y = 0;
  int click_phase = 0;  // 2: the next frame presses the button; 1: the next frame releases the button

  std::pair<double, double> hand() const {
    double x = 0, y = 0;
    if (window) glfwGetCursorPos(window, &x, &y);
    return {x, y};
  }
  // Adds mouse events that simulate the mouse. ImGui handles these events after the real mouse's events, so
  // the simulated position replaces the real position.
  void hold_pointer() {
    if (!pointer) return;
    if (const auto [x, y] = hand(); x != hand_x || y != hand_y) {
      pointer.reset();
      return;
    }
    compat::move_mouse(pointer->x, pointer->y);
    if (click_phase > 0) compat::hold_mouse(click_phase-- == 2);
  }

  // Returns the bytes of a font file, or an empty span if the file cannot be read. The file is mapped into
  // memory once, and only the needed pages are read, because a file with Chinese characters has 20 MB.
  std::span<const char> content(const FontFile& file) {
    using namespace boost::interprocess;
    auto& region = mapped[file.path];
    try {
      if (!region.get_address())
        region = mapped_region(file_mapping(file.path.c_str(), read_only), read_only);
    } catch (const interprocess_exception&) { return {}; }
    return {static_cast<const char*>(region.get_address()), region.get_size()};
  }

  // Adds Chinese characters to the font that was added last.
  void add_chinese(ImFontAtlas& atlas, std::size_t font) {
    if (!has_chinese || !chinese) return;
    if (ranges[font].empty()) ranges[font] = ranges_of(chinese_of(static_cast<Font>(font)));
    if (ranges[font].size() == 1) return;
    ImFontConfig config;
    config.FontNo = chinese->index;
    config.MergeMode = true;
    // ImGui measures the size of a font from ascender to descender (see inter_height). For Noto Sans CJK,
    // this size is 1.45 times the em.
    compat::add_font(atlas, content(*chinese), std::round(choices[font].em * 1.45f * scale), config,
                     ranges[font].data());
  }

  void load_fonts() {
    has_chinese = language() == TextLanguage::chinese;
    static const ImWchar latin[] = {0x20,   0xff,   0x2010, 0x2027, 0x2190, 0x2194, 0x2212,
                                    0x2212, 0x2264, 0x2265, 0x2713, 0x2713, 0};
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    compat::use_freetype(atlas);
    for (std::size_t i = 0; i < font_count; ++i) {
      const float size = std::round(choices[i].em * choices[i].height * scale);
      ImFontConfig config;
      if (files[i]) {
        config.FontNo = files[i]->index;
        fonts[i] = compat::add_font(atlas, content(*files[i]), size, config, latin);
        if (fonts[i]) {
          add_chinese(atlas, i);
          continue;
        }
      }
      fonts[i] = nullptr;
      config.SizePixels = std::round(choices[i].em * scale);
      fonts[i] = atlas.AddFontDefault(&config);
    }
  }
};

Toolkit::Toolkit(GLFWwindow* window) : state_(std::make_unique<State>()) {
  state_->window = window;
  const FontSearch search;
  for (std::size_t i = 0; i < font_count; ++i) state_->files[i] = search.find(choices[i].role);
  state_->chinese = search.chinese(FontWeight::regular);
  if (!state_->files[0])
    state_->notices.push_back(
        tr("The controls use a plain built-in font, because no other font was found. Install the package "
           "fonts-inter."));

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;
  if (window) ImGui_ImplGlfw_InitForOpenGL(window, true);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    if (window) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    throw WorkError(
        tr("Dear ImGui, which draws the controls, could not load libGL.so.1: install the package libgl1."));
  }
}

Toolkit::~Toolkit() {
  ImGui_ImplOpenGL3_Shutdown();
  if (state_->window) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Toolkit::begin(int width, int height, float scale, const Theme& theme) {
  if (scale != state_->scale || &theme != state_->theme) set_style(theme, scale);
  state_->theme = &theme;
  if (scale != state_->scale || state_->has_chinese != (language() == TextLanguage::chinese)) {
    const bool first = state_->scale == 0;
    state_->scale = scale;
    state_->load_fonts();
    if (!first) compat::renew_font_texture();
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (state_->window) {
    ImGui_ImplGlfw_NewFrame();
  } else {
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = 1 / 60.f;
  }
  state_->hold_pointer();
  ImGui::NewFrame();
}

void Toolkit::point_at(float x, float y) {
  if (!state_->pointer) std::tie(state_->hand_x, state_->hand_y) = state_->hand();
  state_->pointer = ImVec2(x, y);
}
void Toolkit::click() { state_->click_phase = 2; }
void Toolkit::leave() { state_->pointer.reset(); }
bool Toolkit::is_pointing() const { return state_->pointer.has_value(); }

void Toolkit::end() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Toolkit::push(Font font) const {
  const auto i = static_cast<std::size_t>(font);
  compat::push_font(state_->fonts[i], std::round(choices[i].em * choices[i].height * state_->scale));
}

const std::vector<std::string>& Toolkit::notices() const { return state_->notices; }

}  // namespace upsweep
