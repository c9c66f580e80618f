"""A harness that sends the prompt, and feedback after each reply, until the tries are over.

It runs in the process of verifiers. The harness `null` does the same for one reply with a program
that `uv` has to install first; `bash`, the default elsewhere, would give the model a shell.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import verifiers.v1 as vf

from trainer_plugin.adapters.grading import RewardUnavailable, with_reward

from .taskset import episode_of


class Settings(vf.HarnessConfig):
    """No settings; the rollout limits the time of requests."""


class Chat(vf.Harness[Settings]):
    """Sends the prompt and the feedback; the trace records all messages."""

    APPENDS_SYSTEM_PROMPT = True
    NEEDS_CONTAINER = False
    EXECUTES_CODE = False

    async def launch(  # noqa: PLR0917 (verifiers' signature)
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: vf.TaskData,
        **_: Any,
    ) -> vf.ProgramResult:
        """Run a conversation through the endpoint of verifiers, which records it."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": str(prompt)})
        episode = episode_of(trace)
        # The rollout limits the time.
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113
            while True:
                reply = await client.post(
                    f"{endpoint.rstrip('/')}/chat/completions",
                    headers={"Authorization": f"Bearer {secret}"},
                    json={"model": ctx.model, "messages": messages},
                )
                if reply.status_code != 200:
                    return vf.ProgramResult(exit_code=1, stdout="", stderr=reply.text)
                choice = reply.json()["choices"][0]
                text = choice["message"].get("content") or ""
                told = await asyncio.to_thread(
                    episode.answer, text, truncated=choice["finish_reason"] == "length"
                )
                try:
                    with_reward(episode.last)
                except RewardUnavailable as error:
                    raise vf.SandboxError(str(error)) from error
                if episode.is_over:
                    return vf.ProgramResult(exit_code=0, stdout="", stderr="")
                messages.append({"role": "assistant", "content": text})
                messages.append({"role": "user", "content": told})
