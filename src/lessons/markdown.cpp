#include "lessons/markdown.hpp"

#include <cmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/language.hpp"
#include "base/nearest.hpp"
#include "lessons/split.hpp"

namespace upsweep {
namespace {

struct FreeNode {
  void operator()(cmark_node* n) const { cmark_node_free(n); }
};
struct FreeIterator {
  void operator()(cmark_iter* i) const { cmark_iter_free(i); }
};

constexpr std::string_view blocks[] = {"show", "ask", "order"};
// A fenced block with the name of one of these languages contains code, which the lesson only shows.
constexpr std::string_view languages[] = {"", "text", "cpp", "c", "cuda", "bash", "sh"};

// Collects the parts of a Markdown document. markdown_parts() calls visit() for each node.
class Collector {
 public:
  Collector(std::string_view text, int first_line, std::vector<Mistake>& mistakes)
      : lines_(cut_at(text, '\n')), first_(first_line), mistakes_(mistakes) {}

  void visit(cmark_node* node, bool enters) {
    switch (cmark_node_get_type(node)) {
      case CMARK_NODE_PARAGRAPH:
        if (enters) begin(node, {});
        else end();
        break;
      case CMARK_NODE_HEADING:
        if (enters) begin(node, {.kind = LessonText::Kind::heading});
        else end();
        break;
      case CMARK_NODE_LIST:
        if (enters)
          lists_.push_back(
              {cmark_node_get_list_type(node) == CMARK_ORDERED_LIST, cmark_node_get_list_start(node)});
        else lists_.pop_back();
        if (enters && lists_.size() == 2)
          complain(node,
                   tr("A lesson cannot contain a list inside a list: the panel of lessons is too narrow."));
        break;
      case CMARK_NODE_ITEM:
        if (enters) begins_item_ = true;
        break;
      case CMARK_NODE_CODE_BLOCK: code_block(node); break;
      case CMARK_NODE_THEMATIC_BREAK:
        parts.push_back({.kind = MarkdownPart::Kind::rule, .line = line_of(node)});
        break;
      case CMARK_NODE_HTML_BLOCK:
      case CMARK_NODE_HTML_INLINE:
        if (!std::string_view(cmark_node_get_literal(node)).starts_with("<!--"))
          complain(node, tr("A lesson cannot contain HTML: write plain text, and write angle brackets as "
                            "code, such as `<T>`."));
        break;
      case CMARK_NODE_IMAGE:
        if (enters)
          complain(node,
                   tr("A lesson cannot show pictures from files: write a block `show`, which shows a run."));
        break;
      case CMARK_NODE_EMPH:
      case CMARK_NODE_STRONG: bold_ += enters ? 1 : -1; break;
      case CMARK_NODE_TEXT: add(cmark_node_get_literal(node), bold_ > 0 ? Face::bold : Face::regular); break;
      case CMARK_NODE_CODE: add(cmark_node_get_literal(node), Face::mono); break;
      case CMARK_NODE_SOFTBREAK:
      case CMARK_NODE_LINEBREAK: add(" ", Face::regular); break;
      default: break;  // documents, quotes and links contain no text directly
    }
  }

  std::vector<MarkdownPart> parts;

 private:
  struct List {
    bool is_numbered = false;
    int next = 1;
  };

  // A node inside a paragraph has the line of its parent.
  int line_of(cmark_node* node) const {
    while (node && cmark_node_get_start_line(node) == 0) node = cmark_node_parent(node);
    return first_ - 1 + (node ? std::max(1, cmark_node_get_start_line(node)) : 1);
  }
  void complain(cmark_node* node, std::string text) { mistakes_.push_back({line_of(node), std::move(text)}); }

  // Returns whether a fenced block of code has its closing fence. An indented block needs no fence, so the
  // result is true.
  bool has_end(cmark_node* node) const {
    const auto line = [&](int number) {
      const auto index = static_cast<std::size_t>(number) - 1;
      return index < lines_.size() ? stripped(lines_[index]) : std::string_view();
    };
    const int first = cmark_node_get_start_line(node), last = cmark_node_get_end_line(node);
    for (const std::string_view fence : {"```", "~~~"})
      if (line(first).find(fence) != std::string_view::npos)
        return last > first && line(last).find(fence) != std::string_view::npos;
    return true;
  }

  void begin(cmark_node* node, LessonText text) {
    if (begins_item_ && !lists_.empty()) {
      text.kind = LessonText::Kind::item;
      if (lists_.back().is_numbered) text.number = lists_.back().next++;
    }
    begins_item_ = false;
    parts.push_back({.line = line_of(node), .text = std::move(text)});
    glued_.clear();
  }

  // Ends a paragraph: splits its text into runs, each with one typeface. Other code joins the runs with
  // spaces. So a piece of text without a space before it, such as a full stop after code, becomes part of the
  // previous run.
  void end() {
    std::vector<TextRun>& runs = parts.back().text.runs;
    for (const Piece& p : glued_) append_run(runs, p.text, p.face);
    glued_.clear();
    if (runs.empty()) parts.pop_back();
  }

  void add(const char* text, Face face) {
    if (!text) return;
    if (!glued_.empty() && glued_.back().face == face) glued_.back().text += text;
    else glued_.push_back({text, face});
  }

  void code_block(cmark_node* node) {
    begins_item_ = false;
    if (!has_end(node))
      complain(node, tr("This block has no end: add a line that contains only ``` after its last line."));
    const std::string info = cmark_node_get_fence_info(node);
    const std::string name = info.substr(0, info.find_first_of(" \t"));
    const char* literal = cmark_node_get_literal(node);
    std::string content = literal ? literal : "";
    if (std::ranges::find(blocks, name) != std::end(blocks)) {
      if (name != info)
        complain(node, tr("The first line of the block `{}` can contain only its name: write the options on "
                          "the next lines.",
                          name));
      parts.push_back({.kind = MarkdownPart::Kind::fence,
                       .line = line_of(node),
                       .fence = name,
                       .content = std::move(content)});
      return;
    }
    if (std::ranges::find(languages, name) == std::end(languages)) {
      complain(node,
               tr("\"{}\" is not the name of a block{}. After ```, write show, ask or order. If the block "
                  "contains code, write cpp or nothing after ```.",
                  name, guess(name, blocks)));
      if (guess(name, blocks).find(blocks[0]) != std::string::npos)
        parts.push_back({.kind = MarkdownPart::Kind::fence, .line = line_of(node)});
      return;
    }
    LessonText text{.kind = LessonText::Kind::code};
    for (std::size_t from = 0; from < content.size();) {
      const std::size_t to = std::min(content.find('\n', from), content.size());
      text.runs.push_back({content.substr(from, to - from), Face::mono});
      from = to + 1;
    }
    if (!text.runs.empty()) parts.push_back({.line = line_of(node), .text = std::move(text)});
  }

  const std::vector<std::string_view> lines_;
  const int first_;
  std::vector<Mistake>& mistakes_;
  std::vector<List> lists_;
  bool begins_item_ = false;
  int bold_ = 0;
  struct Piece {
    std::string text;
    Face face;
  };
  std::vector<Piece> glued_;
};

}  // namespace

std::vector<MarkdownPart> markdown_parts(std::string_view text, int first_line,
                                         std::vector<Mistake>& mistakes) {
  const std::unique_ptr<cmark_node, FreeNode> document(
      cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT));
  const std::unique_ptr<cmark_iter, FreeIterator> walk(cmark_iter_new(document.get()));
  Collector collector(text, first_line, mistakes);
  for (cmark_event_type event = cmark_iter_next(walk.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(walk.get()))
    collector.visit(cmark_iter_get_node(walk.get()), event == CMARK_EVENT_ENTER);
  return std::move(collector.parts);
}

}  // namespace upsweep
