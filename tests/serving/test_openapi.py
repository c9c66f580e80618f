"""The description of the server for other clients says what the server does."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from starlette.routing import Route

import ocaml_reward.serving
from ocaml_reward.engine.prepare.prepared_by_request import Order, order_bytes
from ocaml_reward.model import Budget, Problem
from ocaml_reward.scheme import load
from ocaml_reward.serving import Settings
from ocaml_reward.serving.app import App
from ocaml_reward.serving.service import Service
from ocaml_reward.testing import problem
from tests.serving.faked import engine
from tests.serving.running import ask, served

OPENAPI = Path(ocaml_reward.serving.__file__).with_name("openapi.json")


def test_the_openapi_file_is_about_these_paths() -> None:
    """openapi.json names each path with its method, and every reference in it leads somewhere."""
    page = json.loads(OPENAPI.read_text(encoding="utf-8"))
    service = Service(engine(), load("seed"), Settings(), jobs=1)
    routes = {
        route.path: {method.lower() for method in route.methods or () if method != "HEAD"}
        for route in App(service).asgi.routes
        if isinstance(route, Route)
    }
    service.close()
    schemas = page["components"]["schemas"]
    named = set(_references(page))

    assert routes == {path: set(each) for path, each in page["paths"].items()}
    assert {f"#/components/schemas/{name}" for name in schemas} == named


def test_the_openapi_file_describes_what_is_sent() -> None:
    """The messages that openapi.json describes have exactly the keys that it gives them."""
    page = json.loads(OPENAPI.read_text(encoding="utf-8"))["components"]["schemas"]
    order = json.loads(order_bytes(Order(problem=problem(), budget=Budget(stack_mb=9))))
    with served(engine()) as url:
        about = ask(url, "/v1/about").json
        wrong = ask(url, "/v1/score", {}).json

    described = page["Order"]["properties"]
    assert described.keys() == order.keys()
    # What is so by default is left out.
    assert {"id", "tests"} <= order["problem"].keys()
    assert described["problem"]["properties"].keys() == _fields(Problem)
    assert {"stack_mb"} == order["budget"].keys()
    assert page["Budget"]["properties"].keys() == _fields(Budget)
    assert page["About"]["properties"].keys() == about.keys()
    assert page["Fault"]["properties"].keys() == wrong["error"].keys()


def _fields(kind: type[Problem | Budget]) -> set[str]:
    return {each.name for each in fields(kind) if each.init}


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if "$ref" in value else []
        return own + [each for item in value.values() for each in _references(item)]
    if isinstance(value, list):
        return [each for item in value for each in _references(item)]
    return []
