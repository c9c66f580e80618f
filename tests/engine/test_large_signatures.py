"""
Errors about signatures: what is said of them does not depend on how large they are.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.engine import CheckReport

# Near the size from which on ocamlc leaves a signature out, in which the numbers count that
# each process gives to names.
CODE = """\
module type S = sig
  type t
  val make : int -> t
  module N : sig
    val one : int
  end
  val get : t -> string
end
module M : S = struct
  FIRST
  module N = struct
    let one = 1
    let two x =
      match x with
      | 0 -> 1
      | _ -> 2
  end
  let make x = x + 1
  let get t = string_of_int t
end
"""


def test_a_count_does_not_depend_on_the_size(
    check: Callable[..., CheckReport],
) -> None:
    """
    With each engine what follows from two names that are missing does not count, and nothing
    is left out of the first error.
    """
    tests = 'let () = assert (M.get (M.make 1) = "2")'
    lost = check(CODE.replace("FIRST", "t = int"), tests)
    lacking = check(CODE.replace("  FIRST\n", ""), tests)

    assert (2, 1) == (lost.type_errors, lacking.type_errors)
    assert "val two : int -> int" in lacking.diagnostics[0].message
