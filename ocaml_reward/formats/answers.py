"""Answers as APIs and servers give them, of which one row or response may hold several.

| whose | what it has |
|---|---|
| OpenAI, vLLM | `choices` with `message` or `text`; `output` with messages (openai/openai-python src/openai/types) |
| Anthropic | `content` with parts (anthropics/anthropic-sdk-python src/anthropic/types/message.py) |
| Gemini | `candidates` with `content` (googleapis/python-genai google/genai/types.py) |
| Ollama | `message`, or `response` (ollama/ollama docs/api.md) |
| llama.cpp | `content` (ggml-org/llama.cpp tools/server/README.md) |
| TGI | `generated_text` (huggingface/text-generation-inference docs/openapi.json) |
| SGLang | `text` (sgl-project/sglang python/sglang/srt/managers/schedule_batch.py) |
| Bedrock | `output.message` (boto/botocore botocore/data/bedrock-runtime/2023-09-30/service-2.json) |

Batches put such an answer into a frame, with what went wrong in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..errors import FormatError
from ..model import Completion
from .chat import assistant_text, is_messages
from .endings import cut_off
from .rows import first_of

_SEVERAL: Final = ("choices", "candidates")
# An Anthropic message and a chat's are their own text, in `content`.
_TEXTS: Final = ("message", "text", "generated_text", "output", "response", "completion")
# lm-eval has a list for each repetition of a request.
_NESTED: Final = ("filtered_resps", "resps")
_MOST_SAID: Final = 200


def framed(fields: Mapping[str, Any]) -> tuple[dict[str, Any], frozenset[str]] | None:
    """Return the answer in a row of a batch's results, and the names of the fields around it; None
    for a row that is none.

    Raises FormatError for a row that reports a failure.
    """
    response, result = fields.get("response"), fields.get("result")
    if isinstance(response, dict) and "body" in response:
        status = response.get("status_code", 200)
        if status != 200:
            raise FormatError(f"the API answered with status {status}")
        if isinstance(response["body"], dict):
            return response["body"], frozenset({"response", "error"})
    # (anthropics/anthropic-sdk-python src/anthropic/types/messages/message_batch_result.py)
    if isinstance(result, dict) and "custom_id" in fields and "type" in result:
        message = result.get("message")
        if result["type"] != "succeeded" or not isinstance(message, dict):
            said = f": {result['error']}" if result.get("error") else ""
            raise FormatError(f"the batch has no answer, {result['type']}{said}"[:_MOST_SAID])
        return message, frozenset({"result"})
    return None


def require_whole(fields: Mapping[str, Any]) -> None:
    """Raise FormatError for a piece of a streamed answer, and where a failure is in its place."""
    # (ollama/ollama docs/api.md, ggml-org/llama.cpp tools/server/README.md)
    if (
        str(fields.get("object", "")).endswith(".chunk")
        or (fields.get("done") is False and not fields.keys().isdisjoint({"created_at", "model"}))
        or (fields.get("stop") is False and "content" in fields)
    ):
        raise FormatError('a piece of a streamed answer: ask the server with "stream": false')
    feedback = fields.get("promptFeedback") or fields.get("prompt_feedback")
    if isinstance(feedback, dict) and not fields.get("candidates"):
        why = feedback.get("blockReason") or feedback.get("block_reason")
        raise FormatError(f"the API has not answered, and says: {why}"[:_MOST_SAID])


def answers_in(body: Mapping[str, Any], name: str) -> list[Completion]:
    """Read the answers in a response, or in one of its answers.

    Args:
        body: A JSON object of one of the shapes above, or a chat message.
        name: What a message calls it.

    Raises:
        FormatError: It is of no such shape, or a piece of an answer.
    """
    require_whole(body)
    if several := first_of(dict(body), _SEVERAL):
        return answers_of_list(body[several], several)
    key = None if is_messages(body) and "text" not in body else first_of(dict(body), _TEXTS)
    if key is None and body.get("error"):
        raise FormatError(f"the API answered with an error: {body['error']}"[:_MOST_SAID])
    held = body[key] if key else body
    cut = cut_off(body)
    if key == "output" and isinstance(held, list) and cut is None:
        # The Responses API says only why an answer is not complete.
        cut = None if body.get("incomplete_details") else False
    if isinstance(held, dict) and key and not is_messages(held):
        found = answers_in(held, key)
        return [replace(each, truncated=cut) if cut is not None else each for each in found]
    return [Completion(text=assistant_text(held, key or name), truncated=cut)]


def answers_of_list(answers: object, name: str) -> list[Completion]:
    """Read a list of answers: texts, chats, or objects with a text and how it ended.

    Args:
        answers: The list; a text by itself is one answer.
        name: The field that it stands in.

    Raises:
        FormatError: It is empty, or no such list.
    """
    if isinstance(answers, str):
        answers = [answers]
    if not isinstance(answers, list):
        raise FormatError(f"{name}: expected a list of answers")
    if not answers:
        raise FormatError(f"{name}: the list is empty")
    if name in _NESTED and all(isinstance(each, list) for each in answers):
        answers = [each for some in answers for each in some]
    found: list[Completion] = []
    for answer in answers:
        if isinstance(answer, dict):
            if name == "candidates" and not is_messages(answer):
                # Gemini leaves out what it has not begun to say.
                answer = {"content": None} | answer  # noqa: PLW2901
            found += answers_in(answer, name)
        elif name == "choices":
            raise FormatError("choices: expected a list of answers")
        else:
            found.append(Completion(text=assistant_text(answer, name)))
    return found
