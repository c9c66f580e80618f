"""Interfaces as the compiler prints them, and values of their types."""

from __future__ import annotations

import pytest

from ocaml_reward import ProblemError
from ocaml_reward.engine.prepare.interfaces import (
    are_expressions,
    interface_of,
    read_interfaces,
    read_types,
)
from ocaml_reward.model.types import (
    Arrow,
    Constructed,
    Interface,
    NoValues,
    Tuple,
    Type,
    Variable,
    arguments_of,
)
from problem_sets.strengthening.applied_functors import applied_modules
from problem_sets.strengthening.examples import ArgumentExamples, ProblemExamples, seen_of
from problem_sets.strengthening.values import Values

CODE = """
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type point = { x : int; mutable tags : string list }
type shape = Dot | At of { where : point; up : bool } | Both of shape * shape
type name = string
type gadt = Int : int -> gadt
type open_ = [ `A | `B of int ]
exception Empty
exception Missing of string
module Bag : sig
  type 'a t
  val empty : 'a t
  val add : 'a -> 'a t -> 'a t
  val size : 'a t -> int
end = struct
  type 'a t = 'a list
  let empty = []
  let add x b = x :: b
  let size = List.length
end
module Box : sig
  type t
  val make : int -> t
  val put : t -> string -> unit
end = struct
  type t = { size : int; mutable held : string list }
  let make size = { size; held = [] }
  let put b s = b.held <- s :: b.held
end
module Make (K : sig type t end) = struct type t = K.t list end
class c = object method m = 1 end
let fold ~(init : 'b) (f : 'b -> 'a -> 'b) (xs : 'a list) : 'b = List.fold_left f init xs
let pair (a : name) ?(n = 1) (b : int * char) = ignore n; (a, b)
let last = 3
"""
INT, STRING = Constructed("int"), Constructed("string")


@pytest.fixture(scope="module")
def interface() -> Interface:
    """Read the interface of some code, from the compiler."""
    (found,) = read_interfaces([interface_of(CODE)])
    return found


def test_interfaces_are_read(interface: Interface) -> None:
    """Values, types, exceptions and modules are there, and what is not read costs no other."""
    a, b = Variable("a"), Variable("b")
    whole = interface.values["pair"]

    assert {
        "fold",
        "pair",
        "last",
        "Bag.empty",
        "Bag.add",
        "Bag.size",
        "Box.make",
        "Box.put",
    } == set(interface.values)
    assert Constructed("list", (a,)) in _arguments(interface.values["fold"])
    assert Arrow("", b, Arrow("", a, b)) in _arguments(interface.values["fold"])
    assert "~init:" == _labels(interface.values["fold"])[0]
    assert Tuple((INT, Constructed("char"))) in _arguments(whole)
    assert ["", "?n:", ""] == _labels(whole)
    assert {"Empty": False, "Missing": True} == dict(interface.exceptions)
    assert frozenset({"Make"}) == interface.functors
    assert not interface.types["gadt"].known
    assert interface.types["Bag.t"].is_abstract
    assert "Bag.t" in repr(interface.values["Bag.add"])
    assert ["x", "tags"] == [each.name for each in interface.types["point"].fields]


def _arguments(found: Type) -> list[Type]:
    return [found.argument, *_arguments(found.result)] if isinstance(found, Arrow) else []


def _labels(found: Type) -> list[str]:
    return [found.label, *_labels(found.result)] if isinstance(found, Arrow) else []


TYPES: dict[str, Type] = {
    "int": INT,
    "string": STRING,
    "char": Constructed("char"),
    "float": Constructed("float"),
    "bytes": Constructed("bytes"),
    "unit": Constructed("unit"),
    "(int * bool) list": Constructed("list", (Tuple((INT, Constructed("bool"))),)),
    "int array array": Constructed("array", (Constructed("array", (INT,)),)),
    "(int option, string) result": Constructed("result", (Constructed("option", (INT,)), STRING)),
    "int ref": Constructed("ref", (INT,)),
    "int Seq.t": Constructed("Seq.t", (INT,)),
    "string tree": Constructed("tree", (STRING,)),
    "point": Constructed("point"),
    "shape": Constructed("shape"),
    "name": Constructed("name"),
    "int Bag.t": Constructed("Bag.t", (INT,)),
    "Box.t": Constructed("Box.t"),
    "int -> int -> int": Arrow("", INT, Arrow("", INT, INT)),
    "string -> shape": Arrow("", STRING, Constructed("shape")),
    "(int -> bool) -> point": Arrow("", Arrow("", INT, Constructed("bool")), Constructed("point")),
}


def test_values_have_their_types(interface: Interface) -> None:
    """The compiler takes every value that is made of a type for one of that type, and of each
    type there are several.
    """
    seen = ArgumentExamples(whole=(-3, 4), strings=('"a b"', '"c"'))
    lines = [CODE]
    for written, found in TYPES.items():
        made = Values(interface, seen).of(found)
        least = 1 if written == "unit" else 2
        assert least <= len({each.text for each in made}) == len(made), written
        lines += [f"let _ : {written} = {each.text}" for each in made]

    assert "val last : int" in interface_of("\n".join(lines))


@pytest.mark.parametrize("name", ["gadt", "open_", "Make.t", "in_channel"])
def test_other_types_are_left_alone(interface: Interface, name: str) -> None:
    """Of a type that is not read no value is made up."""
    with pytest.raises(NoValues):
        Values(interface, ArgumentExamples()).of(Constructed(name))


def test_ill_typed_code_has_no_interface() -> None:
    """The compiler's own reason is given, in one line."""
    with pytest.raises(ProblemError, match=r"does not type: (This expression|The constructor) "):
        interface_of("let f x = x + true")


def test_prompts_show_calls_among_prose() -> None:
    """What stands in a prompt as an argument counts as far as it is a literal."""
    prompt = '[cut k s] cuts.  [cut 2 "ab "] is a, cut 3 [] returns cut The [1; 2]'
    seen = seen_of("cut", ProblemExamples(checks=("cut (-1) s = s",), prompt=prompt))

    assert ("(-1)", "2", "3") == seen[0].arguments
    assert ("s", '"ab "', "[]") == seen[1].arguments


def test_what_a_functor_made_has_an_abstract_type() -> None:
    """`Make(Key).t` is a type of its own, and `String.t` is `string`."""
    text = (
        "module C : sig type t = Make(String).t val add : String.t -> t -> t end\n"
        "module Make : functor (K : sig type t end) -> sig type t end\n"
    )
    (found,) = read_interfaces([text])

    assert found.types["C.t"].is_abstract
    assert Constructed("string") == arguments_of(found.values["C.add"])[0][0][1]
    assert {"Make"} == set(found.functors)


def test_names_in_modules_have_their_paths() -> None:
    """Types may name later ones of their group; what a module type declares is nobody's."""
    text = (
        "module type S = sig type t val other : t end\n"
        "module M : sig type u = C of v and v = D of u val w : v module N : sig type u end "
        "val n : N.u * u end"
    )
    (found,) = read_interfaces([text])

    assert {"M.w", "M.n"} == set(found.values)
    assert Tuple((Constructed("M.N.u"), Constructed("M.u"))) == found.values["M.n"]
    assert (Constructed("M.v"),) == found.types["M.u"].constructors[0].arguments


def test_what_does_not_parse_is_an_error() -> None:
    """It is never guessed at, and costs the texts beside it nothing where it may be left out."""
    with pytest.raises(ProblemError, match="no interface: val f : t/2"):
        read_interfaces(["val f : int", "val f :\n t/2"])
    with pytest.raises(ProblemError, match="no type: int val"):
        read_types(["int val"])
    assert [True, False, True] == are_expressions(["f (-1)", "f (:)", '"é" ^ f'])


def test_deep_types_are_unknown() -> None:
    deep = "int" + " list" * 5_000
    nested = "".join(f"module M{n} : sig " for n in range(500)) + "val x : int " + "end " * 500
    one, two = read_interfaces([f"val f : {deep}\nval g : int", nested])

    assert {"f", "g"} == set(one.values)
    assert {} == two.values


def test_modules_of_tests_are_found() -> None:
    """All modules at the top are taken where one of them comes of a functor of the code."""
    tests = (
        "module Key = struct\n  type t = int\nend\nlet x = 1\n"
        'module A = Make (Key) ;;\nlet () = assert (A.f "module B = Make (Key)")\n'
    )
    modules, names = applied_modules(tests, ["Make"])

    assert ("A",) == names
    assert "module Key = struct\n  type t = int\nend\nmodule A = Make (Key)" == modules.strip()
    assert ("", ()) == applied_modules(tests, ["Other"])


def test_labelled_arguments_have_their_places() -> None:
    """What is shown of an argument is found by its label, wherever it stands."""
    shown = ProblemExamples(checks=("f 1 ~y:2 = 3", "f ~y:4 5 = 9"))
    found = seen_of("f", shown, ["~y:", "?z:", ""])

    assert {0: (2, 4), 2: (1, 5)} == {
        place: each.whole for place, each in found.items() if place >= 0
    }
