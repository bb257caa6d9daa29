// Lanes x banks: the punchcard of one warp request. A row is a wavefront, a column a bank, a box names the
// lanes that this bank serves in this wavefront.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "scene/draw.hpp"
#include "scene/names.hpp"
#include "scene/paint.hpp"
#include "scene/request.hpp"

namespace upsweep {
namespace {

std::string heading(const Recording& recording, const Request& r) {
  const Trace& trace = recording.trace;
  const Event& e = trace.events[r.event];
  const std::string cost =
      r.cost.excess() > 0
          ? fmt::format("{} ({} excess)", counted(r.cost.wavefronts, "wavefront"), r.cost.excess())
          : fmt::format("{}, no conflict", counted(r.cost.wavefronts, "wavefront"));
  return fmt::format("warp {} · {} {} · 1 request → {} · line {} · request {} of {}", e.warp,
                     is_load(e.kind) ? "reads" : "writes", access_text(trace, e), cost, e.line, r.number,
                     r.of);
}

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

}  // namespace

Scene draw_banks(const ViewInput& in) {
  Painter p(in);
  const Theme& t = p.theme;
  const Trace& trace = in.recording.trace;
  const Request request = chosen_request(in.recording, in.cursor);
  if (!request) {
    p.title("Lanes × banks", "");
    p.sentence("No shared-memory request in this step: no bank is asked for anything.");
    return std::move(p.scene);
  }
  const Event& e = trace.events[request.event];
  const Id& hover = in.cursor.hover;
  const int rows = static_cast<int>(request.waves.size());
  const int words = std::max(1, e.width / 4);
  const BankColumns banks(p);
  const std::vector<Place> all = places(trace);

  std::string readout;
  p.top = p.height < 72 ? 4.0f : 40.0f;
  const float head = p.height >= 104 ? 18.0f : 0.0f;
  const float room = p.height - p.top - head - 6;
  const float pitch = std::clamp(room / static_cast<float>(rows), 3.0f, 29.0f);
  const float gap = pitch < 8 ? 1.0f : pitch < 16 ? 2.0f : 3.0f;
  const float size = std::min({11.5f, pitch - gap - 2, banks.pitch * 0.5f + 2});
  const Colour idle = mix(t.background, t.ghost_text, t.dark ? 0.16f : 0.24f);
  const float y0 = p.top + head;

  // The empty card is a picture of its own: one rectangle per cell where they are few, stripes where they are
  // small.
  for (int row = 0; row < rows; row++) {
    const float y = y0 + pitch * static_cast<float>(row), h = pitch - gap;
    const bool extra = request.extra[row];
    for (int bank = 0; bank < bank_count; bank++)
      p.rect(banks.box(bank, y, h), {.fill = idle, .radius = std::min(4.0f, h / 4)});
    const int every = pitch >= 11 ? 1 : pitch * 4 >= 11 ? 4 : 8;
    if (row % every == 0 || row == 0) {
      const std::string label =
          p.width < 640 ? std::to_string(row + 1) : fmt::format("wavefront {}", row + 1);
      p.text({banks.left - 12, y + h / 2}, label, extra ? t.conflict : t.faint_text,
             std::min(11.5f, std::max(9.0f, pitch)), Face::regular, Align::right);
    }
    Id whole{.what = Id::What::request,
             .step = in.cursor.step,
             .warp = e.warp,
             .line = e.line,
             .event = request.event};
    p.target({p.margin, y, p.width - 2 * p.margin, pitch}, whole);

    // A word of a wide access is one of several: its lanes get one box over all of them.
    for (const Wavefront::Served& s : request.waves[row].served) {
      if (static_cast<int>(s.word) % words != 0) continue;
      const bool broadcast = std::popcount(s.lanes) > 1;
      const Colour colour = extra ? t.conflict : broadcast ? t.broadcast : t.now;
      const Box box = banks.box(s.bank, y, h, words);
      const std::size_t cell = s.word / words;
      Id id{
          .what = Id::What::lane, .step = in.cursor.step, .warp = e.warp, .lane = std::countr_zero(s.lanes)};
      id.cell = static_cast<int>(cell);
      id.element = cell < all.size() ? all[cell].element : -1;
      id.line = e.line;
      id.event = request.event;
      p.rect(box, {.fill = colour, .radius = std::min(4.0f, h / 4)}, id);
      if (size >= 8.5f)
        p.text({box.x + box.w / 2, y + h / 2},
               box_text(s.lanes, e.warp * 32, std::max(size, 9.0f), box.w - 2), t.on_now,
               std::max(size, 9.0f), Face::bold, Align::centre);
      const bool lane_lit = hover.lane >= 0 && hover.warp == e.warp && ((s.lanes >> hover.lane) & 1u) != 0;
      const bool lit = hover.what == Id::What::cell ? hover.cell == id.cell : lane_lit;
      if (lit) {
        p.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
               {.stroke = t.text, .width = 2, .radius = std::min(5.0f, h / 3)});
        std::vector<int> threads;
        for (std::uint32_t m = s.lanes; m != 0; m &= m - 1)
          threads.push_back(e.warp * 32 + std::countr_zero(m));
        const std::string element = id.element < 0
                                        ? std::string("padding")
                                        : element_name(trace, all[cell].buffer, std::to_string(id.element));
        readout = fmt::format("{} {} · word {} · bank {} · {}", threads.size() == 1 ? "thread" : "threads",
                              ranges(threads), s.word, s.bank, element);
      }
      p.target(box, id);
    }
  }
  if (head > 0) {
    const float bank_size = banks.pitch < 16 ? 9.0f : 10.5f;
    p.text({banks.left - 12, p.top + 6}, "bank", t.ghost_text, bank_size, Face::regular, Align::right);
    for (int b = 0; b < bank_count; b += banks.number_every())
      p.text({banks.centre(b), p.top + 6}, std::to_string(b),
             request.words[b] > 1 ? t.conflict : t.faint_text, bank_size,
             request.words[b] > 1 ? Face::bold : Face::regular, Align::centre);
  }
  p.title("Lanes × banks", heading(in.recording, request), readout);
  return std::move(p.scene);
}

}  // namespace upsweep
