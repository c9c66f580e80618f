"""The documentation says what the program does."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from cli.main import main
from cli.score.summary import Summary, print_summary
from docs.generate_cli import PAGE, page, walk
from ocaml_reward.model import SCHEMA
from ocaml_reward.record import breakdown_from_dict
from ocaml_reward.scheme import load
from ocaml_reward.testing import FakeEngine
from tests.rooms import ROOMS

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "experiments" / "learn" / "results").glob("*.md"),
        *(ROOT / "test_corpus").glob("*.md"),
        ROOT / "tests" / "requirements.md",
    ]
)

CONTEXTS = {context.command_path: context for context in walk(main, None)}

by_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
by_command = pytest.mark.parametrize("name", sorted(CONTEXTS))


@by_command
def test_every_command_and_option_has_help(name: str) -> None:
    command = CONTEXTS[name].command
    listed = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]

    assert command.help
    assert "\\b" not in command.help, "a raw docstring hides Click's mark"
    assert [] == [option.name for option in listed if not option.help]


def test_the_cli_page_is_current() -> None:
    """docs/cli.md is what `make docs` writes."""
    assert page(main) == PAGE.read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[str]:
    """Yield the content of each fenced shell block of a page."""
    for match in re.finditer(r"^```(?:console|sh)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield match[1]


def typed_lines(text: str) -> Iterator[str]:
    """Yield the command lines of a page: after a `$ ` where a block shows output too."""
    for block in blocks(text):
        lines = block.replace("\\\n", " ").splitlines()
        typed = [line[2:] for line in lines if line.startswith("$ ")]
        yield from typed or lines


@by_page
def test_commands_shown_exist(path: Path) -> None:
    """Each `ocaml-reward` line names a real command and only options that it has."""
    for line in typed_lines(path.read_text(encoding="utf-8")):
        words = shlex.split(line, comments=True)
        if not words or Path(words[0]).name != "ocaml-reward":
            continue
        name, rest = "ocaml-reward", words[1:]
        while rest and f"{name} {rest[0]}" in CONTEXTS:
            name, rest = f"{name} {rest[0]}", rest[1:]
        context = CONTEXTS[name]
        known = {o for p in context.command.get_params(context) for o in p.opts}
        used = {word.partition("=")[0] for word in rest if re.match("--?[a-z]", word)}

        assert set() == used - known, line
        assert not isinstance(context.command, click.Group) or not rest or used, line


@by_page
def test_make_targets_shown_exist(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    lines = typed_lines(path.read_text(encoding="utf-8"))
    calls = [shlex.split(line, comments=True) for line in lines]
    used = {
        word for words in calls if words[:1] == ["make"] for word in words[1:] if "=" not in word
    }

    assert set() == used - targets


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, made as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@by_page
def test_links_resolve(path: Path) -> None:
    """Each relative link leads to a file of the checkout, and to a heading in it."""
    text = re.sub(
        r"```.*?^```",
        "",
        path.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match("[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert [] == broken


def test_the_architecture_page_names_every_folder() -> None:
    """The tree in docs/architecture.md has a place for each folder of the product, and `make map` a
    line for each module, with what it is for.
    """
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    trees = [ROOT / name for name in ("ocaml_reward", "cli", "problem_sets", "trainer_plugin")]
    modules = [
        path
        for tree in trees
        for kind in ("*.py", "*.c")
        for path in tree.rglob(kind)
        if path.stat().st_size
    ]
    made = subprocess.run(
        ["make", "-s", "map"], cwd=ROOT, text=True, capture_output=True, check=True
    )
    mapped = {line.split()[0]: line.split()[1:] for line in made.stdout.splitlines()}

    folders = {path.parent for path in modules} - {*trees}
    assert [] == sorted(f"{each.name}/" for each in folders if f"{each.name}/" not in text)
    assert [] == [
        str(each) for each in modules if not mapped.get(each.relative_to(ROOT).as_posix())
    ]


def test_the_architecture_page_gives_the_layers() -> None:
    """The table of layers is the one that import-linter checks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if "containers" in c)
    rows_of = [set(row.split(" | ")) for row in reversed(layers)]
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| (.*) \|$", text, re.MULTILINE)
    written = [set(re.findall("`(\\w+)`", row)) for row in rows]

    assert [*rows_of, {"ocaml_reward"}] == written


def shown(command: str) -> str:
    """Return what README.md shows as the output of a command."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for block in blocks(text):
        first, _, output = block.partition("\n")
        if first == f"$ {command}":
            return output
    raise LookupError(command)


def test_the_readme_shows_a_real_explanation(
    golden: Callable[[Path, str], None],
) -> None:
    """The scored example of README.md is what `explain` prints for it, but for the line that
    names engine and compiler.
    """
    arguments = "explain test_corpus/completions.jsonl --problem plateaus --index 5"
    done = subprocess.run(
        [sys.executable, "-m", "cli", *arguments.split()],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    output = shown(f"ocaml-reward {arguments}")
    lines = done.stdout.splitlines()
    lines[2] = output.splitlines()[2]
    text = README.read_text(encoding="utf-8")

    golden(README, text.replace(output, "\n".join(lines) + "\n"))


@by_page
def test_scheme_digests_shown_are_current(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    labels = set(re.findall(r"\b\w+@[0-9a-f]{8}\b", text))

    assert labels == {load(label.partition("@")[0]).label for label in labels}


def test_the_readme_shows_the_summary_on_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The summary in README.md is what `score` prints for the corpus' recorded breakdowns."""
    text = (ROOT / "test_corpus" / "expected.jsonl").read_text(encoding="utf-8")
    summary = Summary(load("seed"))
    for row in map(json.loads, text.splitlines()):
        del row["case"]
        # What the record leaves out, and no figure of the summary is made of.
        row |= {"schema": SCHEMA, "diagnostics": [], "code": "", "timings_ms": {}}
        row |= {"engine": "", "sandbox": "", "toolchain": ""}
        summary.add(breakdown_from_dict(row))
    engine = FakeEngine(name="warm", sandbox="nsjail", toolchain="ocaml 4.13.1")
    print_summary(summary, engine=engine, bad=0, repaired=0, to_stderr=False)

    assert shown("make score") == capsys.readouterr().out


def test_the_readme_library_example_runs() -> None:
    """The library's example prints what its comment says."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    run = [sys.executable, "-c", example]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)

    assert example.rpartition("# ")[2] == done.stdout


def test_contributors_find_the_tests_of_a_folder() -> None:
    """Every folder of the tests belongs to some of the product, all of which are there."""
    rooms = {each.name for each in (ROOT / "tests").iterdir() if [*each.glob("test_*.py")]}

    assert rooms == {room for found in ROOMS.values() for room in found}
    assert [] == [name for name in ROOMS if not (ROOT / name).exists()]
