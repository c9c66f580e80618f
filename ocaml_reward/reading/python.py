"""Recognises Python, which models write when they are asked for another language.

The label of a block does not tell: OCaml stands in blocks labelled `python`, and Python in blocks
with another label, or none.  An answer may break off, so that it need not parse;
formats/python_code.py parses tests, which are whole.
"""

from __future__ import annotations

import re

# At the start of a line none of these begins OCaml, whose classes have names in lower case.
# (the-crypt-keeper/can-ai-code greedy-hf_tiiuae-falcon-11B-fp16:4)
# (the-crypt-keeper/can-ai-code topk1_ajibawa-2023-Python-Code-33B:20)
_HEADER = re.compile(
    r"^(?:(?:async )?def [a-zA-Z_]\w*+\(|class [A-Z]\w*+[(:]|from [a-z][\w.]*+ import "
    r"|import [a-z][\w.]*+(?: as \w++)?[ \t]*+$)",
    re.MULTILINE,
)
# (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw3_buggy_code_33_answer_4)
_OCAML = re.compile(r"^(?:let|type|module|exception|external|open|val)[ \t\n!]", re.MULTILINE)


def is_python(text: str) -> bool:
    """Return whether a text has definitions of Python, and none of OCaml.
    (the-crypt-keeper/can-ai-code greedy-hf_bigcode-starcoder2-15b-instruct-v0.1-fp16:4)
    """
    return bool(_HEADER.search(text)) and not _OCAML.search(text)
