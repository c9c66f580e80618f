"""
One run at a time in a folder.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..config.value import ConfigError

__all__ = ["alone_in"]

NAME = "run.lock"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """
    Hold a run's folder; the system lets go of it however this process ends.

    Raises ConfigError, naming the process, where another run holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NAME).open("a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "another process"
            raise ConfigError(
                f"grpo.output_dir: {folder} is being trained into by {holder}; choose"
                " another folder, or wait for it"
            ) from None
        except OSError:
            # A file system without locks: nothing to hold on to.
            yield
            return
        stream.truncate(0)
        stream.write(f"process {os.getpid()}\n")
        stream.flush()
        yield
