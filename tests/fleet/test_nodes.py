"""Nodes as Ray lists them, and errors as it hands them on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ocaml_reward import JailFault
from ocaml_reward.fleet.nodes import error_of, nodes_of, unlike, why_of


def listed(id_: str, cpus: float | None, *, alive: bool = True) -> dict[str, Any]:
    """Write a node as `ray.nodes()` does."""
    return {
        "NodeID": id_,
        "Alive": alive,
        "NodeManagerAddress": "10.0.0.1",
        "Resources": {} if cpus is None else {"CPU": cpus},
    }


def test_a_worker_for_every_four_processors() -> None:
    """A small node has one with what there is; one without processors, or gone, has none."""
    found = nodes_of(
        [
            listed("aaaaaaaa", 2.0),
            listed("bbbbbbbb", 9.0),
            listed("cccccccc", None),
            listed("dddddddd", 8.0, alive=False),
        ]
    )

    assert [("10.0.0.1-aaaaaa", 1, 2), ("10.0.0.1-bbbbbb", 2, 4)] == [
        (each.name, each.workers, each.processors) for each in found
    ]


def test_our_own_errors_come_back_as_they_were() -> None:
    """What a worker raises of ours is raised here; anything else is the machine's."""
    fault = JailFault("no jail")

    assert fault is error_of(SimpleNamespace(cause=fault))
    assert "a worker failed: KeyError: 'x'" == str(
        error_of(SimpleNamespace(cause=KeyError("x")))
    )
    assert "ToolchainError: no ocamlc" == why_of(
        RuntimeError("died\n  trace\nToolchainError: no ocamlc\n")
    )


def test_nodes_of_two_kinds_are_all_named() -> None:
    """Whichever answered first: who is what is said of each, and why one is nothing."""
    kinds = {"a": "ocaml 4.13.1", "b": "ocaml 5.3.0", "c": "ocaml 4.13.1"}

    assert (
        "not all nodes can grade together: d: no ocamlc; a, c: ocaml 4.13.1;"
        " b: ocaml 5.3.0"
    ) == unlike({"b": "has ocaml 5.3.0", "d": "no ocamlc"}, kinds)
