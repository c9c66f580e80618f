"""Stops a run on a signal: it finishes its update, saves, and prints how to resume."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import torch
from transformers import TrainerCallback

from .checkpoints import last_checkpoint

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class StopOnSignal(TrainerCallback):
    """Ends a run with a checkpoint after the update in which a signal came.

    A second signal has its default effect.
    """

    def __init__(self) -> None:
        """Start without a signal."""
        self.signal: int | None = None
        """The signal that ended the run, in whichever process it came."""
        self._before: dict[int, Any] = {}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle signals during the run."""
        self._before = {each: signal.signal(each, self._on_signal) for each in SIGNALS}
        try:
            yield
        finally:
            self._restore()

    def on_step_end(self, args: Any, _: Any, control: Any, **__: Any) -> None:
        """Save and stop if any of the processes received a signal."""
        received = self._signal_anywhere(args)
        if received:
            self.signal = received
            # The last update is saved in any case.
            control.should_save = True
            control.should_evaluate = False
            control.should_training_stop = True

    def message(self, folder: Path) -> str:
        """Return where the run stopped, and how to resume."""
        name = signal.Signals(self.signal or signal.SIGINT).name
        there = last_checkpoint(folder)
        way = f"--resume goes on from {there}" if there else "no checkpoint was saved"
        return f"stopped by {name}: {way}"

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """Note the signal; the next one ends the run at once."""
        self.signal = number
        self._restore()
        name = signal.Signals(number).name
        text = f"{name}: saving after this update; once more ends the run at once\n"
        # The handler may interrupt a print, so write directly.
        os.write(2, text.encode())

    def _signal_anywhere(self, args: Any) -> int:
        """Agree on a signal: some launchers send one to all processes, some to one."""
        mine = self.signal or 0
        if args.world_size == 1 or not torch.distributed.is_initialized():
            return mine
        signals = torch.tensor([mine], device=args.device)
        torch.distributed.all_reduce(signals, op=torch.distributed.ReduceOp.MAX)
        return int(signals.item())

    def _restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before = {}
