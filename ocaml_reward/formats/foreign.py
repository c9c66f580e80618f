"""Problems as other projects write them, as rows that this package reads; and what is lost.

| whose | what it has |
|---|---|
| MultiPL-E | `tests` with `(~5)` for a negative number and `.5` for a float, which are repaired |
| Codeforces | `description` with formats apart, `official_tests` or `examples` |
| Prime Intellect | `verification_info` or `info` with `test_cases` or `tests` |
| verl, SkyRL | `reward_model.ground_truth`, `reward_spec.ground_truth`: cases, `assert_case`, or a problem |
| NeMo Gym | `verifier_metadata.unit_tests`, asked in `responses_create_params` |
| SandboxFusion | `content`, `test` with `stdin` and `stdout` |
| APPS, TACO | `input_output` with inputs and outputs; solutions in Python are lost |
| xCodeEval | `hidden_unit_tests`, each with a list of outputs that will do |
| CodeContests | `private_tests` and `generated_tests`, each with lists of both, and `public_tests`, which may be shown; without others these are the tests |
| LiveCodeBench, Agnostics | `question_content`, `public_test_cases` and the private ones, which are pickled text; those that call a function of Python are left out |

Problems whose tests are Python are left out.  Outputs are compared and limits are set as each set's own judge does it (contests.py).
"""

from __future__ import annotations

import base64
import pickletools
import re
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..errors import ProblemError
from .chat import last_user_text
from .contests import COMPARISONS, STEPS_A_SECOND, comparison, in_words, limits_of
from .lines import BadLine
from .problems import IDS, REFERENCES, TESTS, tests_of
from .python_code import is_python, may_be_python
from .rows import Row, first_of, json_in_text
from .stdio import LAID_OUT, with_blanks

_LITERAL: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_TILDE: Final = re.compile(r"~(?=\d|\.\d)")
_BARE_POINT: Final = re.compile(r"(?<=[(\[;,])(\s?-?)\.(?=\d)")
_FORMATS: Final = (
    ("input_format", "Input"),
    ("output_format", "Output"),
    ("interaction_format", "Interaction"),
    ("note", "Note"),
)
_SPECS: Final = (
    ("prob_desc_input_spec", "Input"),
    ("prob_desc_output_spec", "Output"),
    ("prob_desc_notes", "Note"),
)
_STREAMS: Final = (
    ("prob_desc_input_from", "standard input"),
    ("prob_desc_output_to", "standard output"),
)
# Bytes of one problem's cases.
_MOST: Final = 1 << 28
_ASKED: Final = ("prompt", "problem", "question")
_ASKS_FOR_PYTHON: Final = re.compile(r"(?i)\bpython\b.{0,30}\bonly\b|```python")
_LANGUAGES: Final = frozenset({"ml", "ocaml"})


def native(row: Row) -> tuple[Row | BadLine, tuple[str, ...]]:
    """Put a problem of another project into the fields that are read here.

    Args:
        row: A row in any shape; one that is read as it is stays so.

    Returns:
        The row, or why it is no problem; and what was changed or lost, in words.
    """
    fields = dict(row.fields)
    said: list[str] = []
    language = fields.get("language")
    if isinstance(language, str) and language.casefold() not in _LANGUAGES:
        message = f"written for {language[:80]}, not for OCaml"
        return BadLine(file=row.file, line=row.line, message=message), ()
    whose = ""
    try:
        for take in _takes():
            whose = take(fields, said) or whose
        _require_ocaml(fields, said)
        _judge(whose, fields, said)
    except ProblemError as error:
        return BadLine(file=row.file, line=row.line, message=str(error)), ()
    _repair(fields, said)
    changed = Row(file=row.file, line=row.line, fields=fields, repaired=row.repaired)
    return changed, tuple(said)


def _takes() -> tuple[Callable[[dict[str, Any], list[str]], str | None], ...]:
    """Return what puts each project's fields into ours, and names it where its judge is known."""
    return (
        *(_contests, _codeforces, _xcodeeval, _input_output),
        *(_verification, _labelled, _nemo_gym, _sandbox_fusion, _question),
    )


def _judge(whose: str, fields: dict[str, Any], said: list[str]) -> None:
    """Compare outputs as the set's own judge does, within the limits that the row has."""
    try:
        tests = tests_of(fields, TESTS)
    except ProblemError:
        # Whoever reads the row says it, with its name.
        return
    if isinstance(tests, str) or not tests:
        return
    if not _has(fields, "comparison", "judge", "checker") and whose in COMPARISONS:
        fields["comparison"] = comparison(whose, tests)
    if not _has(fields, "judge", "checker"):
        as_they = f" as {whose} does it" if whose in COMPARISONS else ""
        how = in_words(_object(fields.get("comparison")) or {})
        said.append(f"outputs are compared{as_they}: {how}")
        if with_blanks(tests) and "with their blanks" not in how:
            said.append(f"its outputs are laid out, and {LAID_OUT}")
    budget = {} if _has(fields, "budget") else limits_of(fields)
    if budget:
        fields["budget"] = budget
        limits = {
            "check_steps": f"time, as {STEPS_A_SECOND // 1_000_000} million steps a second",
            "memory_mb": "memory",
        }
        told = " and ".join(text for name, text in limits.items() if name in budget)
        said.append(f"it has its own limit of {told}")


def _input_output(fields: dict[str, Any], said: list[str]) -> str | None:
    """Read a row of APPS or TACO.  Cases that call a function are refused with the others."""
    held = _object(fields.get("input_output"))
    if held is None or _has(fields, "tests", "test_cases"):
        return None
    fields["tests"] = held
    if fields.pop("solutions", None) not in (None, "", "[]", []):
        said.append("its solutions are in Python, and lost")
    return "APPS"


def _contests(fields: dict[str, Any], said: list[str]) -> str | None:
    """Read a row of CodeContests."""
    public, *hidden = (
        _contest_cases(fields.get(name))
        for name in ("public_tests", "private_tests", "generated_tests")
    )
    cases = [each for some in hidden for each in some]
    if public:
        fields["public_tests"] = public if cases else None
    cases = cases or public
    if not cases or _has(fields, "tests", "test_cases"):
        return None
    if fields.get("input_file") or fields.get("output_file"):
        raise ProblemError("its programs read and write files, and ours only streams")
    fields["tests"] = cases
    if fields.pop("solutions", None):
        said.append("its solutions are lost")
    if not _keeps_checker(fields):
        said.append("its outputs are compared, where several may be right")
    return "CodeContests"


def _keeps_checker(fields: dict[str, Any]) -> bool:
    """Keep a checker in C++, as CodeContests+ has them; one in another language is no checker."""
    checker = fields.pop("checker", None)
    kept = isinstance(checker, str) and "#include" in checker
    if kept:
        fields["checker"] = checker
    return kept


def _contest_cases(value: object) -> list[dict[str, object]]:
    """Return the cases in parallel lists of inputs and outputs."""
    held = _object(value) or {}
    inputs, outputs = held.get("input"), held.get("output")
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        return []
    pairs = zip(inputs, outputs, strict=False)
    return [{"input": read, "output": printed} for read, printed in pairs]


def _codeforces(fields: dict[str, Any], said: list[str]) -> None:
    """Change the fields of a row of Codeforces to ours."""
    if not isinstance(fields.get("description"), str) or _has(fields, *_ASKED):
        return
    fields["prompt"] = _told(fields, "description", _FORMATS)
    if _has(fields, "interaction_format"):
        raise ProblemError("it is interactive: what is read depends on what was printed")
    if _has(fields, "tests", "test_cases"):
        return
    for name in ("official_tests", "examples"):
        if fields.get(name):
            fields["tests"] = fields[name]
            if name == "examples":
                said.append("only the examples are tests")
            break
    if fields.get("official_tests_complete") is False:
        said.append("the official tests are not complete")
    if fields.get("generated_checker"):
        said.append("its checker is lost: answers are compared as text")


def _told(fields: Mapping[str, Any], first: str, others: tuple[tuple[str, str], ...]) -> str:
    """Return the statement whose parts have fields of their own."""
    parts = [str(fields[first])]
    for name, title in others:
        if isinstance(text := fields.get(name), str) and text.strip():
            parts.append(f"{title}\n{text}")
    return "\n\n".join(parts)


def _verification(fields: dict[str, Any], said: list[str]) -> None:
    """Change the fields of a row with `verification_info` to ours."""
    for name in ("verification_info", "info"):
        held = _object(fields.get(name))
        if held is None or _has(fields, "tests", "test_cases"):
            continue
        cases = held.get("test_cases", held.get("tests"))
        if isinstance(cases, str):
            cases = json_in_text(cases)
        if not cases:
            continue
        fields["tests"] = cases
        fields.pop(name)
        language = held.get("language")
        if isinstance(language, str) and language.casefold() not in _LANGUAGES:
            said.append(f"was written for {language}")


def _labelled(fields: dict[str, Any], said: list[str]) -> None:
    """Change the fields of a row of verl or SkyRL, whose label holds the tests, to ours."""
    held = _object(fields.get("reward_model")) or _object(fields.get("reward_spec"))
    if held is None or _has(fields, "tests", "test_cases"):
        return
    truth = held.get("ground_truth")
    read = json_in_text(truth) if isinstance(truth, str) else truth
    if isinstance(read, dict) and _has(read, *TESTS):
        # A problem as a whole, as the labels of our adapters are.
        fields |= {name: value for name, value in read.items() if not _has(fields, name)}
    elif isinstance(read, dict) and _has(read, "assert_case"):
        # (volcengine/verl verl/utils/reward_score/sandbox_fusion/__init__.py)
        fields["tests"] = read["assert_case"]
    else:
        fields["tests"] = read if read is not None else truth
    extra = _object(fields.get("extra_info")) or {}
    if not _has(fields, *IDS) and extra.get("index") is not None:
        fields["id"] = f"{fields.get('data_source') or 'row'}-{extra['index']}"
    if held.get("style") not in (None, "rule"):
        said.append(f"its style of reward, {held['style']}, is lost")


def _nemo_gym(fields: dict[str, Any], said: list[str]) -> str | None:
    """Read a row of NeMo Gym, whose code is run as LiveCodeBench does it.

    (NVIDIA-NeMo/Gym environments/code_gen/data/example.jsonl, benchmarks/bigcodebench/prepare.py)
    """
    held = _object(fields.get("verifier_metadata"))
    if held is None or _has(fields, *TESTS):
        return None
    cases = _object(held.get("unit_tests"))
    fields["tests"] = cases if cases is not None else held.get("test", held.get("tests"))
    asked = (_object(fields.get("responses_create_params")) or {}).get("input")
    if asked and not _has(fields, *_ASKED):
        fields["prompt"] = asked
        if _ASKS_FOR_PYTHON.search(last_user_text(asked)):
            said.append("its prompt asks for Python")
    own = {name: held[name] for name in IDS if held.get(name)}
    if not _has(fields, *IDS) and (own or fields.get("hash_id")):
        fields |= own or {"id": fields["hash_id"]}
    return "LiveCodeBench" if cases is not None else None


def _sandbox_fusion(fields: dict[str, Any], said: list[str]) -> None:
    """Change the fields of a row of SandboxFusion to ours."""
    if not _has(fields, *_ASKED) and isinstance(fields.get("content"), str):
        fields["prompt"] = fields["content"]
    held = fields.get("test")
    if isinstance(held, dict) and isinstance(held.get("code"), str):
        fields["test"] = held["code"]
        if held.get("asset"):
            said.append("the files beside its tests are lost")


def _xcodeeval(fields: dict[str, Any], said: list[str]) -> str | None:
    """Read a row of xCodeEval, where any of a case's outputs is right."""
    held = fields.get("hidden_unit_tests", fields.get("hidden_unit_test"))
    cases = json_in_text(held) if isinstance(held, str) else held
    if not isinstance(cases, list) or _has(fields, "tests", "test", "test_cases"):
        return None
    if not _has(fields, *_ASKED) and _has(fields, "prob_desc_description"):
        fields["prompt"] = _told(fields, "prob_desc_description", _SPECS)
    if not _has(fields, *IDS) and _has(fields, "src_uid"):
        fields["id"] = fields["src_uid"]
    for name, standard in _STREAMS:
        if (there := fields.get(name)) not in (None, "", standard):
            raise ProblemError(f"it has {there!r} in place of {standard}")
    fields["tests"] = [_with_alternatives(case) for case in cases]
    if fields.pop("solution", None) or fields.pop("source_code", None):
        said.append("its solutions are lost")
    return "xCodeEval"


def _with_alternatives(case: object) -> object:
    """Return a case with the first of its outputs, and the others as alternatives."""
    if isinstance(case, dict) and isinstance(outputs := case.get("output"), list):
        first, *others = outputs or [None]
        return {**case, "output": first, "alternatives": others}
    return case


def _question(fields: dict[str, Any], said: list[str]) -> str | None:
    """Read a row of LiveCodeBench, or of a set in its shape."""
    if not _has(fields, *_ASKED) and isinstance(fields.get("question_content"), str):
        fields["prompt"] = fields["question_content"]
    private, public = fields.get("private_test_cases"), fields.get("public_test_cases")
    # FPEval's cases stand in `test_case` (thanhlecongg/FPEval core/executor_ocaml.py).
    there = private or public or fields.get("test_case")
    if _has(fields, "tests", "test", "test_cases") or not there:
        return None
    if (_object(fields.get("metadata")) or {}).get("func_name"):
        raise ProblemError("its cases call a function of Python (func_name), and are no program's")
    hidden = _cases_of(private)
    if private and not hidden:
        said.append("its private tests cannot be read")
    shown = _cases_of(public)
    fields["tests"] = hidden or shown
    fields["public_tests"] = shown if hidden else None
    return "LiveCodeBench"


def _cases_of(value: object) -> object:
    """Return cases that are a list, its JSON, or what LiveCodeBench makes of that: pickled,
    compressed, in base 64.
    """
    if isinstance(value, str) and json_in_text(value) is None:
        value = _unpickled(value)
    return json_in_text(value) if isinstance(value, str) else value


def _unpickled(text: str) -> str:
    """Return the text that was pickled; "" where there is none.  Nothing is unpickled, which would
    run whatever it says: the pickle's parts are listed, of which the text is one.
    """
    try:
        unpacking = zlib.decompressobj()
        pickled = unpacking.decompress(base64.b64decode(text, validate=True), _MOST)
        if unpacking.unconsumed_tail:
            return ""
        parts = (part for _, part, _ in pickletools.genops(pickled))
        return next((part for part in parts if isinstance(part, str)), "")
    except (ValueError, zlib.error, struct.error, IndexError):
        return ""


def _require_ocaml(fields: dict[str, Any], said: list[str]) -> None:
    """Raise ProblemError for tests in Python, and drop a solution in it."""
    held = fields.get(first_of(fields, TESTS) or "")
    if isinstance(held, str) and isinstance(read := json_in_text(held), list):
        held = read
    if isinstance(held, list):
        held = "\n".join(each for each in held if isinstance(each, str))
    solutions = [name for name in (*REFERENCES, "code") if isinstance(fields.get(name), str)]
    in_python = [name for name in solutions if is_python(fields[name])]
    tests = held if isinstance(held, str) and held.strip() else ""
    if tests and (is_python(tests) or (in_python and may_be_python(tests))):
        raise ProblemError("its tests are Python, and only tests in OCaml can be run")
    for name in in_python:
        fields.pop(name)
        said.append("its solution is in Python, and lost")


def _repair(fields: dict[str, Any], said: list[str]) -> None:
    """Write numbers as OCaml does: MultiPL-E has `~5` and `.5`."""
    tests = fields.get("tests")
    if not isinstance(tests, str) or "assert" not in tests:
        return
    changed, count = "", 0
    place = 0
    for literal in [*_LITERAL.finditer(tests), None]:
        stop = literal.start() if literal else len(tests)
        code, tildes = _TILDE.subn("-", tests[place:stop])
        code, points = _BARE_POINT.subn(r"\g<1>0.", code)
        changed += code + (literal[0] if literal else "")
        count += tildes + points
        place = literal.end() if literal else stop
    if count:
        fields["tests"] = changed
        said.append("numbers of its tests are written as OCaml writes them")


def _has(fields: Mapping[str, Any], *names: str) -> bool:
    """Tell whether one of these fields has a value."""
    return any(fields.get(name) not in (None, "", [], {}) for name in names)


def _object(value: object) -> dict[str, Any] | None:
    """Return a JSON object, or that in a text; None for other values."""
    if isinstance(value, str):
        value = json_in_text(value)
    return value if isinstance(value, dict) else None
