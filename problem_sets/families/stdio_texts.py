"""Whole programs that carry out commands, or read a map."""

from __future__ import annotations

from ..drafts import Draft, program
from ..drawing import Draw
from ..registry import gather

_INSTRUCTIONS = {
    "set": (
        '| [ "set"; v; n ] -> Vars.add v (int_of_string n) vars',
        "`set v n` gives the variable v the number n",
        "set {v} {n}",
    ),
    "add": (
        '| [ "add"; v; n ] -> Vars.add v (value v vars + int_of_string n) vars',
        "`add v n` adds the number n to the variable v",
        "add {v} {n}",
    ),
    "copy": (
        '| [ "copy"; v; w ] -> Vars.add v (value w vars) vars',
        "`copy v w` gives the variable v what the variable w has",
        "copy {v} {w}",
    ),
    "swap": (
        '| [ "swap"; v; w ] ->\n    Vars.add v (value w vars) (Vars.add w (value v vars) vars)',
        "`swap v w` exchanges what the variables v and w have",
        "swap {v} {w}",
    ),
    "neg": (
        '| [ "neg"; v ] -> Vars.add v (- value v vars) vars',
        "`neg v` negates the variable v",
        "neg {v}",
    ),
    "max": (
        '| [ "max"; v; w ] -> Vars.add v (max (value v vars) (value w vars)) vars',
        "`max v w` gives the variable v what the variable w has, if that is larger than what v has",
        "max {v} {w}",
    ),
    "clear": (
        '| [ "clear" ] -> Vars.empty',
        "`clear` sets all variables to 0",
        "clear",
    ),
}


_SHOW = {
    "one": (
        '| [ "show"; v ] -> Printf.printf "%d\\n" (value v vars); vars',
        "`show v` prints what the variable v has",
        "show {v}",
    ),
    "named": (
        '| [ "show"; v ] -> Printf.printf "%s=%d\\n" v (value v vars); vars',
        "`show v` prints the variable's name, an equals sign and what it has, without blanks",
        "show {v}",
    ),
    "all": (
        '| [ "show" ] ->\n'
        '    Vars.iter (fun v n -> if n <> 0 then Printf.printf "%s %d\\n" v n) vars;\n'
        "    vars",
        "`show` prints, for each variable that does not have 0, in rising order of their"
        " names, a line with its name, a space and what it has",
        "show",
    ),
}


_BAD = {
    "ignored": ("| _ -> vars", "Any other line is passed over."),
    "error": ('| _ -> print_endline "?"; vars', "For any other line `?` is printed."),
    "stops": ("| _ -> exit 0", "Any other line ends the program."),
}


def variables(draw: Draw) -> Draft:
    """A program that carries out commands about variables"""
    # Without one of the first two every variable has 0 for ever.
    first = draw.pick({name: _INSTRUCTIONS[name] for name in ("set", "add")})
    others = {name: each for name, each in _INSTRUCTIONS.items() if each is not first}
    chosen = [first, *draw.pick_some(others, 2)]
    show, said, form = draw.pick(_SHOW)
    bad, otherwise = draw.pick(_BAD)
    forms = [each[2] for each in chosen] + [form, form]

    def text(size: int) -> str:
        lines = []
        for _ in range(size):
            v, w = draw.choice("abc"), draw.choice("abc")
            line = draw.choice(forms).format(v=v, w=w, n=draw.between(-5, 9))
            lines.append(line if draw.below(9) else draw.choice(("nop", "set", "show a b c")))
        lines += [form.format(v=v) for v in "abc"]
        return "".join(f"{line}\n" for line in lines)

    told = "; ".join(each[1] for each in chosen)
    arms = "".join(f"  {each[0]}\n" for each in (*chosen, (show,), (bad,)))
    start = "".join(f"{each[2].format(v='a', w='b', n=n)}\n" for n, each in enumerate(chosen, 4))
    shown = form.format(v="a") + "\n"
    return program(
        "variables",
        "Write an OCaml program that reads commands, one in each line, until the end of its input,"
        f" and carries them out in order: {told}; {said}. Variables are words and have 0 at first;"
        " numbers are whole, perhaps with a minus sign; what is printed stands in a line of its"
        f" own. Words are separated by one space. {otherwise}",
        "module Vars = Map.Make (String)\n\n"
        "let value v vars = Option.value (Vars.find_opt v vars) ~default:0\n\n"
        "let step vars line =\n  match String.split_on_char ' ' line with\n"
        f"{arms}\nlet rec run vars =\n  match read_line () with\n"
        "  | line -> run (step vars line)\n  | exception End_of_file -> ()\n\n"
        "let () = run Vars.empty\n",
        [
            start + shown + text(3),
            *(text(n) for n in (5, 8, 1, 10, 12, 6, 15, 9, 11, 7)),
            "",
        ],
    )


_CELLS = {
    "land": ("c = '#'", "a `#`"),
    "edge of land": (
        "c = '#' && List.exists (fun (a, b) -> at a b <> '#') (around i j)",
        "a `#` of whose four neighbours (above, below, left, right; what lies outside the map"
        " counts as a `.`) at least one is no `#`",
    ),
    "lonely": (
        "c = '#' && List.for_all (fun (a, b) -> at a b <> '#') (around i j)",
        "a `#` none of whose four neighbours (above, below, left, right) is a `#`",
    ),
    "shore": (
        "c = '.' && List.exists (fun (a, b) -> at a b = '#') (around i j)",
        "a `.` at least one of whose four neighbours (above, below, left, right) is a `#`",
    ),
    "crowded": (
        "List.length (List.filter (fun (a, b) -> at a b = '#') (around i j)) >= 2",
        "any place at least two of whose four neighbours (above, below, left, right) are a `#`",
    ),
    "two in a row": ("c = '#' && at i (j + 1) = '#'", "a `#` with a `#` to its right"),
}


_MAP_PRINTS = {
    "count": (
        'Printf.printf "%d\\n" (List.length found)',
        "how many such places there are",
    ),
    "rows": (
        "Array.iteri\n    (fun i _ ->\n"
        '      Printf.printf "%d\\n" (List.length (List.filter (fun (a, _) -> a = i) found)))\n'
        "    grid",
        "for each row, from above, a line with how many such places it has",
    ),
    "places": (
        'List.iter (fun (i, j) -> Printf.printf "%d,%d\\n" i j) found;\n'
        '  if found = [] then print_endline "none"',
        "for each such place a line with its row and its column (both count from 0) and a comma"
        " between them, row by row from above and within a row from the left; `none` if there are"
        " none",
    ),
    "map": (
        "Array.iteri\n    (fun i row ->\n      print_endline\n"
        "        (String.mapi (fun j c -> if List.mem (i, j) found then '*' else c) row))\n"
        "    grid",
        "the map with a `*` at each such place",
    ),
    "widest": (
        "let columns = List.map snd found in\n"
        '  if found = [] then print_endline "none"\n'
        "  else\n"
        '    Printf.printf "%d\\n"\n'
        "      (List.fold_left max 0 columns - List.fold_left min max_int columns + 1)",
        "how many columns there are from the leftmost to the rightmost such place, both counted;"
        " `none` if there is no such place",
    ),
}


def map_report(draw: Draw) -> Draft:
    """A program that reads a map of characters"""
    cell, which = draw.pick(_CELLS)
    code, printed = draw.pick(_MAP_PRINTS)
    share = draw.between(2, 4)
    turned = draw.pick(
        {
            "as it is": ("grid", ""),
            "inverted": (
                "(Array.map (String.map (fun c -> if c = '#' then '.' else '#')) grid)",
                " First every `#` becomes a `.` and every `.` a `#`, and all that follows is about"
                " that map.",
            ),
        }
    )

    def text(rows: int, columns: int) -> str:
        lines = [
            "".join("#" if draw.below(6) < share else "." for _ in range(columns))
            for _ in range(rows)
        ]
        return f"{rows} {columns}\n" + "".join(f"{line}\n" for line in lines)

    sizes = (
        (3, 4),
        (4, 4),
        (1, 1),
        (1, 6),
        (5, 1),
        (2, 2),
        (4, 6),
        (5, 5),
        (6, 7),
        (2, 5),
        (3, 3),
    )
    return program(
        "map-report",
        "Write an OCaml program that reads a map: a line with the number of rows and the number of"
        " columns, both at least 1, and then the rows, each of so many characters `#` and `.`."
        f"{turned[1]} Look for these places: {which}. Print {printed}.",
        'let grid = Scanf.scanf " %d %d" (fun rows _ ->\n'
        '    Array.init rows (fun _ -> Scanf.scanf " %s" Fun.id))\n\n'
        + (f"let grid = {turned[0]}\n\n" if turned[1] else "")
        + "let at i j =\n"
        "  if i < 0 || j < 0 || i >= Array.length grid || j >= String.length grid.(0) then '.'\n"
        "  else grid.(i).[j]\n\n"
        "let around i j = [ (i - 1, j); (i + 1, j); (i, j - 1); (i, j + 1) ]\n\n"
        "let found =\n  List.concat\n    (List.init (Array.length grid) (fun i ->\n"
        "         List.init (String.length grid.(0)) (fun j -> (i, j))\n"
        f"         |> List.filter (fun (i, j) -> let c = at i j in {cell})))\n\n"
        f"let () =\n  {code}\n",
        [text(*size) for size in sizes],
    )


FAMILIES = gather("stdin and stdout", variables, map_report)
