"""
Answers in forms of notebooks, other languages' raw strings, odd fences, and between marks on each
line; and programs that only look so.
"""

from __future__ import annotations

import json
from html import escape
from textwrap import indent

import pytest

from ocaml_reward.reading.extraction import traced

CODE = """let rec run x n = function
  | y :: rest when y = x -> run x (n + 1) rest
  | rest -> (n, rest)

let rec encode = function
  | [] -> []
  | x :: rest ->
    let n, rest = run x 1 rest in
    (x, n) :: encode rest"""
LINES = CODE.split("\n")
JSON_LINES = [json.dumps(f"{line}\n") for line in LINES]


def read(text: str) -> str:
    """
    Return the code of a completion; see that each place of it is told.
    """
    found = traced(text, uses=("encode",))
    code = found.extraction.code
    origins = found.origins()
    places = [at for n in range(len(code)) for at in origins.places(n, n + 1)]

    assert places == sorted(places)
    return "\n".join(line.rstrip() for line in code.strip().split("\n"))


def lines(form: str, *, blank: bool = True) -> str:
    """
    Write each line of the code in a form, or those alone that are not blank.
    """
    return "\n".join(
        form.format(line, n=n, escaped=escape(line)) if line or blank else ""
        for n, line in enumerate(LINES, 1)
    )


def fenced(inside: str, tag: str = "") -> str:
    return f"```{tag}\n{inside}\n```"


NOTEBOOKS = [
    fenced(f"%%writefile encode.ml\n{CODE}", "python"),
    fenced(f"%%writefile src/encode.ml\n{CODE}"),
    fenced(f"%%ocaml\n{CODE}", "python"),
    fenced(f"%%script ocaml\n{CODE}", "ipython"),
    fenced(f"%%bash\ncat > encode.ml <<'EOF'\n{CODE}\nEOF\nocaml encode.ml", "python"),
    "\n\n".join(
        fenced(cell, "python")
        for cell in ("!pip install k", f"%%writefile e.ml\n{CODE}", "!ocaml e.ml")
    ),
    json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["let us encode\n"]},
                {
                    "cell_type": "code",
                    "outputs": [{"output_type": "stream", "text": ["let no = 1\n"]}],
                    "source": [f"{line}\n" for line in LINES],
                },
            ]
        }
    ),
]
SHELLS = [
    fenced(
        "cat <<-EOF > encode.ml\n" + indent(CODE, "\t") + "\n\tEOF\nocaml encode.ml",
        "sh",
    ),
    fenced(
        f"cat > dune <<'EOF'\n(library (name a))\nEOF\ncat > a.ml <<'EOF'\n{CODE}\nEOF",
        "sh",
    ),
    fenced(f"code = <<~OCAML\n{indent(CODE, '  ')}\nOCAML\nputs code", "ruby"),
    fenced(f"$code = <<<'OCAML'\n{CODE}\nOCAML;", "php"),
    fenced(f"@'\n{CODE}\n'@ | Set-Content encode.ml", "powershell"),
    fenced(f"my $code = <<'END';\n{CODE}\nEND\nprint $code;", "perl"),
    json.dumps({"tool": "bash", "command": f"cat > a.ml <<'EOF'\n{CODE}\nEOF\nls"}),
]
STRINGS = [
    fenced(f'let code = r#"\n{CODE}\n"#;', "rust"),
    fenced(f'const char* code = R"(\n{CODE}\n)";', "cpp"),
    fenced(f'auto code = R"ml({CODE})ml";', "cpp"),
    fenced(f'let code = """\n{CODE}\n"""', "swift"),
    fenced("const code =\n  " + " +\n  ".join(JSON_LINES) + ";", "js"),
    fenced("const char *code =\n  " + "\n  ".join(JSON_LINES) + ";", "c"),
    json.dumps({"code": CODE.replace("\n", "\\n")}),
    CODE.replace("\n", "\\r\\n"),
]
NUMBERED = [
    lines("{n} {}"),
    lines("{n:2d} {}"),
    lines("{n} {}", blank=False).replace("\n\n", "\n4\n"),
    fenced(lines("{n} {}"), "ocaml"),
    fenced(lines("{n:03d} {}")),
    f"Here is the code:\n\n{lines('{n} {}')}\n\nIt runs in linear time.",
    fenced(lines("encode.ml:{n}:{}")),
    fenced(lines("{n}- {}")),
    fenced(lines("#{n} {}")),
    fenced(lines("{n}> {}")),
]
DRESSED = [
    lines("**{}**", blank=False),
    f"Here it is:\n\n{lines('**{}**', blank=False)}\n\nDone.",
    lines("**{}**  ", blank=False),
    lines("*{}*", blank=False),
    lines("**`{}`**", blank=False),
    f"**{CODE}**",
    f"+{'-' * 60}+\n{lines('| {:<58} |')}\n+{'-' * 60}+",
    fenced(lines("-- {}"), "sql"),
    fenced(lines(";; {}"), "lisp"),
    lines("__{}__", blank=False),
    lines("<b>{escaped}</b>", blank=False),
    lines("<p>{escaped}</p>"),
    f'<div class="code">\n{lines("<div>{escaped}</div>")}\n</div>',
    "\n".join(
        ("\u250c\u2500\u2510", lines("\u2502 {:<58} \u2502"), "\u2514\u2500\u2518")
    ),
    fenced(lines("\u2502 {}")),
    lines("    | {}"),
    fenced(lines("// {}")),
    fenced(lines("# {}"), "python"),
]
FENCES = [
    f"``ocaml\n{CODE}\n``",
    f"`ocaml\n{CODE}\n`",
    f"\u00b4\u00b4\u00b4ocaml\n{CODE}\n\u00b4\u00b4\u00b4",
    f"\u2018\u2018\u2018\n{CODE}\n\u2019\u2019\u2019",
    f"\\`\\`\\`ocaml\n{CODE}\n\\`\\`\\`",
    f"&#96;&#96;&#96;ocaml\n{CODE}\n&#96;&#96;&#96;",
    f"` ` `ocaml\n{CODE}\n` ` `",
    f"```ocaml\n{CODE}\n``",
    f"````ocaml\n{CODE}\n```\n\nIt is linear.",
    f"~~~ocaml\n{CODE}\n```\n\nIt is linear.",
]
TAGGED = [
    f"<write_to_file>\n<path>encode.ml</path>\n<content>\n{CODE}\n</content>\n"
    "<line_count>9</line_count>\n</write_to_file>",
    "<html><head><style>pre { color: red; }</style></head><body><pre>\n"
    f"{escape(CODE)}\n</pre></body></html>",
    "<pre><code>"
    + escape(CODE).replace("let", '<span class="k">let</span>')
    + "</code></pre>",
    f"{{{{{{\n#!ocaml\n{CODE}\n}}}}}}",
    f"{{[\n{CODE}\n]}}",
    f"{{@ocaml[\n{CODE}\n]}}",
    f"@code{{.ml}}\n{CODE}\n@endcode",
    f".nf\n{CODE}\n.fi\n",
    f"Q: Write encode.\nA: {CODE}",
    f"#!/usr/bin/env ocaml\n{CODE}",
    fenced(f"#!/usr/bin/env ocaml\n\n{CODE}", "ocaml"),
]


@pytest.mark.parametrize(
    "text",
    [*NOTEBOOKS, *SHELLS, *STRINGS, *NUMBERED, *DRESSED, *FENCES, *TAGGED],
)
def test_the_answer_is_read(text: str) -> None:
    """
    Code is taken out of what holds it, without the marks of its lines and what is around it.
    """
    assert CODE == read(text)


@pytest.mark.parametrize(
    "code",
    [
        'let encode = "\n**let x = 1**\n**let y = 2**\n"',
        "let encode x = x\n(*\n// let a = 1\n// let b = 2\n*)",
        "let encode = {|\n1 let x = 1\n2 let y = 2\n|}",
        'let encode = {|r#"\nlet x = 1\n"#|}\nlet g = 1',
        'let encode x = x#r\nlet f = R"a"',
        'let encode () = print_string "say \\"hi\\"\\n"',
        'let encode () = print_string "<span class=\\"k\\">let</span>"',
        "let encode x = x\n\n(** {[\nlet a = encode 1\n]} *)\nlet z = 2",
        "let encode l = [\n{ a = [\n1\n]}\n]",
        "let encode x =\n  (* ``ocaml\n  *)\n  x\n(*\n``\n*)",
        'let encode = function\n| "%%ocaml" -> 1\n| _ -> 2',
        "let encode x = x\nlet ( |> ) a f = f a\nlet ( ** ) a b = a * b",
        "let encode a b = a\n< b\nlet g = 1",
        'let encode = "\nfile.ml:1:let x\nfile.ml:2:let y\n"',
    ],
)
def test_code_with_such_marks_in_it_is_left_alone(code: str) -> None:
    """
    In a fence or without one, what only looks so is code, string or comment.
    """
    assert code == read(code) == read(f"```ocaml\n{code}\n```")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            f"- let us see\n- match it\n\n```ocaml\n{CODE}\n```\n\n- let x\n- type y",
            CODE,
        ),
        (f"{CODE}\n\n**let rec** is needed.\n**type** is not.", CODE),
        (
            "**let rec** is needed here.\n\n```ocaml\nlet encode x = x\n```\n**let** too",
            "let encode x = x",
        ),
        (f"{CODE}\n\n1 let rec, for recursion\n2 match, for cases", None),
        ("# let encode x = x;;\nval encode : 'a -> 'a = <fun>\n# encode 1;;\n", None),
    ],
)
def test_prose_with_such_marks_is_no_code(text: str, code: str | None) -> None:
    """
    What is said of code in a list, in bold or in a session does not become some.
    """
    found = read(text)

    assert code is None or code == found
    assert "is needed" not in found
    assert "encode 1" not in found


ASKED = [
    f"In [1]: {CODE}\n\nIn [2]: encode [1; 1]\nOut[2]: [(1, 2)]\n",
    f"In [1]:\n{CODE}\n\nIn [2]:\nencode [1; 1]\nOut[2]:\n[(1, 2)]\n\nIt works.",
    f"In [1]: {CODE}\nOut[1]: val encode : 'a list -> ('a * int) list = <fun>\n",
]
MERGED = [
    f"<<<<<<< HEAD\nlet encode l = l\n=======\n{CODE}\n>>>>>>> feature/rle\n",
    f"<<<<<<< Updated upstream\nlet a = 1\n=======\n{CODE}\n>>>>>>> Stashed changes\n",
    f"<<<<<<< ours\n||||||| base\nlet a = 1\n=======\n{CODE}\n>>>>>>> theirs\n",
    fenced(f"<<<<<<< HEAD\nlet a = 1\n=======\n{CODE}\n>>>>>>> 3f0c9d1", "ocaml"),
]
CALLED = [
    f"Thought: I write it.\nAction: write_file\nAction Input: {json.dumps({'content': CODE})}",
    f"submit({json.dumps({'language': 'ocaml', 'code': CODE})})",
]


@pytest.mark.parametrize("text", ASKED + MERGED + CALLED)
def test_what_stands_beside_the_code_goes(text: str) -> None:
    """
    What a notebook was asked and answered, the other side of a merge, the name of a tool.
    """
    assert read(text) == CODE


def test_a_table_in_a_comment_stays() -> None:
    """
    Cases look like rows, and a comment may hold a table.
    """
    code = f"(*\n| a | b |\n|---|---|\n| 1 | 2 |\n*)\n{CODE}"

    assert read(code) == code
