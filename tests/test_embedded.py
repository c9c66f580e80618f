"""
Answers in strings of other languages, with a mark on each line, in a dialogue, or between a
template's words; and programs that only look so.
"""

from __future__ import annotations

from textwrap import indent

import pytest

from ocaml_reward.reading.extraction import traced

CODE = "let rec sum l =\n  match l with\n  | [] -> 0\n  | x :: rest -> x + sum rest"
LINES = CODE.split("\n")
SHORT = "let sum l =\n  List.fold_left (+) 0 l"
NAMED = "let sum l = List.fold_left (+) 0 l"


def read(text: str) -> str:
    """
    Return the code of a completion; see that each place of it is told.
    """
    found = traced(text, uses=("sum",))
    code = found.extraction.code
    origins = found.origins()
    places = [at for n in range(len(code)) for at in origins.places(n, n + 1)]

    assert places == sorted(places)
    return code.strip()


def lines(form: str) -> str:
    """
    Write each line of the code in a form, with its number if that asks for it.
    """
    return "\n".join(form.format(line, n=n) for n, line in enumerate(LINES, 1))


STRINGS = [
    f"```python\ncode = '''\n{CODE}\n'''\nprint(code)\n```",
    f'```python\ndef solution():\n    return """\n{CODE}\n"""\n```',
    f'code = """\n{CODE}\n"""\n',
    f"submit(code='''{CODE}''')",
    f"```py\nsource = r'''\n{CODE}\n'''\n```",
    f"```python\ncode = '''\n{CODE}",
    f'```toml\n[solution]\ncode = """\n{CODE}\n"""\n```',
    f"```js\nconst code = `\n{CODE}\n`;\n```",
    f"```python\ncode = dedent('''\\\n{indent(CODE, '    ')}\n''')\n```",
    f"language: ocaml\ncode: |\n{indent(CODE, '  ')}\nnotes: none\n",
    f"a.ml: |\n{indent(CODE, '  ')}\n",
    f"1. Save:\n\n   ```python\n   code = '''\n{indent(CODE, '   ')}\n   '''\n   ```\n",
    f"```yaml\nanswer:\n  code: |-\n{indent(CODE, '    ')}\n```",
    f"Here it is:\n\nfiles:\n  - path: dune\n    content: |\n      (executable (name a))\n"
    f"  - path: a.ml\n    content: |\n{indent(CODE, '      ')}\n",
    f"```bash\nocaml <<'EOF'\n{CODE}\nEOF\n```",
    f"```bash\ntee a.ml <<EOF\n{CODE}\nEOF\n```",
    CODE.replace("\n", "\\n"),
    "```ocaml\\n" + CODE.replace("\n", "\\n") + "\\n```",
    CODE.replace("\n", "\r"),
    f"Here:\r\r```ocaml\r{CODE}\r```\r".replace("\n", "\r"),
]
MARKED = [
    lines("`{}`"),
    f"Here it is:\n\n{lines('`{}`')}\n\nIt is recursive.",
    lines("- `{}`"),
    lines("{n}. `{}`"),
    lines("``{}``"),
    f"| Line | Code |\n|---|---|\n{lines('| {n} | `{}` |')}",
    lines("L{n}: {}"),
    lines("Line {n}: {}"),
    f"```\n{lines('[{n}] {}')}\n```",
    f"```\n{lines('({n}) {}')}\n```",
    lines("{n:6d}\u2192{}"),
    f"```ocaml\n{lines('+{}')}\n```",
    "\n".join(LINES[:1] + [f"<br>\n{line}" for line in LINES[1:]]).replace(
        "\n<br>", "<br>"
    ),
    f"In [1]: {LINES[0]}\n" + "".join(f"   ...: {line}\n" for line in LINES[1:]),
    f"--- /dev/null\n+++ b/a.ml\n@@ -0,0 +1,4 @@\n{lines('+{}')}",
    f"```diff\ndiff --git a/a.ml b/a.ml\nnew file mode 100644\n--- /dev/null\n"
    f"+++ b/a.ml\n@@ -0,0 +1,4 @@\n{lines('+{}')}\n```",
    f"*** Begin Patch\n*** Add File: a.ml\n{lines('+{}')}\n*** End Patch",
    f"a.ml\n<<<<<<< SEARCH\nlet sum l =\n=======\n{CODE}\n>>>>>>> REPLACE\n",
    f"'{CODE}'",
    f"\u00ab\n{CODE}\n\u00bb",
    f'{CODE}\n"""\n',
    f"```{CODE}```",
]
AROUND = [
    f"{CODE}\n\nlet me know if it helps!",
    f"**lib/a.ml**\n\n{CODE}\n\n**dune**\n\n(library (name a))\n",
    f"OCaml\n{CODE}\n",
    f"%%writefile a.ml\n{CODE}\n",
    f"a.ml:\n\n{CODE}",
    f"// file: a.ml\n{CODE}\n\n// file: dune\n(library (name a))\n",
    f"ocaml code:\n{CODE}",
    f"let's start:\n\n{CODE}",
    f"{CODE}\n\nTime complexity: O(n)\nSpace complexity: O(n)",
    f"{CODE}\n\n=> This returns the sum.",
    f"## a.ml\n\n{CODE}\n\n## dune\n\n(executable (name a))\n",
    f'<file path="a.ml">\n{CODE}\n</file>\n<file path="dune">\n(executable)\n</file>',
    f"{CODE}\n\n[END]",
    f"{CODE}<pad><pad>",
    f"<fim_prefix>{CODE}<fim_suffix><fim_middle>",
    f"[/INST] {CODE} ",
    f"<|start_header_id|>assistant<|end_header_id|>\n\n{CODE}<|eot_id|>",
    f"<start_of_turn>model\n{CODE}<end_of_turn>\n<eos>",
    f"### Response: {CODE}\n\n### Instruction: next",
    f"```ocaml\n{CODE}\n```\n\nHuman: Now 1.\n\nAssistant:\n```ocaml\nlet sum l = 1\n```",
    f"{CODE}\n<|user|>\nand 2\n<|assistant|>\nlet sum l = 2\n",
]


@pytest.mark.parametrize("text", [*STRINGS, *MARKED, *AROUND])
def test_the_answer_is_read(text: str) -> None:
    """
    Code is taken out of what holds it, without the marks of its lines and what is around it.
    """
    assert CODE == read(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"Answer: {NAMED}", NAMED),
        (f"Here is the code: {NAMED}", NAMED),
        (f"{{'code': '{NAMED}'}}", NAMED),
        (f"```bash\necho '{NAMED}' > a.ml\n```", NAMED),
        (f'```bash\necho "{NAMED}" > a.ml\n```', NAMED),
        ("```python\nx = 'let sum l =\\n  List.fold_left (+) 0 l\\n'\n```", SHORT),
        ("```python\nx = ['let sum l =',\n  '  List.fold_left (+) 0 l']\n```", SHORT),
        (
            '```python\nx = ("let sum l =\\n"\n  "  List.fold_left (+) 0 l\\n")\n```',
            SHORT,
        ),
        ('code: "let sum l =\\n  List.fold_left (+) 0 l\\n"\n', SHORT),
        (
            "```python\nx = '''\nlet sum l =\n  print_string \"\\\\n\"; 0\n'''\n```",
            'let sum l =\n  print_string "\\n"; 0',
        ),
        (
            "```python\nx = '''\nlet sum l =\n  print_string \"\\n\"; 0\n'''\n```",
            'let sum l =\n  print_string "\\n"; 0',
        ),
        (
            "# let sum l = sun l;;\nError: Unbound value sun\n# let sum l = 1;;\n"
            "val sum : 'a -> int = <fun>\n",
            "let sum l = 1;;",
        ),
        (f"{NAMED}\n\nUsage:\nsum [1; 2];;\n- : int = 3\n", NAMED),
    ],
)
def test_what_a_string_or_a_session_says_is_read(text: str, code: str) -> None:
    """
    Escapes mean what their language has them mean; what was refused or asked is left out.
    """
    assert code == read(text)


@pytest.mark.parametrize(
    "code",
    [
        'let sum = "\n1| a\n2| b"',
        'let sum = "abc\\\ndef"',
        'let sum () = print_string "a\\nb" (* \\n *)',
        "let sum x = x (* User: me *)\n(*\nHuman: no\n*)\nlet g = 1",
        "let sum x = {|\nUser: hello\n|} ^ x\nlet h = 2",
        "type r = {\nkey: string;\nother:\n  int;\n}\nlet sum r = r.key",
        "module type S = sig\nval f :\n  int -> int\nend\nlet sum x = x",
        'let sum x = "yaml: |\n  let g = 1\n" ^ x',
        "let sum x =\n  (* yaml: |\n       let g = 1 *)\n  x",
        "let sum c = c = '\"' || c = '`'\nlet g = '('",
        'let sum () = ["let x = 1"; "let y = 2"]',
        'let sum x = `A ("let y = 1")',
        'let sum = "\n<<<<<<< HEAD\n=======\n>>>>>>> A\n"',
        'let sum = "\n*** Update File: x\n+a\n"',
        "let sum = {|*** Begin Patch\n*** Add File: a\n|}",
        "let sum x = g << h\nlet k = 1",
        "let me x = x\nlet us =\n  1\nlet sum x = us",
        "let sum x =\nfoo.ml\n",
        "let sum x =\n(1)\n+ x",
        'let sum x = x\nlet g = "a\rb"',
    ],
)
@pytest.mark.parametrize("form", ["{}", "```ocaml\n{}\n```", "So:\n```\n{}\n```\nOK."])
def test_code_that_only_looks_so_is_left_alone(code: str, form: str) -> None:
    """
    What stands in OCaml's own strings and comments is its own.
    """
    assert code.strip() == read(form.replace("{}", code))


def test_another_turn_still_counts_for_what_is_around() -> None:
    """
    A completion that goes on as both sides of a dialogue has not ended with its answer.
    """
    text = f"{CODE}\n(* END *)\n\nUser: more\n\nlet sum l = 1\n"
    found = traced(text, uses=("sum",), end_marker="(* END *)").extraction

    assert f"{CODE}\n(* END *)" == found.code.strip()
    assert (True, False) == (found.end_marker_present, found.ends_with_marker)
