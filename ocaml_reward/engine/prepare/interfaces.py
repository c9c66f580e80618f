"""The interface of some code, as the compiler prints it; interfaces and types, parsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ...errors import EngineFault, ProblemError
from ...model import CODE_FILE
from ...model.types import Interface, Type
from ...sandbox import choose, workdir
from .. import BUDGET
from ..build.policies import policy
from ..build.toolchain import include_folders, locate
from ..messages.protocol import netstrings, pack
from ..messages.types import TypesInTest, interface_from, type_from, types_in_test_from


def interface_of(code: str, *, libraries: tuple[str, ...] = (), sandbox: str = "auto") -> str:
    """Return the interface of some code from `ocamlc -i`, run in a jail; the code is not run.

    Args:
        code: Well-typed OCaml.
        libraries: The findlib packages that it uses.
        sandbox: The name of the jail.

    Returns:
        The interface, as the compiler prints it.

    Raises:
        ProblemError: The code does not type; the message is the compiler's first line.
        EngineFault: The compiler did not finish.
    """
    folders = map(str, include_folders(libraries))
    includes = [word for folder in folders for word in ("-I", folder)]
    with workdir() as folder:
        (folder / CODE_FILE).write_text(code, encoding="utf-8")
        run = choose(sandbox).run(
            policy("compile", libraries, BUDGET, folder),
            (str(locate().ocamlc), "-w", "-a", *includes, "-i", CODE_FILE),
        )
    if run.exit_code == 0:
        return run.stdout.decode("utf-8", "replace")
    if run.exit_code != 2:
        raise EngineFault("the compiler did not end in its jail")
    error = run.stderr.decode("utf-8", "replace").partition("Error: ")[2]
    raise ProblemError(f"the reference does not type: {' '.join(error.split())[:200]}")


def read_interfaces(texts: Sequence[str], sandbox: str = "auto") -> list[Interface]:
    """Parse interfaces, in a jail.

    Args:
        texts: The interfaces, as the compiler prints them.
        sandbox: The name of the jail.

    Returns:
        The interface of each text.

    Raises:
        ProblemError: One does not parse.
        EngineFault: The parser did not finish.
    """
    return [interface_from(each) for each in _all_parsed("interface", texts, sandbox)]


def read_types(texts: Sequence[str], sandbox: str = "auto") -> list[Type]:
    """Parse type expressions, in a jail.

    Args:
        texts: The types, `int list -> int`.
        sandbox: The name of the jail.

    Returns:
        The type of each text.

    Raises:
        ProblemError: One does not parse.
        EngineFault: The parser did not finish.
    """
    return [type_from(each) for each in _all_parsed("type", texts, sandbox)]


def read_test(text: str, sandbox: str = "auto") -> TypesInTest:
    """Parse a test of learn-ocaml, in a jail.

    Raises ProblemError if it does not parse, EngineFault as above.
    """
    (found,) = _parsed("test", [text], sandbox)
    if not found:
        raise ProblemError("test.ml does not parse")
    return types_in_test_from(found)


def are_expressions(texts: Sequence[str], sandbox: str = "auto") -> list[bool]:
    """Tell which texts parse as expressions, in a jail; raises EngineFault as above."""
    return [made != b"" for made in _parsed("expression", texts, sandbox)]


def rewrites_of(code: str, sandbox: str = "auto") -> dict[str, str]:
    """Return code in other words that mean the same, by what was done, in a jail.

    Not all of them type. Raises EngineFault as above. (ocaml/ast/rewrites.ml)
    """
    fields = [each.decode() for each in _asked(["rewrites"], [code], sandbox)]
    return dict(zip(fields[::2], fields[1::2], strict=True))


def _all_parsed(
    what: Literal["interface", "type"], texts: Sequence[str], sandbox: str
) -> list[bytes]:
    """Return the helper's JSON for each text; raise ProblemError for one that does not parse."""
    found = _parsed(what, texts, sandbox)
    for text, made in zip(texts, found, strict=True):
        if not made:
            raise ProblemError(f"no {what}: {' '.join(text.split())[:200]}")
    return found


def _parsed(what: str, texts: Sequence[str], sandbox: str) -> list[bytes]:
    """Return the helper's JSON for each text, empty for one that does not parse."""
    if not texts:
        return []
    found = _asked(["types", what], texts, sandbox)
    if len(found) != len(texts):
        raise EngineFault("the parser did not end in its jail")
    return found


def _asked(task: Sequence[str], texts: Sequence[str], sandbox: str) -> list[bytes]:
    """Return the helper's reply to a task on some texts."""
    run = choose(sandbox).run(
        policy("compile", (), BUDGET), ("/engine/tool", *task), stdin=pack(*texts)
    )
    if run.exit_code != 0:
        raise EngineFault("the parser did not end in its jail")
    return netstrings(run.stdout)
