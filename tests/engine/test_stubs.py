"""Functions that cannot answer, by the tree alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.model import CheckReport

STUBS = (
    "let f _ = 0",
    "let f x = 0",
    "let f x y = [1; 2]",
    "let f = fun x -> None",
    "let f = function _ -> []",
    "let f x = function _ -> 0",
    "let f x = function [] -> raise Exit | _ -> failwith x",
    "let f x = let y = 3 in y + 1",
    "let f x = raise Exit",
    'let f x = failwith ("no " ^ x)',
    "let f x = assert false",
    "let f (x : int) : int = 0",
    "let f (type a) (x : a) = 0",
    "let f (type a b) (x : a) : b = raise Exit",
    "module type S = sig end\nlet f (module M : S) x = 0",
    "let rec f x = f 1",
    "let f x = match x with _ -> invalid_arg x\nlet f x = 0",
)
ATTEMPTS = (
    "let f x = x",
    "let f x y = y + 1",
    "let f _ y = y",
    "let f x = function [] -> 0 | y :: _ -> y",
    "let f () = 0",
    "let f (type a) (x : a) = x",
    "module type S = sig val x : int end\nlet f (module M : S) = M.x",
    "module type S = sig val x : int end\nlet f (module M : S) = function _ -> M.x",
    "let f = List.length",
    "let f x = ignore x; 0",
    "let f = function [] -> 0 | _ -> 1",
    "let f x = if x then 1 else 2",
    "let f x = 0\nlet f x = x + 1",
    "let f x = match x with 0 -> raise Exit | n -> n",
)


def stubs(report: CheckReport) -> set[str]:
    """Name what the last definition of it makes a stub."""
    found = {name: part.stub for part in report.parts or () for name in part.names}
    return {name for name, is_stub in found.items() if is_stub}


@pytest.mark.parametrize("code", STUBS)
def test_a_stub(check: Callable[..., CheckReport], code: str) -> None:
    """Its body mentions no parameter, or it only raises."""
    assert {"f"} == stubs(check(code, "let () = assert (f = f)"))


@pytest.mark.parametrize("code", ATTEMPTS)
def test_an_attempt(check: Callable[..., CheckReport], code: str) -> None:
    """Whatever looks at a parameter may answer, right or wrong."""
    assert set() == stubs(check(code, "let () = assert (f = f)"))
