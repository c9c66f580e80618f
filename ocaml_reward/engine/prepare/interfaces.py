"""Returns the interface of some code, as the compiler prints it."""

from __future__ import annotations

from ...errors import EngineFault, ProblemError
from ...model import CODE_FILE
from ...sandbox import choose, workdir
from .. import BUDGET
from ..build.policies import policy
from ..build.toolchain import include_folders, locate


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
