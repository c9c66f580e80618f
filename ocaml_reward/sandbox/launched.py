"""What the backends share: a command line that starts a jail, and a word on how it ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..errors import JailFault
from .mounts import overfull, refuse_watched
from .policy import JailPolicy, JailRun, Session
from .process import ProcessResult, execute
from .session import start


class Launched(ABC):
    """Runs each command in a fresh jail, which a command line of its backend makes."""

    name: str

    def run(
        self,
        policy: JailPolicy,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        request: bytes = b"",
    ) -> JailRun:
        """Run `command` to its end.  Raises JailFault when the jail could not be set up."""
        try:
            ended = execute(
                self._line(policy, command),
                limits=policy.limits,
                environment={},
                stdin=stdin,
                request=request,
                overfull=overfull(policy),
            )
        except OSError as error:
            raise JailFault(f"{self.name} could not be started: {error}") from error
        return self._judged(ended)

    def open(self, policy: JailPolicy, command: Sequence[str]) -> Session:
        """Start `command` in a session.  Raises JailFault when that is known to fail."""
        refuse_watched(policy)
        return start(self._line(policy, command), self._judged)

    @abstractmethod
    def _line(self, policy: JailPolicy, command: Sequence[str]) -> list[str]:
        """Return the command line that runs `command` under `policy`."""

    @abstractmethod
    def _judged(self, ended: ProcessResult) -> JailRun:
        """Tell how the program ended.  Raises JailFault where it never began."""
