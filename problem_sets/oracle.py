"""Expected results: what the references come to, run in the jail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ocaml_reward.engine.prepare.interfaces import read_interfaces
from ocaml_reward.model.types import Interface, Tuple

from .drafts import Draft
from .printers import PRELUDE, Printers

_RAISED = "!"
_QUIET = '[@@@ocaml.warning "-a"]\n'
_BUILT_IN = ("Invalid_argument _", "Failure _", "Not_found", "Division_by_zero", "Exit")


class Printing(Protocol):
    """Runs whole programs, as `ocaml_reward.engine.engines.printing.Printing` does."""

    def outputs(self, code: str, inputs: Sequence[str]) -> list[str]:
        """Return what a program prints for each input."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What an expression came to, as OCaml: a value, or the pattern of an exception."""

    call: str
    value: str
    raised: bool = False

    @property
    def assertion(self) -> str:
        """Return the answer as a check in OCaml."""
        if self.raised:
            return f"assert (try ignore ({self.call}); false with {self.value} -> true)"
        return f"assert ({self.call} = {self.value})"


class Oracle:
    """Asks references for what they come to, many of them in one program."""

    def __init__(self, printing: Printing, sandbox: str = "auto") -> None:
        """Remember what runs programs, and the jail in which types are parsed."""
        self._printing = printing
        self._sandbox = sandbox

    def answers(self, drafts: Sequence[Draft]) -> list[tuple[Answer, ...]]:
        """Return the answers of each draft, in the order of what it asks.

        Args:
            drafts: The drafts; of those with inputs the reference is run for each.

        Returns:
            Answers for each draft; the calls of a program are its inputs, the values what
            it printed.

        Raises:
            ProblemError: A reference does not compile, or does not come to its end.
            MachineError: The machine failed.
        """
        found: dict[int, tuple[Answer, ...]] = {}
        asking = [place for place, each in enumerate(drafts) if each.asks]
        # Modules and functors have a program of their own each.
        together = [place for place in asking if drafts[place].head]
        alone = [place for place in asking if not drafts[place].head]
        for places in (together, *([place] for place in alone)):
            found |= self._asked({place: drafts[place] for place in places})
        for place, draft in enumerate(drafts):
            if draft.inputs:
                printed_each = self._printing.outputs(draft.reference, draft.inputs)
                found[place] = tuple(
                    Answer(call=read, value=written)
                    for read, written in zip(draft.inputs, printed_each, strict=True)
                )
        return [found[place] for place in range(len(drafts))]

    def _asked(self, drafts: Mapping[int, Draft]) -> dict[int, tuple[Answer, ...]]:
        """Return the answers of some drafts, from one program that prints them."""
        if not drafts:
            return {}
        interfaces = read_interfaces(list(map(_described, drafts.values())), self._sandbox)
        parts = [
            _program(place, draft, interface)
            for (place, draft), interface in zip(drafts.items(), interfaces, strict=True)
        ]
        (printed,) = self._printing.outputs(_QUIET + PRELUDE + "".join(parts), [""])
        values: dict[int, list[str]] = {place: [] for place in drafts}
        for line in printed.splitlines():
            place, _, value = line.partition(" ")
            values[int(place)].append(value)
        return {place: tuple(_promised(draft, values[place])) for place, draft in drafts.items()}


def _types(draft: Draft) -> list[str]:
    """Return the types of a draft's results, and of what its exceptions carry."""
    written = [each.type for each in draft.asks] + [kind for _, kind in draft.exceptions if kind]
    return list(dict.fromkeys(written))


def _described(draft: Draft) -> str:
    """Return an interface with the types that a draft declares, and a value of each other one."""
    values = (f"val v{place} : {each}" for place, each in enumerate(_types(draft)))
    return "\n".join((*(each.text for each in draft.declared), *values))


def _program(place: int, draft: Draft, interface: Interface) -> str:
    """Write the part of the program that tells the answers of one draft."""
    types = {each: interface.values[f"v{n}"] for n, each in enumerate(_types(draft))}
    printers = Printers(interface)
    shown = "".join(
        f"  let () = say__ (fun () -> {printers.of(types[ask.type])} ({ask.call}))\n"
        for ask in draft.asks
    )
    cases = [f'{name} -> "{_RAISED}{name}"' for name in _BUILT_IN]
    for name, kind in draft.exceptions:
        if kind:
            found = types[kind]
            parts = range(len(found.items) if isinstance(found, Tuple) else 1)
            carried = f"({', '.join(f'x{part}' for part in parts)})"
            said = f'"{_RAISED}{name} " ^ told_atom ({printers.of(found)} {carried})'
            cases.append(f"{name} {carried} -> {said}")
        else:
            cases.append(f'{name} -> "{_RAISED}{name}"')
    raised = "".join(f"    | {case}\n" for case in cases)
    say = (
        f"{printers.definitions}  let say__ f =\n"
        f'    Printf.printf "{place} %s\\n" (try f () with\n{raised}'
        f'    | _ -> "{_RAISED}")\n{draft.setup}\n{shown}'
    )
    if not draft.head:
        return f"{draft.reference}\n{say}"
    return (
        f"module P{place}__ = struct\n{draft.reference}\nend\n"
        f"module Q{place}__ = struct\n  open P{place}__\n{say}end\n"
    )


def _promised(draft: Draft, values: Sequence[str]) -> Iterator[Answer]:
    """Yield the answers, but for exceptions that the prompt says nothing of."""
    promised = {*draft.raises, *(name for name, _ in draft.exceptions)}
    for ask, value in zip(draft.asks, values, strict=True):
        if not value.startswith(_RAISED):
            yield Answer(call=ask.call, value=value)
        elif value[len(_RAISED) :].partition(" ")[0] in promised:
            yield Answer(call=ask.call, value=value[len(_RAISED) :], raised=True)
