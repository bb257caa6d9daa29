// Tests handouts: the ids in their pictures, and the lines on which learners write.
#include "lessons/handout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "support/speaking.hpp"

namespace upsweep {
namespace handout_test {

constexpr const char* text =
    "---\ntitle: A lesson\nminutes: 5\n---\nText.\n\n"
    "```show\nscan_blelloch --n 64 --step up-sweep:2 --view tree,banks\n```\n"
    "```ask\nwavefronts --step up-sweep:4 --request 1\n```\n";

std::vector<HandoutPart> parts(bool answers = false) {
  Job job;
  return handout({read_lesson("lesson", text), {}, {}}, answers, job);
}

std::vector<std::string> found(const std::string& in, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator m(in.begin(), in.end(), regex), end; m != end; ++m) all.push_back((*m)[1]);
  return all;
}

// In an HTML document, an id must be unique. Otherwise, each reference leads to the first picture.
TEST(Handout, EachPictureHasItsOwnIds) {
  std::vector<HandoutPart> all = parts();
  Scene hatched{60, 40, {}, {}, {}};
  hatched.shapes.push_back({RectShape{{0, 0, 9, 9}, {}, {0, 114, 178}, 1, 0, true}, {}});
  for (int i = 0; i < 2; ++i) all.push_back({HandoutPart::Kind::picture, {}, hatched});
  const std::string html = handout_html(all, "en");
  std::set<std::string> ids;
  std::size_t pictures = 0;
  for (std::size_t begin = html.find("<svg"); begin != html.npos; begin = html.find("<svg", begin + 1)) {
    const std::string svg = html.substr(begin, html.find("</svg>", begin) - begin);
    const std::vector<std::string> own = found(svg, " id=\"([^\"]*)\"");
    for (const std::string& id : own) EXPECT_TRUE(ids.insert(id).second) << id;
    const std::vector<std::string> used = found(svg, "url\\(#([^)]*)\\)");
    EXPECT_GE(used.size(), 1u);
    for (const std::string& id : used) EXPECT_EQ(std::ranges::count(own, id), 1) << id;
    ++pictures;
  }
  EXPECT_EQ(pictures, 4u);
  EXPECT_EQ(ids.size(), found(html, " id=\"([^\"]*)\"").size());
  EXPECT_GE(ids.size(), 6u) << "four clip paths and two patterns";
}

// In every language, a handout without answers must have a line for the learner's name. A handout with
// answers must not have this line.
TEST(Handout, HasALineForTheName) {
  for (const TextLanguage language : {TextLanguage::english, TextLanguage::chinese}) {
    const Speaking speaking(language);
    SCOPED_TRACE(name(language));
    const std::string label = language == TextLanguage::chinese ? "姓名：" : "name:";
    std::vector<HandoutPart> all = parts();
    EXPECT_NE(handout_html(all, "en").find(label + "<span class=\"line\">"), std::string::npos);
    EXPECT_EQ(handout_html(parts(true), "en").find("<span class=\"line\">"), std::string::npos);
    const std::string with_line = handout_pdf(all);
    EXPECT_EQ(handout_pdf(all), with_line);
    const auto note = std::ranges::find(all, HandoutPart::Kind::note, &HandoutPart::kind);
    ASSERT_NE(note, all.end());
    EXPECT_TRUE(note->has_line);
    note->has_line = false;
    EXPECT_NE(handout_pdf(all), with_line);
  }
}

}  // namespace handout_test
}  // namespace upsweep
