"""
Answers in other markup than Markdown's fences, and fences of another form: each becomes what
Markdown has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .beginnings import CODE, FENCE_LINE, MARGIN
from .editing import Edit
from .prose import is_prose

__all__ = [
    "from_fences",
    "from_highlight",
    "from_markup",
    "from_prose",
    "from_script",
    "from_shell",
]

# Tags before code on a line, `<pre><code class="language-ocaml">let …`, and those behind it.
_TAG = r"<[A-Za-z][\w:.-]{0,40}(?:[ =][^<>\n]{0,200})?>[ \t]{0,10}"
_TAGS = re.compile(
    rf"^(?:[ \t]{{0,20}}|(?P<said>[A-Z][^\n<>=\"(]{{0,120}}[:.!?][ ]))(?:(?:{_TAG}){{1,5}}(?:<!\[CDATA\[)?|<!\[CDATA\[)\s{{0,20}}"
    rf"(?={CODE}|[`~]{{3}})",
    re.MULTILINE,
)
_CLOSING = re.compile(
    r"(?:\]\]>[ \t]{0,10}(?:</[A-Za-z][\w:.-]{0,40}>[ \t]{0,10}|<\w{1,40}[ ]?/>[ \t]{0,10}){0,5}"
    r"|(?:</[A-Za-z][\w:.-]{0,40}>[ \t]{0,10}){1,5})(?=\n|\Z)"
)
_ELEMENT = re.compile(rf"[ \t]{{0,20}}{_TAG}")
_BOXED = re.compile(
    rf"^[ \t]*\$*\\boxed\{{[ \t]*(?P<more>\\text\w{{0,4}}\{{)?[ \t]*(?:$|(?={CODE}))",
    re.MULTILINE,
)
_BOXED_END = re.compile(r"\}[ \t]*\$*[.]?\s*\Z")
_BOXED_TEXT_END = re.compile(r"\}\s{0,9}\}[ \t]*\$*[.]?\s*\Z")
# Quotation marks around all of an answer that are none of OCaml's; three of them may be left
# of a string that the prompt began.
_QUOTED = re.compile(rf"\A\s*+(?:['\u2018\u201c\u00ab]\s*|\*\*)(?={CODE})")
_QUOTED_END = re.compile(r"(?:['\u2019\u201d\u00bb]|\*\*)\s*\Z")
_LEFT_QUOTES = re.compile(r"^(?:\"{3}|'{3})\s*\Z", re.MULTILINE)
# Around code in the comments of a program, in a wiki and in a page of a manual.
_PAIRS = (
    (r"\{(?:@ocaml)?\[", r"\]\}"),
    (r"\{\{\{(?:[ \t]*\n)?(?:\#!(?:ocaml|ml))?", r"\}\}\}"),
    (r"[@\\]code(?:\{\.?\w{1,10}\})?", r"[@\\]endcode"),
    (r"\.(?:nf|EX)", r"\.(?:fi|EE)"),
)
_PAIRED = [
    re.compile(
        rf"^[ \t]*(?P<open>{begin})[ \t]*\n(?=\s{{0,20}}{CODE})"
        rf"|^[ \t]*(?P<close>{end})[ \t]*$",
        re.MULTILINE,
    )
    for begin, end in _PAIRS
]
_BOLD_FENCE = re.compile(
    r"^(\*{1,2})(?=(?:```|~~~)[\w-]{0,20}[ \t]*\*{1,2}[ \t]*$)|(?<=[`\w])\*{1,2}[ \t]*$",
    re.MULTILINE,
)
_BOLD = re.compile(r"^\*{1,2}(?:```|~~~)", re.MULTILINE)
_WIDE_FENCE = re.compile("^\uff40{3}", re.MULTILINE)
# A fence around all of an answer in Markdown.
_MARKDOWN = re.compile(
    r"\s*+(`{3,}|~{3,})[ \t]*(?:markdown|mdx?)[ \t]*\n", re.IGNORECASE
)
# The language, and what a web page has beside it, in the first lines of a block.
_NAMED = re.compile(
    r"(^[ \t]*(?:```|~~~)(?:ocaml|ml)?[ \t]*\n)"
    r"[ \t]*(?:(?:ocaml|copy(?:[ ]code)?)[ \t]*\n){1,2}",
    re.MULTILINE | re.IGNORECASE,
)
# What a cell of a notebook does with what is below.
_MAGIC = re.compile(
    rf"(?<=```)[^`\n]*\n[ \t]*%%(?!bash\b|sh\b)\w[^\n]*\n(?=\s{{0,20}}{CODE})",
)
# A keyword in the colours of a web page.
_COLOURED = re.compile(r"<span\b[^<>\n]{0,200}>(?:let|type|open|module)</span>")
_SPAN = re.compile(r"</?span\b[^<>\n]{0,200}>")
_SHELL = re.compile(
    r"^[ \t]*(?:\$[ ])?(?:cat[ ]+>>?|tee(?:[ ]+-a)?)[ ]*[^\s;|&<>]{1,100}\.ml[ ]*<<-?[ ]*['\"]?(\w{1,40})['\"]?[ \t]*\n"
    r"|^[ \t]*(?:\$[ ])?cat[ ]+<<-?[ ]*['\"]?(\w{1,40})['\"]?[ ]*>>?[ ]*[^\s;|&<>]{1,100}\.ml[ \t]*\n"
    rf"|^(?!{CODE})[^\n<]{{1,100}}<<[-~<]?[ ]?['\"]?([A-Z_]{{2,20}})['\"]?[;,)]{{0,3}}(?:[ ][^\n<]{{0,100}})?\n(?=\s{{0,20}}{CODE})",
    re.MULTILINE,
)
_SCRIPT = re.compile(
    rf"(?:\A\s{{0,20}}|^[ \t]*(?:```|~~~)(?:ocaml|ml)?[ \t]*\n)(\#!/[^\n]{{0,80}}\bocaml\b[^\n]{{0,80}}\n)(?=\s{{0,20}}{CODE})",
    re.MULTILINE,
)
_STRIPS = re.compile(r"<<[-~]")
_INSET = re.compile(r"[ \t]*")
_INDENTED = re.compile(rf"^((?:[ ]{{2,12}}|\t{{1,3}})){CODE}", re.MULTILINE)
_LABEL = re.compile(
    r"^(?:\#{1,6}[ ]+|\*{1,2})?(?:(?:[A-Z]|answer|assistant|solution)[^\n=;|(`]{0,80}:\*{0,2}[ ]{1,4}"
    r"|[^\x00-\x7f][^\n=;|(`]{0,80}[:\uff1a]\*{0,2}[ ]{0,4})(?=(?:let|type|open|module)[ ][^\n]*=)",
    re.MULTILINE,
)
_INLINE = re.compile(r"`((?:let|type|module|open)\b[^`]*)`")
_MOST = 200


def from_markup(text: str) -> list[Edit]:
    """
    Find what drops the tags around code, and what begins and ends a box or a quotation.
    """
    edits: list[Edit] = []
    # Searches at each line's beginning cost more than to see that there is no such sign.
    opens = _TAGS.finditer(text) if "<" in text else ()
    if tags := [
        Edit(max(found.span("said")[1], found.start()), found.end(), "\n")
        for found in opens
    ]:
        begun = {edit.stop for edit in tags}
        ends = [
            Edit(*found.span(), "\n")
            for found in _CLOSING.finditer(text, tags[0].stop)
            if not _is_element(text, found, begun)
        ]
        edits += sorted([*tags, *ends])
    elif paired := _paired(text):
        edits = paired
    elif "\\boxed" in text and (boxed := _BOXED.search(text)):
        closing = _BOXED_TEXT_END if boxed["more"] else _BOXED_END
        if end := closing.search(text, boxed.end()):
            edits = [Edit(*boxed.span()), Edit(*end.span())]
    elif opened := _QUOTED.match(text):
        alone = text.count("**") == 2 or not opened[0].endswith("**")
        if alone and (closed := _QUOTED_END.search(text, opened.end())):
            edits = [Edit(*opened.span()), Edit(*closed.span())]
    elif (
        text.rstrip().endswith(('"""', "'''"))
        and (left := _LEFT_QUOTES.search(text))
        and text.count(left[0].rstrip()) == 1
    ):
        edits = [Edit(*left.span())]
    return edits


def _paired(text: str) -> list[Edit]:
    """
    Find the first pair of marks around code, as fences.
    """
    for pair in _PAIRED:
        marks = pair.finditer(text)
        opened = next((each for each in marks if each["open"]), None)
        if opened is None or MARGIN.search(text, 0, opened.start()):
            continue
        closed = next((each for each in marks if each["close"]), None)
        ends = [Edit(*closed.span(), "```")] if closed else []
        return [Edit(*opened.span(), "```ocaml\n"), *ends]
    return []


def _is_element(text: str, closing: re.Match[str], begun: set[int]) -> bool:
    """
    Tell whether a closing tag ends what its own line begins, and that is no code.
    """
    start = text.rfind("\n", 0, closing.start()) + 1
    opened = _ELEMENT.match(text, start, closing.start())
    return opened is not None and opened.end() not in begun


def from_highlight(text: str) -> list[Edit]:
    """
    Find what drops the colours of words in a web page.
    """
    if "<span" not in text or MARGIN.search(text) or not _COLOURED.search(text):
        return []
    return [Edit(*found.span()) for found in _SPAN.finditer(text)]


def from_fences(text: str) -> list[Edit]:
    """
    Find what makes plain fences of bold and of wide ones, opens a fence around a whole answer,
    and drops a block's first line if that is its language.
    """
    if not ("```" in text or "~~~" in text or "\uff40" in text):
        return []
    if around := _MARKDOWN.match(text):
        inside = text[around.end() :]
        bare = inside.rstrip()
        if FENCE_LINE.search(inside):
            closes = bare.endswith(f"\n{around[1]}")
            stop = around.end() + len(bare) - len(around[1])
            end = [Edit(stop, stop + len(around[1]))] if closes else []
            return [Edit(0, around.end()), *end]
    if _BOLD.search(text):
        return [Edit(*found.span()) for found in _BOLD_FENCE.finditer(text)]
    if "\uff40" in text and not FENCE_LINE.search(text):
        return [Edit(*found.span(), "```") for found in _WIDE_FENCE.finditer(text)]
    magic = [Edit(*found.span(), "ocaml\n") for found in _MAGIC.finditer(text)]
    named = [Edit(found.end(1), found.end()) for found in _NAMED.finditer(text)]
    return sorted(magic + named)


def from_script(text: str) -> list[Edit]:
    """
    Find what drops the line with which a script names what runs it: ocamlc knows none.
    """
    if "#!/" not in text:
        return []
    return [Edit(*found.span(1)) for found in _SCRIPT.finditer(text)]


def from_shell(text: str) -> list[Edit]:
    """
    Find what makes blocks of the OCaml that a shell writes to files, where no code stands
    before it.
    """
    edits: list[Edit] = []
    if "<<" not in text:
        return edits
    place = 0
    while found := _SHELL.search(text, place):
        if len(edits) > _MOST or (not place and MARGIN.search(text[: found.start()])):
            return []
        fences = len(FENCE_LINE.findall(text, place, found.start()))
        word = found[1] or found[2] or found[3]
        closing = re.compile(rf"^[ \t]*{re.escape(word)}(?!\w)", re.MULTILINE)
        closed = closing.search(text, found.end())
        # Blanks at the lines' beginnings are none of the text then.
        margin = _INSET.match(text, found.end()) if _STRIPS.search(found[0]) else None
        indent = margin[0] if margin else ""
        within = bool(fences % 2) or bool(edits and edits[-1].new.endswith("bash\n"))
        new = f"```\n{indent}```ocaml\n" if within else f"{indent}```ocaml\n"
        edits.append(Edit(*found.span(), new))
        if closed is None:
            break
        place = closed.end()
        edits.append(Edit(closed.start(), place, "```\n```bash\n" if within else "```"))
    return edits


def from_prose(text: str) -> list[Edit]:
    """
    Find what makes blocks of code that is indented among prose, as Markdown has it, or stands
    between single backticks; nothing where there is a fence, or code at the margin.
    """
    if FENCE_LINE.search(text):
        return []
    labelled, margin = _LABEL.search(text), MARGIN.search(text)
    if labelled and not (margin and margin.start() < labelled.start()):
        return [Edit(*labelled.span())]
    if margin:
        return []
    if _INDENTED.search(text) and (edits := list(_indented(text))):
        return edits
    if "`" not in text:
        return []
    spans = [found for found in _INLINE.finditer(text) if "=" in found[1]]
    edits = []
    for found in spans[:_MOST]:
        edits.append(Edit(found.start(), found.start(1), "\n```ocaml\n"))
        edits.append(Edit(found.end(1), found.end(), "\n```\n"))
    return edits


def _indented(text: str) -> Iterator[Edit]:
    """
    Yield the fences around indented code; none if a line at the margin is no prose, or if there
    is none.
    """
    found: list[tuple[int, int, str]] = []
    start, margin, stop = -1, "", 0
    said = False
    place = 0
    before = ""
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[place:end]
        if start >= 0 and line.startswith(margin):
            stop = end if line.strip() else stop
        elif line.strip():
            if start >= 0:
                found.append((start, stop, margin))
                start = -1
            if begins := _INDENTED.match(text, place, end):
                start, margin, stop = place, begins[1], end
            elif line[0].isspace() or not is_prose(line, before):
                return
            else:
                said = True
        before = line
        place = end + 1
    if start >= 0:
        found.append((start, stop, margin))
    if not said or len(found) > _MOST:
        return
    for start, stop, margin in found:
        yield Edit(start, start, f"{margin}```ocaml\n")
        yield Edit(stop, stop, f"\n{margin}```")
