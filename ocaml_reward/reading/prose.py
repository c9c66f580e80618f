"""
Prose told from code, a line at a time.

A word in capitals that two others follow is a sentence: in OCaml a constructor takes one
argument, and a module is named with what is taken from it.
"""

from __future__ import annotations

import re

__all__ = ["is_english", "is_prose", "is_sentence"]

# No line needs more of it to be known; bounds the work on long ones.
_MOST = 400
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
# OCaml has these in comments and strings only, which are blanked before.
_ENGLISH = frozenset(
    (
        *("an", "are", "be", "been", "but", "can", "cannot", "could", "does", "had"),
        *("has", "have", "here", "i'm", "it's", "its", "must", "my", "our", "please"),
        *("should", "sorry", "than", "that", "the", "their", "there", "these", "they"),
        *("this", "those", "was", "we", "were", "what", "which", "will", "would"),
        *("you", "your"),
    )
)
_CODE_SIGN = re.compile(r"[=|;_\[\]{}@^+&~<>\\]|->|::")
_CODE_WORD = re.compile(
    r"\s*(?:let|match|function|fun|type|open|module|if|then|else|begin|end|in|with"
    r"|try|raise|assert|for|while|exception)\b"
    r"|\s*(?:and|val|external|class|method)\s[^.!?]*[=:]"
)
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")
_KEYWORD = (
    r"(?:and|as|asr|assert|begin|class|constraint|do|done|downto|else|end|exception"
    r"|external|for|fun|function|functor|if|in|include|inherit|initializer|land|lazy|let"
    r"|lor|lsl|lsr|lxor|match|method|mod|module|mutable|new|nonrec|object|of|open|or"
    r"|private|rec|sig|struct|then|to|try|type|val|virtual|when|while|with)"
)
# Also with the marks of other languages of Europe.
_SMALL = r"a-z\u00df-\u00f6\u00f8-\u017f'\u2019"
_PLAIN = rf"[*_`]{{0,3}}(?!{_KEYWORD}\b)[{_SMALL}]+[*_`]{{0,3}}[,;:.!?]?(?=\s|$)"
# What goes on behind no constructor and its argument.
_OTHERS = r"(?:of|to|for|if|let|match|type|open|try|while|fun|function|val|new)"
_SENTENCE = re.compile(
    r"(?:[-*>\u2022]{1,3}[ ]+|\d{1,3}[.)][ ]+|\#{1,6}[ ]+)?[*_`]{0,3}"
    rf"[A-Z\u00c0-\u00de][A-Z{_SMALL}]*[*_`]{{0,3}}[,:!]?"
    rf"(?:[ ]+{_PLAIN}[ ]+(?:{_PLAIN}|{_OTHERS}[ ]+[\w`$])|[ ]+\d{{1,3}}[.:)](?=\s|$)"
    r"|(?:[ ][a-z]{2,20}){1,3}:(?=[ ])"
    r"|(?=.*[a-z\u00df-\u017f`)*][.:!?]{1,3}[*_]{0,2}[ \u2000-\U0010ffff]*$))"
)
_ITEM = re.compile(r"(?:[-*\u2022]|\d{1,3}[.)]|[a-z]\)(?![ ]let\b))[ ]+\S")
# What else stands around code and is none: tags, LaTeX, a fence's language without its fence,
# who speaks next, a rule across the page, and what begins with a picture.
_LAYOUT = re.compile(
    r"(?:</?[a-z][\w-]*(?:[ ][\w-]+=(?:\"[^\"]*\"|[ ]{2,200}))*>)+[ ]*$|\\[a-z]|`{1,2}[ ]*$"
    r"|</?(?:p|h[1-6]|ul|ol|li|b|strong|div|span|section)>|<[!?][-\w]|[.][.][ ]\w|\#\+\w"
    r"|</?[a-zA-Z][^\n]*>[ ]*$|\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*[ ,:.]"
    r"|(?:ocaml|OCaml|assistant|END|EOF)[ ]*$|(?:-{3,200}|={3,200}|\*{3,200}|\#{3,200}|\+[-=+]{3,200}\+)[ ]*$"
    r"|\[/?(?:code|src|source|answer|solution|ocaml|OCaml)(?:[=,]\w{1,20})?\][ ]*$"
    r"|https?://|\[\^?[\w -]{1,40}\]:[ ]|\[/?[A-Z]{3,20}\][ ]*$|\{(?:code|noformat)(?::\w{1,20})?\}[ ]*$|[a-z_]{1,40}:[ ][|>]-?[ ]*$"
    r"|(?:-{2,20}|={2,20}|\#{2,20})[ ]?[A-Za-z][A-Za-z ]{0,60}(?:-{2,20}|={2,20}|\#{2,20})[ ]*$"
    r"|(?:BEGIN|END|START)[ _][A-Z]{3,20}[ ]*$"
    r"|(?:Human|User|Assistant|Answer|Output|Note):(?=\s)"
    r"|[\u2010-\u2bff\U0001f000-\U0001faff\u00a1\u00ab\u00bb\u00bf]"
    r"|\{%[^\n]*%\}[ ]*$|\{\{[<%][^\n]*[>%]\}\}[ ]*$|:{3,9}(?:[ ]?[\w{][^\n]*)?$|<[a-z]+_[a-z]+>[\w.]{0,60}[ ]*$"
    r"|`[^`\n]{1,80}`[ ,.:;][^\n]*[a-z]|\#[ ]%%|%%\w|\$[ ]\w|let[ ](?:me|us)\b(?!.*=)|=>[ ][A-Z][a-z]+[ ][a-z]"
)
# A file's name, also where a comment of another language has it, and what is about to be shown.
_ABOVE = re.compile(
    r"(?:(?://|\#|--|;;?)[ ]?)?(?:[Ff]ile(?:name)?:?[ ])?[\w./-]{1,80}\.mli?:?[ ]*$"
    r"|(?://|\#|--|;;?)[ ]?[Ff]ile(?:name)?:?[ ][\w./-]{1,80}[ ]*$"
    rf"|(?!{_KEYWORD}(?![\w']))[a-z][\w' ]{{0,60}}:[ ]*$|[A-Z]\w{{0,30}}:(?=\s)(?!.*->)"
    r"|[A-Z][a-z]{1,20}(?:[ ][a-z]{1,20}){0,4},[ ]*$|[A-Z]{3,20}(?:[ ][A-Z]{3,20}){1,5}:?[ ]*$"
)
# What no definition goes on with behind a blank line: a formula, a heading; a line directive is
# code, what is asked of a toplevel is known as such, and another language's comment is a mistake.
_SIGNED = re.compile(r"\$\S|=>[ ]|>{1,3}[ ]|\#[ ](?!\d|.*;;[ ]*$)")
# An item of OCaml ends with no full stop, not even one of keywords.
_ENDED = re.compile(
    rf"(?:[{_SMALL}]+[,;:]?[ ]+){{2,60}}(?:[{_SMALL}]+|[A-Z]\([^()]{{1,30}}\))[.!?]$"
    r"|\([A-Z][^()]{0,200}[a-z][.!?]\)[ ]*$"
)
_HEADING = re.compile(r"\#{1,6}[ ]+[A-Z]|\#{2,6}[ ]*\w|\*\*[\w./].*\*\*:?[ ]*$")


def is_sentence(line: str) -> bool:
    """
    Tell a line of prose that no program has at its margin, comments and literals apart.
    """
    line = line[:_MOST]
    if ("->" in line and not line.startswith("<!--")) or ";;" in line:
        return False
    return any(known.match(line) for known in (_SENTENCE, _HEADING, _LAYOUT, _ENDED))


def is_prose(line: str, before: str) -> bool:
    """
    Tell a line of prose at the margin, knowing the one before it: what does not look like
    the beginning of a sentence is none in the middle of code.
    """
    if line[:1].isspace() or not line:
        return False
    if is_sentence(line):
        return True
    # Where an expression has ended, no operator begins a line.
    if before.strip():
        return False
    line = line[:_MOST]
    known = (_ITEM, _ABOVE, _SIGNED)
    return any(each.match(line) for each in known) or is_english(line)


def is_english(line: str) -> bool:
    """
    Tell a line that reads as English, or as a language of another script.
    """
    if len(_FOREIGN.findall(line)) > 1:
        return True
    if _CODE_WORD.match(line) or len(_CODE_SIGN.findall(line)) > 1:
        return False
    words = _WORD.findall(line.lower())
    return len(words) > 2 and any(word in _ENGLISH for word in words)
