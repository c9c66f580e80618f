"""
Where is the mistake of an ill-typed program?  Against a public table.

A file holds programs of students that do not type, each with the spans that the student changed
to mend it: a JSON object a line, gzipped or not, with `bad` and `changed`, a list of
"(line,column)-(line,column)", as made of the data of Seidel et al., "Learning to Blame" (OOPSLA
2017, github.com/ucsd-progsys/nate).  A ranking is right at k if one of its first k places is such
a span, exactly.

    python -m benchmarks.blame sp14.jsonl.gz                the shipped weights
    python -m benchmarks.blame sp14.jsonl.gz --train FILE   learn weights, cross-validated, into FILE

Training needs torch.  Folds are by the definition that fails, which stands for the problem that
students were given, so that no problem is in both parts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.counting import built, engine_folder
from ocaml_reward.diagnostics.blame import Clash, features, ranked, read
from ocaml_reward.engine.protocol import netstrings, pack
from ocaml_reward.engine.toolchain import locate

PUBLISHED: Final = {
    "OCaml's own place": (0.448,),
    "Mycroft": (0.424, 0.606, 0.682),
    "SHErrLoc": (0.550, 0.756, 0.846),
    "NATE, trained on the other year": (0.736, 0.864, 0.915),
}
"""
Top 1, 2 and 3 on SP14, of the programs that each tool could handle.
"""
FOLDS: Final = 5
DEFINED = re.compile(r"^(?:let|and)\s+(?:rec\s+)?(\w+)", re.MULTILINE)


class Case(NamedTuple):
    """
    A program's errors, the spans in bytes that were changed, and the definition that fails.
    """

    clashes: tuple[Clash, ...]
    changed: frozenset[tuple[int, int]]
    name: str


def cases(path: Path) -> tuple[list[Case], list[float]]:
    """
    Find the candidates of every program, and the milliseconds that each took.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    codes = [row["bad"].encode("utf-8", "replace") for row in rows]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = built(folder, "blame_each")
        (folder / "items").write_bytes(b"".join(map(pack, codes)))
        command = [program, folder / "items", engine_folder(), locate().stdlib]
        done = subprocess.run(command, capture_output=True, check=True)
    answers = netstrings(done.stdout)
    found = []
    for row, code, text in zip(rows, codes, answers[::2], strict=True):
        clashes = read(text.decode("utf-8", "replace"))
        at = clashes[0].start if clashes else 0
        names = DEFINED.findall(code[: at + 1].decode("utf-8", "replace"))
        changed = frozenset(_place(code, span) for span in row["changed"])
        found.append(Case(clashes, changed, names[-1] if names else ""))
    return found, [float(each) for each in answers[1::2]]


def _place(code: bytes, span: str) -> tuple[int, int]:
    starts = [0, *(found.end() for found in re.finditer(b"\n", code))]
    line, column, end_line, end_column = map(int, re.findall(r"\d+", span))
    return starts[line - 1] + column, starts[end_line - 1] + end_column


def top(
    found: Sequence[Case], rank: Callable[[Case], Sequence[tuple[int, int]]]
) -> tuple[float, ...]:
    """
    Return the shares of programs that are right at 1, 2 and 3.
    """
    hits = [0, 0, 0]
    for case in found:
        right = [place in case.changed for place in rank(case)[:3]]
        for k in range(3):
            hits[k] += any(right[: k + 1])
    return tuple(hit / len(found) for hit in hits)


def places(
    case: Case, weights: Mapping[str, float] | None = None
) -> list[tuple[int, int]]:
    """
    Rank the places of a program.
    """
    return [each[:2] for each in ranked(case.clashes, weights)]


def untrained(case: Case) -> list[tuple[int, int]]:
    """
    Rank by what needs no data: the compiler's place if a hole there makes the item type, then
    the smallest first.
    """
    found: list[tuple[int, int]] = []
    for clash in case.clashes:
        at = (clash.start, clash.stop)
        shown = [c for c in clash.candidates if c.types]
        shown.sort(key=lambda c: ((c.start, c.stop) != at, c.stop - c.start))
        found += [(c.start, c.stop) for c in shown] or [at]
    return found


def learned(
    found: Sequence[Case], *, least: int = 20, decay: float = 3e-4
) -> dict[str, float]:
    """
    Learn a weight for each feature that at least so many candidates have: most likelihood that
    one of the changed places is drawn, with an L2 penalty.
    """
    import torch  # noqa: PLC0415 (only training needs it)

    groups = [
        (
            [named for _, named in listed],
            [(c.start, c.stop) in case.changed for c, _ in listed],
        )
        for case in found
        if (listed := [each for clash in case.clashes[:1] for each in features(clash)])
    ]
    groups = [(named, right) for named, right in groups if any(right)]
    counts = Counter(name for named, _ in groups for each in named for name in each)
    names = sorted(name for name, count in counts.items() if count >= least)
    number = {name: n for n, name in enumerate(names)}
    rows, columns, owner, right = [], [], [], []
    for group, (named, marks) in enumerate(groups):
        for each, mark in zip(named, marks, strict=True):
            known = [number[name] for name in each if name in number]
            rows += [len(owner)] * len(known)
            columns += known
            owner.append(group)
            right.append(float(mark))
    matrix = torch.sparse_coo_tensor(
        torch.tensor([rows, columns]), torch.ones(len(rows)), (len(owner), len(names))
    ).coalesce()
    segment, truth = torch.tensor(owner), torch.tensor(right)
    weights = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.Adam([weights], lr=0.05)
    for _ in range(200):
        scores = torch.sparse.mm(matrix, weights[:, None])[:, 0]
        most = torch.full((len(groups),), -1e9).scatter_reduce(
            0, segment, scores, "amax"
        )
        powers = torch.exp(scores - most.detach()[segment])
        total = torch.zeros(len(groups)).index_add(0, segment, powers)
        inside = torch.zeros(len(groups)).index_add(0, segment, powers * truth)
        loss = -torch.log(inside / total + 1e-9).mean() + decay * (weights**2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return {
        name: round(weight, 2)
        for name, weight in zip(names, weights.tolist(), strict=True)
        if abs(weight) >= 0.1
    }


def cross_validated(found: Sequence[Case]) -> tuple[float, ...]:
    """
    Rank the programs of each fold with weights that were learned from the others.
    """
    sizes = [0] * FOLDS
    fold: dict[str, int] = {}
    for name, count in sorted(
        Counter(c.name for c in found).items(), key=lambda x: (-x[1], x[0])
    ):
        fold[name] = sizes.index(min(sizes))
        sizes[fold[name]] += count
    hits = [0.0, 0.0, 0.0]
    for place in range(FOLDS):
        weights = learned([case for case in found if fold[case.name] != place])
        held = [case for case in found if fold[case.name] == place]
        shares = top(held, lambda case, weights=weights: places(case, weights))
        hits = [
            hit + share * len(held) for hit, share in zip(hits, shares, strict=True)
        ]
    return tuple(hit / len(found) for hit in hits)


def show(name: str, shares: Sequence[float]) -> None:
    """
    Print a row.
    """
    print(f"{name:45}", " ".join(f"{share:.3f}" for share in shares))


def main() -> None:
    """
    Print the table; with --train learn weights, too.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--train", type=Path, metavar="FILE")
    asked = parser.parse_args()
    found, spent = cases(asked.data)
    print(f"{len(found)} programs; top 1, 2, 3 (published rows: SP14)")
    for name, shares in PUBLISHED.items():
        show(name, shares)
    show("the compiler's place", top(found, lambda c: [each[:2] for each in c.clashes]))
    show("one hole, untrained", top(found, untrained))
    if asked.train:
        show(f"weights, {FOLDS} folds by problem", cross_validated(found))
        weights = learned(found)
        asked.train.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n")
        print(f"{len(weights)} weights in {asked.train}")
        show(
            "these, on what they were learned from",
            top(found, lambda c: places(c, weights)),
        )
    else:
        show("the shipped weights", top(found, places))
    spent.sort()
    at = {share: spent[int(share * (len(spent) - 1))] for share in (0.5, 0.99, 1)}
    print("search, ms of processor time:", f"mean {sum(spent) / len(spent):.2f},",
          ", ".join(f"{share:.0%} {ms:.2f}" for share, ms in at.items()))  # fmt: skip


if __name__ == "__main__":
    main()
