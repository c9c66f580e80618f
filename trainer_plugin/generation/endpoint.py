"""Generates completions on a server that speaks OpenAI's protocol, such as `vllm serve`.

It sends one request per completion, several at a time, and yields them in order.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from ocaml_reward import InputError, MachineError
from ocaml_reward.engine.remote.http_client import Answer, Client, Lost, stamina
from ocaml_reward.engine.remote.urls import read_urls

from .job import Conversation, Generated, Job

KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The environment variable with the server's API key, if it needs one."""

BUSY: Final = frozenset({408, 409, 429, 500, 502, 503, 504})
"""Statuses after which a request is repeated."""

ATTEMPTS: Final = 6
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
"""Each wait is twice the one before: 15 seconds in all, or as long as the server requests."""

READ_WAIT_S: Final = 10.0
"""Time limit for listing the server's models."""


class Server:
    """A server and its model."""

    def __init__(self, job: Job, *, key: str | None) -> None:
        """Read the address; raises InputError."""
        try:
            (self.url,) = read_urls(job.url)
        except ValueError:
            raise InputError(
                f"--url: {job.url!r} is no address of one server; http://localhost:8000/v1 is one"
            ) from None
        self._job = job
        self._client = Client(key)
        self.model = job.model or self._first_model()
        # A base model's server has no chat template; a chat model's has.
        self._chat = job.prompt.style != "text"
        self._prompts = job.prompting(chat=True)

    def generate(self, conversation: Conversation, sample: int) -> Generated:
        """Generate one completion.

        Raises InputError for a request that the server refuses, and MachineError for a server that
        cannot be reached or understood.
        """
        job = self._job
        body = {
            "model": self.model,
            "temperature": job.temperature,
            "top_p": job.top_p,
            "max_tokens": job.max_tokens,
            "seed": job.seed_of(conversation.problem.id, sample),
        }
        prompt = conversation.render(self._prompts)
        path = "/chat/completions" if self._chat else "/completions"
        body |= {"messages": prompt} if self._chat else {"prompt": prompt}
        answer = self._request(path, body, what=f"problem {conversation.problem.id!r}")
        try:
            choice = answer["choices"][0]
            text = choice["message"]["content"] if self._chat else choice["text"]
            reason = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise MachineError(f"{self.url}: an answer without a completion") from None
        # A model that only thought, or called a tool, has no content.
        return Generated(text=str(text or ""), finish_reason=str(reason or ""), model=self.model)

    def close(self) -> None:
        """Cancel every request."""
        self._client.close()

    def _first_model(self) -> str:
        """Return the name of the server's first model."""
        answer = self._request("/models", None, what="the server's models")
        try:
            return str(answer["data"][0]["id"])
        except (KeyError, IndexError, TypeError):
            raise MachineError(f"{self.url}: it names no model; --model does") from None

    def _request(self, path: str, body: dict[str, Any] | None, *, what: str) -> Any:
        """Return the answer to a request; try again while the server is busy."""
        sent = None if body is None else json.dumps(body).encode()
        timeout_s = READ_WAIT_S if sent is None else self._job.timeout_s
        try:
            for attempt in stamina.retry_context(
                _wait,
                attempts=ATTEMPTS,
                timeout=None,
                wait_initial=FIRST_WAIT_S,
                wait_max=LONGEST_WAIT_S,
                wait_jitter=FIRST_WAIT_S,
            ):
                with attempt:
                    if self._client.closed:
                        raise MachineError(f"{what}: no answer, as this was ended")
                    answer = self._client.ask(self.url, path, sent, timeout_s=timeout_s)
                    if answer.status == 200 and answer.body is not None:
                        return answer.body
                    why = f"{self.url}{path}: {_error_message(answer)}"
                    # A proxy may put a page of its own in place of an answer.
                    if answer.status not in {200, *BUSY}:
                        raise InputError(f"{what}: {why}")
                    raise _Busy(why, answer.retry_after_s)
        except (Lost, _Busy) as late:
            why = f"{what}: no answer after {ATTEMPTS} attempts: {late}"
            raise MachineError(why) from None
        raise AssertionError("unreachable")


class _Busy(Exception):
    """A server that may answer later, in `wait_s` seconds if it says so."""

    def __init__(self, why: str, wait_s: float | None) -> None:
        super().__init__(why)
        self.wait_s = wait_s


def _wait(error: Exception) -> bool | float:
    """Return whether to ask again, and after how many seconds if the server says so."""
    if isinstance(error, _Busy):
        return error.wait_s or True
    return isinstance(error, Lost)


def from_server(job: Job) -> Iterator[list[Generated]]:
    """Yield the missing completions of a job, one at a time, in order."""
    server = Server(job, key=os.environ.get(KEY_VARIABLE))
    waiting: deque[Future[Generated]] = deque()
    pool = ThreadPoolExecutor(job.concurrency, thread_name_prefix="ask")
    try:
        for conversation, sample in job.missing():
            waiting.append(pool.submit(server.generate, conversation, sample))
            # Queue as many again, so that one slow request does not delay the others.
            if len(waiting) >= 2 * job.concurrency:
                yield [waiting.popleft().result()]
        while waiting:
            yield [waiting.popleft().result()]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        server.close()


def _error_message(answer: Answer) -> str:
    """Return the server's error message: OpenAI's format, FastAPI's, or the status alone."""
    body = answer.body if isinstance(answer.body, dict) else {}
    error = body.get("error", body)
    message = error.get("message") or error.get("detail") if isinstance(error, dict) else error
    return f"{answer.status} {str(message or '').strip()}".strip()
