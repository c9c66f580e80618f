"""
How a model is asked: one message, one reply, in verifiers' own process.

verifiers' harness `null` does the same by a program of its own, which `uv` has to install
first; `bash`, the default elsewhere, would give the model a shell.
"""

from __future__ import annotations

from typing import Any

import httpx
import verifiers.v1 as vf

__all__ = ["OneReply"]


class Settings(vf.HarnessConfig):
    """
    Nothing to set; requests are as patient as the rollout.
    """


class OneReply(vf.Harness[Settings]):
    """
    Sends the prompt, and leaves the reply to the trace.
    """

    APPENDS_SYSTEM_PROMPT = True
    NEEDS_CONTAINER = False
    EXECUTES_CODE = False

    async def launch(  # noqa: PLR0917 (verifiers' signature)
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,  # noqa: ARG002
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: vf.TaskData,
        **_: Any,
    ) -> vf.ProgramResult:
        """
        Ask the model by way of verifiers' endpoint, which records the exchange.
        """
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": str(prompt)})
        # The rollout has a limit of its own.
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113
            reply = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={"model": ctx.model, "messages": messages},
            )
        failed = reply.status_code != 200
        return vf.ProgramResult(
            exit_code=int(failed), stdout="", stderr=reply.text if failed else ""
        )
