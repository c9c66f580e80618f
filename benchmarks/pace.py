"""
No honest program pays for the budgets: the same records on an idle machine and a busy one.

The corpus, and right solutions that take a worse way than their references (quadratic for
linear, not memoised), are graded with few and many workers, alone and beside processes that
compute.  Printed is what differs, what came near its budget, and what of the slow
solutions does not pass; the exit status is 1 if anything differs or does not pass.

    python -m benchmarks.pace --busy 8
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import NamedTuple

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.engine.select import ENGINES, engine
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.model import Verdict
from tests.engine.busy import busy

from .stock import CORPUS, Pair


class Slow(NamedTuple):
    """
    A problem's assertions, its reference, and a right solution that takes much longer.
    """

    asserted: tuple[str, ...]
    reference: str
    solution: str


SLOW = {
    "reverse by appending": Slow(
        (
            "f [] = []",
            "f [1; 2; 3] = [3; 2; 1]",
            "List.hd (f (List.init 1000 (fun n -> n))) = 999",
        ),
        "let f l = List.rev l",
        "let rec f = function [] -> [] | x :: rest -> f rest @ [ x ]",
    ),
    "fibonacci twice over": Slow(
        ("f 0 = 0", "f 10 = 55", "f 25 = 75025"),
        "let f n =\n  let rec go a b k = if k = 0 then a else go b (a + b) (k - 1) in\n  go 0 1 n",
        "let rec f n = if n < 2 then n else f (n - 1) + f (n - 2)",
    ),
    "distinct by looking": Slow(
        ("f [1; 1; 2] = 2", "f [] = 0", "f (List.init 600 (fun n -> n mod 500)) = 500"),
        "let f l = List.length (List.sort_uniq compare l)",
        "let rec f = function\n  | [] -> 0\n  | x :: rest -> (if List.mem x rest then 0 else 1) + f rest",
    ),
    "sorting by swapping": Slow(
        (
            "f [3; 1; 2] = [1; 2; 3]",
            "List.hd (f (List.init 250 (fun n -> 250 - n))) = 1",
        ),
        "let f l = List.sort compare l",
        "let rec pass = function\n  | a :: b :: rest when a > b -> b :: pass (a :: rest)\n"
        "  | a :: rest -> a :: pass rest\n  | [] -> []\n"
        "let f l = List.fold_left (fun l _ -> pass l) l l",
    ),
    "primes by dividing": Slow(
        ("f 10 = 4", "f 1000 = 168"),
        "let f n =\n  let crossed = Array.make (n + 1) false in\n  let count = ref 0 in\n"
        "  for k = 2 to n do\n    if not crossed.(k) then begin\n      incr count;\n"
        "      let m = ref (k * k) in\n"
        "      while !m <= n do crossed.(!m) <- true; m := !m + k done\n    end\n  done;\n  !count",
        "let f n =\n  let is_prime k =\n    let rec go d = d = k || (k mod d <> 0 && go (d + 1)) in\n"
        "    k > 1 && go 2 in\n"
        "  List.length (List.filter is_prime (List.init (n + 1) (fun k -> k)))",
    ),
    "text put together piece by piece": Slow(
        ('f 3 = "xxx"', "String.length (f 3000) = 3000"),
        "let f n = String.make n 'x'",
        'let rec f n = if n = 0 then "" else "x" ^ f (n - 1)',
    ),
    "common subsequence, not remembered": Slow(
        ('f "abc" "ac" = 2', 'f "abcbdab" "bdcaba" = 4'),
        "let f a b =\n  let n = String.length a and m = String.length b in\n"
        "  let t = Array.make_matrix (n + 1) (m + 1) 0 in\n"
        "  for i = 1 to n do for j = 1 to m do\n"
        "    t.(i).(j) <- (if a.[i - 1] = b.[j - 1] then t.(i - 1).(j - 1) + 1\n"
        "      else max t.(i - 1).(j) t.(i).(j - 1)) done done;\n  t.(n).(m)",
        "let f a b =\n  let rec go i j =\n    if i = 0 || j = 0 then 0\n"
        "    else if a.[i - 1] = b.[j - 1] then go (i - 1) (j - 1) + 1\n"
        "    else max (go (i - 1) j) (go i (j - 1)) in\n"
        "  go (String.length a) (String.length b)",
    ),
    "ways to pay, not remembered": Slow(
        ("f [1; 2; 5] 10 = 10", "f [1; 5; 10; 25] 60 = 73"),
        "let f coins n =\n  let t = Array.make (n + 1) 0 in\n  t.(0) <- 1;\n"
        "  List.iter (fun c -> for k = c to n do t.(k) <- t.(k) + t.(k - c) done) coins;\n  t.(n)",
        "let rec f coins n =\n  if n = 0 then 1 else if n < 0 then 0\n"
        "  else match coins with [] -> 0 | c :: rest -> f coins (n - c) + f rest n",
    ),
    "powers step by step": Slow(
        ("f 2 10 7 = 2", "f 3 20000 1000 = 1"),
        "let rec f b e m =\n  if e = 0 then 1 mod m\n"
        "  else let h = f (b * b mod m) (e / 2) m in if e mod 2 = 0 then h else b * h mod m",
        "let rec f b e m = if e = 0 then 1 mod m else b * f b (e - 1) m mod m",
    ),
    "sums by all subsets": Slow(
        ("f [3; 5; 8] 11", "not (f [2; 4; 6; 8; 10; 12; 14; 16; 18; 20; 22] 33)"),
        "let f l n =\n  let seen = Hashtbl.create 64 in\n  Hashtbl.replace seen 0 ();\n"
        "  List.iter (fun x ->\n"
        "    List.iter (fun s -> Hashtbl.replace seen (s + x) ())\n"
        "      (Hashtbl.fold (fun s () all -> s :: all) seen [])) l;\n  Hashtbl.mem seen n",
        "let rec f l n =\n  match l with [] -> n = 0 | x :: rest -> f rest n || f rest (n - x)",
    ),
}


def slow_pairs() -> list[Pair]:
    """
    Return each slow solution with its problem.
    """
    return [
        (
            Problem(
                id=name,
                tests="\n".join(f"let () = assert ({each})" for each in slow.asserted),
                reference=f"{slow.reference}\n",
            ),
            Completion(text=f"{slow.solution}\n"),
        )
        for name, slow in SLOW.items()
    ]


def corpus_pairs() -> list[Pair]:
    """
    Return every completion of the corpus with its problem.
    """
    problems = load_problems(CORPUS / "problems.jsonl").problems
    return [
        (problems[line.problem_id], line.completion)
        for line in read_completions(CORPUS / "completions.jsonl")
        if isinstance(line, CompletionLine)
    ]


def graded(chosen: Engine, pairs: list[Pair], jobs: int) -> list[Breakdown]:
    """
    Grade all of them with a memory of their own.
    """
    grader = Grader("concise", engine=chosen, jobs=jobs)
    return list(grader.grade_many(pairs))


def main() -> None:
    """
    Grade in each situation, and compare.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--busy", type=int, default=8)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 4])
    parser.add_argument("--slow-only", action="store_true")
    parser.add_argument("--engine", default="warm", choices=ENGINES)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    chosen = engine(options.engine, options.sandbox)
    slow = slow_pairs()
    pairs = slow if options.slow_only else [*slow, *corpus_pairs()]
    first: list[Breakdown] | None = None
    wrong = 0
    for others in (0, options.busy):
        for jobs in options.jobs:
            with busy(others):
                started = time.perf_counter()
                found = graded(chosen, pairs, jobs)
                took_s = time.perf_counter() - started
            first = first or found
            differ = [b for a, b in zip(first, found, strict=True) if a != b]
            failed = [b for b in found[: len(slow)] if b.verdict is not Verdict.PASSED]
            near = [
                f"{b.problem_id}: {name} {ms:.0f} ms"
                for b in found
                for name, ms in b.timings_ms.items()
                if name == "top level" or name.startswith("check ")
            ]
            print(
                f"{others} busy, {jobs} workers: {len(found)} in {took_s:.1f} s,"
                f" {len(differ)} differ, {len(failed)} slow ones fail, near: {near}"
            )
            for each in {b.problem_id: b for b in [*differ, *failed]}.values():
                print(f"    {each.problem_id}: {each.verdict} {each.tests.results}")
            wrong += len(differ) + len(failed)
    chosen.close()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
