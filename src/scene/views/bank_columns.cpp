#include "scene/views/bank_columns.hpp"

#include <cmath>

namespace upsweep {

BankColumns::BankColumns(const Painter& p) {
  left = p.margin + (p.width < 640 ? 64.0f : p.width < 1000 ? 80.0f : 96.0f);
  end_at(p.width - p.margin);
}

void BankColumns::end_at(float right) {
  pitch = (right - left) / bank_count;
  if (pitch > 12) pitch = std::floor(pitch * 2) / 2;  // crisp edges where they cost little
  gap = pitch < 14 ? 1.0f : pitch < 24 ? 2.0f : 3.0f;
}

void bank_numbers(Painter& p, const BankColumns& banks, const SharedRequest& request, const Id& hover) {
  const Theme& t = p.theme;
  const float size = banks.pitch < 16 ? 9.0f : 10.5f, y = p.top + 6;
  const int every = banks.pitch < 9 ? 4 : banks.pitch < 15 ? 2 : 1;
  p.text({banks.left - 12, y}, "bank", t.ghost_text, size, Face::regular, Align::right);
  for (int bank = 0; bank < bank_count; bank++) {
    const bool conflict = request.words[bank] > 1;
    const bool lit = hover == Id(BankId{bank});
    if (lit) p.rect(banks.box(bank, y - 8, 16), {.stroke = t.text, .width = 1, .radius = 3});
    if (bank % every == 0)
      p.text({banks.centre(bank), y}, std::to_string(bank),
             conflict ? t.conflict
             : lit    ? t.text
                      : t.faint_text,
             size, conflict || lit ? Face::bold : Face::regular, Align::centre);
    p.target({banks.x(bank), y - 8, banks.pitch, 16}, BankId{bank});
  }
}

}  // namespace upsweep
