"""Regions of modules: where one breaks its signature, and where items in it do not parse."""

from __future__ import annotations

from ocaml_reward import Ground, Verdict

from .located import Locate

CODE = """\
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
"""
TESTS = """\
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
"""


def test_what_does_not_parse_has_its_name(locate: Locate) -> None:
    """By its path, as the tests have it, so that it is compared with what others made of it."""
    found = locate(CODE.replace("let next t =", "let next t ->"), TESTS)

    assert {("M.next",)} == {
        region.names
        for region in found.regions or ()
        if region.ground in (Ground.UNPARSED, Ground.ERROR)
    }


def test_the_share_of_items_that_parse_stays(locate: Locate) -> None:
    """No reward depends on what is found in a module: it does not parse as a whole."""
    broken = CODE.replace("let next t =", "let next t ->")
    found = locate(broken, TESTS)
    whole = locate(CODE.replace("module M :", "module M -"), TESTS)

    assert Verdict.SYNTAX_ERROR is found.verdict is whole.verdict
    assert found.credits == whole.credits
