"""The warm engine against its physical limit.

The limit: the same programs, each with its tests, parsed, typed, compiled and linked in
one resident process (check.ml), then run in another (run.ml), with no fork, no jail, no
locks, no clocks and no Python.  The engine compiles tests once for all programs of one
interface: a second limit does so, too.  The warm engine has one worker here and is
timed from code to report.  Programs that end their process are left out: there would be
no second one in a resident process.

    python -m benchmarks.limit --rounds 7
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from ocaml_reward import Grader
from ocaml_reward.engine import CheckRequest
from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.sources import RUNNER, UNITS, link_order, source_texts
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.build.versions import place_versions
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.engine.messages.protocol import pack
from ocaml_reward.reading.extraction import extract

from ..warm import quick_and_light

HERE = Path(__file__).parent
HOW = ("each", "once")
TOGETHER = {"passed", "failed_tests", "type_error", "interface_error", "syntax_error"}


def requests(engine: WarmEngine) -> list[CheckRequest]:
    """Return the corpus' programs that leave their process whole."""
    _, light = quick_and_light(engine, 2)
    grader = Grader("seed", engine=engine, jobs=2)
    found = []
    for (problem, completion), seen in zip(light, grader.grade_many(light), strict=True):
        if seen.verdict in TOGETHER:
            tests = grader.prepare(problem)
            code = extract(
                completion.text, uses=tests.uses, prompt=problem.prompt,
                end_marker="(* END *)",
            ).code  # fmt: skip
            found.append(CheckRequest(code=code, tests=tests))
    return found


def built(folder: Path) -> None:
    """Build both resident processes, "check" and "resident"."""
    toolchain, engine = locate(), engine_folder()
    for name, text in source_texts().items():
        (folder / name).write_bytes(text)
    for source in (*HERE.iterdir(), *engine.iterdir()):
        shutil.copy(source, folder)
    place_versions(toolchain, folder)
    units = link_order(toolchain, folder, "check")

    def make(*command: str | Path) -> None:
        subprocess.run(command, cwd=folder, check=True)

    make(
        toolchain.ocamlfind, "ocamlopt", "-w", "-a", "-linkpkg",
        "-package", "compiler-libs.bytecomp,unix", *units, "-o", "check",
    )  # fmt: skip
    trusted = [f"{unit}.cmo" for unit in UNITS]
    shutil.copy(folder / "run.ml", folder / f"{RUNNER}.ml")
    make(toolchain.ocamlc, "-w", "-a", "-c", f"{RUNNER}.ml")
    make(toolchain.ocamlc, "-c", "unlocked.c")
    make(
        toolchain.ocamlc, "-w", "-a", "-linkall", "-custom", *trusted,
        f"{RUNNER}.cmo", "unlocked.o", "-o", "resident",
    )  # fmt: skip


def output(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed."""
    return subprocess.run(
        words, capture_output=True, encoding="utf-8", errors="replace", check=True
    )


def show(label: str, ours: float, limits: dict[str, float]) -> None:
    """Print milliseconds per program, and what they are to each limit."""
    beside = (f"tests {how} {limits[how]:.3f} ms, {ours / limits[how]:.2f}" for how in HOW)
    print(f"  {label}: warm {ours:.3f} ms  limit with {'; '.join(beside)}", flush=True)


def main() -> None:
    """Alternate the two sides and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    engine = WarmEngine(options.sandbox)
    work = requests(engine)
    ours: list[float] = []
    limits: dict[str, list[float]] = {how: [] for how in HOW}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built(folder)
        items = b"".join(
            pack(
                pack(
                    r.code.encode("utf-8", "replace"),
                    r.tests.payload,
                    " ".join(r.tests.uses),
                )
            )
            for r in work
        )
        (folder / "items").write_bytes(items)
        folders = [str(engine_folder()), str(locate().stdlib)]
        print(f"{len(work)} programs, one worker, {engine.sandbox}")
        for number in range(1, options.rounds + 1):
            for how, found in limits.items():
                checked = output(folder / "check", how, folder / "resident",
                                 folder / "items", folder / "images", "4",
                                 *folders).stdout  # fmt: skip
                times = folder / "times"
                output(folder / "resident", folder / "images", "4", times)
                both = (checked, times.read_text())
                # The first round of each process warms it up.
                spent = (min(map(float, each.split()[1:])) for each in both)
                found.append(sum(spent) / len(work))
            started = time.perf_counter()
            for request in work:
                engine.check(request)
            ours.append((time.perf_counter() - started) * 1e3 / len(work))
            show(f"round {number}", ours[-1], {how: limits[how][-1] for how in HOW})
    middle = {how: statistics.median(found) for how, found in limits.items()}
    show("median", statistics.median(ours), middle)
    engine.close()


if __name__ == "__main__":
    main()
