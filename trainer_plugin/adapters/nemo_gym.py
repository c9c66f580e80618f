"""A resources server for NeMo Gym, used by examples/nemo_gym. Tested with nemo-gym 0.7.0.

    gym env start --search-dir examples/nemo_gym --resources-server ocaml

A row of the data set has its problem in `verifier_metadata.problem`. A completion that cannot be
graded has `mask_sample` and goes to the file of failures, which `gym eval reverify
--judge-failed-only` grades again; its 0 counts nowhere.
"""

from __future__ import annotations

from typing import Any, ClassVar

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    ReverifyMode,
    SimpleResourcesServer,
)
from nemo_gym.judge import JudgeError
from nemo_gym.reward_profile import compute_pass_majority_metrics, highest_k_metrics
from pydantic import ConfigDict, PrivateAttr

from ocaml_reward.serving.dialects import verify_pair

from .grading import SETTINGS, Grading, RewardUnavailable, figures, grading


class Config(BaseResourcesServerConfig):
    """Settings of NeMo Gym, and of `grading`, by default the environment's."""

    REVERIFY_MODE: ClassVar[ReverifyMode] = ReverifyMode.STATELESS

    engine: str | None = None
    scheme: str | None = None
    sandbox: str | None = None
    jobs: int | None = None
    deadline_s: float | None = None
    problems: str | None = None


class VerifyRequest(BaseVerifyRequest):
    """A row of the data set with the model's response."""

    model_config = ConfigDict(extra="allow")

    verifier_metadata: dict[str, Any]


class VerifyResponse(BaseVerifyResponse):
    """The row with its reward, the verdict, and the figures that NeMo Gym averages."""

    model_config = ConfigDict(extra="allow")

    verdict: str
    passed: float
    tests: float
    type_errors: float


class OCamlResourcesServer(SimpleResourcesServer):
    """Grades responses; it keeps nothing of a session."""

    config: Config
    _grading: Grading = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Read the settings; raises the exceptions of `grading`."""
        super().model_post_init(context)
        self._grading = grading(**self.config.model_dump(include=set(SETTINGS)))

    async def verify(self, body: VerifyRequest) -> VerifyResponse:
        """Grade a response.

        Raises:
            JudgeError: It could not be graded; NeMo Gym masks the sample.
            InputError: There is no such problem, or it cannot be graded.
        """
        row = body.model_dump()
        label, completion = verify_pair(row)
        try:
            found = await self._grading.breakdown_async(
                label, completion.text, truncated=completion.truncated
            )
        except RewardUnavailable as error:
            raise JudgeError(str(error)) from error
        made: dict[str, Any] = dict(figures(found))
        made |= {"reward": made.pop("score"), "verdict": found.verdict.value}
        return VerifyResponse(**{**row, **made})

    def compute_metrics(self, tasks: list[list[dict[str, Any]]]) -> dict[str, Any]:
        """Compute pass@k."""
        metrics, *_ = compute_pass_majority_metrics(
            tasks, score_fn=lambda row: {"passed": row["passed"]}
        )
        return dict(metrics)

    def get_key_metrics(self, agent_metrics: dict[str, Any]) -> dict[str, Any]:
        """Select the means, and pass@k for the largest k."""
        return {
            **super().get_key_metrics(agent_metrics),
            **highest_k_metrics(agent_metrics, "pass@{k}", score_names=["passed"]),
        }
