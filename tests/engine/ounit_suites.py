"""Suites written for OUnit2: by hand, and generated trees of cases that end in every way."""

from __future__ import annotations

from hypothesis import strategies as st

CODE = "exception Mine of int\nlet f x = x"
"""What the suites are about."""


def _cases(*bodies: str) -> str:
    listed = "; ".join(f'"c" >:: (fun c -> {body})' for body in bodies)
    return f'"s" >::: [{listed}]'


_BRACKET = "ignore (bracket (fun c -> {}) (fun () c -> {}) c)"

BY_HAND = {
    "what the tests catch": _cases(
        "try assert_equal 1 2 with _ -> ()",
        "try skip_if true {|s|} with _ -> ()",
        "let ok = try assert_equal 1 (f 2); true with _ -> false in assert_bool {|x|} ok",
        "let ok = try assert_equal 1 (f 1); true with _ -> false in assert_bool {|x|} ok",
    ),
    "assertions": _cases(
        "assert_equal 1 (f 1)",
        "assert_equal 1 (f 2)",
        "assert_equal ~msg:{|m|} ~printer:string_of_int 1 (f 2)",
        "assert_equal ~ctxt:c ~cmp:(fun a b -> a <> b) 1 (f 2)",
        "assert_bool {|b|} (f 1 = 2)",
        "assert_string {||}",
        "assert_string {|wrong|}",
        "assert_failure {|wrong|}",
        "assert_equal [1; f 2] [1; 2]",
        "assert_equal f f",
    ),
    "what printing does": _cases(
        "assert_equal ~printer:(fun _ -> failwith {|p|}) 1 1",
        "assert_equal ~printer:(fun n -> if n = 2 then raise Exit else {||}) 1 2",
        "assert_equal ~pp_diff:(fun _ _ -> failwith {|p|}) 1 1",
        "assert_equal ~pp_diff:(fun _ _ -> failwith {|p|}) 1 2",
        "assert_equal ~pp_diff:(fun fmt (a, b) -> Format.fprintf fmt {|%d %d|} a b) 1 2",
        "assert_equal ~cmp:(fun _ _ -> raise Not_found) 1 1",
        "logf c `Info {|%d %s|} 1 {|a|}",
    ),
    "exceptions": _cases(
        "raise Not_found",
        "failwith {|no|}",
        "raise (Mine (f 1))",
        "assert_raises (Mine 1) (fun () -> raise (Mine (f 1)))",
        "assert_raises (Mine 1) (fun () -> raise (Mine (f 2)))",
        "assert_raises ~msg:{|m|} (Failure {|a|}) (fun () -> failwith {|b|})",
        "assert_raises Exit (fun () -> f 1)",
        "assert_raises Exit (fun () -> assert_equal 1 2)",
        "assert_raises Exit (fun () -> skip_if true {|s|})",
        "let rec deep n = 1 + deep n in ignore (deep 0)",
        "assert_raises Stack_overflow (fun () -> let rec deep n = 1 + deep n in deep 0)",
        "ignore (Sys.opaque_identity [||]).(f 1)",
        "if f 1 = 1 then exit 0",
        "exit 1",
    ),
    "floats": _cases(
        *(
            f"assert_bool {{|x|}} (cmp_float {epsilon} ({a}) ({b}))"
            for epsilon in ("", "~epsilon:1e-2", "~epsilon:0.", "~epsilon:infinity")
            for a, b in (
                ("infinity", "infinity"),
                ("infinity", "neg_infinity"),
                ("infinity", "1."),
                ("1e308", "infinity"),
                ("nan", "nan"),
                ("nan", "1."),
                ("0.", "-0."),
                ("1.", "1.000001"),
                ("1.", "1.001"),
                ("0.", "1e-300"),
                ("1e-300", "0."),
                ("max_float", "-. max_float"),
                ("1e-310", "1.1e-310"),
            )
        ),
        "assert_equal nan nan",
        "assert_equal ~cmp:cmp_float 0.3 (0.1 +. 0.2)",
    ),
    "skipped and to be done": _cases(
        "skip_if true {|s|}",
        "skip_if false {|s|}",
        "todo {|t|}",
        "skip_if true {|s|}; assert_failure {|f|}",
        "non_fatal c (fun _ -> skip_if true {|s|}); todo {|t|}",
        "non_fatal c (fun _ -> todo {|t|}); skip_if true {|s|}",
    ),
    "brackets": _cases(
        _BRACKET.format("()", "()"),
        _BRACKET.format("assert_failure {|up|}", "()"),
        _BRACKET.format("skip_if true {|up|}", "failwith {|down|}"),
        _BRACKET.format("()", "assert_failure {|down|}"),
        _BRACKET.format("()", "todo {|down|}"),
        _BRACKET.format("()", "raise Exit") + "; assert_failure {|body|}",
        _BRACKET.format("()", "()") + "; skip_if true {|body|}",
        _BRACKET.format("()", _BRACKET.format("()", "()")),
        _BRACKET.format(_BRACKET.format("()", "raise Exit"), "()"),
        _BRACKET.format("()", "non_fatal c (fun _ -> ())"),
        "let n = ref 0 in " + _BRACKET.format("()", "incr n; if !n = 1 then failwith {|once|}"),
        "let n = ref 0 in " + _BRACKET.format("incr n", "incr n") + "; assert_equal 1 !n",
        "let r = bracket (fun _ -> ref (f 1)) (fun r _ -> assert_equal 2 !r) c in incr r",
        "let seen = ref [] in let up n = bracket (fun _ -> n)"
        " (fun n _ -> if List.mem n !seen then failwith {|twice|}; seen := n :: !seen) c in"
        " let a = up 1 in let b = up 2 in assert_equal 3 (a + b)",
    ),
    "not fatal": _cases(
        "non_fatal c (fun _ -> assert_failure {|a|})",
        "non_fatal c (fun _ -> raise Exit); assert_failure {|b|}",
        "non_fatal c (fun _ -> assert_failure {|a|}); raise Exit",
        "non_fatal c (fun c -> non_fatal c (fun _ -> todo {|a|}))",
        "non_fatal c (fun _ -> ())",
        "non_fatal c (fun c -> " + _BRACKET.format("()", "failwith {|down|}") + ")",
        "non_fatal c (fun c -> " + _BRACKET.format("()", "skip_if true {|down|}") + ")",
        "non_fatal c (fun c -> " + _BRACKET.format("()", "()") + "; todo {|body|})",
    ),
    "lists in lists": '"s" >::: ["a" >:: (fun _ -> ()); "b" >::: ["c" >:: (fun _ -> todo {|t|});'
    ' "d" >::: []; test_list ["e" >:: (fun _ -> raise Exit)]]; "f" >: ("g" >:: fun _ ->'
    " assert_failure {|f|})]",
    "cases made by code": '"s" >::: List.map (fun n -> string_of_int n >: test_case'
    " ~length:OUnitTest.Short (fun _ -> assert_equal n (f 2))) [1; 2; 3]",
    "cases named by hand": 'OUnitTest.TestList ["a" >: TestCase (Long, fun _ -> ());'
    ' TestLabel ("b", test_case (fun _ -> todo {|t|}))]',
    "operators as values": '"s" >::: List.map2 (>::) ["a"; "b"]'
    " [(fun _ -> assert_equal 1 (f 1)); (fun _ -> assert_equal 1 (f 2))]",
    "a case decorated": "OUnitTest.test_decorate (fun case c -> case c; todo {|t|})"
    ' ("s" >::: ["a" >:: (fun _ -> ()); "b" >:: (fun _ -> raise Exit)])',
    "one case alone": '"alone" >:: fun _ -> assert_equal 1 (f 1)',
    "nothing": '"s" >::: ["x" >:: (fun _ -> ()); test_list []]',
}
"""Suites by what they are about; they end the same with the stand-in."""

DIFFERENT = {
    "a failure that is expected": (
        _cases("assert_raises (OUnitTest.OUnit_failure {|x|}) (fun () -> assert_failure {|x|})"),
        ["Success"], ["Failure"],
    ),
    "OCaml's own assert": (_cases("assert (f 1 = 2)"), ["Error"], ["Failure"]),
    "a case twice in a suite": (
        'let t = "a" >:: (fun _ -> todo {|t|}) in "s" >::: [t; "b" >:: (fun _ -> ()); t]',
        ["Todo", "Success", "Todo"], ["Success", "Todo"],
    ),
}  # fmt: skip
"""Suites that mean something else here on purpose: how they end with OUnit2, and here."""

_FLOATS = st.sampled_from(
    ["0.", "-0.", "1.", "1.000001", "1.0001", "-1.", "infinity", "neg_infinity", "nan",
     "max_float", "min_float", "epsilon_float", "4.9e-324", "1e300", "1.00001e300"]
)  # fmt: skip
_EPSILONS = st.sampled_from(["", "~epsilon:1e-3", "~epsilon:0.", "~epsilon:2.", "~epsilon:nan"])
_NUMBERS = st.integers(0, 3)
_RAISED = st.sampled_from(
    [
        "raise Exit",
        "raise Not_found",
        'failwith "a"',
        "raise (Mine 1)",
        "raise (Mine (f 2))",
    ]
)
_EXPECTED = st.sampled_from(["Exit", "Not_found", '(Failure "a")', "(Mine 1)", "(Mine 2)"])
_OPTIONS = st.sampled_from(
    ["", "~printer:string_of_int", '~msg:"m"', "~ctxt:c", "~cmp:(<=)",
     "~cmp:(fun a _ -> if a = 3 then raise Exit else true)",
     '~printer:(fun n -> if n = 3 then raise Exit else "")']
)  # fmt: skip
_PLAIN = st.one_of(
    st.builds("assert_equal {0} {1} (f {1})".format, _OPTIONS, _NUMBERS),
    st.builds("assert_equal ~cmp:cmp_float ({0}) ({0})".format, _FLOATS),
    st.builds("assert_equal {} {} (f {})".format, _OPTIONS, _NUMBERS, _NUMBERS),
    st.builds('assert_bool "b" (cmp_float {} ({}) ({}))'.format, _EPSILONS, _FLOATS, _FLOATS),
    st.builds("assert_raises {} (fun () -> {})".format, _EXPECTED, _RAISED),
    st.builds('assert_string (if f {} = 1 then "" else "s")'.format, _NUMBERS),
    st.builds('skip_if (f {} < 2) "s"'.format, _NUMBERS),
    st.builds('if f {} > 1 then todo "t"'.format, _NUMBERS),
    _RAISED,
    st.sampled_from(['assert_failure "f"', "()", 'logf c `Error "%d" (f 1)']),
)


def _bodies(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    # What raises for sure has any type, and would take that of the bracket's fixture.
    unit = inner.map("({} : unit)".format)
    return st.one_of(
        st.builds("{}; {}".format, unit, inner),
        st.builds("non_fatal c (fun c -> {})".format, inner),
        st.builds("bracket (fun c -> {}) (fun () c -> {}) c".format, unit, inner),
        st.builds("assert_raises {} (fun () -> {})".format, _EXPECTED, inner),
    )


_BODIES = st.recursive(_PLAIN, _bodies, max_leaves=6)
_LABELS = st.sampled_from(["a", "b", "same", "", "a:b", "0"])
_LENGTHS = st.sampled_from(["", "~length:OUnitTest.Long", "~length:(OUnitTest.Custom_length 1.)"])


def _trees(numbered: bool) -> st.SearchStrategy[str]:
    case = st.builds('"{}" >:: (fun c -> {})'.format, _LABELS, _BODIES)
    if not numbered:
        case |= st.builds('"{}" >: test_case {} (fun c -> {})'.format, _LABELS, _LENGTHS, _BODIES)

    def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        listed = st.lists(inner, min_size=2, max_size=5).map("; ".join)
        return st.one_of(
            st.builds('"{}" >::: [{}]'.format, _LABELS, listed),
            st.builds("test_list [{}]".format, listed),
            st.builds('"{}" >: ({})'.format, _LABELS, inner),
        )

    return st.recursive(case, nested, max_leaves=12)


suites = st.booleans().flatmap(_trees)
"""Expressions of the type `test`; not all of their cases have a place in the source."""
