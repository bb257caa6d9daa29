#!/usr/bin/env python3
"""Finds the texts that the program shows, and keeps assets/languages/zh.po up to date.

  texts.py update             adds missing texts to zh.po with an empty translation, and removes unused ones
  texts.py check              lists the texts that are missing, empty or unused, or have other placeholders {} than the English text
  texts.py write FILE         checks, and writes the translations as C++ (the build uses this command)

A text is the first argument of tr(), tr_noop() or noun_noop(), the second argument of counted(), a line of words/messages.inc, or a
field of a kernel: the title, Idea, Watch, Mends, Gives or the name of a step. The build runs this script, so the script needs only Python.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
po_file = root / "assets/languages/zh.po"

token = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\d[\w.']*|\s+|.""", re.S)
escapes = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'", "0": "\0"}


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: escapes[m.group(1)], text)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


nothing = "\u200b"  # the translation of a text that vanishes in Chinese


class Texts:
    """The texts in the order in which they are found: (context, English) -> [places in the sources]."""

    def __init__(self):
        self.found = {}
        self.wrong = []  # sentences about calls whose text this script cannot find

    def add(self, context, english, place):
        has_words = re.search("[A-Za-z]", re.sub(r"\{[^{}]*\}", "", english)) is not None
        if not has_words and "{" in english and "{0}" not in english:
            return  # the text has only placeholders and signs, in a fixed order
        self.found.setdefault((context, english), []).append(place)


def literals_at(tokens, i):
    """Returns the string literals that begin at token i, joined, and the index of the token after them."""
    parts = []
    while i < len(tokens) and tokens[i][0].startswith('"'):
        parts.append(unescaped(tokens[i][0][1:-1]))
        i += 1
    return "".join(parts), i


def second_argument(tokens, i):
    """Returns the index of the token after the first comma of the call whose arguments begin at token i."""
    depth = 0
    for k in range(i, len(tokens)):
        t = tokens[k][0]
        if t in "([{":
            depth += 1
        elif t in ")]}":
            depth -= 1
            if depth < 0:
                return None
        elif t == "," and depth == 0:
            return k + 1
    return None


def hides_literal(tokens, i):
    """Returns whether the argument that begins at token i has a literal of its own, as in tr(one ? "lane" : "lanes")."""
    depth = 0
    for k in range(i, len(tokens)):
        t = tokens[k][0]
        if t in "([{":
            depth += 1
        elif t in ")]}":
            depth -= 1
        if depth < 0 or (t == "," and depth == 0):
            return False
        if depth == 0 and t.startswith('"'):
            return True
    return False


def read_cpp(path, texts):
    source = path.read_text()
    tokens, line = [], 1
    for m in token.finditer(source):
        t = m.group(0)
        if not t.isspace() and not t.startswith(("//", "/*")):
            tokens.append((t, line))
        line += t.count("\n")
    name = path.relative_to(root).as_posix()
    for i in range(len(tokens) - 2):
        word, number = tokens[i]
        if tokens[i + 1][0] != "(":
            continue
        at, context = i + 2, ""
        if word == "noun_noop":
            context = "count"
        elif word == "counted":
            at, context = second_argument(tokens, i + 2), "count"
        elif word in ("UPSWEEP_TEXT", "UPSWEEP_PHRASE"):
            at = second_argument(tokens, i + 2)
        elif word == "tr_verb":
            at = second_argument(tokens, i + 2)
            if at is not None and tokens[at][0].startswith('"'):
                english, after = literals_at(tokens, at)
                texts.add("", english, f"{name}:{number}")
                at = after + 1
        elif word not in ("tr", "tr_noop"):
            continue
        while at is not None and at < len(tokens) and tokens[at][0].startswith('"'):
            english, after = literals_at(tokens, at)
            if english:
                texts.add(context, english, f"{name}:{number}")
            break
        else:
            if at is not None and at < len(tokens) and hides_literal(tokens, at):
                texts.wrong.append(f"{name}:{number}: the text of {word}() must begin with a literal: "
                                   "write tr() or noun_noop() around each literal")


def read_kernel(path, texts):
    """Reads the comment at the beginning of a kernel's file as words/kernel_comment.cpp does."""
    name = path.relative_to(root).as_posix()
    fields, open_field = {}, None
    for number, line in enumerate(path.read_text().split("\n")):
        if not line.startswith("//"):
            break
        plain = line[2:].replace("`", "")
        text = plain.lstrip(" ")
        if number == 0:
            fields["title"] = text
        elif plain.startswith("   "):
            if open_field:
                fields[open_field] += " " + text
        else:
            field, _, rest = text.partition(" ")
            open_field = field if field in ("Idea", "Watch", "Mends", "Gives") else None
            if open_field:
                fields[open_field] = rest.lstrip(" ")
    for field, text in fields.items():
        texts.add("", text, f"{name}: {field}")
    for phase in re.findall(r'step\((?:Phase::|")(\w+)', path.read_text()):
        texts.add("", phase.replace("_", "-"), f"{name}: step")


def all_texts():
    texts = Texts()
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".cpp", ".hpp", ".inc"):
            read_cpp(path, texts)
    for path in [*sorted((root / "kernels").glob("*.cuh")), *sorted((root / "shaders").glob("scan_*.frag"))]:
        read_kernel(path, texts)
    return texts


def read_po():
    """Returns {(context, English): Chinese}."""
    entries, entry, field = {}, {}, None
    for line in (po_file.read_text().split("\n") if po_file.exists() else []) + [""]:
        if line.startswith("#") or not line.strip():
            if "msgid" in entry:
                entries[entry.get("msgctxt", ""), entry["msgid"]] = entry.get("msgstr", "")
            if not line.startswith("#"):
                entry = {}
            continue
        word, _, rest = line.partition(" ")
        if line.startswith('"'):
            entry[field] += unescaped(line[1:-1])
        else:
            field = word
            entry[field] = unescaped(rest[1:-1])
    entries.pop(("", ""), None)
    return entries


header = """# The texts of Upsweep in Chinese. scripts/texts.py update adds new texts and removes unused ones.
# docs/chinese.md lists the terms.
msgid ""
msgstr ""
"Language: zh_CN\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def write_po(found, entries):
    out = [header]
    for (context, english), places in found.items():
        out.append(f"#: {places[0].split(':')[0]}")
        if context:
            out.append(f"msgctxt {quoted(context)}")
        out.append(f"msgid {quoted(english)}")
        out.append(f"msgstr {quoted(entries.get((context, english), ''))}\n")
    po_file.write_text("\n".join(out))


def places_of(text):
    """Returns the placeholders {} of a text, sorted. A placeholder has a number or a name, and a format."""
    text = text.replace("{{", "").replace("}}", "")
    places, count = [], 0
    for inside in re.findall(r"\{([^{}]*)\}", text):
        name, _, how = inside.partition(":")
        if name == "":
            name, count = str(count), count + 1
        places.append((name.split("?")[0], how if name.isdigit() else ""))
    return sorted(set(places))


def mixes_places(text):
    """Returns whether a text has both {} and {0}: fmt accepts only one of the two in one text."""
    names = [inside.partition(":")[0] for inside in re.findall(r"\{([^{}]*)\}", text.replace("{{", "").replace("}}", ""))]
    return "" in names and any(n.isdigit() for n in names)


def mistakes(texts, entries):
    found = texts.found
    yield from texts.wrong
    for key, places in found.items():
        chinese = entries.get(key, "")
        for text in (key[1], chinese):
            if mixes_places(text):
                yield f"{places[0]}: {quoted(text)} has places {{}} with and without numbers: number all of them or none"
        if not chinese:
            yield f"{places[0]}: no translation of {quoted(key[1])}"
        elif places_of(key[1]) != places_of(chinese):
            yield f"{places[0]}: the translation of {quoted(key[1])} has other places {{}}"
    for key in entries:
        if key not in found:
            yield f"assets/languages/zh.po: no source uses {quoted(key[1])}"


def write_cpp(path, entries):
    rows = ""
    for (context, english), chinese in sorted(entries.items()):
        before = f'"{context}\\4" ' if context else ""
        rows += f"    {{{before}{quoted(english)}, {quoted(chinese.replace(nothing, ''))}}},\n"
    text = f"""#include "base/translation.hpp"
namespace upsweep {{
static constexpr Translation all[] = {{
    {{"", ""}},
{rows}}};
std::span<const Translation> translations() {{ return all; }}
}}
"""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main():
    texts, entries = all_texts(), read_po()
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "update":
        write_po(texts.found, entries)
        return 0
    if command not in ("check", "write"):
        print(__doc__)
        return 2
    wrong = list(mistakes(texts, entries))
    for each in wrong[:20]:
        print(each, file=sys.stderr)
    if len(wrong) > 20:
        print(f"and {len(wrong) - 20} more", file=sys.stderr)
    if command == "write" and not wrong:
        write_cpp(pathlib.Path(sys.argv[2]), entries)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
