"""Whole programs with more than one right output, and the judges that take any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..drafts import Draft, program
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition
from ..vocabulary.words import Predicate

_SIZES: Final = (4, 5, 6, 3, 7, 8, 5, 6, 9, 4, 7, 10)
_ORDERS: Final = {
    "smallest": "compare",
    "largest": "(fun a b -> compare b a)",
}
"""In which order a reference tries what it may choose: another right answer for each."""
_LAID_OUT: Final = {
    "line": ("in one line with blanks between them", '" "'),
    "lines": ("each in a line of its own", '"\\n"'),
}
_NOT_OF_WEIGHTS: Final = ("negative", "between", "positive")


def _read_graph(kept: Predicate) -> str:
    """Return the OCaml code that reads a graph from stdin."""
    return (
        'let n, m = Scanf.scanf " %d %d" (fun n m -> (n, m))\n'
        f"let kept x = {kept.ml}\n"
        "let edges =\n"
        '  List.init m (fun _ -> Scanf.scanf " %d %d %d" (fun a b x -> (a, b, x)))\n'
        "  |> List.filter_map (fun (a, b, x) -> if kept x then Some (a, b) else None)\n"
    )


def _judged_graph(kept: Predicate) -> str:
    """Return the OCaml code by which a judge reads the graph."""
    return (
        "  let problem = Reader.of_problem input in\n"
        "  let n = Reader.int problem in\n"
        "  let m = Reader.int problem in\n"
        "  let edge t =\n"
        "    let a = Reader.int t in\n"
        "    let b = Reader.int t in\n"
        "    let x = Reader.int t in\n"
        f"    if {kept.ml} then Some (a, b) else None in\n"
        "  let edges = List.filter_map Fun.id (Reader.list m edge problem) in\n"
    )


def _edge(draw: Draw, a: int, b: int) -> str:
    """Return a line of the input with an edge."""
    return f"{a} {b} {draw.below(13)}"


def _graph(draw: Draw, nodes: int, edges: int) -> str:
    """Return a drawn graph as the program's input."""
    found: dict[tuple[int, int], str] = {}
    for _ in range(edges):
        a, b = 1 + draw.below(nodes), 1 + draw.below(nodes)
        if a != b:
            found.setdefault((a, b), _edge(draw, a, b))
    return "\n".join([f"{nodes} {len(found)}", *found.values()]) + "\n"


def _judge(body: str, *, impossible: str, verdict: str) -> str:
    """Write a judge whose expected text is the word for what cannot be done, or one answer."""
    return (
        "let judge ~input ~expected ~output =\n"
        f"{body}"
        "  let printed = Reader.of_output output in\n"
        f'  if String.trim expected = "{impossible}" then begin\n'
        f'    if Reader.word printed <> "{impossible}" then rejectf "there is none";\n'
        "    Reader.finish printed;\n"
        "    accept\n"
        "  end else begin\n"
        f"{verdict}"
        "    Reader.finish printed;\n"
        "    accept\n"
        "  end\n"
    )


def _printed(separator: str, word: str) -> str:
    """Return the OCaml code that prints the answer, or a word if there is none."""
    return (
        "let () =\n  match answer with\n"
        f'  | None -> print_endline "{word}"\n'
        "  | Some found -> print_endline (String.concat "
        f"{separator} (List.map string_of_int found))\n"
    )


_DIRECTIONS: Final = {
    "one way": ("leads from a to b", "if a = x then Some b else None", "true"),
    "both ways": (
        "leads from a to b and from b to a",
        "if a = x then Some b else if b = x then Some a else None",
        "false",
    ),
}
_LENGTHS: Final = {
    "any": ("a path", "that visits no node twice", ""),
    "shortest": (
        "a shortest path",
        "with as few edges as can be",
        "    let best = List.length (String.split_on_char ' ' (String.trim\n"
        "      (String.map (fun c -> if c = '\\n' then ' ' else c) expected))) in\n"
        '    if List.length path <> best then rejectf "it is not a shortest one";\n',
    ),
}


def any_path(draw: Draw) -> Draft:
    """A path between two nodes, any of several"""
    lead, step, directed = draw.pick(_DIRECTIONS)
    what, how, test = draw.pick(_LENGTHS)
    laid_out, separator = draw.pick(_LAID_OUT)
    order = draw.pick(_ORDERS)
    kept = condition(draw, *_NOT_OF_WEIGHTS)

    def text(nodes: int) -> str:
        ends = f"{1 + draw.below(nodes)} {1 + draw.below(nodes)}"
        return f"{_graph(draw, nodes, 4 * nodes - draw.below(nodes))}{ends}\n"

    reference = (
        f"{_read_graph(kept)}"
        'let start, stop = Scanf.scanf " %d %d" (fun a b -> (a, b))\n\n'
        "let next x =\n"
        f"  List.filter_map (fun (a, b) -> {step}) edges\n"
        f"  |> List.sort_uniq {order}\n\n"
        "let before = Array.make (n + 1) 0\n\n"
        "let rec search = function\n"
        "  | [] -> ()\n"
        "  | x :: rest ->\n"
        "    let fresh = List.filter (fun y -> before.(y) = 0) (next x) in\n"
        "    List.iter (fun y -> before.(y) <- x) fresh;\n"
        "    search (rest @ fresh)\n\n"
        "let () = before.(start) <- start; search [ start ]\n\n"
        "let rec back x found = if x = start then x :: found else back before.(x) (x :: found)\n"
        "let answer = if before.(stop) = 0 then None else Some (back stop [])\n\n"
        f"{_printed(separator, 'none')}"
    )
    judge = _judge(
        f"{_judged_graph(kept)}"
        "  let start = Reader.int problem in\n"
        "  let stop = Reader.int problem in\n"
        f"  let graph = Graph.of_edges ~directed:{directed} n edges in\n",
        impossible="none",
        verdict="    let rec read found =\n"
        "      if Reader.at_end printed then List.rev found\n"
        "      else read (Reader.int ~low:1 ~high:n printed :: found) in\n"
        "    let path = read [] in\n"
        '    if path = [] || List.hd path <> start then rejectf "it starts elsewhere";\n'
        '    if List.nth path (List.length path - 1) <> stop then rejectf "it ends elsewhere";\n'
        "    if List.length (List.sort_uniq compare path) < List.length path then\n"
        '      rejectf "a node comes twice";\n'
        '    if not (Graph.is_path graph path) then rejectf "there is no such edge";\n'
        f"{test}",
    )
    return program(
        "any-path",
        "Write an OCaml program. The input is the number of nodes n and the number of edges m"
        " of a graph, then two nodes a and b and a weight for each edge, and then two nodes s"
        f" and t; nodes are numbered from 1. An edge {lead}; only edges whose weight"
        f" {kept.one} may be used. Print the nodes of {what} from s to t {how},"
        f" s and t among them, {laid_out}, or the word `none` if there is no path. If there"
        " are several, print any of them.",
        reference,
        [text(nodes) for nodes in _SIZES],
        judge=judge,
    )


_COLOURS: Final = {
    "numbers": (
        "the numbers from 1 to k",
        "let shown c = string_of_int c\n",
        "Reader.int ~low:1 ~high:k printed",
    ),
    "letters": (
        "the first k small letters",
        "let shown c = String.make 1 (Char.chr (96 + c))\n",
        "(match Reader.word printed with\n"
        "      | w when String.length w = 1 && w.[0] >= 'a' && Char.code w.[0] < 97 + k ->\n"
        "        Char.code w.[0] - 96\n"
        '      | _ -> rejectf "no colour")',
    ),
}


def any_colouring(draw: Draw) -> Draft:
    """A colouring of a graph, any of many"""
    colours, shown, read = draw.pick(_COLOURS)
    laid_out, separator = draw.pick(_LAID_OUT)
    order = draw.pick(_ORDERS)
    kept = condition(draw, *_NOT_OF_WEIGHTS)
    spare = draw.pick({"none": 1, "one": 2})
    extra = {1: "one", 2: "two"}[spare]
    reference = (
        f"{_read_graph(kept)}\n"
        "let near x =\n  List.filter_map\n"
        "    (fun (a, b) -> if a = x then Some b else if b = x then Some a else None) edges\n"
        "  |> List.sort_uniq compare\n\n"
        "let k =\n"
        "  List.fold_left max 0 (List.init n (fun i -> List.length (near (i + 1))))"
        f" + {spare}\n"
        f"{shown}"
        "let colour = Array.make (n + 1) 0\n\n"
        "let () =\n"
        "  for x = 1 to n do\n"
        "    let taken = List.map (fun y -> colour.(y)) (near x) in\n"
        "    let free = List.filter (fun c -> not (List.mem c taken))"
        " (List.init k (fun i -> i + 1)) in\n"
        f"    colour.(x) <- List.hd (List.sort {order} free)\n"
        "  done;\n"
        f"  print_endline (String.concat {separator}"
        " (List.init n (fun i -> shown colour.(i + 1))))\n"
    )
    judge = (
        "let judge ~input ~expected ~output =\n"
        "  ignore expected;\n"
        f"{_judged_graph(kept)}"
        "  let degree x =\n"
        "    List.filter_map (fun (a, b) ->\n"
        "      if a = x then Some b else if b = x then Some a else None) edges\n"
        "    |> List.sort_uniq compare |> List.length in\n"
        "  let k = List.fold_left max 0 (List.init n (fun i -> degree (i + 1)))"
        f" + {spare} in\n"
        "  let printed = Reader.of_output output in\n"
        f"  let colour = Array.of_list (Reader.list n (fun printed -> {read}) printed) in\n"
        "  Reader.finish printed;\n"
        "  List.iter (fun (a, b) ->\n"
        "    if colour.(a - 1) = colour.(b - 1) then"
        ' rejectf "%d and %d have the same colour" a b) edges;\n'
        "  accept\n"
    )
    return program(
        "any-colouring",
        "Write an OCaml program. The input is the number of nodes n and the number of edges m"
        " of a graph, and then two different nodes and a weight for each edge; nodes are"
        f" numbered from 1. Only edges whose weight {kept.one} count. Two nodes with such an"
        " edge between them, in whichever direction it is given, are neighbours. Let k be"
        f" the largest number of neighbours of a node, plus {extra}."
        f" Give each node one of k colours, {colours}, such that neighbours differ. Print the"
        f" colours of the nodes in their order, {laid_out}. Any such colouring will do.",
        reference,
        [_graph(draw, nodes, 4 * nodes - draw.below(nodes)) for nodes in _SIZES],
        judge=judge,
    )


_NEEDS: Final = {
    "before": ("task a has to come before task b", "(a, b)"),
    "needs": ("task a needs task b, which has to come before it", "(b, a)"),
}


def any_order(draw: Draw) -> Draft:
    """An order of tasks that need each other, any of several"""
    said, pair = draw.pick(_NEEDS)
    laid_out, separator = draw.pick(_LAID_OUT)
    order = draw.pick(_ORDERS)
    kept = condition(draw, *_NOT_OF_WEIGHTS)
    word = draw.pick({"impossible": "impossible", "cycle": "cycle"})

    def text(nodes: int) -> str:
        edges = []
        # Mostly without a cycle.
        circular = draw.below(4) == 0
        names = draw.sample(range(1, nodes + 1), nodes)
        for _ in range(4 * nodes - draw.below(nodes)):
            a, b = draw.below(nodes), draw.below(nodes)
            if a == b:
                continue
            low, high = (a, b) if circular or a < b else (b, a)
            first, second = names[low], names[high]
            edges.append((first, second) if pair == "(a, b)" else (second, first))
        lines = [_edge(draw, a, b) for a, b in dict.fromkeys(edges)]
        return "\n".join([f"{nodes} {len(lines)}", *lines]) + "\n"

    reference = (
        f"{_read_graph(kept)}"
        f"let pairs = List.map (fun (a, b) -> {pair}) edges\n\n"
        "let rec arrange left found =\n"
        "  let free x = not (List.exists (fun (a, b) -> b = x && List.mem a left) pairs) in\n"
        f"  match List.sort {order} (List.filter free left) with\n"
        "  | [] -> if left = [] then Some (List.rev found) else None\n"
        "  | x :: _ -> arrange (List.filter (( <> ) x) left) (x :: found)\n\n"
        "let answer = arrange (List.init n (fun i -> i + 1)) []\n\n"
        f"{_printed(separator, word)}"
    )
    judge = _judge(
        _judged_graph(kept),
        impossible=word,
        verdict="    let order = Reader.list n (Reader.int ~low:1 ~high:n) printed in\n"
        '    if not (is_permutation n order) then rejectf "not each task once";\n'
        "    let place = Array.make (n + 1) 0 in\n"
        "    List.iteri (fun i x -> place.(x) <- i) order;\n"
        "    List.iter (fun (a, b) ->\n"
        f"      let a, b = {pair} in\n"
        '      if place.(a) > place.(b) then rejectf "%d comes behind %d" a b) edges;\n',
    )
    return program(
        "any-order",
        "Write an OCaml program. The input is the number of tasks n and the number of pairs m,"
        " and then m pairs of tasks a and b with a weight each; tasks are numbered from 1. A"
        f" pair whose weight {kept.one} says that {said}; the others say nothing. Print all tasks in an order that keeps to this, {laid_out}, or the word"
        f" `{word}` if there is none. Any such order will do.",
        reference,
        [text(nodes) for nodes in _SIZES],
        judge=judge,
    )


_GOALS: Final = {
    "half": (
        "the input is n and then n whole numbers above 0",
        "half of the sum of all numbers",
        "let goal = List.fold_left ( + ) 0 numbers\n"
        "let goal = if goal mod 2 = 0 then goal / 2 else -1\n",
        "  let sum = List.fold_left ( + ) 0 numbers in\n"
        "  let goal = if sum mod 2 = 0 then sum / 2 else -1 in\n",
    ),
    "given": (
        "the input is n, then n whole numbers above 0, and then a goal",
        "the goal",
        'let goal = Scanf.scanf " %d" Fun.id\n',
        "  let goal = Reader.int problem in\n",
    ),
}
_SHOWN_AS: Final = {
    "places": ("the places of some of the numbers, the first of which is 1,", "i + 1"),
    "from zero": ("the places of some of the numbers, the first of which is 0,", "i"),
}


def any_partition(draw: Draw) -> Draft:
    """Some numbers with a given sum, any of several such choices"""
    given, goal, code, judged = draw.pick(_GOALS)
    asked, place = draw.pick(_SHOWN_AS)
    laid_out, separator = draw.pick(_LAID_OUT)
    kept = condition(draw, *_NOT_OF_WEIGHTS)
    first = draw.pick({"with": "true; false", "without": "false; true"})

    def text(count: int) -> str:
        numbers = [1 + draw.below(9) for _ in range(count)]
        line = " ".join(map(str, numbers))
        last = f"{1 + draw.below(3 * count)}\n" if goal == "the goal" else ""
        return f"{count}\n{line}\n{last}"

    reference = (
        'let n = Scanf.scanf " %d" Fun.id\n'
        'let numbers = List.init n (fun _ -> Scanf.scanf " %d" Fun.id)\n'
        f"let kept x = {kept.ml}\n"
        f"{code}\n"
        "let rec choose left sum = function\n"
        "  | [] -> if sum = goal then Some (List.rev left) else None\n"
        "  | _ when sum > goal -> None\n"
        "  | (_, x) :: rest when not (kept x) -> choose left sum rest\n"
        "  | (i, x) :: rest ->\n"
        "    List.fold_left\n"
        "      (fun found taken ->\n"
        "        match found with\n"
        "        | Some _ -> found\n"
        "        | None when taken -> choose (i :: left) (sum + x) rest\n"
        "        | None -> choose left sum rest)\n"
        f"      None [ {first} ]\n\n"
        f"let answer = choose [] 0 (List.mapi (fun i x -> ({place}, x)) numbers)\n\n"
        f"{_printed(separator, 'none')}"
    )
    offset = "- 1" if place == "i + 1" else "- 0"
    low, high = ("1", "n") if place == "i + 1" else ("0", "(n - 1)")
    judge = _judge(
        "  let problem = Reader.of_problem input in\n"
        "  let n = Reader.int problem in\n"
        "  let numbers = Reader.list n Reader.int problem in\n"
        f"{judged}",
        impossible="none",
        verdict="    let rec read found =\n"
        "      if Reader.at_end printed then found\n"
        f"      else read (Reader.int ~low:{low} ~high:{high} printed :: found) in\n"
        "    let places = read [] in\n"
        "    if List.length (List.sort_uniq compare places) < List.length places then\n"
        '      rejectf "a place comes twice";\n'
        "    let sum = List.fold_left (fun sum i ->"
        f" sum + List.nth numbers (i {offset})) 0 places in\n"
        f"    if List.exists (fun i -> let x = List.nth numbers (i {offset}) in"
        f" not ({kept.ml})) places then\n"
        '      rejectf "a number that may not be used";\n'
        '    if sum <> goal then rejectf "the sum is %d and not %d" sum goal;\n',
    )
    return program(
        "any-partition",
        f"Write an OCaml program. {given[0].upper()}{given[1:]}; n is above 0. Print {asked}"
        f" of those that {kept.many}, whose sum is {goal}, {laid_out}, in any order, or the word `none` if there are no"
        " such numbers. If there are several choices, print any of them.",
        reference,
        [text(count) for count in _SIZES],
        judge=judge,
    )


_MAKES: Final[tuple[Callable[[Draw], Draft], ...]] = (
    any_path,
    any_colouring,
    any_order,
    any_partition,
)
FAMILIES = gather("many right answers", *_MAKES)
