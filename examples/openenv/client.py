"""The client of the environment.

with OCamlEnv(base_url="http://127.0.0.1:8000").sync() as client:
    client.reset(problem="plateaus")
    print(client.step(Program(program="...")).reward)
"""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

from .models import Program, Reply


class OCamlEnv(EnvClient[Program, Reply, State]):
    """A session of the server, with typed actions and observations."""

    def _step_payload(self, action: Program) -> dict[str, Any]:
        return {"program": action.program}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Reply]:
        reward, done = payload.get("reward"), payload.get("done", False)
        reply = Reply(**payload["observation"], reward=reward, done=done)
        return StepResult(observation=reply, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
