"""Code told from comments and literals, without a parser and on any text."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.definitions import defined_names
from ocaml_reward.reading.lexing import Source
from ocaml_reward.reading.markdown import find_blocks


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("let rec f x = g x and g x = f x", {"f", "g"}),
        ("let (a, b) = 1, 2 let c, d = 3, 4", {"a", "b", "c", "d"}),
        ("let ( +! ) a b = a", {"+!"}),
        ("type 'a tree = Leaf and ('k, 'v) map = M", {"tree", "map"}),
        ("module rec M : S = struct end module type S = sig end", {"M", "S"}),
        ('external e : int -> int = "e" exception Bad', {"e", "Bad"}),
        ("let f x = let y = 1 in y let z = 2", {"f", "z"}),
        ("val f : int -> int module type S = sig val g : int end", {"S"}),
        ("open Base include List let f = let open Map in 1", {"f"}),
        ("let x' = 'a' let y'' = x'", {"x'", "y''"}),
        ("let ( let* ) = g in 1", set()),
        ("let a = let ( and* ) = g in 1 let ( let* ) = h", {"a", "let*"}),
        ("let module M = struct let a = 1 let b = 2 end in M.a", set()),
        ("let f x = let module M = struct let a = 1 end in M.a let g = f", {"f", "g"}),
        ("module M = struct let a = 1 end let f = let b = 2 in b", {"M", "f"}),
        ("let s = {|let a = 1|} let t = {%x y|let b = 2|y}", {"s", "t"}),
    ],
)
def test_top_level_names_are_found(source: str, names: set[str]) -> None:
    assert names == defined_names(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a (* b (* c *) d *) e", "a                   e"),
        ('a (* "*)" *) b', "a            b"),
        ("a (* '\"' *) b", "a           b"),
        ('"x\\"y" z', "       z"),
        ("{a|x|b}|a} z", "           z"),
        ("'\\'' x' '\\x41' z", "     x'        z"),
        ("(* open\nstill", "       \n     "),
        ('"open\nstill', "     \n     "),
    ],
)
def test_blanking_keeps_the_layout(source: str, expected: str) -> None:
    """Comments and literals turn into spaces, newlines and offsets stay."""
    assert expected == Source(source).without_literals


def test_lines_of_code_are_counted_without_comments() -> None:
    source = '(* a\n b *)\n\nlet x =\n  1 (* c *)\n  (* d *)\nlet s = "\n(* e *)\n"\n'

    assert 5 == len(Source(source).lines)


def test_no_more_than_twenty_thousand_fences_are_read() -> None:
    """Megabytes of fences are spam; what stands behind so many is not looked at."""
    below, beside = "```\nx\n```\n", "```let x = 1``` "
    found = [find_blocks(piece * 10_050) for piece in (below, beside)]

    assert [10_000, 10_000] == [len(blocks) for blocks in found]
    assert [len(below), len(beside)] == [(blocks[-1].end + 1) / 10_000 for blocks in found]
