"""What has other people's tests graded as they mean it: without it `validate` complains by itself."""

from __future__ import annotations

from .mutation import Mutation

_OCAML = "ocaml_reward/engine/ocaml"


def _mend(defence: str, file: str, old: str, new: str) -> Mutation:
    return Mutation(
        defence=defence,
        file=file,
        old=old,
        new=new,
        test="tests/auditing/test_world.py",
        cases="nothing_to_say",
    )


WORLD = (
    _mend(
        "a check that cannot fail earns nothing",
        "ocaml_reward/engine/idle.py",
        "places=frozenset(found)",
        "places=frozenset()",
    ),
    _mend(
        "Stdlib.exit is the tests' exit",
        f"{_OCAML}/safety/pristine.ml",
        'Vb.mk (Pat.var (nowhere "exit"))',
        'Vb.mk (Pat.var (nowhere "exit_"))',
    ),
    _mend(
        "tests end inside of a module, too",
        f"{_OCAML}/tests/exits.ml",
        "        ignore (hide.module_expr hide m);\n"
        "        Scope_compat.with_body e (statement body)\n",
        "        ignore (m, body);\n        hide_all e\n",
    ),
    _mend(
        "an assertion that the tests expect to fail may",
        f"{_OCAML}/tests/assertions.ml",
        "if not (only_gives c.pc_rhs) then c",
        "if true then c",
    ),
    _mend(
        "a pattern asserts",
        f"{_OCAML}/tests/assertions.ml",
        "    || asserts_by_pattern b.pvb_pat\n",
        "",
    ),
    _mend(
        "unit is the library's, whatever the code declares",
        f"{_OCAML}/tests/stdlib_names.ml",
        '    |> Names.Set.add "unit"\n',
        "",
    ),
    _mend(
        "several modules may be opened",
        f"{_OCAML}/tests/opened_modules.ml",
        "incr opened_so_far; ",
        "",
    ),
    _mend(
        "flat code is the module that tests name",
        f"{_OCAML}/tests/rewrite.ml",
        "    @ Code_file.aliases files\n",
        "",
    ),
    _mend(
        "what an interface hides hides none of its types",
        f"{_OCAML}/tests/opened_by_code.ml",
        "if hidden then found",
        "if hidden && found = [] then found",
    ),
    _mend(
        "input ends with a newline",
        "ocaml_reward/model/problems.py",
        'return text if text.endswith("\\n") or not text else f"{text}\\n"',
        "return text",
    ),
    _mend(
        "lines end as they do everywhere",
        "ocaml_reward/model/problems.py",
        'text = text.replace("\\r\\n", "\\n").replace("\\r", "\\n")',
        "text = str(text)",
    ),
    _mend(
        "blanks in outputs do not count",
        "ocaml_reward/model/problems.py",
        "space_change_sensitive: bool = False",
        "space_change_sensitive: bool = True",
    ),
)
