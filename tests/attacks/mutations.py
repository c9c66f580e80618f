"""
Removes each defence in a copy of the tree and shows that its test fails.

`python -m tests.attacks.mutations` prints the table of docs/threat-model.md; about
twenty minutes, as most of them build the engine anew.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MUTATIONS", "Mutation"]

ROOT = Path(__file__).parents[2]
PARTS = ("ocaml_reward", "cli", "tests", "test_corpus", "docs", "pyproject.toml")
OCAML = "ocaml_reward/engine/ocaml"
JAIL = "ocaml_reward/sandbox"
INTEGRITY = "tests/engine/test_integrity.py"
SOUNDNESS = "tests/cheats/test_soundness.py"
TRAPS = "tests/jail/test_traps.py"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """
    A defence, the text that makes it, what is there without it, and a test that fails.
    """

    defence: str
    file: str
    old: str
    new: str
    test: str
    cases: str = ""


MUTATIONS = (
    Mutation(
        defence="no new program sees an unsafe primitive (`external`)",
        file=f"{OCAML}/scan.ml",
        old="if v.pval_prim <> [] then report",
        new="if false then report",
        test=INTEGRITY,
        cases="external",
    ),
    Mutation(
        defence="values that break type safety are found by name",
        file=f"{OCAML}/scan.ml",
        old="  List.mem name values\n",
        new="  false\n",
        test=INTEGRITY,
        cases="unsafe_get",
    ),
    Mutation(
        defence="lexer tables are forbidden",
        file=f"{OCAML}/scan.ml",
        old='("lex_base" | "lex_base_code") :: _ ->',
        new='("no_such_field") :: _ ->',
        test=INTEGRITY,
        cases="lexer",
    ),
    Mutation(
        defence="two constructors are never one",
        file=f"{OCAML}/scan.ml",
        old="| Pext_rebind _ -> report c.pext_loc",
        new="| Pext_rebind _ when false -> report c.pext_loc",
        test=INTEGRITY,
        cases="made_one or made",
    ),
    Mutation(
        defence="a GADT makes no two types equal",
        file=f"{OCAML}/gadts.ml",
        old="List.exists has_variable arguments",
        new="false && List.exists has_variable arguments",
        test=INTEGRITY,
        cases="types",
    ),
    Mutation(
        defence="nothing is matched while it changes",
        file=f"{OCAML}/matches.ml",
        old="  if List.exists runs cases then",
        new="  if false && List.exists runs cases then",
        test=SOUNDNESS,
        cases="changed",
    ),
    Mutation(
        defence="no type forgets a parameter beside a GADT",
        file=f"{OCAML}/scan.ml",
        old="if gadts && Forgetting.forgetful d then",
        new="if false && Forgetting.forgetful d then",
        test=SOUNDNESS,
        cases="equal",
    ),
    Mutation(
        defence="no hidden type is taken for two",
        file=f"{OCAML}/scan.ml",
        old="if Gadts.general named e && List.exists opens patterns then",
        new="if false && List.exists opens patterns then",
        test=SOUNDNESS,
        cases="hidden",
    ),
    Mutation(
        defence="`Obj` has no interface in the jail",
        file="ocaml_reward/engine/build.py",
        old='UNSAFE = ("stdlib__Obj.", ',
        new="UNSAFE = (",
        test=INTEGRITY,
        cases="out_of_reach",
    ),
    Mutation(
        defence="the pristine library lies over the code",
        file=f"{OCAML}/prepare.ml",
        old="@ [ opened solution; opened pristine; exit ]",
        new="@ [ opened pristine; opened solution; exit ]",
        test=INTEGRITY,
        cases="tricks",
    ),
    Mutation(
        defence="what tests open brings no equality along",
        file=f"{OCAML}/opens.ml",
        old="mapper.structure mapper tests\n",
        new="tests\n",
        test="tests/engine/test_opens.py",
    ),
    Mutation(
        defence="an assertion that failed is not forgotten when it is caught",
        file=f"{OCAML}/harness.ml",
        old="(if holds && not !denied then passed else failed)",
        new="(if holds then passed else failed)",
        test=INTEGRITY,
        cases="detour",
    ),
    Mutation(
        defence="what OUnit rejects is not forgotten when it is caught",
        file=f"{OCAML}/ounit.ml",
        old="Harness.deny (Harness.Rejected why)",
        new="raise (Harness.Rejected why)",
        test=INTEGRITY,
        cases="detour",
    ),
    Mutation(
        defence="what tests compare with stays as it was",
        file=f"{OCAML}/prepare.ml",
        old="Keeping.structure (demands body)",
        new="(demands body)",
        test="tests/cheats/test_cheats.py",
        cases="arguments-made-equal and warm",
    ),
    Mutation(
        defence="what has no content yet is zeros",
        file=f"{OCAML}/clear.c",
        old="  memset(Bytes_val(bytes), 0, Long_val(length));\n",
        new="",
        test="tests/engine/test_uninitialised.py",
    ),
    Mutation(
        defence="a result needs the nonce",
        file="ocaml_reward/engine/protocol.py",
        old="if prefix == nonce and separator and words:",
        new="if separator and words:",
        test="tests/engine/test_protocol.py",
    ),
    Mutation(
        defence="the lock refuses to open files",
        file=f"{OCAML}/filter.h",
        old="  ON(openat, ERRNO(EPERM)), \\\n",
        new="  ON(openat, SECCOMP_RET_ALLOW), \\\n",
        test="tests/attacks/test_attacks.py",
        cases="rlimits or nsjail",
    ),
    Mutation(
        defence="trap 1: root in the jail is nobody outside",
        file=f"{JAIL}/nsjail.py",
        old='"--user", f"65534:{uid}:1"',
        new='"--user", "65534:0:1"',
        test=TRAPS,
    ),
    Mutation(
        defence="trap 2: submounts are read-only too",
        file=f"{JAIL}/nsjail.py",
        old="            with_submounts(policy), command",
        new="            policy, command",
        test=TRAPS,
    ),
    Mutation(
        defence="trap 3: what the caller left open is closed",
        file=f"{JAIL}/launch.c",
        old="  close_above(log_fd);\n",
        new="",
        test=TRAPS,
    ),
    Mutation(
        defence="trap 4: the CPU limit is a hard one",
        file=f"{JAIL}/launch.c",
        old="{limits[i].value, limits[i].value}",
        new="{limits[i].value,"
        " limits[i].value + 999 * (limits[i].resource == RLIMIT_CPU)}",
        test=TRAPS,
    ),
    Mutation(
        defence="trap 6: every limit is given",
        file=f"{JAIL}/nsjail.py",
        old='        "nice_level": 0,\n',
        new="",
        test=TRAPS,
    ),
    Mutation(
        defence="trap 7: how it ended is read from the log",
        file=f"{JAIL}/nsjail.py",
        old="    if fault or (found is None and not by_host):",
        new="    if False:",
        test=TRAPS,
    ),
    Mutation(
        defence="lines that an answer does not need do not count",
        file="ocaml_reward/penalties.py",
        old="    if lines >= scheme.min_lines > 1 and report and report.stage in _PARSED:",
        new="    if False:",
        test="tests/cheats/test_cheats.py",
        cases="padded and warm",
    ),
    Mutation(
        defence="a program about something else earns nothing",
        file="ocaml_reward/penalties.py",
        old="        _unrelated(report, extraction),\n",
        new="",
        test="tests/cheats/test_cheats.py",
        cases="any-typed and warm",
    ),
    Mutation(
        defence="spam keeps no structural credit",
        file="ocaml_reward/scoring.py",
        old="        earned = replace(earned, structural=0.0)\n",
        new="        pass\n",
        test="tests/test_degenerate.py",
    ),
)


def main() -> int:
    """
    Return 0 if every test fails without its defence.
    """
    say("| without | test | fails |")
    say("|---|---|---|")
    spared = 0
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        # Jailed users have to be able to enter what the tests make there.
        Path(folder).chmod(0o755)
        for mutation in MUTATIONS:
            fails = not _passes(mutation, Path(folder) / "tree")
            spared += not fails
            cases = f" (`{mutation.cases}`)" if mutation.cases else ""
            answer = "yes" if fails else "NO"
            say(f"| {mutation.defence} | `{mutation.test}`{cases} | {answer} |")
    return 1 if spared else 0


def say(line: str) -> None:
    """
    Print a line at once.
    """
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _passes(mutation: Mutation, tree: Path) -> bool:
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, tree / part, ignore=ignore)
        else:
            shutil.copy(source, tree)
    path = tree / mutation.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        raise LookupError(f"{mutation.file} has no single {mutation.old!r}")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [mutation.test, *(["-k", mutation.cases] if mutation.cases else [])]
    done = subprocess.run(command, cwd=tree, capture_output=True, check=False)
    # 1: a test failed.  Anything else says nothing about the defence, but 0.
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout.decode(errors="replace")[-2000:])
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
