// Lanes x banks: the punchcard of one warp request. A row is a wavefront, a column a bank, a box names the
// lanes that this bank serves in this wavefront.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/memory.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/draw.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// What stands in a box: "T5", "T0–3" where lanes are neighbours, "×4" where they are not or room is short.
std::string box_text(std::uint32_t lanes, int first_thread, float size, float room) {
  const int count = std::popcount(lanes), low = std::countr_zero(lanes), high = 31 - std::countl_zero(lanes);
  std::vector<std::string> forms;
  if (count == 1) {
    forms = {fmt::format("T{}", first_thread + low), std::to_string(first_thread + low)};
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
        banks_(p_),
        request_(chosen_request(in.recording, in.cursor)) {}

  Scene draw() {
    if (!request_) {
      p_.title("Lanes × banks", "");
      p_.sentence("No shared-memory request in this step: no bank is asked for anything.");
      return std::move(p_.scene);
    }
    places_ = cell_places(shape_, trace_.element_bytes());
    const float head = p_.height >= 104 ? 18.0f : 0.0f;
    const float room = p_.height - p_.top - head - 6;
    const auto rows = static_cast<float>(request_.waves.size());
    pitch_ = std::clamp(room / rows, 1.0f, 29.0f);
    gap_ = pitch_ < 3 ? 0.0f : pitch_ < 8 ? 1.0f : pitch_ < 16 ? 2.0f : 3.0f;
    first_ = p_.top + head;
    if (head > 0) bank_numbers(p_, banks_, request_, in_.cursor.hover);
    for (std::size_t w = 0; w < request_.waves.size(); w++) wavefront(w);
    p_.title("Lanes × banks", heading(), readout_);
    return std::move(p_.scene);
  }

 private:
  const Event& event() const { return trace_.events[request_.event]; }

  std::string heading() const {
    const std::string count = counted(request_.cost.wavefronts, "wavefront");
    const int excess = request_.cost.excess();
    return fmt::format("warp {} · {} {} · 1 request → {}{} · line {} · request {} of {}", event().warp,
                       is_load(event().kind) ? "reads" : "writes", access_text(trace_, event()), count,
                       excess > 0 ? fmt::format(" ({} excess)", excess) : ", no conflict", event().line,
                       request_.number, request_.of);
  }

  void wavefront(std::size_t w) {
    const Theme& t = p_.theme;
    const float y = first_ + pitch_ * static_cast<float>(w), h = pitch_ - gap_;
    const Colour idle = mix(t.background, t.ghost_text, t.dark ? 0.16f : 0.24f);
    for (int bank = 0; bank < bank_count; bank++)
      p_.rect(banks_.box(bank, y, h), {.fill = idle, .radius = radius(h)});
    std::size_t every = 1;
    while (static_cast<float>(every) * pitch_ < 11) every *= 2;
    if (w % every == 0) {
      const std::string label = p_.width < 640 ? std::to_string(w + 1) : fmt::format("wavefront {}", w + 1);
      p_.text({banks_.left - 12, y + h / 2}, label, request_.extra[w] ? t.conflict : t.faint_text,
              std::clamp(pitch_, 9.0f, 11.5f), Face::regular, Align::right);
    }
    Id id{.what = Id::What::request, .step = in_.cursor.step, .warp = event().warp, .line = event().line};
    id.event = request_.event;
    p_.target({p_.margin, y, p_.width - 2 * p_.margin, pitch_}, id);
    // A wide access asks for several neighbouring words at once: one box over all of them.
    const int words = std::max(1, event().width / 4);
    for (const Wavefront::Served& s : request_.waves[w].served)
      if (static_cast<int>(s.word) % words == 0)
        served(s, banks_.box(s.bank, y, h, words), words, request_.extra[w]);
  }

  static float radius(float h) { return std::min(4.0f, h / 4); }

  void served(const Wavefront::Served& s, Box box, int words, bool extra) {
    const Theme& t = p_.theme;
    const int cell = cell_at(places_, std::int64_t{s.word} * 4);
    const int element = cell < 0 ? -1 : places_[static_cast<std::size_t>(cell)].element;
    Id id{.what = Id::What::lane,
          .step = in_.cursor.step,
          .warp = event().warp,
          .lane = std::countr_zero(s.lanes),
          .element = element};
    id.cell = cell;
    id.line = event().line;
    id.event = request_.event;
    p_.rect(box,
            {.fill = extra                        ? t.conflict
                     : std::popcount(s.lanes) > 1 ? t.broadcast
                                                  : t.now,
             .radius = radius(box.h)},
            id);
    const float room = std::min({11.5f, box.h - 1, banks_.pitch * 0.5f + 2});
    if (const float size = std::max(room, 9.0f); room >= 8.5f)
      p_.text({box.x + box.w / 2, box.y + box.h / 2}, box_text(s.lanes, event().warp * 32, size, box.w - 2),
              t.on_now, size, Face::bold, Align::centre);
    if (lit(s, id, words)) {
      p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
              {.stroke = t.text, .width = 2, .radius = std::min(5.0f, box.h / 3)});
      if (in_.cursor.hover.what != Id::What::bank) readout_ = describe(s, cell);
    }
    p_.target(box, id);
  }

  bool lit(const Wavefront::Served& s, const Id& id, int words) const {
    const Id& hover = in_.cursor.hover;
    switch (hover.what) {
      case Id::What::cell: return hover.cell >= id.cell && hover.cell <= last_cell(s);
      case Id::What::bank: return hover.lane / words == s.bank / words;
      case Id::What::node: return hover.element >= 0 && hover.element == id.element;
      default:
        return hover.lane >= 0 && hover.lane < 32 && hover.warp == event().warp &&
               ((s.lanes >> hover.lane) & 1u) != 0;
    }
  }

  // Two cells of 2 bytes share a word.
  int last_cell(const Wavefront::Served& s) const { return cell_at(places_, std::int64_t{s.word} * 4 + 3); }

  std::string name_of(int cell) const {
    const bool padding = cell < 0 || places_[static_cast<std::size_t>(cell)].element < 0;
    return padding ? "padding" : cell_name(shape_, places_[static_cast<std::size_t>(cell)]);
  }

  std::string describe(const Wavefront::Served& s, int cell) const {
    std::vector<int> threads;
    for (std::uint32_t m = s.lanes; m != 0; m &= m - 1)
      threads.push_back(event().warp * 32 + std::countr_zero(m));
    std::string names = name_of(cell);
    if (const int last = last_cell(s); last > cell) names += " and " + name_of(last);
    return fmt::format("{} {} · word {} · bank {} · {}", threads.size() == 1 ? "thread" : "threads",
                       ranges(threads), s.word, s.bank, names);
  }

  Painter p_;
  const ViewInput& in_;
  const Trace& trace_;
  const SharedShape& shape_;
  const BankColumns banks_;
  const Request request_;
  std::vector<CellPlace> places_;
  float first_ = 0, pitch_ = 0, gap_ = 0;  // of the rows
  std::string readout_;
};

}  // namespace

Scene draw_banks(const ViewInput& in) { return BanksPicture(in).draw(); }

}  // namespace upsweep
