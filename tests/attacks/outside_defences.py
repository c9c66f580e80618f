"""The defences of judging outside the code's process, and of what tests keep for themselves."""

from __future__ import annotations

from .mutation import Mutation

OCAML = "ocaml_reward/engine/ocaml"
CASES = "tests/engine/test_cases.py"

OUTSIDE = (
    Mutation(
        defence="no check passes that the judge has not decided",
        file="ocaml_reward/engine/outside.py",
        old="return decide(self.formula, self.values, expected, self.ended)",
        new="return self.ended",
        test="tests/engine/test_outside.py",
    ),
    Mutation(
        defence="words that are not the same are not equal",
        file="ocaml_reward/engine/forms.py",
        old="return _order(a, b) or (-1 if a < b else 1)",
        new="return _order(a, b)",
        test="tests/engine/test_judge.py",
    ),
    Mutation(
        defence="the tests' random numbers are their own",
        file=f"{OCAML}/safety/pristine.ml",
        old="Some make -> make ()",
        new="Some _ -> Mod.ident (stdlib name)",
        test=CASES,
        cases="own_state",
    ),
    Mutation(
        defence="no printer of the code's makes two exceptions look alike",
        file=f"{OCAML}/run/harness.ml",
        old="let said = if may_be text said then said else text in",
        new="",
        test=CASES,
        cases="own_state",
    ),
    Mutation(
        defence="the runtime calls nothing of the code's",
        file=f"{OCAML}/run/table.h",
        old="#define caml_memprof_start ocaml_reward_memprof_start\n",
        new="",
        test=CASES,
        cases="own_state",
    ),
    Mutation(
        defence="what leans on a statement that failed fails",
        file="ocaml_reward/engine/check_results.py",
        old="            self._failed_statements.add(what)\n",
        new="            return\n",
        test=CASES,
        cases="leaning",
    ),
    Mutation(
        defence="types and exceptions of the library come back over the code's",
        file=f"{OCAML}/tests/rewrite.ml",
        old="(if dynamic then [ built ] else []) @ types",
        new="(if dynamic then [ built ] else [])",
        test=CASES,
        cases="outside",
    ),
    Mutation(
        defence="what tests define stays theirs behind what they open",
        file=f"{OCAML}/tests/opened_modules.ml",
        old="let kept = Set.elements (Set.inter used.Names.values mine) in",
        new="let kept = [] in",
        test=CASES,
        cases="outside",
    ),
    Mutation(
        defence="the answers are worked out without the code's values",
        file=f"{OCAML}/judge/types_of_code.ml",
        old="  | Pstr_type _ | Pstr_typext _",
        new="  | Pstr_value _ -> Some (i, Set.empty)\n  | Pstr_type _ | Pstr_typext _",
        test=CASES,
        cases="outside",
    ),
    Mutation(
        defence="arguments that are other checks' answers are out of reach",
        file="ocaml_reward/engine/outside.py",
        old="        and not tests.leaks_answers\n",
        new="",
        test="tests/engine/test_answer_leaks.py",
        cases="searches",
    ),
    Mutation(
        defence="feedback tells of a hidden run how its checks ended, and no more",
        file="ocaml_reward/model/feedback.py",
        old="        parts += _failing(found.outcomes)\n",
        new="        parts += _failing(found.outcomes)\n"
        "        parts += [each.detail for each in breakdown.tests.results]\n",
        test="tests/test_feedback_secrets.py",
        cases="only_outcomes",
    ),
    Mutation(
        defence="no text takes the host more than linear time",
        file="ocaml_reward/engine/outputs.py",
        old=r"\d+(?:\.\d*)?|",
        new=r"\d+\.?\d*|",
        test="tests/linear/test_expressions.py",
        cases="outputs",
    ),
)
