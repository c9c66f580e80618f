"""docs/scoring.md lists every feature that is forbidden."""

from __future__ import annotations

import re

from tests.pages import ROOT, marked, section

SCAN = ROOT / "ocaml_reward" / "engine" / "ocaml" / "safety" / "forbidden_features.ml"


def ocaml_list(name: str) -> list[str]:
    """Return the strings of a list that forbidden_features.ml defines."""
    source = SCAN.read_text(encoding="utf-8")
    (body,) = re.findall(rf"^let {name} =\s+\[(.*?)\]", source, re.MULTILINE | re.DOTALL)
    return re.findall('"([^"]+)"', body)


def test_the_scoring_page_lists_what_is_forbidden() -> None:
    """docs/scoring.md names each module and value that the scan looks for, and no other."""
    items = re.split(r"^- ", section("scoring.md", "## Forbidden features"), flags=re.MULTILINE)
    modules, values = (
        marked(next(item for item in items if item.startswith(f"**{kind}**")))
        for kind in ("Modules", "Values")
    )

    assert {*ocaml_list("modules"), "Stdlib__Obj"} == modules
    assert {*ocaml_list("values"), "unsafe_"} == values


def test_the_scoring_page_names_every_other_report_of_the_scan() -> None:
    source = SCAN.read_text(encoding="utf-8")
    reports = set(re.findall(r'report \S+ \(?"([^"]+?) *"', source))
    named = marked(section("scoring.md", "## Forbidden features"))

    assert {"Sys.command", "Lexing.lex_tables", "external"} == reports
    assert set() == reports - named
