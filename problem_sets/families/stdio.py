"""Whole programs on standard input and output."""

from __future__ import annotations

from ..drafts import Draft, program
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition, transform

_LAYOUTS = {
    "counted": (
        "The input is a whole number n, which is not negative, and then n whole numbers, all"
        " separated by white space.",
        "let numbers =\n"
        '  let n = Scanf.scanf " %d" Fun.id in\n'
        '  List.init n (fun _ -> Scanf.scanf " %d" Fun.id)\n',
    ),
    "all": (
        "The input is whole numbers, separated by white space; there may be none.",
        "let numbers =\n  let rec read found =\n"
        '    match Scanf.scanf " %d" Fun.id with\n'
        "    | n -> read (n :: found)\n"
        "    | exception (End_of_file | Scanf.Scan_failure _) -> List.rev found\n"
        "  in\n  read []\n",
    ),
    "line": (
        "The input is one line of whole numbers with a comma between every two of them and no"
        " blanks; the line may be empty.",
        "let numbers =\n  match String.trim (read_line ()) with\n"
        '  | "" -> []\n'
        "  | line -> List.map int_of_string (String.split_on_char ',' line)\n",
    ),
    "until zero": (
        "The input is whole numbers, one in each line, up to a 0, which only marks their end;"
        " what follows it does not matter.",
        "let numbers =\n  let rec read found =\n    match int_of_string (read_line ()) with\n"
        "    | 0 -> List.rev found\n    | n -> read (n :: found)\n  in\n  read []\n",
    ),
}


_PRINTED = {
    "sum and count": (
        'let () =\n  Printf.printf "%d %d\\n" (List.length kept) (List.fold_left ( + ) 0 kept)\n',
        "how many these are and their sum (0 for none), in one line with a space between them",
    ),
    "lines": (
        'let () = List.iter (Printf.printf "%d\\n") kept\n',
        "each of these in a line of its own, in the order of the input (nothing if there are none)",
    ),
    "sorted": (
        "let () =\n"
        '  print_endline (String.concat " " (List.map string_of_int (List.sort compare kept)))\n',
        "these in one line in rising order, with one space between every two (an empty line if"
        " there are none)",
    ),
    "ends": (
        "let () =\n  match List.sort compare kept with\n"
        '  | [] -> print_endline "none"\n  | least :: _ as all ->\n'
        '    Printf.printf "%d..%d\\n" least (List.nth all (List.length all - 1))\n',
        "the smallest and the largest of these in one line with two dots `..` between them, or"
        " `none` if there are none",
    ),
    "numbered": (
        'let () = List.iteri (fun i x -> Printf.printf "%d: %d\\n" (i + 1) x) kept\n',
        "each of these in a line of its own, in the order of the input, after its number (the"
        " first is 1), a colon and a space (nothing if there are none)",
    ),
    "running": (
        "let () =\n  ignore (List.fold_left\n"
        '    (fun sum x -> Printf.printf "%d\\n" (sum + x); sum + x) 0 kept)\n',
        "the sums of the first of these, of the first two, and so on, each in a line of its own"
        " (nothing if there are none)",
    ),
}


def number_report(draw: Draw) -> Draft:
    """A program that reads numbers and reports"""
    name = draw.pick({each: each for each in _LAYOUTS})
    layout, read = _LAYOUTS[name]
    kept, changed = condition(draw), transform(draw)
    code, printed = draw.pick(_PRINTED)

    def text(size: int) -> str:
        numbers = [draw.between(-9, 14) for _ in range(size)]
        if name == "until zero":
            return "".join(f"{n}\n" for n in numbers if n) + "0\n"
        if name == "line":
            return ",".join(map(str, numbers)) + "\n"
        count = f"{len(numbers)}\n" if name == "counted" else ""
        return count + " ".join(map(str, numbers)) + "\n"

    sizes = (4, 6, 0, 1, 8, 12, 2, 3, 5, 9, 1, 7)
    return program(
        "number-report",
        f"Write an OCaml program. {layout} Keep those that {kept.many}, and replace each by"
        f" {changed.its}. Print {printed}.",
        f"{read}\nlet kept =\n  numbers\n  |> List.filter {kept.fun}\n"
        f"  |> List.map {changed.fun}\n\n{code}",
        [text(n) for n in sizes],
    )


_LINE_TESTS = {
    "long": ("String.length l > 4", "have more than 4 characters"),
    "comment": (
        "l <> \"\" && l.[0] <> '#'",
        "are not empty and do not begin with a `#`",
    ),
    "digit": (
        "String.exists (fun c -> c >= '0' && c <= '9') l",
        "have a decimal digit in them",
    ),
    "spaced": ("String.contains l ' '", "have a space in them"),
    "capital": (
        "l <> \"\" && l.[0] >= 'A' && l.[0] <= 'Z'",
        "begin with an uppercase letter (A to Z)",
    ),
}


_LINE_FORMS = {
    "numbered": (
        'Printf.sprintf "%d %s" (i + 1) l',
        "its number among these (the first is 1), a space and the line",
    ),
    "length": (
        '(ignore i; Printf.sprintf "%s (%d)" l (String.length l))',
        "the line, a space, and in round brackets its number of characters",
    ),
    "upper": ("(ignore i; String.uppercase_ascii l)", "the line in uppercase"),
    "first word": (
        "(ignore i; List.hd (String.split_on_char ' ' l))",
        "its part before the first space (all of it if it has none)",
    ),
    "words": (
        '(ignore i; string_of_int (List.length (List.filter (( <> ) "")\n'
        "       (String.split_on_char ' ' l))))",
        "the number of its words (longest parts without spaces)",
    ),
}


_LINE_ORDERS = {
    "kept": ("", "in the order of the input"),
    "reversed": ("List.rev ", "from the last to the first"),
    "sorted": (
        "List.sort compare ",
        "sorted by their codes as `compare` does, before they are numbered or changed",
    ),
}


def line_report(draw: Draw) -> Draft:
    """A program that reads lines"""
    test, which = draw.pick(_LINE_TESTS)
    form, shown = draw.pick(_LINE_FORMS)
    order, said = draw.pick(_LINE_ORDERS)
    total = draw.pick(
        {
            "none": ("", ""),
            "count": (
                'let () = Printf.printf "total %d\\n" (List.length kept)\n',
                " At the end print a line with `total`, a space and the number of lines kept.",
            ),
            "dropped": (
                'let () =\n  Printf.printf "dropped %d\\n" (List.length all - List.length kept)\n',
                " At the end print a line with `dropped`, a space and the number of lines"
                " not kept.",
            ),
        }
    )
    words = (
        "ox",
        "Anna",
        "x1",
        "Level 2",
        "# no",
        "blue sky",
        "",
        "Tea for two",
        "end.",
        "abcde",
        "Z",
        "a  b",
        "7 up",
        "four",
    )

    def text(size: int) -> str:
        return "".join(f"{draw.choice(words)}\n" for _ in range(size))

    sizes = (5, 6, 0, 1, 8, 10, 3, 4, 7, 12)
    listed = f"({order}kept)" if order else "kept"
    return program(
        "line-report",
        f"Write an OCaml program that reads all lines of its input; there may be none. Keep those"
        f" lines that {which}, {said}, and print for each of them a line: {shown}.{total[1]}",
        "let rec read found =\n  match read_line () with\n"
        "  | line -> read (line :: found)\n  | exception End_of_file -> List.rev found\n\n"
        f"let all = read []\n\nlet kept = List.filter (fun l -> {test}) all\n\n"
        "let () =\n  List.iteri\n"
        f"    (fun i l -> print_endline ({form}))\n    {listed}\n"
        + ("\n" if total[0] else "")
        + total[0],
        [text(n) for n in sizes],
    )


FAMILIES = gather("stdin and stdout", number_report, line_report)
