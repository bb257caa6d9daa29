#include "catalogue/choice.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/language.hpp"
#include "catalogue/predicate.hpp"
#include "catalogue/result.hpp"

namespace upsweep {

bool Option::allows(const Settings& s) const {
  const auto has = [](const auto& list, auto x) {
    return list.empty() || std::find(list.begin(), list.end(), x) != list.end();
  };
  return has(types, s.type) && has(operators, s.op);
}

bool Choice::is_number() const {
  return !options.empty() && std::isdigit(static_cast<unsigned char>(options[0].name[0]));
}

std::string Choice::shown(const std::string& option) const {
  return typed == Typed::layout ? option : spaced(option);
}

const Option* Choice::option(std::string_view wanted) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == wanted; });
  return found == options.end() ? nullptr : &*found;
}

std::span<const Choice> common_choices() {
  static const std::vector<Choice> all = [] {
    Choice layout{"layout", {}, tr_noop("padding"), tr_noop("Element i lies in cell ")};
    layout.typed = Choice::Typed::layout;
    layout.typed_note = tr_noop("or a formula in i: the cell of element i");
    layout.example = "i + (i >> 5)";
    for (const std::string_view name : layout_names)
      layout.options.push_back(
          {std::string(name),
           {},
           {},
           layout_formula(name) + (name == "pad16"       ? tr_noop(" · for 16 banks")
                                   : name == "pad_macro" ? tr_noop(" · a mistake: the padding is always 0")
                                                         : ""),
           name == "pad32"});
    const Choice pattern{"load_pattern",
                         {{"halves", {}, {}, tr_noop("t and t + half of n"), false},
                          {"neighbours", {}, {}, tr_noop("2t and 2t + 1"), false}},
                         tr_noop("load"),
                         tr_noop("The two elements that a thread loads")};
    Choice capacity{"capacity",
                    {{std::to_string(usual_capacity), {}, {}, {}, false},
                     {"1000", {}, {}, {}, false},
                     {"0", {}, {}, {}, false}},
                    tr_noop("capacity"),
                    tr_noop("The total length that the requests may have: ")};
    capacity.typed = Choice::Typed::number;
    capacity.typed_note = tr_noop("or a whole number: the largest total length");
    capacity.example = std::to_string(usual_capacity);
    return std::vector{layout, pattern, predicate_choice(), capacity};
  }();
  return all;
}

std::string layout_formula(std::string_view layout) {
  if (layout == "none") return "i";
  if (layout == "pad32") return "i + (i >> 5)";
  if (layout == "pad16") return "i + (i >> 4)";
  if (layout == "pad32x2") return "i + (i >> 5) + (i >> 10)";
  // A macro that many programs have copied: (n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS). Its result is
  // always 0, because + binds tighter than >>.
  if (layout == "pad_macro") return "i + ((i) >> 16 + (i) >> (2 * 4))";
  return std::string(layout);
}

std::string_view typed_words(Choice::Typed typed) {
  switch (typed) {
    case Choice::Typed::nothing: return "";
    case Choice::Typed::layout: return tr("a formula in i");
    case Choice::Typed::predicate: return tr("a formula in x");
    case Choice::Typed::number: return tr("a whole number");
  }
  return {};
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace upsweep
