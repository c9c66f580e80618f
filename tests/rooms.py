"""Which tests belong to which folder of the product, and which of them run when.

`make quick` leaves out what is SLOW and REST, `make test` only REST (pytest --level): twins on the stock engine, whose
referees stay, long laws, and what would take too long for every commit.  `make test-all` has
everything.  Names are below tests/: a folder, a file, or a test in it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent

ROOMS: Final = {
    "ocaml_reward": ("grader", "package", "corpus"),
    "ocaml_reward/auditing": ("auditing",),
    "ocaml_reward/codec": ("codec", "scheme"),
    "ocaml_reward/comparing": ("comparing", "cli"),
    "ocaml_reward/diagnostics": ("diagnostics", "model"),
    "ocaml_reward/engine": ("engine", "corpus", "attacks", "cheats"),
    "ocaml_reward/engine/remote": ("serving",),
    "ocaml_reward/formats": ("formats", "cli"),
    "ocaml_reward/model": ("model", "codec", "scoring", "engine"),
    "ocaml_reward/penalties": ("penalties", "scoring", "corpus", "cheats"),
    "ocaml_reward/processes": ("processes",),
    "ocaml_reward/ray_grader.py": ("processes", "adapters"),
    "ocaml_reward/reading": ("reading", "corpus", "linear"),
    "ocaml_reward/record.py": ("codec", "cli"),
    "ocaml_reward/sandbox": ("jail", "attacks"),
    "ocaml_reward/scheme": ("scheme", "scoring"),
    "ocaml_reward/scoring": ("scoring", "penalties", "corpus"),
    "ocaml_reward/serving": ("serving",),
    "cli": ("cli",),
    "cli/report": ("report",),
    "docs": ("docs",),
    "environments": ("adapters",),
    "examples": ("docs", "adapters"),
    "experiments": ("trainer",),
    "problem_sets": ("problem_sets",),
    "problem_sets/certifying": ("strengthening", "auditing", "problem_sets"),
    "problem_sets/strengthening": ("strengthening", "problem_sets"),
    "scripts": ("package",),
    "test_corpus": ("corpus", "auditing", "attacks", "cheats"),
    "trainer_plugin": ("trainer",),
    "trainer_plugin/adapters": ("adapters", "trainer"),
}
"""The folders of tests for each folder or file of the product; the longest name that fits counts."""

REFEREES: Final = (
    "corpus", "engine/test_agreement.py", "engine/test_differential.py", "cheats/test_page.py",
)  # fmt: skip
"""Where the stock engine runs in `make test`, as what both engines have to say is the same."""

REST: Final = (
    # Long laws, and texts and programs at random.
    "linear",
    "auditing/test_auditing.py",
    "auditing/test_validating.py::test_broken_problems_are_found_and_named",
    "auditing/test_validating.py::test_the_tests_as_they_were_written_are_asked",
    "cheats/test_composed.py",
    "cheats/test_fixed_texts.py",
    "cli/test_health_fuzz.py",
    "corpus/test_corpus.py::test_a_record_gives_that_of_another_scheme",
    *(f"engine/test_{name}.py" for name in (
        "as_written", "counting_laws", "counting_mutants", "forms_differential", "fuzz", "given_forms",
        "hostile", "interface_keys", "interleavings", "judge_deaths", "nesting",
        "ounit_differential", "overflow",
    )),
    "engine/test_differential.py::test_engines_agree_on_generated_programs",
    "engine/test_differential.py::test_neither_order_nor_company_changes_a_record",
    "engine/test_large_values.py",
    "engine/test_prepared_cache.py::test_the_corpus_comes_back_as_it_was",
    "engine/test_sizes.py::test_as_many_checks_as_there_may_be_are_prepared",
    "formats/test_folders_hostile.py",
    "formats/test_folders_fuzz.py",
    "formats/test_fuzz.py",
    "jail/test_argv.py",
    "model/test_feedback.py::test_no_hidden_test_is_told_of",
    "model/test_feedback_secrets.py::test_only_outcomes_are_told",
    # mypy reads all of TRL and transformers.
    "package/test_packaging.py::test_types_of_a_users_script_are_checked[training]",
    "problem_sets/test_generate.py::test_the_problems_that_ship_are_a_set_with_a_name",
    "problem_sets/test_made.py",
    "reading/test_hostile_texts.py::test_the_longest_that_is_read_takes_seconds",
    "strengthening/test_answers.py",
    "strengthening/test_weak_sets.py",
    "strengthening/test_command.py",
    "strengthening/test_inputs.py",
    "trainer/test_health_stopping.py",
    # Builds of other engines, other users, other ways to start and to end.
    "attacks/test_attacks.py::test_attacks_are_held[warm-nsjail-outside",
    "attacks/test_attacks.py::test_attacks_are_held_without_any_rights",
    "cli/test_doctor.py",
    "cli/test_engine.py",
    "cli/test_evaluate.py",
    "cli/test_main.py",
    "cli/test_unusable_paths.py",
    "docs/test_start_page.py",
    "engine/test_agreement.py::test_a_warm_engine_that_does_not_build_leaves_the_stock_engine",
    "engine/test_agreement.py::test_a_warm_engine_that_is_wrong_is_not_used",
    "engine/test_agreement.py::test_a_parse_tree_with_other_names_builds_no_engine",
    "engine/test_checker.py::test_one_that_dies_is_the_problems_fault",
    "engine/test_limits.py::test_a_quick_attempt_gives_up_where_a_check_takes_long",
    "engine/test_ocaml_sources.py",
    "engine/test_output_judge.py::test_a_judge_that_dies_is_the_problems_fault",
    "engine/test_output_judge.py::test_engines_and_servers_agree",
    "processes/test_child_calls.py",
    "processes/test_sharing.py",
    "serving/test_agreement.py",
    "serving/test_remote.py::test_a_busy_server_is_waited_for",
    "serving/test_turns.py",
    "serving/test_wrong_answers.py",
    # Pages as they are shown.
    *(f"report/test_{name}.py" for name in ("page", "page_limits", "texts")),
    # Training with each version, again, and in several processes.
    "trainer/test_train.py::test_a_resumed_run_ends_where_the_whole_one_did",
    "trainer/test_train.py::test_starting_again_forgets_the_earlier_run",
    *(f"trainer/test_{name}.py" for name in (
        "contract_located", "contract_processes", "contract_versions", "hub", "learn",
        "pretrained", "pretrained_base", "train_again", "train_otherwise", "train_refusals",
    )),
)  # fmt: skip

SLOW: Final = (
    "attacks", "auditing", "corpus", "jail", "problem_sets", "serving", "strengthening",
    # These need packages that are set up for `make test` alone; torch takes eight seconds to import.
    "adapters", "cli/test_problems.py", "formats/test_more.py", "package", "report", "trainer",
    "cheats/test_cheats.py", "cheats/test_page.py", "cli/test_end_to_end.py",
    "diagnostics/test_laws.py", "formats/test_junk_outputs.py", "formats/test_learn_ocaml.py",
    "model/test_feedback.py",
    *(f"engine/test_{name}.py" for name in (
        "abandoning", "agreement", "answers", "branches", "checks", "counting_bounds",
        "counting_marked", "differential", "endings", "integrity", "killed", "library_names",
        "limits", "long_outputs", "ocaml_5", "outside", "output_judge", "parts", "prepared_cache",
        "reuse", "same", "self_test", "sizes", "stages", "steps", "stub_libraries", "talkative",
        "through_holes", "time_budget", "uninitialised", "values", "warm",
    )),
    *(f"reading/test_{name}.py" for name in ("fence_laws", "hostile_texts", "lexing")),
)  # fmt: skip

SAMPLE: Final = (
    "attacks/test_attacks.py::test_attacks_are_held[warm-bubblewrap-outside",
    "cheats/test_cheats.py::test_a_stub_earns_next_to_nothing",
    "jail/test_escape.py",
)
"""What `make quick` runs of these all the same: of attacks, cheats and jails."""

_STOCK: Final = re.compile(r"[\[-]stock(?=[\]-])")


def tests_of(path: str) -> list[str]:
    """Return the folders of tests for a file of the product or the tests, below the root."""
    parts = path.split("/")
    if parts[0] == "tests":
        return [f"tests/{parts[1]}"] if len(parts) > 2 else []
    for length in range(len(parts), 0, -1):
        if found := ROOMS.get("/".join(parts[:length])):
            return [f"tests/{each}" for each in found]
    return ["tests/package", "tests/docs"]


def level_of(name: str) -> str:
    """Return "rest", "slow" or "quick" for a test, by its name below tests/."""
    if _is_among(name, REST) or (_STOCK.search(name) and not _is_among(name, REFEREES)):
        return "rest"
    return "slow" if _is_among(name, SLOW) and not _is_among(name, SAMPLE) else "quick"


def is_left_out(path: Path, level: str) -> bool:
    """Tell whether no test of a file is of a level: then it need not even be imported."""
    if level == "all" or not path.is_relative_to(TESTS):
        return False
    name = path.relative_to(TESTS).as_posix()
    found = level_of(name)
    return found == "rest" or (found == "slow" and level == "quick" and not _has_sample(name))


def _has_sample(name: str) -> bool:
    return any(each.startswith(name) for each in SAMPLE)


def _is_among(name: str, names: Iterable[str]) -> bool:
    """Tell whether a test is one of these, or in one of these files or folders."""
    return any(
        name.startswith(each) and name[len(each) : len(each) + 1] in ("", "/", ":", "[", "-")
        for each in names
    )


def touched(since: str) -> list[str]:
    """Return the folders of tests for what has changed since a commit, most of a change first."""
    done = subprocess.run(
        ["git", "-C", str(TESTS.parent), "diff", "--name-only", since],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = [folder for path in done.stdout.split() for folder in tests_of(path)]
    return sorted(set(found), key=lambda each: -found.count(each))


def main(arguments: Collection[str]) -> None:
    """Print the folders of tests for what has changed since a commit."""
    (since,) = arguments or ("HEAD~1",)
    sys.stdout.writelines(f"{folder}\n" for folder in touched(since))


if __name__ == "__main__":
    main(sys.argv[1:])
