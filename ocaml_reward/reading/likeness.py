"""
Whether a text is OCaml, told without a parser: how a block of another language is known, and
a fragment of OCaml.

Nothing here says that a text compiles.  What OCaml's grammar never has is looked for, and what
it always has in pairs.
"""

from __future__ import annotations

import re

from .lexing import Source
from .outline import opens_structure

__all__ = ["is_foreign", "is_whole"]

# Every repetition is bounded or stands between line ends: the search is linear.
_FOREIGN = re.compile(
    r"""\\|=>|===|!==|\$\d            # lambdas, arrows and comparisons of others
    |\)[ \t]*\{[ \t]*$                # a body in braces
    |\}[ \t]*else\b
    |\bfunction\b[ \t]*(?:\w+[ \t]*)?\([^()\n]{0,200}\)[ \t]*\{
    |\{[ \t]*\(                       # a closure's parameters within its braces
    |\{[ \t]*\w+(?:[ \t]*,[ \t]*\w+){0,9}[ \t]+in\b
    |\blet[ \t]+mut[ \t]+\w
    |\blet\b[^=\n]{0,200}=[ \t]*\|
    |\blet[ \t]+[a-z][\w']*[ \t]+::[ \t]*[A-Z(\[]
    |^let\b[^\n]*[^;\n];[ \t]*(?:\n+(?=\S)|\Z)
    |^[a-z_][\w']*[ \t]*::            # a signature, as Haskell writes it
    |^(?!(?:and|class|constraint|done|else|end|exception|external|if|in|include|inherit
        |initializer|let|method|module|open|then|type|val|when|with)\b)
      [a-z_][^\n=<>!:;]*=(?![=>]) # an equation that no keyword opens
    |^module[ \t]+[^\n=]*\bwhere\b
    |^[ \t]*(?:class[ \t]+\w+(?:\([^()\n]{0,200}\))?|(?:def|elif|for|if|while)\b[^\n]*):[ \t]*$
    |^[ \t]*(?:pub[ \t]+)?(?:def|fn|func)[ \t]+[\w.]+(?:<[^>\n]{0,80}>)?\(
    |\bfor[ \t]+\w+[ \t]+in\b
    |^[ \t]*(?:const|var)[ \t]+[\w{\[][^=\n]*=(?!=)
    |^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+[\w{*"]
    """,
    re.MULTILINE | re.VERBOSE,
)
_TOKEN = re.compile(
    r"(?<![\w'.~?])(?:begin|object|sig|struct|end|do|done|if|then|match|try|with|while|for|val)"
    r"(?![\w'])|[()\[\]{}]"
)
_CLOSES = {
    ")": ("(",),
    "]": ("[",),
    "}": ("{",),
    "end": ("begin", "object", "sig", "struct"),
    "done": ("do",),
}
_OPENERS = frozenset(opener for openers in _CLOSES.values() for opener in openers)
_OPEN_END = re.compile(
    r"(?:[=|,(\[{+*/^@<&:-]|->|(?<![\w'])(?:and|do|else|fun|function|if|in|let|match|of"
    r"|open|rec|then|try|type|when|with))$"
)
# An operator that waits for something, and the word that comes instead.
_HOLE = re.compile(
    r"[=<>+*/^@&,(\[{-](\s+)(?:do|done|else|end|in|of|then|with)(?![\w'])"
)
# What a toplevel or a writer in a hurry puts between definitions.
_NO_SOURCE = re.compile(r"\.\.\.|\u2026|^#[ \t]|^- :", re.MULTILINE)
_END = "\nend"


def is_foreign(source: Source) -> bool:
    """
    Tell whether a text is of another language than OCaml, or of one that is close to it.
    """
    return not opens_structure(source.without_literals) or bool(
        _FOREIGN.search(source.without_literals)
    )


def is_whole(source: Source) -> bool:
    """
    Tell whether a text is a row of definitions with a beginning and an end, which other
    code may stand before and behind.
    """
    blank = source.without_literals
    if not opens_structure(blank) or _OPEN_END.search(
        source.without_comments.rstrip()[-20:]
    ):
        return False
    # A comment or a string that never ends takes in whatever comes behind it.
    if not Source(source.text + _END).without_literals.endswith(_END):
        return False
    # A literal is no hole, though it is blank.
    holes = (found.span(1) for found in _HOLE.finditer(blank))
    if any(source.without_comments[start:end].isspace() for start, end in holes):
        return False
    return not _NO_SOURCE.search(blank) and _is_paired(blank)


def _is_paired(blank: str) -> bool:
    """
    Tell whether brackets close, and words that ask for another one have it or stand in it.
    """
    frames: list[str] = []
    counts = dict.fromkeys(("if", "then", "match", "with", "while", "do"), 0)
    for word in _TOKEN.findall(blank):
        if word == "val" and not frames:
            # An interface, or what a toplevel answers.
            return False
        if word in _CLOSES and (not frames or frames.pop() not in _CLOSES[word]):
            return False
        if word in _OPENERS:
            frames.append(word)
        kind = {"try": "match", "for": "while"}.get(word, word)
        if kind in counts:
            counts[kind] += 1
    return (
        not frames
        and counts["if"] == counts["then"]
        and counts["match"] <= counts["with"]
        and counts["while"] == counts["do"]
    )
