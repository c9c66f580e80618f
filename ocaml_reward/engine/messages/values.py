"""Values that a process returned, as text ("forms", ocaml/run/value_encode.c), compared as in OCaml.

Pure.  No form is trusted: a hostile process may have chosen it, without knowing the form it is
compared with.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from ...model import Outcome
from .protocol import Event

TRUE = "i1"

# Words for values without a form (functions, NaN, ...), and the flags of a digest.
_MARKS = re.compile(r"(?:^| )[nfao!](?= |$)|:[nfao!]+$")
_FUNCTIONAL = 'Invalid_argument("compare: functional value")'
_ABSTRACT = 'Invalid_argument("compare: abstract value")'
# The encoded unit name of a constructor that the code defines: its own unit, the tests' unit, or a
# unit with both.
_HOMES = tuple(
    f" x{home.encode().hex()}"
    for home in (
        "Solution.",
        "Ocaml-reward-tests.Solution*.",
        "Ocaml-reward-merged.Solution*.",
    )
)
_SOLUTION = b"Solution".hex()
_OURS = f" x{b'*'.hex()}"
_WORDSIZE = 1 << 63
# Equal floats with different forms: 0.0 and -0.0.
_ZEROS = {"d0000000000000000", "d8000000000000000"}


class Incomparable(Exception):
    """A comparison that raises in OCaml (`raised` is the exception) or does not terminate."""

    def __init__(self, raised: str | None, detail: str = "") -> None:
        """Keep the exception, or None, and a detail for a reader."""
        self.raised = raised
        self.detail = detail
        super().__init__(raised or detail)


class NotAFloat(Exception):
    """Arithmetic on a value that is no number: only a lying process sends one."""


def readable_names(form: str) -> str:
    """Return a form with the same names for the code's exceptions in every process."""
    if _SOLUTION not in form:
        return form
    # A form may be long, so do not process it name by name.
    spaced = f" {form}"
    for home in _HOMES:
        spaced = spaced.replace(home, _OURS)
    return spaced[1:]


def is_plain(form: str) -> bool:
    """Tell whether a value can be compared by its text: it has no NaN, function etc."""
    return not _MARKS.search(form)


def is_cut(form: str) -> bool:
    """Tell whether a value was too long to be sent whole: its last word is a digest."""
    return form.rpartition(" ")[2].startswith("h")


def equal(a: str, b: str) -> bool:
    """Tell whether two values are equal by `=`: NaN equals nothing.

    Raises Incomparable if `=` raises or loops.
    """
    # Equal values have equal text (except 0.0 and -0.0), even if a hostile process wrote it.
    same = a == b or {a, b} == _ZEROS
    if is_plain(a) and (same or is_plain(b)):
        return same
    return compared(a, b, total=False) == 0 and same


def compared(a: str, b: str, *, total: bool) -> int | None:
    """Return a negative, zero or positive number: as `compare` if `total`, else as `<` and `=`.

    Returns None if a NaN makes the values unordered.  Raises Incomparable if OCaml raises or loops.
    """
    for ours, theirs in zip_longest(a.split(), b.split(), fillvalue=""):
        for word in (ours, theirs):
            _refuse(word)
        if ours == theirs and ours != "n":
            if ours.startswith("h") and ours.endswith("n") and not total:
                return None
            continue
        if "n" in (ours, theirs):
            if not total:
                return None
            if ours == theirs:
                continue
            # `compare` puts NaN below every other float.
            return -1 if ours == "n" else 1
        if {ours, theirs} != _ZEROS:
            return _words(ours, theirs)
    return 0


def _refuse(word: str) -> None:
    """Raise Incomparable if a word stands for a value that OCaml does not compare."""
    flags = word if len(word) == 1 else ""
    if word.startswith("h"):
        flags = word.rpartition(":")[2]
    if "!" in flags:
        raise Incomparable(None, "the comparison does not come to an end")
    if "f" in flags:
        raise Incomparable(_FUNCTIONAL)
    if "a" in flags:
        raise Incomparable(_ABSTRACT)
    if "o" in flags:
        raise Incomparable(_ABSTRACT, "an object is equal to itself only")


def _words(a: str, b: str) -> int:
    """Return the order of two different words, also of different kinds.

    It is never 0: a number in an unusual notation ("i05", "(00:2") equals none of ours.
    """
    return _order(a, b) or (-1 if a < b else 1)


def _order(a: str, b: str) -> int:
    """Return how two forms compare: -1, 0 or 1."""
    try:
        match a[:1], b[:1]:
            case ("i", "i") | ("l", "l") | ("L", "L") | ("N", "N"):
                return _sign(int(a[1:]), int(b[1:]))
            case ("d", "d"):
                return _sign(float_of(a), float_of(b))
            case ("s", "s"):
                return _sign(a.partition(":")[2], b.partition(":")[2])
            case ("z", "z"):
                return _sign(_big(a), _big(b))
            case ("(", "("):
                return _sign(_block(a), _block(b))
            case ("D", "D"):
                return _sign(int(a[1:]), int(b[1:]))
    except (ValueError, struct.error):
        pass
    # An integer comes before any block.
    if a.startswith("i") != b.startswith("i"):
        return -1 if a.startswith("i") else 1
    return -1 if a < b else 1


def _sign(a: object, b: object) -> int:
    """Return how two values compare: -1, 0 or 1."""
    return -1 if a < b else int(a != b)  # type: ignore[operator]


def float_of(word: str) -> float:
    """Return the float of a word.  Raises ValueError or struct.error."""
    (number,) = struct.unpack(">d", bytes.fromhex(word[1:]))
    return float(number)


def _block(word: str) -> tuple[int, int]:
    """Return the tag and the size in a block's word."""
    tag, _, size = word[1:].partition(":")
    return int(tag), int(size)


def _big(word: str) -> int:
    """Return the integer in a word of Zarith."""
    raw = bytes.fromhex(word[1:])
    head = int.from_bytes(raw[:8], "little")
    limbs = int.from_bytes(raw[8:], "little")
    return -limbs if head >> 63 else limbs


def parts(form: str) -> list[str]:
    """Return the forms of a block's fields; no fields for anything else."""
    words = form.split()
    if not words or not words[0].startswith("("):
        return []
    fields: list[str] = []
    start, open_ = 1, 0
    for at in range(1, len(words)):
        open_ += fields_of(words[at]) - 1
        if open_ < 0:
            fields.append(" ".join(words[start : at + 1]))
            start, open_ = at + 1, 0
    return fields


def fields_of(word: str) -> int:
    """Return how many of the values after a word are its fields."""
    try:
        if word.startswith("("):
            return _block(word)[1]
        if word.startswith("D"):
            return int(word[1:])
    except ValueError:
        pass
    return 0


def arithmetic(operator: str, arguments: list[str]) -> str:
    """Return the result of OCaml's arithmetic: floats of 64 bits, integers of 63.

    Raises NotAFloat for operands of another type.
    """
    try:
        if operator.endswith("."):
            return _written(_floats(operator[:-1], [_operand(a) for a in arguments]))
        numbers = [int(a[1:]) if a.startswith("i") else _refused() for a in arguments]
        return f"i{_wrapped(_integers(operator, numbers))}"
    except (ValueError, struct.error, IndexError):
        raise NotAFloat from None


def _refused() -> int:
    """Raise NotAFloat."""
    raise NotAFloat


def _operand(form: str) -> float:
    """Return the float of a form; raise NotAFloat if it is of another type."""
    if form == "n":
        return math.nan
    if not form.startswith("d"):
        raise NotAFloat
    return float_of(form)


def _floats(operator: str, numbers: list[float]) -> float:
    """Return the result of an operator on floats."""
    match operator, numbers:
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "*", [a, b]:
            return a * b
        case "/", [a, b]:
            if b == 0:
                endless = math.copysign(math.inf, a) * math.copysign(1.0, b)
                return math.nan if not a or math.isnan(a) else endless
            return a / b
        case "~-", [a]:
            return -a
        case "abs", [a]:
            return abs(a)
    raise NotAFloat


def _integers(operator: str, numbers: list[int]) -> int:
    """Return the result of an operator on integers."""
    match operator, numbers:
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "~-", [a]:
            return -a
        case "abs", [a]:
            return abs(a)
    raise NotAFloat


def _wrapped(number: int) -> int:
    """Return a number as OCaml's integers wrap around."""
    return (number + _WORDSIZE // 2) % _WORDSIZE - _WORDSIZE // 2


def _written(number: float) -> str:
    """Return the form of a float."""
    if math.isnan(number):
        return "n"
    return "d" + struct.pack(">d", number).hex()


@dataclass(frozen=True, slots=True)
class ReturnedValue:
    """One value that a process returned, or the exception in its place.

    `form` is the encoded value.  `shape` describes its type
    (ocaml/judge/value_shape.ml), if it comes from the oracle program.
    """

    form: str
    outcome: Outcome | None = None
    detail: str = ""
    shape: str = field(default="", compare=False)


Values = Mapping[int, ReturnedValue]
"""The values of one check, by their numbers."""


# The harness reports an outcome by its number in this list (harness.ml).
OUTCOMES = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)


# Characters of an encoded exception; value_encode.c sends fewer.
_LONGEST_EXCEPTION = 20_000


@dataclass(slots=True)
class ReturnedValues:
    """The values that one `check` has returned so far; None ignores all events."""

    check: int | None = None
    values: dict[int, ReturnedValue] = field(default_factory=dict)
    # The last "thrown" event; the next event has the exception itself.
    _thrown: tuple[int, Outcome, str] | None = None

    def note_value(self, event: Event) -> None:
        """Process a value of this check; the first event on a value counts."""
        check, number = map(int, event.words.split())
        if check == self.check and number not in self.values:
            self.values[number] = ReturnedValue(readable_names(event.detail.strip()))

    def note_exception(self, event: Event) -> None:
        """Process an exception of this check: that it was thrown, then the exception itself."""
        check, number, *more = map(int, event.words.split())
        if check != self.check:
            return
        if event.name == "thrown":
            outcome = OUTCOMES[more[0]]
            if outcome is Outcome.PASSED:
                # No exception passes a check: only a lying process reports that.
                outcome = Outcome.FAILED
            self._thrown = number, outcome, event.detail.strip()
        elif self._thrown and self._thrown[0] == number:
            form = readable_names(event.detail[:_LONGEST_EXCEPTION].strip())
            self.values.setdefault(number, ReturnedValue(form, *self._thrown[1:]))


def read_expected_values(
    events: Iterable[Event],
) -> dict[int, dict[int, ReturnedValue]] | None:
    """Return the values that the oracle program sent, by check; None if it did not finish.

    If a predicate was applied to the code's value N, the value under ~N has its shape.
    """
    found: dict[int, ReturnedValues] = {}
    current: ReturnedValues | None = None
    shapes: dict[tuple[int, int], str] = {}
    done = False
    for event in events:
        match event.name:
            case "begin":
                place = int(event.words)
                current = found.setdefault(place, ReturnedValues(place))
            case "value" if current is not None:
                current.note_value(event)
            case "thrown" | "exception" if current is not None:
                current.note_exception(event)
            case "shape":
                place, number = map(int, event.arguments)
                shapes[place, number] = event.detail
            case "done":
                done = True
    if not done:
        return None
    for (place, number), shape in shapes.items():
        if place in found:
            values = found[place].values
            values[number] = replace(values.get(number, ReturnedValue("")), shape=shape)
    return {index: check.values for index, check in found.items()}
