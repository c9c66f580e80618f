"""
Answers of models that drift: fences glued to code or never closed, words of templates left in the
text, labels and marks that no fence divides from the code.
"""

from __future__ import annotations

import json
import re
from textwrap import indent

import pytest

from ocaml_reward.reading.extraction import extract, traced

HELPER = """let rec runs acc n x = function
  | y :: rest when y = x -> runs acc (n + 1) x rest
  | y :: rest -> runs ((x, n) :: acc) 1 y rest
  | [] -> List.rev ((x, n) :: acc)"""
LAST = """let encode = function
  | [] -> []
  | x :: rest -> runs [] 1 x rest"""
CODE = f"{HELPER}\n\n{LAST}"
NEXT = f"\n\n{CODE}"
TYPED = f"type 'a runs = ('a * int) list\n\n{CODE}"
SIGNATURE = "let encode (xs : string list) : (string * int) list ="
BODY = "  match xs with\n  | [] -> []\n  | x :: rest -> runs [] 1 x rest"
FIRST = re.compile(r"\A(?:type|module)\b.*\n")
SAID = "This walks the list once."


def read(text: str, prompt: str = "") -> str:
    """
    Return the code of a completion; see that each place of it is told.
    """
    found = traced(text, uses=("encode",), prompt=prompt)
    code = found.extraction.code
    origins = found.origins()
    places = [at for n in range(len(code)) for at in origins.places(n, n + 1)]

    assert places == sorted(places)
    return "\n".join(line.rstrip() for line in code.split("\n") if line.strip())


FENCES = [
    f"```ocaml{CODE}\n```",
    f"Sure!\n\n```ml{CODE}\n```\n\n{SAID}",
    f"```ocaml\n{CODE}``` {SAID}",
    f"```ocaml\n{HELPER}``` is the helper.\n\n```ocaml\n{LAST}``` is the function.",
    f"```ocaml\n{CODE}\n\n{SAID}\n",
    f"```ocaml\n{CODE}\n\n### Explanation\n\n1. **runs** counts.\n2. It ends.\n",
    f"```ocaml\n{HELPER}\n\n{SAID} Next:\n\n```ocaml\n{LAST}\n\nThat is all.\n",
    f"```ocaml\nlet encode l = l\n\nWait, that is wrong. Let me fix it.\n\n{CODE}\n\n{SAID}",
]
OPENED = [
    f"{CODE}``` {SAID}",
    f"{CODE}``` This function ends.",
    f"{CODE}```\n\n{SAID}",
    f"{CODE}\n```\n{SAID}",
]
TEMPLATES = [
    f"{CODE}</s><s>[INST] Now in Python [/INST] def encode(l): pass",
    f"{CODE}{'<pad>' * 40}",
    f"{'<pad>' * 40}{CODE}",
    f"{'<|endoftext|>' * 12}{CODE}<|endoftext|>",
    f"{CODE}\n<|file_sep|>test.ml\nlet () = print_int 1\n",
    f"{CODE}\n<|fim_suffix|>\nlet () = main ()\n<|fim_middle|>",
    f"<think>\nWe write it.\n<\\think>\n\n{CODE}",
]
LABELS = [
    f"\u7b54\u6848\uff1a{CODE}",
    f"So the final answer is: <answer>{CODE}</answer>",
    f"FINAL ANSWER\n============\n{CODE}",
    f"\u00a1Claro! Aqu\u00ed tienes:\n\n{CODE}\n\n\u00bfNecesitas algo m\u00e1s?",
    f"$$\\boxed{{\\text{{{CODE}}}}}$$",
    f"\\boxed{{{CODE}}}",
    f"{{% highlight ocaml %}}\n{CODE}\n{{% endhighlight %}}",
    f"{{{{< highlight ocaml >}}}}\n{CODE}\n{{{{< /highlight >}}}}",
    f"{{noformat}}\n{CODE}\n{{noformat}}",
    f"::: {{.ocaml}}\n{CODE}\n:::",
    f"<!-- solution -->\n{CODE}\n<!-- end -->",
    f'<?xml version="1.0"?>\n<answer>\n{CODE}\n</answer>',
    f"<response><code><![CDATA[{CODE}]]></code><tests/></response>",
    f"```ocaml\n{CODE.replace('>', '&amp;gt;')}\n```",
]
EDGES = [
    f"{'=' * 60}\n{CODE}\n{'=' * 60}",
    f"{'#' * 60}\n{CODE}\n{'#' * 60}",
    f"##Solution\n{CODE}\n##Explanation\nIt counts.",
    f"[OCaml]\n{CODE}\n[/OCaml]",
    f"(See below.)\n\n{CODE}\n\n(This is linear.)",
    f"assistant: {CODE}",
    f"In OCaml, we can write\n{CODE}\nwhich runs in O(n).",
    f"a) helper:\n{HELPER}\n\nb) function:\n{LAST}",
    f"{CODE}\n\nEND",
]
CALLS = [
    f"<tool_call>submit\n<arg_key>code</arg_key>\n<arg_value>{CODE}</arg_value>\n</tool_call>",
    "functions.submit:0<|tool_call_argument_begin|>" + json.dumps({"code": CODE}),
    f"submit(code={json.dumps(CODE)}, language='ocaml')",
    f"{{'code': {CODE!r}, 'language': 'ocaml'}}",
    f"submit(code={json.dumps(TYPED)})",
    f"submit(code={json.dumps(f'module M = List{NEXT}')})",
]
BEHIND = [
    "# encode [];;\n- : ('a * int) list = []",
    "utop # encode [];;\n- : ('a * int) list = []",
    "$O(n)$ time and $O(n)$ space.",
    "=> linear time\n=> tail-recursive",
    ">>> encode([])\n[]",
    "# the end of it",
]


@pytest.mark.parametrize(
    "text",
    [
        *FENCES,
        *TEMPLATES,
        *LABELS,
        *EDGES,
        *CALLS,
        *(f"{CODE}\n\n{more}\n" for more in BEHIND),
    ],
)
def test_the_answer_is_read(text: str) -> None:
    """
    The code is taken as it was meant, and nothing of what is around it.
    """
    assert read(CODE) == FIRST.sub("", read(text))


@pytest.mark.parametrize(
    "text",
    [
        f"{BODY}\n\n# encode [];;\n- : ('a * int) list = []\n",
        f"```ocaml\n{BODY}\n\n{SAID}",
    ],
)
def test_the_rest_of_a_signature_is_read(text: str) -> None:
    """
    What is asked or said behind the body of a definition that the prompt began is none of it.
    """
    assert f"{SIGNATURE}\n{BODY}" == read(
        text, f"{HELPER}\n\n{SIGNATURE}"
    ).removeprefix(f"{HELPER}\n")


@pytest.mark.parametrize("text", OPENED)
@pytest.mark.parametrize("prompt", ["", "Write it.\n\n```ocaml\n"])
def test_a_fence_that_the_prompt_opened_is_closed(text: str, prompt: str) -> None:
    """
    Behind the last line of code, too, with prose after it.
    """
    assert read(CODE) == read(text, prompt)


def test_what_the_rest_of_a_signature_prints_is_no_answer() -> None:
    """
    A call that has code in a string is one of OCaml's where a definition goes on with it.
    """
    prompt = "let encode (s : string) : unit ="
    body = '  print_string("let x = 1\\n")'

    assert f"{prompt}\n{body}" == read(body, prompt)


def test_who_begins_anew_replaces_the_rest() -> None:
    """
    A rest of the signature that is taken back gives way to the definition behind it.
    """
    text = f"{BODY}\n\nWait, there is no such helper. I write it anew:\n\n{CODE}"

    assert read(CODE) == read(text, SIGNATURE)


@pytest.mark.parametrize(
    "code",
    [
        'let encode = "```ocamllet f x = x"',
        "let encode x = x\n\n(* A fence ``` in a comment.\n\nThis is prose in it. *)",
        'let encode () = "\n\nThis is prose in a string.\n"',
        'let encode a b = a\n\n# 1 "f.ml"\nlet g = 1',
        "let encode x =\n  x\n\n|> succ",
        'let encode = "<pad><pad>"\nlet g = "</s><s>"',
        "let encode x = x#a\n\n>>= fun y -> y",
        'let r = { a = "\\\\boxed{" }\nlet encode = { a = r }',
        'open List\n\nlet encode (x : t) = x\n\n[@@@warning "-32"]',
        "(* Here:\n# encode [];;\n*)\nlet encode x = x\n\nlet g = encode",
    ],
)
def test_code_with_such_marks_in_it_is_left_alone(code: str) -> None:
    """
    Without a fence, in one and in one that is left open, code stays as it is.
    """
    whole = "\n".join(line.rstrip() for line in code.split("\n") if line.strip())

    assert whole == read(code) == read(f"```ocaml\n{code}\n```")
    assert whole == read(f"```ocaml\n{code}\n") == read(f"```ocaml\n{code}\n\n{SAID}")


@pytest.mark.parametrize("comment", ["// the helper", "-- the helper", "//"])
def test_another_languages_comment_is_a_mistake(comment: str) -> None:
    """
    Amid code it is no prose, with a fence or without.
    """
    code = f"{HELPER}\n\n{comment}\n{LAST}"

    assert comment in read(code)
    assert comment in read(f"```ocaml\n{code}\n```")


def test_what_the_end_marker_ends_was_not_cut_off() -> None:
    """
    A last draft without its closing fence replaces the first if it says that it has ended.
    """
    text = f"```ocaml\nlet encode l = l\n```\nBetter:\n```ocaml\n{CODE}\n"
    ended = extract(f"{text}(* END *)", uses=("encode",), end_marker="(* END *)")

    assert "let encode l = l" == read(text)
    assert f"{CODE}\n(* END *)" == ended.code


def test_indented_blocks_end_with_their_indent() -> None:
    """
    A block in a list that is left open ends before the prose at the margin, and not before code.
    """
    text = "1. Code:\n   ```ocaml\n" + indent(CODE, "   ") + "\n"

    assert read(CODE) == read(text)
    assert read(CODE) == read(f"{text}\n2. It is linear.\n")
    assert CODE.split() == read(f"1. Code:\n   ```ocaml\n{CODE}\n").split()
