"""Every defence of the mutation table: the text that makes it, and a test that needs it."""

from __future__ import annotations

from .mutation import Mutation
from .outside_defences import OUTSIDE
from .world_mends import WORLD

__all__ = ["MUTATIONS", "Mutation"]

OCAML = "ocaml_reward/engine/ocaml"
JAIL = "ocaml_reward/sandbox"
CASES = "tests/engine/test_cases.py"
TRAPS = "tests/jail/test_traps.py"

MUTATIONS = (
    Mutation(
        defence="no new program sees an unsafe primitive (`external`)",
        file=f"{OCAML}/safety/forbidden_features.ml",
        old="if v.pval_prim <> [] then report",
        new="if false then report",
        test=CASES,
        cases="integrity and external",
    ),
    Mutation(
        defence="values that break type safety are found by name",
        file=f"{OCAML}/safety/forbidden_features.ml",
        old="  List.mem name values\n",
        new="  false\n",
        test=CASES,
        cases="integrity and unsafe_get",
    ),
    Mutation(
        defence="lexer tables are forbidden",
        file=f"{OCAML}/safety/forbidden_features.ml",
        old='("lex_base" | "lex_base_code") :: _ ->',
        new='("no_such_field") :: _ ->',
        test=CASES,
        cases="integrity and lexer",
    ),
    Mutation(
        defence="`Obj` has no interface in the jail",
        file="ocaml_reward/engine/build.py",
        old='UNSAFE = ("stdlib__Obj.", ',
        new="UNSAFE = (",
        test="tests/engine/test_integrity.py",
        cases="out_of_reach",
    ),
    Mutation(
        defence="the pristine library lies over the code",
        file=f"{OCAML}/tests/rewrite.ml",
        old="@ [ opened solution; opened pristine; exit ]",
        new="@ [ opened pristine; opened solution; exit ]",
        test=CASES,
        cases="integrity",
    ),
    Mutation(
        defence="what tests open brings no equality along",
        file=f"{OCAML}/tests/opened_modules.ml",
        old="mapper.structure mapper tests\n",
        new="tests\n",
        test=CASES,
        cases="opens",
    ),
    Mutation(
        defence="an assertion that failed is not forgotten when it is caught",
        file=f"{OCAML}/run/harness.ml",
        old="(if holds && not (denied ()) then passed else failed)",
        new="(if holds then passed else failed)",
        test=CASES,
        cases="integrity",
    ),
    Mutation(
        defence="what OUnit rejects is not forgotten when it is caught",
        file=f"{OCAML}/run/ounit.ml",
        old="Harness.deny (Harness.Rejected why)",
        new="raise (Harness.Rejected why)",
        test=CASES,
        cases="integrity",
    ),
    Mutation(
        defence="what tests compare with stays as it was",
        file=f"{OCAML}/tests/rewrite.ml",
        old="(Kept_arguments.structure ~is_library body)",
        new="body",
        test=CASES,
        cases="outside",
    ),
    Mutation(
        defence="what has no content yet is zeros",
        file=f"{OCAML}/run/clear.c",
        old="  memset(Bytes_val(bytes), 0, Long_val(length));\n",
        new="",
        test="tests/engine/test_uninitialised.py",
    ),
    Mutation(
        defence="a result needs the nonce",
        file="ocaml_reward/engine/protocol.py",
        old='    start = f"\\n{nonce} ".encode()\n',
        new='    start = b"\\n" + data.partition(b" ")[0] + b" "\n',
        test="tests/engine/test_protocol.py",
    ),
    Mutation(
        defence="the lock refuses to open files",
        file=f"{OCAML}/run/filter.h",
        old="  ON(openat, ERRNO(EPERM)), \\\n",
        new="  ON(openat, SECCOMP_RET_ALLOW), \\\n",
        test="tests/engine/test_integrity.py",
        cases="open_files",
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
        defence="a program about something else earns nothing",
        file="ocaml_reward/penalties/unrelated.py",
        old="    take=_take,\n",
        new="    take=lambda facts, values: None,\n",
        test="tests/cheats/test_cheats.py",
        cases="any-typed and warm",
    ),
    Mutation(
        defence="spam keeps no structural credit",
        file="ocaml_reward/scoring/credit.py",
        old="        why = Why.DEGENERATE\n",
        new="        why = Why.END_MARKER\n",
        test="tests/test_degenerate.py",
    ),
    *OUTSIDE,
    *WORLD,
)
