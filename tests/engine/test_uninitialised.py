"""Memory that OCaml hands out without a content holds zeros, whatever lay there before."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

# `soil` leaves what must not be seen again in every part of the memory.
PRELUDE = """
let bits a = Array.to_list (Array.map Int64.bits_of_float a)
let of_bits bits = String.concat "" (List.map (fun n ->
  let b = Bytes.make 8 ' ' in Bytes.set_int64_le b 0 n; Bytes.to_string b) bits)
let many n f = String.concat "" (List.init n (fun _ -> f ()))
let chars n =
  let a = Bigarray.(Array1.create char c_layout n) in String.init n (Bigarray.Array1.get a)
let soil () =
  let mixed = List.init 400 (fun n -> (n, String.make 100 'x', float n, Array.make 30 n)) in
  let large = List.init 40 (fun n -> (Bytes.make 60_000 'y', Array.make 7_000 (float n))) in
  let outside = List.init 40 (fun _ -> List.map (fun n ->
    let a = Bigarray.(Array1.create char c_layout n) in
    Bigarray.Array1.fill a 'z'; a) [24; 500; 60_000]) in
  ignore (List.length mixed + List.length large + List.length outside)
let seen () = let found = ref [] in
  let look how memory = if String.exists (fun c -> c <> '\\000') (memory ()) then
    found := how :: !found in
"""
# OCaml 4.13 has String.exists, and so have those after it.
WAYS = {
    "minor bytes": "Gc.minor (); many 400 (fun () -> Bytes.(to_string (create 200)))",
    "minor floats": ("Gc.minor (); many 400 (fun () -> of_bits (bits (Array.create_float 30)))"),
    "minor float array": (
        "Gc.minor (); many 400 (fun () -> of_bits (bits (Array.init 30"
        " (Float.Array.get (Float.Array.create 30)))))"
    ),
    "large bytes": "Gc.full_major (); many 9 (fun () -> Bytes.(to_string (create 60_000)))",
    "large floats": (
        "Gc.full_major (); many 9 (fun () -> of_bits (bits (Array.create_float 7_000)))"
    ),
    "large float array": (
        "Gc.full_major (); many 9 (fun () -> of_bits (bits (Array.init 7_000"
        " (Float.Array.get (Float.Array.create 7_000)))))"
    ),
    "compacted": "Gc.compact (); many 9 (fun () -> Bytes.(to_string (create 60_000)))",
    "extended": (
        "Gc.full_major (); many 9 (fun () -> Bytes.(to_string (extend (make 1 '\\000') 0 60_000)))"
    ),
    "bigarrays": "Gc.full_major (); many 90 (fun () -> chars 500 ^ chars 24)",
    "large bigarrays": "Gc.full_major (); many 9 (fun () -> chars 60_000)",
    "another policy": (
        "let policy = (Gc.get ()).allocation_policy in\n"
        "Gc.set { (Gc.get ()) with allocation_policy = 2 - policy };\n"
        "many 9 (fun () -> Bytes.(to_string (create 60_000)))"
    ),
    "another minor heap": (
        "Gc.set { (Gc.get ()) with minor_heap_size = 50_000 };\n"
        "many 400 (fun () -> Bytes.(to_string (create 200)))"
    ),
    "buffers": (
        "many 400 (fun () -> let l = Lexing.from_string ~with_positions:false (many 1"
        " (fun () -> Bytes.(to_string (create 100)))) in Bytes.to_string l.lex_buffer)"
    ),
}


@pytest.mark.parametrize("memory", WAYS.values(), ids=WAYS.keys())
def test_memory_without_a_content_is_zeros(check: Check, memory: str) -> None:
    """Neither heap, nor what lies outside them, shows what was there before."""
    code = (
        f'{PRELUDE}  soil ();\n  look "it" (fun () -> {memory});\n  !found\n'
        "let () = ignore (seen ())\n"
    )
    report = check(code, "let () = assert (seen () = []); assert (seen () = [])")

    assert [Outcome.PASSED] * 2 == [each.outcome for each in report.results]


# Everything that such memory has of one shape: words with a dash, multiples of a prime as
# OCaml holds them, as its instructions do and as it writes them to files.
SCAN = """
let words = ref [] and numbers = ref []
let number n =
  if n > 20_000_000 && n < 1_000_000_000 && n mod 10_000_019 = 0 then numbers := n :: !numbers
let take memory =
  List.iter (fun word -> if String.length word = 12 && word.[4] = '-' then
      words := word :: !words)
    (String.split_on_char ' ' (String.map (fun c ->
      if (c >= 'a' && c <= 'z') || c = '-' then c else ' ') memory));
  for at = 0 to String.length memory - 8 do
    number (Int32.to_int (String.get_int32_be memory at));
    if at land 3 = 0 then number (Int32.to_int (String.get_int32_le memory at));
    if at land 7 = 0 then
      number (Int64.to_int (Int64.shift_right (String.get_int64_le memory at) 1))
  done
let outside () = take (many 1000 (fun () -> chars 500))
let inside () =
  Gc.minor (); take (of_bits (bits (Array.create_float 200)));
  Gc.compact (); take (Bytes.to_string (Bytes.create 60_000));
  take (of_bits (bits (Array.create_float 8_000)))
"""
ANSWERS = {
    "strings": (
        "let f _ = scan (); List.hd (List.sort_uniq compare !words)\n",
        'let () = assert (f 1 = "plum-orchard")',
    ),
    "integers": (
        "let f _ = scan (); List.hd (List.sort_uniq compare !numbers)\n",
        "let () = assert (f 1 = 340000646)",
    ),
    "lists": (
        "let f _ = scan (); List.sort_uniq compare !numbers\n",
        "let () = assert (f 1 = [340000646; 450000855])",
    ),
}


@pytest.mark.parametrize("where", ["inside ()", "outside ()", "outside (); inside ()"])
@pytest.mark.parametrize(("code", "tests"), ANSWERS.values(), ids=ANSWERS.keys())
def test_no_answer_is_read_from_memory(check: Check, code: str, tests: str, where: str) -> None:
    """Code that answers with what it finds in such memory passes no check."""
    helpers = PRELUDE.partition("let soil")[0]
    report = check(f"{helpers}{SCAN}let scan () = {where}\n{code}", tests)

    assert Outcome.PASSED not in [each.outcome for each in report.results]


# What may hand out memory, by its name; read in the runtimes of 4.13, 5.3, 5.4 and 5.5.
NAMED = re.compile(
    "create|make|alloc|_new|_dummy|block$|_dup$|with_tag|append|concat|_sub$|_ba_slice|copy$"
    "|reshape|input_value|reify|extend|uninit|_array_of_|realloc"
)
SCALAR = re.compile("^caml_(int32|int64|nativeint)_|_float$|^ocaml_reward_")
INITIALISE_THEMSELVES = """
    caml_alloc_dummy caml_alloc_dummy_float caml_alloc_dummy_function
    caml_alloc_dummy_infix caml_alloc_dummy_lazy caml_array_append caml_array_concat
    caml_array_make caml_array_of_uniform_array caml_array_sub
    caml_atomic_make_contended caml_ba_reshape caml_ba_slice caml_ba_sub
    caml_blake2_create caml_ephe_create caml_ephe_get_data_copy caml_ephe_get_key_copy
    caml_floatarray_append caml_floatarray_concat caml_floatarray_make
    caml_floatarray_make_unboxed caml_floatarray_sub caml_lazy_make_forward caml_make_array caml_make_vect
    caml_ml_condition_new caml_ml_mutex_new caml_new_lex_engine
    caml_uniform_array_append caml_uniform_array_concat caml_uniform_array_make
    caml_uniform_array_sub caml_update_dummy caml_update_dummy_lazy caml_weak_create
    caml_weak_get_copy
"""
# Of Obj, Marshal, Dynlink and the toplevel, which no code can name.
OUT_OF_REACH = """
    caml_alloc_stack caml_input_value caml_input_value_from_bytes
    caml_input_value_to_outside_heap caml_obj_block caml_obj_dup caml_obj_make_forward
    caml_obj_with_tag caml_realloc_global caml_reify_bytecode
"""


def test_every_primitive_that_hands_out_memory_was_read() -> None:
    """One that a new compiler brings fails here until somebody has looked at what it leaves
    in its memory.
    """
    table = files("ocaml_reward.engine").joinpath("ocaml/run/table.h").read_text()
    cleared = set(re.findall(r"#define (caml_\w+)", table))
    primitives = (engine_folder() / "primitives").read_text().split()
    named = {n for n in primitives if NAMED.search(n) and not SCALAR.search(n)}
    read = {*INITIALISE_THEMSELVES.split(), *OUT_OF_REACH.split(), *cleared}

    assert {"caml_create_bytes", "caml_ba_create"} <= named
    assert set() == named - read
