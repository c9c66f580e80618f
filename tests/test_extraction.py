"""From what a model wrote to the OCaml in it."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import Extraction, How, extract

MARKER = "(* END *)"
CODE = "let f x = x"


def take(
    text: str,
    *,
    uses: tuple[str, ...] = ("f",),
    files: tuple[str, ...] = (),
    prompt: str = "",
) -> Extraction:
    """Extract as the default scheme does, for tests that call `f`."""
    return extract(text, uses=uses, files=files, prompt=prompt, end_marker=MARKER)


F_IN_A = "module A = struct let f x = x end"


@pytest.mark.parametrize(
    "text",
    [
        f"```ocaml\n{CODE}\n```",
        f"```ml\n{CODE}\n```\nIt works.",
        f"```OCaml\n{CODE}\n```",
        f"Sure!\n\n```\n{CODE}\n```",
        f"``` ocaml \n{CODE}\n```  ",
        f"```{{.ocaml .numberLines}}\n{CODE}\n```",
        f'```ocaml title="f.ml"\n{CODE}\n```',
        f"~~~ocaml\n{CODE}\n~~~",
        f"````ocaml\n{CODE}\n````",
        f"Here: ```ocaml\n{CODE}\n```",
        f"1. First\n\n   ```ocaml\n   {CODE}\n   ```\n",
        f"\t```ocaml\n\t{CODE}\n\t```\n",
        f"```ocaml\n{CODE}",
        f"```ocaml\n{CODE}```",
        f"```ocaml {CODE}```",
        f"```{CODE}```",
        f"The answer is ```ocaml {CODE}```, as asked.",
        f"```ocaml {CODE}\n```",
        f"\ufeff```ocaml\r\n{CODE}\r\n```\r\n",
    ],
)
def test_fences_as_models_write_them(text: str) -> None:
    """Every way to fence a block gives the code inside, exactly."""
    extraction = take(text)

    assert CODE == extraction.code
    assert How.FENCE is extraction.how


@pytest.mark.parametrize("text", [CODE, f"\n{CODE}\n", f"\ufeff{CODE}\r\n"])
def test_without_a_fence_the_whole_text_is_code(text: str) -> None:
    """Plain text is taken as it is, its line ends and byte order mark normalised."""
    extraction = take(text)

    assert text.strip("\ufeff\r\n") == extraction.code.strip()
    assert "\r" not in extraction.code
    assert How.WHOLE is extraction.how


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("let h = 1", CODE, CODE),
        (CODE, "let f x = x + 1", "let f x = x + 1"),
        ("let f y =\n  y", "let f y = y (* the same *)", "let f y =\n  y"),
        ("let h = 1", "let long_name = 123", "let long_name = 123"),
        ("(* let f x = 0 *) let g = 1", CODE, CODE),
        ('let s = "let f x = 0"', CODE, CODE),
        ("val f : int -> int", CODE, CODE),
        ("let s = {q|let f x = 0|q}", CODE, CODE),
        ("let g y = let f x = y in f y", CODE, CODE),
        ("let q = '\"' let g = 1", CODE, CODE),
    ],
)
def test_the_block_that_defines_what_the_tests_use_is_taken(
    first: str, second: str, expected: str
) -> None:
    """The block that defines a used name is taken, the last one that says something new, and the
    longest where none does; comments, literals and local definitions define nothing.
    """
    text = f"Draft:\n```ocaml\n{first}\n```\nFinal:\n```ocaml\n{second}\n```\n"

    assert expected == take(text).code


SUM = "let rec f = function\n  | [] -> 0\n  | [x] -> x\n  | x :: rest -> x + f rest"
PIPE = "let f l =\n  l\n  |> List.map succ\n  |> List.rev"
HALF = "let n = read_int ()\nlet () = print_int (n / 2)"


@pytest.mark.parametrize(
    ("drafts", "last"),
    [
        (["let f x = x / 2", "let f x = x"], 1),
        (["let f x = x * 2 + 1", "let f x = x * 2"], 1),
        (["let f x =\n  x / 2", "let f x =\n  x"], 1),
        (["let f x = x", "let f x = x + 1", "let f x = x"], 2),
        (["let g = 1\nlet f x = x + g", "let f x = x"], 1),
        (["type t = A | B\nlet f x = A", "type t = A\nlet f x = A"], 1),
        ([PIPE, PIPE.rpartition("\n")[0]], 1),
        ([SUM, SUM.replace(" + f rest", "")], 1),
        ([SUM, SUM[:36], SUM[:50]], 0),
        ([PIPE, "let f l =\n  l\n  |>"], 0),
        (["let f x =\n  let g = x in\n  g", "let f x =\n  let g = x"], 0),
        (["let f x =\n  ignore x;\n  let y = 1 in y", "let f x =\n  ignore x;"], 0),
        (["let f x =\n  if x then 1\n  else 2", "let f x =\n  if x then 1"], 0),
    ],
)
def test_the_last_draft_counts_even_if_an_earlier_one_contains_it(
    drafts: list[str], last: int
) -> None:
    """A block that defines the same again is another draft, unless it is a quotation: its lines
    begin the earlier definition, and break it off.
    """
    text = "\nSimpler:\n".join(f"```ocaml\n{each}\n```" for each in drafts)

    assert drafts[last] == take(text).code


@pytest.mark.parametrize(
    ("second", "counts"),
    [
        ("let () = print_int (read_int ())", True),
        (HALF.partition("(")[0] + "n", False),
        (HALF.replace(" / 2", ""), True),
        ("let () = print_int (n / 2)", False),
        ('let () = print_endline "4"', False),
        ("4\n2\n" * 40, False),
    ],
)
def test_the_last_program_counts(second: str, counts: bool) -> None:
    """Where nothing is asked for by name, a later block is the answer that reads the input itself,
    and neither an example nor a quotation.
    """
    text = f"```ocaml\n{HALF}\n```\nOr:\n```\n{second}\n```"

    assert (second if counts else HALF) == take(text, uses=()).code


@pytest.mark.parametrize("first", [F_IN_A, CODE, F_IN_A + "\n" + CODE])
@pytest.mark.parametrize("second", ["module A = struct let f = 1 end", "let f x = 9"])
def test_a_draft_in_a_module_needs_none_without_it(first: str, second: str) -> None:
    """Where a module may be the code's file, a draft stands in it or not, as the one before it may."""
    text = f"```ocaml\n{first}\n```\nBetter:\n```ocaml\n{second} (* 2 *)\n```"

    assert f"{second} (* 2 *)" == take(text, files=("A",)).code


def test_what_is_wanted_of_modules_is_joined() -> None:
    """Of several modules each may be in a block of its own, or be none."""
    blocks = (F_IN_A, "module B = struct let g = 1 end", "let h = 2")
    for parts in (blocks[:2], blocks[::2], blocks):
        text = "\n".join(f"```ocaml\n{part}\n```" for part in parts)
        found = take(text, uses=("f", "g", "h"), files=("A", "B", "C"))

        assert "\n".join(parts) == found.code


def test_a_module_counts_for_its_members() -> None:
    """A use of `Stack.push` is met by a block that defines `Stack`."""
    module = "module Stack = struct let push = 1 end"
    text = (
        f"```ocaml\nlet x = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9\n```\n```\n{module}\n```"
    )

    assert module == take(text, uses=("Stack.push",)).code


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        (f"{CODE}\n```\nIt returns `x`.", "Write f.\n```ocaml\n"),
        (f"{CODE}\n```\nIt returns `x`.", ""),
        (f"Sure:\n```ocaml\n{CODE}\n```", "Write f.\n```ocaml\n"),
        (f"Sure:\n```\n{CODE}\n```", "Write f.\n```ocaml\n"),
    ],
)
def test_a_fence_that_the_prompt_opened_is_closed(text: str, prompt: str) -> None:
    """After a prompt that ends in an opening fence the first fence closes."""
    assert CODE == take(text, prompt=prompt).code


class TestEndMarker:
    """Structural: the end marker is present after the code."""

    @pytest.mark.parametrize(
        "text",
        [
            f"{CODE}\n{MARKER}",
            f"{CODE} (* done *) {MARKER} (* really *)\n",
            f"```ocaml\n{CODE}\n{MARKER}\n```",
            f"```ocaml\n{CODE}\n```\n{MARKER}",
            f"```ocaml\n{CODE}\n```{MARKER}",
            f"```ocaml\n{CODE}\n```\nThat is all. {MARKER} Bye.",
            f"<think>hm</think>```ocaml\n{CODE}\n{MARKER}",
        ],
    )
    def test_it_counts_after_the_code(self, text: str) -> None:
        """Inside the fence or behind it, the marker stands after the last token."""
        extraction = take(text)

        assert extraction.end_marker_present
        assert CODE in extraction.code

    @pytest.mark.parametrize(
        "text",
        [
            CODE,
            f"{MARKER}\n{CODE}",
            f"{CODE}\n{MARKER}\nlet g = 1",
            f'{CODE}\nlet s = "{MARKER}"',
            f"{MARKER}\n```ocaml\n{CODE}\n```",
            f"<think>{MARKER}</think>{CODE}",
        ],
    )
    def test_it_does_not_count_elsewhere(self, text: str) -> None:
        """Before or amid the code, in a string or in thoughts it ends nothing."""
        assert not take(text).end_marker_present

    def test_a_marker_that_is_no_comment_is_taken_off(self) -> None:
        """A scheme's own marker need not be OCaml, and does not reach the compiler."""
        extraction = extract(f"{CODE}\n#END\n", end_marker="#END")

        assert extraction.end_marker_present
        assert CODE == extraction.code.strip()

    def test_without_a_marker_in_the_scheme_nothing_is_present(self) -> None:
        """A scheme without a marker looks for none."""
        extraction = extract(f"{CODE}\n{MARKER}")

        assert not extraction.end_marker_present
        assert 0 == extraction.end_markers


def test_the_account_of_the_rest() -> None:
    """Blocks, prose and the number of markers are kept for the penalties."""
    text = f"Hi\n```ocaml\n{CODE}\n{MARKER}\n```\nthen\n```sh\nls\n```\n{MARKER}"
    extraction = take(text)

    assert (f"{CODE}\n{MARKER}",) == extraction.fenced_blocks
    assert f"Hi\n\nthen\n\n{MARKER}" == extraction.prose
    assert 2 == extraction.end_markers


@pytest.mark.parametrize(
    "text", ["", " \n", MARKER, "(* only *)", "```ocaml\n```", "```"]
)
def test_no_code_is_no_code(text: str) -> None:
    """Blanks and comments are no code, fenced or not."""
    assert not take(text).has_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```ocaml\n\ufefflet f x =\n  x\n```", "let f x =\n  x"),
        ("let f x =\r\n  x\r\n", "let f x =\n  x"),
        ('let f = "a\u00a0b\u200bc"', 'let f = "a\u00a0b\u200bc"'),
    ],
)
def test_byte_order_marks_and_carriage_returns_are_no_code(
    text: str, code: str
) -> None:
    """At the edges of lines they go; all other characters stay."""
    assert code == extract(text, uses=("f",)).code.strip("\n")
