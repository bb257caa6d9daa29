// The view "Lanes x banks" shows one warp request as a table. A row is a wavefront, and a column is a bank. A
// box contains the threads that the bank serves in the wavefront.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/banks.hpp"
#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/bank_tips.hpp"
#include "scene/views/memory_overview.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns the first of these texts that fits into a box, or an empty text:
// - for one lane: "T5", or "5" if `lettered` is false; no text if `numbered` is false;
// - for neighbouring lanes: "T0–3", or the number of lanes ("×4");
// - for other lanes: the number of lanes.
std::string box_text(std::uint32_t lanes, int first_thread, float size, float room, bool lettered,
                     bool numbered) {
  const int count = std::popcount(lanes), low = std::countr_zero(lanes), high = 31 - std::countl_zero(lanes);
  std::vector<std::string> forms;
  if (count == 1) {
    if (!numbered) return {};
    forms = {fmt::format("{}{}", lettered ? "T" : "", first_thread + low)};
  } else {
    if (high - low + 1 == count) forms = {fmt::format("T{}–{}", first_thread + low, first_thread + high)};
    forms.push_back(fmt::format("×{}", count));
  }
  for (const std::string& form : forms)
    if (text_width(form, size, Face::bold) <= room) return form;
  return {};
}

class BanksPicture {
 public:
  explicit BanksPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        shape_(trace_.grid_of(static_cast<std::uint32_t>(std::max(in.cursor.step, 0))).shared),
        request_(chosen_request(in.recording, in.cursor)),
        banks_(in.presented ? BankColumns::presented(p_, request_.banks.banks,
                                                     columns_in_use(in.recording, request_.banks.banks))
                            : BankColumns(p_, room_beside_banks(in), request_.banks.banks)) {}

  // Returns a motion that shows the wavefronts one after another.
  Motion motion() {
    Motion motion;
    if (!request_) return motion;
    lay_out();
    const float h = pitch_ - gap_;
    const int words = std::max(1, event().width / 4);
    for (std::size_t i = 1; i < shown_.size(); i++)
      for (const Wavefront::Served& s : request_.waves[static_cast<std::size_t>(shown_[i])].served)
        for (int bank = s.bank; bank < s.bank + words && static_cast<int>(s.word) % words == 0; ++bank) {
          const Box box = banks_.box(bank % banks_.count, y(i), h);
          const float end = static_cast<float>(i) / static_cast<float>(shown_.size());
          motion.push_back(
              {RectShape{{box.x - 1, box.y, box.w + 2, box.h}, p_.theme.background}, {}, 0, end});
          motion.push_back({RectShape{.box = box, .fill = unused(), .radius = radius(h)}, {}, 0, end});
        }
    return motion;
  }

  ViewPicture draw() {
    if (!request_) {
      p_.title("");
      p_.sentence(trace_.machine == MachineKind::opengl
                      ? tr("OpenGL keeps its textures in global memory, which has no banks.")
                      : tr("No shared-memory access in this step."));
      return std::move(p_).picture();
    }
    places_ = cell_places(shape_, trace_.element_bytes());
    const float head = lay_out();
    if (head > 0) bank_numbers(p_, banks_, request_, in_.cursor.hover);
    choose_form();
    for (std::size_t i = 0; i < shown_.size(); i++) wavefront(shown_[i], y(i));
    if (shown_.size() < request_.waves.size()) {
      dashed_gap(p_, banks_, y(shown_.size() - 1) - gap_ / 2);
      conflict_in_words();
      overview();
    }
    if (p_.height > (in_.presented ? 200.0f : 320.0f)) reasons();
    p_.title(heading(), readout_);
    return std::move(p_).picture();
  }

 private:
  const Event& event() const { return trace_.events[request_.event]; }
  AccessId by(int lane) const { return {request_.event, event().warp, lane, event().line}; }

  std::string heading() const {
    const std::string count = counted(request_.cost.wavefronts, "wavefront");
    const int excess = request_.cost.excess();
    const std::string model = in_.cursor.half_warps ? " · " + banks_text(request_.banks) : "";
    return tr(
        "{} · warp {} {} {} · {}{} · line {}{}", request_text(in_.recording, in_.cursor, request_.event),
        event().warp, is_load(event().kind) ? tr("reads") : tr("writes"), access_text(trace_, event()), count,
        excess > 0 ? tr(", {} excess: {}", excess, conflict_name(request_.cost.degree)) : tr(", no conflict"),
        event().line, model);
  }

  // Chooses the places and the heights of the rows, and returns the height of the line with the banks'
  // numbers.
  //
  // The layout depends on the picture's size and on the memory's size, but not on the request. So rows keep
  // their places when the reader goes to another request or adds padding.
  float lay_out() {
    constexpr float legible = 12.5f, comfortable = 20, saved = 4;
    const auto most =
        static_cast<float>(std::clamp(unpadded_rows(in_) * bank_count / banks_.count, 1, bank_count));
    float head = p_.height >= 80 ? 18.0f : 0.0f, room = p_.height - p_.top - head - 6;
    // The margins become smaller if the names of threads only fit with smaller margins.
    const float needed = (room + 2 * saved >= most * legible ? most : std::min(most, 2.0f)) * legible;
    if (head > 0 && room < needed && room + 2 * saved >= needed) head -= saved, room += 2 * saved;
    // Shows at least two rows if possible, because a conflict needs two rows.
    const float fit =
        room >= most * legible
            ? most
            : std::max({1.0f, std::floor(room / comfortable), room >= 2 * legible ? 2.0f : 1.0f});
    pitch_ = std::clamp(room / fit, 1.0f,
                        in_.presented     ? std::clamp(1.6f * banks_.pitch, 38.0f, 110.0f)
                        : p_.height > 320 ? 52.0f
                                          : 29.0f);
    gap_ = pitch_ < 3 ? 0.0f : pitch_ < 12 ? 1.0f : pitch_ < 16 ? 2.0f : 3.0f;
    first_ = p_.top + head;
    // If not all wavefronts fit, the last row shows the last wavefront.
    const auto count = static_cast<int>(request_.waves.size()),
               lines = std::max(1, static_cast<int>(room / pitch_ + 0.01f));
    for (int w = 0; w < std::min(count, lines); ++w)
      shown_.push_back(count > lines && lines > 1 && w == lines - 1 ? count - 1 : w);
    return head;
  }

  Colour unused() const {
    return mix(p_.theme.background, p_.theme.ghost_text, p_.theme.dark ? 0.16f : 0.24f);
  }

  float y(std::size_t place) const { return first_ + pitch_ * static_cast<float>(place); }

  // Draws a small picture of all wavefronts at the right of the banks, if there is enough room.
  void overview() {
    const float beside = in_.presented ? 0 : room_beside_banks(in_);
    if (beside == 0 || first_ == p_.top) return;
    const OverviewColours colours(p_.theme);
    const auto count = static_cast<int>(request_.waves.size());
    const float cell = std::floor((beside - 24) / static_cast<float>(banks_.count)),
                wide = cell * static_cast<float>(banks_.count),
                high = std::min(cell, (p_.height - first_ - 6) / static_cast<float>(count));
    GridShape grid{{p_.width - p_.margin - wide, first_, wide, high * static_cast<float>(count)},
                   banks_.count,
                   count,
                   {}};
    grid.colours.assign(static_cast<std::size_t>(banks_.count) * static_cast<std::size_t>(count),
                        colours.unused);
    for (int w = 0; w < count; ++w)
      for (const Wavefront::Served& s : request_.waves[static_cast<std::size_t>(w)].served)
        grid.colours[static_cast<std::size_t>(w * banks_.count + s.bank)] =
            request_.extra[static_cast<std::size_t>(w)] ? colours.conflict : colours.written;
    draw_overview(p_, std::move(grid), tr("all {}", counted(count, "wavefront")), shown_);
  }

  void wavefront(int number, float y) {
    const auto w = static_cast<std::size_t>(number);
    const Theme& t = p_.theme;
    const float h = pitch_ - gap_;
    for (int bank = 0; bank < banks_.shown; bank++)
      p_.rect(banks_.box(bank, y, h), {.fill = unused(), .radius = radius(h)});
    if (pitch_ >= 10) {
      const std::string label =
          p_.width < 640 || in_.presented ? std::to_string(w + 1) : tr("wavefront {}", w + 1);
      p_.text({banks_.left - 12, y + h / 2}, label, request_.extra[w] ? t.conflict : t.faint_text,
              std::clamp(pitch_ * (in_.presented ? 0.6f : 1), 9.0f, in_.presented ? 14.0f : 11.5f),
              Face::regular, Align::right);
    }
    p_.target({p_.margin, y, p_.width - 2 * p_.margin, pitch_}, RequestId{in_.cursor.step, by(-1)});
    // A wide access covers several neighbouring words, so one box covers all of these words.
    const int words = std::max(1, event().width / 4);
    for (const Wavefront::Served& s : request_.waves[w].served)
      if (static_cast<int>(s.word) % words == 0)
        served(s, banks_.box(s.bank, y, h, words), words, request_.extra[w]);
  }

  // Chooses the text size in the boxes. Names have the letter "T" only if all boxes have enough room for this
  // letter.
  void choose_form() {
    const float h = pitch_ - gap_, least = h >= 9.5f && banks_.pitch >= 13 ? 9.0f : 0.0f;
    const float room = banks_.pitch - banks_.gap - 2;
    const std::string number = std::to_string(event().warp * 32 + 31), longest = "T" + number;
    text_size_ = least == 0 ? 0.0f : std::clamp(std::min(h - 1, banks_.pitch * 0.5f + 2), least, 13.0f);
    if (in_.presented && least > 0)
      text_size_ = std::clamp(std::min(h * 0.7f, room / text_width(number, 1, Face::bold)), least, 28.0f);
    const auto fits = [&](float size) { return text_width(longest, size, Face::bold) <= room; };
    // Prefers a smaller text such as "T5" to a larger text such as "5".
    constexpr float smallest = 10;
    for (float size = text_size_; !in_.presented && size >= smallest && !fits(text_size_); size -= 0.5f)
      if (fits(size)) text_size_ = size;
    lettered_ = text_size_ > 0 && fits(text_size_);
    // Either all lanes or no lanes have a number. The box of a wide access covers several columns.
    const float more_columns = banks_.pitch * static_cast<float>(std::max(1, event().width / 4) - 1);
    const auto has_room = [&] { return text_width(number, text_size_, Face::bold) <= room + more_columns; };
    while (text_size_ > least && !has_room()) text_size_ = std::max(least, text_size_ - 0.5f);
    numbered_ = has_room();
  }

  // Writes a text about the worst bank beside this bank's boxes, if there is enough room.
  void conflict_in_words() {
    const int degree = *std::max_element(request_.words.begin(), request_.words.end());
    if (degree < 2) return;
    const int bank = worst_bank();
    int last = bank + 1;  // the next bank at the right that has a box
    while (last < banks_.count && request_.words[static_cast<std::size_t>(last)] == 0) ++last;
    int first = bank - 1;
    while (first >= 0 && request_.words[static_cast<std::size_t>(first)] == 0) --first;
    const bool right = last - bank > bank - first;
    const std::string words = tr("{} words of bank {}: one in each wavefront", degree, bank);
    const float size = in_.presented ? 16.0f : 12.0f, w = text_width(words, size, Face::bold) + 16;
    const float from = banks_.x(right ? bank + 1 : first + 1),
                to = banks_.x(right ? last : bank) - banks_.gap;
    if (w > to - from) return;
    // Places the text on the dashed line, but inside of the rows.
    const float middle = shown_.size() > 1 ? y(shown_.size() - 1) - gap_ / 2 : y(0) + (pitch_ - gap_) / 2;
    const Box box{right ? from + 4 : to - 4 - w, middle - size + 1, w, 2 * size - 2};
    p_.rect(box, {.fill = p_.theme.background, .stroke = p_.theme.conflict, .width = 1, .radius = 5});
    p_.text({box.x + 8, middle}, words, p_.theme.conflict, size, Face::bold);
  }

  int worst_bank() const {
    return static_cast<int>(std::max_element(request_.words.begin(), request_.words.end()) -
                            request_.words.begin());
  }

  // Writes lines below the wavefronts. The lines say why each word of the worst bank is in this bank.
  void reasons() {
    const float size = in_.presented ? 17.0f : 14.0f, line = in_.presented ? 27.0f : 22.0f;
    float y = first_ + pitch_ * static_cast<float>(shown_.size()) + 24;
    const int bank = worst_bank(), degree = request_.words[static_cast<std::size_t>(bank)];
    const auto say = [&](const std::string& text, Colour colour, Face face) {
      if (y + line / 2 < p_.height)
        p_.text({banks_.left, y}, cut(text, size, face, p_.width - p_.margin - banks_.left), colour, size,
                face);
      y += line;
    };
    if (degree < 2)
      return say(tr("No bank has two words of this request."), p_.theme.faint_text, Face::regular);
    say(tr("Bank {} serves one word in a wavefront, but this request needs {} of its words:", bank, degree),
        p_.theme.text, Face::bold);
    for (const Wavefront& wave : request_.waves)
      for (const Wavefront::Served& s : wave.served)
        if (s.bank == bank)
          say(tr("{} · word {} · {} mod {} = {}", threads_and_cell(s), s.word, s.word, request_.banks.banks,
                 bank),
              p_.theme.text, Face::regular);
  }

  static float radius(float h) { return std::min(4.0f, h / 4); }

  void served(const Wavefront::Served& s, Box box, int words, bool extra) {
    const Theme& t = p_.theme;
    const int cell = cell_at(places_, std::int64_t{s.word} * 4);
    const int element = cell < 0 ? -1 : places_[static_cast<std::size_t>(cell)].element;
    const ServedId id{in_.cursor.step, cell, element, by(std::countr_zero(s.lanes))};
    p_.rect(box,
            {.fill = extra                        ? t.conflict
                     : std::popcount(s.lanes) > 1 ? t.broadcast
                                                  : t.now,
             .radius = radius(box.h)},
            id);
    if (extra) notch(p_, box, t.background);
    if (text_size_ > 0)
      p_.text({box.x + box.w / 2, box.y + box.h / 2},
              box_text(s.lanes, event().warp * 32, text_size_, box.w - 2, lettered_, numbered_), t.on_now,
              text_size_, Face::bold, Align::centre);
    if (lit(s, id, words)) {
      p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
              {.stroke = t.text, .width = 2, .radius = std::min(5.0f, box.h / 3)});
      if (!is<BankId>(in_.cursor.hover)) readout_ = describe(s);
    }
    p_.target(box, id);
  }

  bool lit(const Wavefront::Served& s, const ServedId& id, int words) const {
    const Id& hover = in_.cursor.hover;
    if (const auto* cell = as<CellId>(hover)) return cell->cell >= id.cell && cell->cell <= last_cell(s);
    if (const auto* bank = as<BankId>(hover)) return bank->bank / words == s.bank / words;
    if (const auto* node = as<NodeId>(hover)) return node->element >= 0 && node->element == id.element;
    const int lane = lane_of(hover, event().warp);
    return lane >= 0 && ((s.lanes >> lane) & 1u) != 0;
  }

  // Returns the index of the last cell in a word. A word may contain two cells of 2 bytes.
  int last_cell(const Wavefront::Served& s) const { return cell_at(places_, std::int64_t{s.word} * 4 + 3); }

  std::string name_of(int cell) const {
    const bool padding = cell < 0 || places_[static_cast<std::size_t>(cell)].element < 0;
    return padding ? tr("padding") : cell_name(shape_, places_[static_cast<std::size_t>(cell)]);
  }

  // Returns a text such as "thread 4 · x[35]".
  std::string threads_and_cell(const Wavefront::Served& s) const {
    std::vector<int> threads;
    for (std::uint32_t m = s.lanes; m != 0; m &= m - 1)
      threads.push_back(event().warp * 32 + std::countr_zero(m));
    const int cell = cell_at(places_, std::int64_t{s.word} * 4);
    std::string names = name_of(cell);
    if (const int last = last_cell(s); last > cell) names += tr(" and ") + name_of(last);
    return fmt::format("{} {} · {}", threads.size() == 1 ? tr("thread") : tr("threads"), ranges(threads),
                       names);
  }

  std::string describe(const Wavefront::Served& s) const {
    return tr("{} · word {} · bank {}", threads_and_cell(s), s.word, s.bank);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const SharedShape& shape_;
  const SharedRequest request_;
  const BankColumns banks_;
  std::vector<CellPlace> places_;
  std::vector<int> shown_;  // the wavefronts that have a row, in ascending order
  float first_ = 0, pitch_ = 0,
        gap_ = 0;          // the position of the first row, and the height of rows and gaps in dp
  float text_size_ = 0;    // the text size in the boxes; 0 if there is no room for text
  bool lettered_ = false;  // true if threads have names such as "T5", not "5"
  bool numbered_ = false;  // true if the number of every thread fits into its box
  std::string readout_;
};

ViewPicture draw_banks(const ViewInput& in) { return BanksPicture(in).draw(); }
Motion banks_motion(const ViewInput& in) { return BanksPicture(in).motion(); }

bool has_shared_requests(const Recording& r) {
  return r.facts.totals.shared_load.requests + r.facts.totals.shared_store.requests > 0;
}

float height_of_banks(const Recording& recording) {
  // Without padding, a request needs at most one wavefront for each row of the memory. If possible, the view
  // is high enough for all these wavefronts.
  constexpr float title = 40, numbers = 18, margin = 16;
  const int most = std::clamp(unpadded_rows(recording), 1, bank_count);
  return std::clamp(title + numbers + margin + static_cast<float>(most) * 22, 96.0f, 208.0f);
}

Id banks_sees(const Id& hover) {
  if (const auto* cell = as<CellId>(hover)) return CellId{.cell = cell->cell};
  if (const auto* node = as<NodeId>(hover)) return NodeId{.element = node->element};
  return is<BankId>(hover) ? hover : sees_lane(hover);
}

Click click_in_banks(const Reading&, const Id& id) {
  const AccessId* by = access_of(id);
  if (!(is<RequestId>(id) || is<ServedId>(id)) || by->event < 0) return {};
  return GoToRequest{by->event};
}

std::string why_no_banks(const Recording& r, int step) {
  return r.launch_totals(step).any_shared() ? "" : tr("No shared-memory access in this launch.");
}

}  // namespace

extern const View banks_view{.name = "banks",
                             .title = tr_noop("Lanes × banks"),
                             .home = Home::banks,
                             .draw = draw_banks,
                             .tip = banks_tip,
                             .click = click_in_banks,
                             .has_something = has_shared_requests,
                             .height = height_of_banks,
                             .why_nothing = why_no_banks,
                             .sees = banks_sees,
                             .motion = banks_motion};

}  // namespace upsweep
