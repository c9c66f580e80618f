"""Mutable queues and stacks."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_TURN = {
    "minus": ("x - {k}", "what it still needs is less by {k}"),
    "half": ("x / 2", "what it still needs is halved, rounded down"),
    "one": ("x - 1", "what it still needs is less by 1"),
}
_OF_QUEUE = {
    "order": (
        "int list",
        "the list of the places (the first is 0) that the jobs have in"
        " `jobs`, in the order in which they end",
        "done_ := i :: !done_",
        "List.rev !done_",
    ),
    "turns": ("int", "the number of turns until all jobs have ended", "()", "!turns"),
    "last": (
        "int option",
        "`Some` of the place (the first is 0) that the job which ends last"
        " has in `jobs`, `None` if there are no jobs",
        "done_ := [ i ]",
        "match !done_ with [] -> None | i :: _ -> Some i",
    ),
    "times": (
        "(int * int) list",
        "the list of pairs of a job's place in `jobs` (the first is"
        " 0) and the number of the turn in which it ends (the first is 1), in the order"
        " in which jobs end",
        "done_ := (i, !turns) :: !done_",
        "List.rev !done_",
    ),
}
# What comes before the work, in English, and what a job is marked with once worked on.
_BOUNCE = {
    "all": ("", "", ""),
    "skip": (
        "if x mod 2 = 1 && not marked then Queue.add (i, x, true) waiting\n    else ",
        " Whenever a job that needs an odd number has its turn, it goes to the end of the"
        " queue without being worked on, which counts as a turn; in its next turn it is"
        " worked on, whatever it needs.",
        ", false",
    ),
    "again": (
        "if x > 6 && not marked then Queue.add (i, x - 1, true) waiting\n    else ",
        " A job that needs more than 6 in its first turn is only worked on by 1 in that"
        " turn and goes to the end of the queue.",
        ", true",
    ),
}


def round_robin(draw: Draw) -> Draft:
    """Jobs that take turns in a queue"""
    k = draw.between(2, 4)
    turn, said = (each.format(k=k) for each in draw.pick(_TURN))
    kind, of, note, finish = draw.pick(_OF_QUEUE)
    before, rule, worked = draw.pick(_BOUNCE)
    limit = draw.pick({"zero": 0, "one": 1})
    kept = condition(draw, "positive", "negative", "less", "between")
    flag = ", marked" if before else ""
    unset = ", false" if before else ""
    notes = note != "()"
    state = "let done_ = ref [] in\n" if notes else ""
    end = f"(if left <= {limit} then {note} else Queue.add (i, left{worked}) waiting)"
    if not notes:
        end = f"if left > {limit} then Queue.add (i, left{worked}) waiting"
    return function(
        draw,
        "schedule",
        [("jobs", "int list", "nat list")],
        kind,
        what="`jobs` says what each job needs; only jobs that need a number which"
        f" {kept.one} come into the queue, in the order of `jobs`. In each turn the first job"
        f" of the queue is worked on: {said}. If it then needs at most {limit} it ends, else"
        f" it goes to the end of the queue.{rule} `schedule jobs` is {of}.",
        also=["Jobs need no negative numbers; one that needs 0 has its turn like any other."],
        body=f"let waiting = Queue.create () in\n{state}let turns = ref 0 in\n"
        f"List.iteri (fun i x -> if {kept.ml} then Queue.add (i, x{unset}) waiting) jobs;\n"
        "while not (Queue.is_empty waiting) do\n"
        f"  let i, x{flag} = Queue.pop waiting in\n  incr turns;\n  {before}"
        f"let left = {turn} in\n    {end}\ndone;\n{finish}",
        edges=[
            "[]",
            "[0]",
            "[1]",
            "[5; 2; 8; 3; 12; 6; 7; 9; 10]",
            "[1; 7; 7; 4; 0; 2]",
            "[9; 9]",
            "[3; 6; 9; 12; 15]",
            "[4; 8; 5; 10]",
            "[7; 11; 13]",
            "[2; 20]",
        ],
    )


_OPERATIONS = {
    "add": (
        '"add"',
        2,
        "Stack.push (a + b) stack",
        "takes two numbers and puts their sum",
    ),
    "sub": (
        '"sub"',
        2,
        "Stack.push (b - a) stack",
        "takes two numbers, the upper one first, and puts the lower minus the upper one",
    ),
    "dup": (
        '"dup"',
        1,
        "Stack.push a stack; Stack.push a stack",
        "takes a number and puts it twice",
    ),
    "swap": (
        '"swap"',
        2,
        "Stack.push a stack; Stack.push b stack",
        "makes the two upper numbers change places",
    ),
    "drop": ('"drop"', 1, "()", "takes a number"),
    "neg": ('"neg"', 1, "Stack.push (-a) stack", "takes a number and puts it negated"),
    "max": (
        '"max"',
        2,
        "Stack.push (max a b) stack",
        "takes two numbers and puts the larger one",
    ),
    "over": (
        '"over"',
        2,
        "Stack.push b stack; Stack.push a stack; Stack.push b stack",
        "puts the number below the upper one once more",
    ),
}
_SHORT = {
    "ignored": ("()", "A word that needs more numbers than there are changes nothing."),
    "cleared": (
        "Stack.clear stack",
        "A word that needs more numbers than there are empties the stack.",
    ),
    "zero": (
        "Stack.push 0 stack",
        "A word that needs more numbers than there are takes none and puts 0.",
    ),
}
_LEFT = {
    "list": (
        "int list",
        "the list of the numbers on the stack at the end, the top first",
        "List.of_seq (Stack.to_seq stack)",
    ),
    "top": (
        "int option",
        "`Some` of the number on top at the end, `None` if the stack is empty",
        "Stack.top_opt stack",
    ),
    "sum": (
        "int",
        "the sum of the numbers on the stack at the end",
        "Stack.fold ( + ) 0 stack",
    ),
    "size": (
        "int * int",
        "the pair of how many numbers are on the stack at the end and how many"
        " were on it at the most after any word (0 for no words)",
        "(Stack.length stack, !most)",
    ),
}


def stack_machine(draw: Draw) -> Draft:
    """Words that work on a stack of numbers"""
    chosen = draw.pick_some({n: (n, *_OPERATIONS[n]) for n in _OPERATIONS}, 3)
    short, said = draw.pick(_SHORT)
    kind, of, finish = draw.pick(_LEFT)
    arms = ""
    for _, word, taken, code, _ in chosen:
        pops = "let a = Stack.pop stack in " + ("let b = Stack.pop stack in " if taken == 2 else "")
        done = "ignore (Stack.pop stack)" if code == "()" else f"{pops}{code}"
        arms += (
            f"  | {word} ->\n    if Stack.length stack < {taken} then {short}\n"
            f"    else begin {done} end\n"
        )
    most = "most" in finish
    names = [each[0] for each in chosen]

    def text(size: int) -> str:
        words = [
            str(draw.between(-3, 9)) if draw.below(5) < 3 else draw.choice(names)
            for _ in range(size)
        ]
        return f'"{" ".join(words)}"'

    told = "; ".join(f"`{name}` {what}" for name, _, _, _, what in chosen)
    extra = [f'"{a} 2 {b}"' for a in (3, -1) for b in names]
    extra += [f'"5 {b}"' for b in names] + [f'"{b}"' for b in names]
    extra += [
        '"1 2 3 ' + " ".join(names) + '"',
        '"4 7 9 ' + " ".join(names[::-1]) + '"',
    ]
    sizes = (0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
    each_word = (
        "let run word =\n  match word with\n"
        f"{arms}  | number -> Stack.push (int_of_string number) stack\nin\n"
    )
    return function(
        draw,
        "execute",
        [("s", "string")],
        kind,
        what="`s` consists of words with one space between every two; the empty text has"
        " none. They work on a stack that is empty at first, and are done from left to right:"
        f" a number (in decimal, perhaps with a minus sign) is put on the stack; {told}. To"
        f" take means to remove from the top. {said} `execute s` is {of}.",
        body="let stack = Stack.create () in\n"
        + ("let most = ref 0 in\n" if most else "")
        + each_word
        + "let words = if s = \"\" then [] else String.split_on_char ' ' s in\n"
        + (
            "List.iter (fun word -> run word; most := max !most (Stack.length stack)) words;\n"
            if most
            else "List.iter run words;\n"
        )
        + finish,
        drawn_calls=list(
            dict.fromkeys(
                f"execute {each}" for each in (*map(text, sizes[6:]), *extra, *map(text, sizes[:6]))
            )
        ),
    )


FAMILIES = gather("mutable queues", round_robin, stack_machine)
