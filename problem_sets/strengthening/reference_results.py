"""Runs the reference on generated calls and writes the results as checks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ocaml_reward.errors import ProblemError
from ocaml_reward.model import CheckResult, Outcome
from ocaml_reward.model.types import Constructed, Interface, NoValues, names_in

from ..printers import PRELUDE, Printers
from .calls import EMPTY, Call
from .running import Running

STRANGE: Final = "its arguments are like none of the examples"
"""The only reason for doubt that `--beyond` ignores."""
_BATCH: Final = 80
# The harness keeps 200 characters of an exception.
_LONGEST: Final = 150
_TOLD_EXCEPTION: Final = "exception Told of string\n"
_TOLD: Final = re.compile(r'(?:.*\.)?Told\("(.*)"\)', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\d{3}|.)", re.DOTALL)
_NAMED: Final = {"n": "\n", "t": "\t", "b": "\b", "r": "\r"}
_STANDARD: Final = {
    "Not_found": False,
    "Failure": True,
    "Invalid_argument": True,
    "Division_by_zero": False,
    "End_of_file": False,
    "Exit": False,
}
_FLOAT: Final = re.compile(r"(?<![\w.])\d[\d_]*\.\d*(?:e[+-]?\d+)?")
_MESSAGE: Final = re.compile(r'Error "((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A check that the reference passes, or a call that needs a decision.

    Attributes:
        call: The call.
        check: The expression for `assert`, "" if there is none.
        said: The reference's result, in words: `= 3`, `raises Not_found`.
        doubt: Why a decision is needed before it is a check, or "".
    """

    call: Call
    check: str
    said: str
    doubt: str = ""


def reference_results(
    running: Running, interface: Interface, calls: Sequence[Call], promised: str
) -> tuple[list[Candidate], dict[str, str]]:
    """Run the reference on calls.

    Args:
        running: Runs the reference.
        interface: The reference's interface.
        calls: The calls.
        promised: The prompt and the tests, which may specify exceptions and messages.

    Returns:
        A candidate for each call whose result can be written; and the reasons why the calls of some
            names have none.

    Raises:
        MachineError: The machine failed.
    """
    found: list[Candidate] = []
    left: dict[str, str] = {}
    names = list(dict.fromkeys(each.name for each in calls))
    for name in names:
        own = [each for each in calls if each.name == name]
        showing = Printers(interface)
        try:
            shows = showing.of(own[0].type)
            head = _TOLD_EXCEPTION + PRELUDE + showing.definitions
            for start in range(0, len(own), _BATCH):
                batch = own[start : start + _BATCH]
                asks = "".join(
                    f"let () = assert (raise (Told ({shows} ({each.text}))))\n" for each in batch
                )
                results = running.results(running.reference, head + asks)
                found += _read(interface, batch, results, promised)
        except (NoValues, ProblemError) as error:
            left[name] = str(error)
    return found, left


def _read(
    interface: Interface,
    calls: Sequence[Call],
    results: Sequence[CheckResult],
    promised: str,
) -> Iterator[Candidate]:
    """Yield the checks that the reference's results give."""
    if len(results) != len(calls):
        raise ProblemError("the reference does not run with calls of it")
    for call, result in zip(calls, results, strict=True):
        value = _TOLD.fullmatch(result.detail)
        if value is not None:
            yield from _equation(call, _unescaped(value[1]), promised)
        elif "Told(" in result.detail:
            # Too long for a readable check.
            continue
        elif result.outcome is Outcome.RAISED:
            yield _raising(interface, call, result.detail, promised)
        elif result.outcome in (Outcome.TIMED_OUT, Outcome.STACK_OVERFLOW):
            said = f"ends in {result.outcome.value.replace('_', ' ')}"
            doubt = "the reference does not come to its end there"
            yield Candidate(call=call, check="", said=said, doubt=doubt)


def _equation(call: Call, value: str, promised: str) -> Iterator[Candidate]:
    """Yield the check that a call returns this value, if it is a readable one."""
    if len(value) > _LONGEST or "\n" in value:
        return
    check = f"{call.text} = {value}"
    # What is made of nothing is nothing, however it is made.
    plain = call.empty and value in EMPTY
    doubt = STRANGE if call.strange and not plain else ""
    if call.open:
        doubt = "no example compares what it returns, and others may be right"
    message = _MESSAGE.fullmatch(value)
    if message and message[1] not in promised and "Error" in promised:
        # The check only requires an error, not its message.
        check = f"Result.is_error ({call.text})"
    elif _MESSAGE.search(value):
        texts = _MESSAGE.findall(value)
        if any(text and text not in promised for text in texts):
            doubt = "the text of its error stands in no example"
    if "float" in names_in(call.type) and check.startswith(call.text):
        check = _rounded(call, value)
    if check:
        yield Candidate(call=call, check=check, said=f"= {value}", doubt=doubt)


def _rounded(call: Call, value: str) -> str:
    """Return a check that another right solution passes, which may round differently, or ""."""
    if "nan" in value or "infinity" in value:
        return ""
    if call.type != Constructed("float"):
        # There is no tolerance inside of a value: take what no order of operations rounds.
        exact = all(map(_is_exact, _FLOAT.findall(call.text + value)))
        return f"{call.text} = {value}" if exact else ""
    least = 1e-6 * max(1.0, abs(float(value)))
    return f"Float.abs ({call.text} -. ({value})) < {least:.0e}"


def _is_exact(number: str) -> bool:
    """Return whether a float is a small multiple of 1/1024, of which sums are exact."""
    value = float(number.replace("_", "")) * 1024
    return value.is_integer() and abs(value) < 2**40


def _raising(interface: Interface, call: Call, detail: str, promised: str) -> Candidate:
    """Return the check that a call raises this exception."""
    name = re.split(r"[\s(]", detail, maxsplit=1)[0]
    last = name.rpartition(".")[2]
    known = {each.rpartition(".")[2]: (each, takes) for each, takes in interface.exceptions.items()}
    known |= {each: (each, takes) for each, takes in _STANDARD.items()}
    said = f"raises {detail[:60]}"
    if last not in known or not re.search(rf"\b{last}\b", promised):
        doubt = "the reference raises where nothing promises that"
        return Candidate(call=call, check="", said=said, doubt=doubt)
    path, takes = known[last]
    pattern = f"{path} _" if takes else path
    check = f"(match {call.text} with _ -> false | exception {pattern} -> true)"
    doubt = STRANGE if call.strange else ""
    return Candidate(call=call, check=check, said=said, doubt=doubt)


def _unescaped(text: str) -> str:
    """Return a text with the characters for its escapes."""

    def one(found: re.Match[str]) -> str:
        what = found[1]
        return chr(int(what)) if what.isdigit() else _NAMED.get(what, what)

    return _ESCAPE.sub(one, text)
