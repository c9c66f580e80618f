"""What stands for an interface where tests are compiled once for many completions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.sources import link_order, source_texts
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.build.versions import place_versions
from ocaml_reward.engine.messages.protocol import netstrings, pack

from .test_reuse import FAMILIES

Keys = Callable[..., list[bytes]]
HERE = Path(__file__).parent

# Each pair or more differs in what other units can tell, and in nothing else.
APART = {
    name: codes
    for name, (_, *codes) in FAMILIES.items()
    if name not in ("comparisons", "exceptions")
} | {
    "types of values": (
        "let a = 1", "let a = '1'", "let a = Some 1", "let a = [ 1 ]", "let a = (1, 1)",
        "let a = (1, 1, 1)", "let a = (1, (1, 1))", "let a _ = 1", "let a () = 1",
        "let a b _ = ignore (b = 1); 1", "let a = [| 1 |]", "let a = fun (x, _) -> x",
        "let a = fun (_, x) -> x", "let a = fun x y -> (x, y)", "let a = fun x y -> (y, x)",
        "let a x y = if true then x else y",
    ),
    "kinds of types": (
        "type t = int", "type t = private int", "type t = A of int", "type t = private A of int",
        "type t = A of int [@@unboxed]", "type t = A of { n : int }", "type t = { n : int }",
        "type t = { mutable n : int }", "type t = { n : int } [@@unboxed]", "type t = A | B",
        "type t = B | A", "type t = bool = false | true", "type t = A of int * int",
        "type t = A of (int * int)", "type t", "type t [@@immediate]", "type 'a t",
        "type +'a t", "type -'a t", "type !'a t", "type 'a t = A of 'a", "type _ t = A : int t",
        "type _ t = A : 'a -> 'a t", "type _ t = A : 'a * ('a -> int) -> int t",
        "type 'a t = 'a constraint 'a = int", "exception T", "exception T of int",
        "exception T of { n : int }", "exception T of int * int", "exception T of (int * int)",
    ),
    "names": ("let a = 1", "let b = 1", "let a = 1 let b = 1", "let b = 1 let a = 1",
              "type a = A", "type b = A", "type a = B", "exception A", "exception B"),
    "types of one name": (
        "type t = A let a = A", "type t = A let a = Some A",
        "type string = A let a = A", 'type t = string let a = "A"',
    ),
}  # fmt: skip
# As text they differ; other units cannot tell them apart.
ALIKE = {
    "bodies": ("let f x = x + 1", "let f = fun y -> let z = y in z * 2",
               "let rec f n = if n = 0 then 0 else f (n - 1)"),
    "variables": ("let f (x : 'a) : 'a = x", "let f (y : 'long_name) = y"),
    "places": ("type t = A\nlet f A = 1", "\n\n(* t *)\ntype t =\n| A\n\nlet f = function A -> 2"),
    "spellings": ("let f x = Some (x + 1)", "let f (x : int) : int option = Some x",
                  "let f x = Option.some (succ x)"),
}  # fmt: skip
# What there are no words for.
WITHOUT = (
    "module M = struct let a = 1 end",
    "module type S = sig val a : int end",
    "class c = object method m = 1 end",
    "let o = object method m = 1 end",
    "let v = `A",
    "let f = function `A -> 1 | `B -> 2",
    "type t = ..",
    "module M = struct type t = A end let a = M.A",
    "let a = (module Int : Map.OrderedType)",
    "type t = [ `A ]",
    "type t = { all : 'a. 'a -> 'a }",
)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Return the keys of programs, from the checker's own code."""
    folder = tmp_path_factory.mktemp("keys")
    toolchain = locate()
    for name, text in source_texts().items():
        (folder / name).write_bytes(text)
    shutil.copy(HERE / "interface_keys.ml", folder)
    place_versions(toolchain, folder)
    units = link_order(toolchain, folder, "interface_keys")
    subprocess.run(
        [toolchain.ocamlfind, "ocamlopt", "-w", "-a", "-linkpkg",
         "-package", "compiler-libs.bytecomp,unix", *units, "-o", "interface_keys"],
        cwd=folder,
        check=True,
        capture_output=True,
    )  # fmt: skip

    def keys(*codes: str) -> list[bytes]:
        (folder / "programs").write_bytes(pack(*codes))
        command = [folder / "interface_keys", folder / "programs", engine_folder()]
        done = subprocess.run([*command, toolchain.stdlib], capture_output=True, check=True)
        return netstrings(done.stdout)

    return keys


@pytest.mark.parametrize("name", APART)
def test_what_other_units_can_tell_apart_has_keys_of_its_own(keys: Keys, name: str) -> None:
    found = keys(*APART[name])

    assert all(found)
    assert len(set(found)) == len(found) > 1


@pytest.mark.parametrize("name", ALIKE)
def test_the_same_interface_has_the_same_key(keys: Keys, name: str) -> None:
    """Or nothing would ever be compiled once."""
    found = keys(*ALIKE[name])

    assert all(found)
    assert len(set(found)) == 1 < len(found)


def test_what_there_are_no_words_for_has_no_key(keys: Keys) -> None:
    assert [b""] * len(WITHOUT) == keys(*WITHOUT)


def test_labels_and_atomic_fields_are_told_apart(keys: Keys) -> None:
    """New in OCaml 5.4, and an error or an unknown attribute before."""
    if locate().number < (5, 4):
        codes = ("let a = (1, 2)", "let a = (2, 1)")
        assert len(set(keys(*codes))) == 1
        return
    found = keys(
        "let a = (1, 2)", "let a = (~x:1, 2)", "let a = (~y:1, 2)", "let a = (~x:1, ~y:2)",
        "let a = (1, ~x:2)", "type t = { mutable n : int }",
        "type t = { mutable n : int [@atomic] }",
    )  # fmt: skip

    assert all(found)
    assert len(set(found)) == len(found)
