"""Generates OCaml functions that print a value of a type as OCaml; pure."""

from __future__ import annotations

import re
from typing import Final

from ocaml_reward.model.types import (
    Constructed,
    Constructor,
    Declaration,
    Field,
    Interface,
    NoValues,
    Tuple,
    Type,
    Variable,
    of_declaration,
    path_of,
    substituted,
)

PRELUDE: Final = r"""
let told_atom s =
  if s <> "" && (Stdlib.String.contains "-" s.[0]
    || (Stdlib.String.contains s ' ' && not (Stdlib.String.contains "([{\"'" s.[0])))
  then "(" ^ s ^ ")" else s
let told_int n =
  if n = Stdlib.max_int then "max_int" else if n = Stdlib.min_int then "min_int"
  else Stdlib.string_of_int n
let told_float x =
  let short = Stdlib.Printf.sprintf "%.12g" x in
  let s = if Stdlib.float_of_string short = x then short
    else Stdlib.Printf.sprintf "%.17g" x in
  if x <> x then "nan" else if x = Stdlib.infinity then "infinity"
  else if x = Stdlib.neg_infinity then "neg_infinity"
  else if Stdlib.String.contains s '.' || Stdlib.String.contains s 'e' then s
  else s ^ "."
let told_string s = Stdlib.Printf.sprintf "%S" s
let told_char c = Stdlib.Printf.sprintf "%C" c
let told_list opening closing show l =
  opening ^ Stdlib.String.concat "; " (Stdlib.List.map show l) ^ closing
"""
_PLAIN: Final = {
    "int": "told_int",
    "float": "told_float",
    "string": "told_string",
    "char": "told_char",
    "bool": "Stdlib.string_of_bool",
    "unit": '(fun () -> "()")',
    "bytes": '(fun b -> "(Bytes.of_string " ^ told_string (Stdlib.Bytes.to_string b) ^ ")")',
}


_RESULT: Final = (
    '(function Ok x -> "Ok " ^ told_atom ({} x) | Error x -> "Error " ^ told_atom ({} x))'
)
# Printers that take the printers of their items.
_WITH_ITEMS: Final = {
    "list": '(told_list "[" "]" {})',
    "array": '(fun a -> told_list "[|" "|]" {} (Stdlib.Array.to_list a))',
    "option": '(function None -> "None" | Some x -> "Some " ^ told_atom ({} x))',
    "result": _RESULT,
    "Stdlib.result": _RESULT,
    "ref": '(fun r -> "ref " ^ told_atom ({} !r))',
}


class Printers:
    """Collects the printers of an interface's types."""

    def __init__(self, interface: Interface) -> None:
        """Begin with none."""
        self._interface = interface
        self._made: dict[str, str] = {}

    @property
    def definitions(self) -> str:
        """Return all printers requested so far, to be put after PRELUDE."""
        bodies = [body for body in self._made.values() if body]
        return "let rec " + "\nand ".join(bodies) + "\n" if bodies else ""

    def of(self, found: Type) -> str:
        """Return a printer of a type, as OCaml.

        Raises NoValues for a type whose values cannot be written.
        """
        match found:
            case Variable(name):
                return f"told_of_{name}"
            case Tuple(items):
                names = [f"t{place}" for place in range(len(items))]
                parts = ' ^ ", " ^ '.join(
                    f"{self.of(item)} {name}" for name, item in zip(names, items, strict=True)
                )
                return f'(fun ({", ".join(names)}) -> "(" ^ {parts} ^ ")")'
            case Constructed(name, arguments):
                # Code may declare a type under a name of the library.
                if name in self._interface.types:
                    return self._named(name, arguments)
                if name in _PLAIN:
                    return _PLAIN[name]
                if name in _WITH_ITEMS:
                    shows = (self.of(each) for each in arguments)
                    return _WITH_ITEMS[name].format(*shows)
                return self._named(name, arguments)
        raise NoValues("its result is a function or of a type that is not read")

    def _named(self, name: str, arguments: tuple[Type, ...]) -> str:
        """Return the printer of a declared type."""
        made = self._interface.types.get(name)
        if made is None or not made.known or made.is_abstract:
            raise NoValues(f"values of {name} cannot be written")
        if made.alias is not None:
            names = of_declaration(made, arguments)
            return self.of(substituted(made.alias, names))
        self._declare(made)
        shows = "".join(f" {self.of(each)}" for each in arguments)
        return f"({own_name(name)}{shows})"

    def _declare(self, made: Declaration) -> None:
        """Add the definition of a type's printer."""
        name = own_name(made.name)
        if name in self._made:
            return
        self._made[name] = ""
        kinds = " ".join(f"told_{each}" for each in made.parameters)
        quantified = f"{kinds}. ".replace("told_", "'told_") if kinds else ""
        shows = [f"('told_{each} -> string) -> " for each in made.parameters]
        whole = ", ".join(f"'told_{each}" for each in made.parameters)
        typed = f"({whole}) {made.name}" if whole else made.name
        path = path_of(made.name)
        if made.fields:
            cases = self._record(made.fields, path)
        else:
            cases = "\n  | ".join(self._case(each, path) for each in made.constructors)
        takes = "".join(f" told_of_{each}" for each in made.parameters)
        head = f"{name} : {quantified}{''.join(shows)}{typed} -> string"
        body = f"function\n  | {cases}"
        self._made[name] = f"{head} =\n  " + (f"fun{takes} -> {body}" if takes else body)

    def _record(self, fields: tuple[Field, ...], path: str) -> str:
        """Return the case that prints a record."""
        names = "; ".join(f"{path}{each.name} = f_{each.name}" for each in fields)
        parts = ' ^ "; " ^ '.join(
            f'"{path if not place else ""}{each.name} = " ^ {self.of(each.type)} f_{each.name}'
            for place, each in enumerate(fields)
        )
        return f'{{ {names} }} -> "{{ " ^ {parts} ^ " }}"'

    def _case(self, made: Constructor, path: str) -> str:
        """Return the case that prints a constructor."""
        name = path + made.name
        if made.record:
            pattern, _, text = self._record(made.record, "").partition(" -> ")
            return f'{name} {pattern} -> "{name} " ^ {text}'
        if not made.arguments:
            return f'{name} -> "{name}"'
        names = [f"c{place}" for place in range(len(made.arguments))]
        shown = [f"{self.of(each)} {own}" for own, each in zip(names, made.arguments, strict=True)]
        if len(names) == 1:
            return f'{name} c0 -> "{name} " ^ told_atom ({shown[0]})'
        text = ' ^ ", " ^ '.join(shown)
        return f'{name} ({", ".join(names)}) -> "{name} (" ^ {text} ^ ")"'


def own_name(name: str) -> str:
    """Return the name of the printer of a declared type."""
    return "told_type_" + re.sub(r"\W", "_", name)
