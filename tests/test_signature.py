"""Bodies that continue the open signature at the end of their prompt."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import Extraction, How, extract

MARKER = "(* END *)"
CODE = "let f x = x"


def take(text: str, *, uses: tuple[str, ...] = ("f",), prompt: str = "") -> Extraction:
    """Extract as the default scheme does, for tests that call `f`."""
    return extract(text, uses=uses, prompt=prompt, end_marker=MARKER)


class TestContinuation:
    """A body alone continues the open signature at the prompt's end."""

    SIGNATURE = "let rec f (x : int) : int ="

    @pytest.mark.parametrize(
        "signature",
        [
            "let rec eval : type a. a expr -> a =",
            "let rec eval : type a b . (a, b) expr -> a =",
            "let rec eval : 'a 'b. 'a -> 'b -> 'a =",
        ],
    )
    def test_a_type_for_all_has_a_full_stop(self, signature: str) -> None:
        """What is quantified ends in one, and no sentence does there."""
        body = "  function\n  | Int n -> n\n"
        found = extract(f"```ocaml\n{body}```", prompt=f"Write it.\n{signature}")

        assert f"{signature}\n{body}".strip() == found.code.strip()

    @pytest.mark.parametrize(
        "prompt",
        [
            f"Write it.\n{SIGNATURE}",
            f"Write it.\n{SIGNATURE}\n  ",
            f"Write it.\n```ocaml\n{SIGNATURE}\n```",
            f"Write it.\n```ocaml\n{SIGNATURE}\n",
            f"Complete `{SIGNATURE}`",
            f"(* Doubles. *)\n{SIGNATURE}",
        ],
    )
    @pytest.mark.parametrize(
        "body",
        [
            "x + x",
            "let y = x in\n  y + y",
            "match x with _ -> 0",
            "let module M = struct let y = x let z = y end in\n  M.z",
            "let open struct let y = x end in\n  y",
            "let ( let* ) = Option.bind in\n  let* y = g x in\n  y",
            "let exception E of int in\n  try g x with E y -> y",
            "let module M = struct let f x = x end in M.f x",
        ],
    )
    @pytest.mark.parametrize("fenced", [True, False])
    def test_a_body_gets_its_signature(
        self, prompt: str, body: str, *, fenced: bool
    ) -> None:
        """The signature goes before the body, after unfencing."""
        text = f"```ocaml\n{body}\n```" if fenced else body
        extraction = take(text, prompt=prompt)

        assert How.CONTINUATION is extraction.how
        assert extraction.code.endswith(f"{self.SIGNATURE}\n{body}")

    def test_types_before_the_signature_come_along(self) -> None:
        """Code in the prompt that the signature may need is kept."""
        prompt = "type t = A | B\nlet f (x : t) : int ="
        extraction = take("match x with A -> 1 | B -> 2", prompt=prompt)

        assert f"{prompt}\nmatch x with A -> 1 | B -> 2" == extraction.code

    @pytest.mark.parametrize(
        ("text", "prompt"),
        [
            ("let rec f x = x", f"Write\n{SIGNATURE}"),
            ("let solve x = x", f"Write\n{SIGNATURE}"),
            ("type t = A\nlet solve x = x", f"Write\n{SIGNATURE}"),
            ("x + x", "Write let f x = x + 1"),
            ("x + x", "Explain what a = b means, then write f"),
            ("", f"Write\n{SIGNATURE}"),
            (f"(* nothing *)\n{MARKER}", f"Write\n{SIGNATURE}"),
        ],
    )
    def test_everything_else_stays_as_it_is(self, text: str, prompt: str) -> None:
        """A program of its own, under any name, and no code at all continue nothing."""
        assert text == take(text, prompt=prompt).code

    @pytest.mark.parametrize(
        ("broken_off", "rest"),
        [
            ("let f = function", "0 -> 1 | x -> x"),
            ("let f b =\n  match b with", "| true -> 1 | false -> 0"),
            ("let f x =\n  match x with\n  | 0 -> 1\n  | n ->", "n + 1"),
            ("let f x = (* Your code here. *)", "x + 1"),
            ("let f x =\n  let y = g x in", "y + 1"),
            ("let f x =\n  let y = 1 in\n  let z = 2 in\n", "x + y + z"),
            ("let f x =\n  let rec go n =", "n + 1 in\n  go x"),
            ("let f = fun x ->", "x + 1"),
            ("let rec g x = f x\nand f x =", "g x"),
            ("module M = struct", "let push x = x\nend"),
            ("module M = struct\n  let push x =", "x\nend"),
        ],
    )
    def test_a_definition_broken_off_anywhere_is_continued(
        self, broken_off: str, rest: str
    ) -> None:
        """What is open at the prompt's end gets the rest of it, from the outermost definition on."""
        for before in ("", "Don't say `let x = 1`; write f.\n", "let g x = x\n"):
            extraction = take(rest, uses=("f", "M.push"), prompt=before + broken_off)

            assert How.CONTINUATION is extraction.how
            assert extraction.code.endswith(f"{broken_off.rstrip()}\n{rest.lstrip()}")
            assert extraction.code.startswith((broken_off[:3], "let g x = x\n"))

    @pytest.mark.parametrize(
        "prompt",
        [
            "Write let f x = x + 1",
            "let f x = x",
            'let f x = "it is"',
            "let f x",
            "let f x = x\nNow write g, which uses it:",
            "Complete let f x = ...",
            "Let f be a function, then write it with",
            "(* Complete let f x =\n*)",
            "module type S = sig\n  type t",
            "type t = A |",
        ],
    )
    def test_a_prompt_that_is_complete_is_not_continued(self, prompt: str) -> None:
        """Prose, whole definitions and heads that nobody has finished ask for code of its own."""
        assert "x + 1" == take("x + 1", prompt=prompt).code

    def test_a_structure_is_continued_by_what_ends_it(self) -> None:
        """Definitions without the structure's end are a program of their own."""
        prompt = "module M = struct\n"

        for text in ("let push x = x", "module M = struct let push x = x end"):
            assert text == take(text, uses=("M.push",), prompt=prompt).code

    def test_without_uses_the_signature_names_what_is_wanted(self) -> None:
        """Where nobody says what the tests use, the signature does."""
        prompt = f"Write\n{self.SIGNATURE}"

        assert How.CONTINUATION is take("x + x", uses=(), prompt=prompt).how
        assert How.WHOLE is take("let f x = x", uses=(), prompt=prompt).how


class TestPreamble:
    """What the prompt defines before its signature belongs to code that uses it."""

    SHAPE = "type shape = Square of int | Dot"
    AREA = "let rec f (s : shape) = match s with Square n -> n * n | Dot -> 0"

    @pytest.mark.parametrize(
        "prompt",
        [
            f"{SHAPE}\n\nlet rec f (s : shape) : int =\n",
            f"(** Areas. *)\n{SHAPE}\n\nlet rec f (s : shape) : int =\n",
            f"Write f.\n```ocaml\n{SHAPE}\nlet rec f (s : shape) : int =\n```",
            f"Write f.\n```ocaml\n{SHAPE}\nlet rec f (s : shape) : int =\n",
            f"Here is the type to use:\n\n{SHAPE}\n\nlet rec f (s : shape) : int =\n",
            f"{SHAPE}\n",
            f"Write f.\n```ocaml\n{SHAPE}\n```\n",
        ],
    )
    @pytest.mark.parametrize("fenced", [True, False])
    def test_it_stands_before_a_signature_that_is_repeated(
        self, prompt: str, *, fenced: bool
    ) -> None:
        """In a fence or not, the code goes on from what the prompt ends in."""
        text = f"Sure:\n```ocaml\n{self.AREA}\n```" if fenced else self.AREA
        code = take(text, prompt=prompt).code

        assert code.endswith(f"{self.SHAPE}\n{self.AREA}")
        assert "let rec f (s : shape) : int =" not in code

    @pytest.mark.parametrize(
        ("prompt", "code"),
        [
            (f"{SHAPE}\nlet f s =", f"{SHAPE}\n{AREA}"),
            (f"{SHAPE}\nlet f s =", "type shape = Dot\nlet f Dot = 0"),
            (f"{SHAPE}\nlet f s =", "let f x = x"),
            ("let helper x = x\nlet f s =", "let helper x = x + 1\nlet f x = helper x"),
            ("let helper x = x\nlet f s =", "let f helper = helper + 1"),
            (f"Define the type\n\n    {SHAPE}\n\nand write f.", AREA),
            (f"{SHAPE}\n\nThis is the type that you have to define.", AREA),
            (
                "exception E of int\nlet f s =",
                "exception E of int\nlet f (x : int) = x",
            ),
            ("let helper x = (x\nlet f s =", "let f x = helper x"),
            (f"```ocaml\n{SHAPE}\n```\nDefine this type, and f.", AREA),
            ("", AREA),
        ],
    )
    def test_it_is_left_out_where_it_is_not_asked_for(
        self, prompt: str, code: str
    ) -> None:
        """Code that defines the names itself, or uses none, stays as it is; so does code for a
        prompt that only speaks of them.
        """
        assert code == take(code, prompt=prompt).code
