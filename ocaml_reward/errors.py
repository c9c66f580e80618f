"""The exceptions of this library, grouped by who has to act.

* OCamlRewardError
  * InputError: the caller's input cannot be used; raised when it is loaded
    * SchemeError: a reward scheme file or override
    * ProblemError: a problem, or its tests
    * FormatError: a file of problems or completions
  * MachineError: this machine cannot grade right now; the completion is not at fault
    * ToolchainError: no OCaml compiler, no gcc, or the helpers do not build
    * SandboxUnavailable: no jail of the wanted kind works here
    * JailFault: a jail was chosen and works, but this one run of it failed
    * EngineFault: the engine died or sent an invalid reply
    * JudgeFault: a problem's judge also dies on good outputs
    * RemoteFault: no server has replied in time, or none may be used
    * WorkerLost: three processes in a row died while grading the same completion
    * Abandoned: nobody waits for it any more

A bad *completion* never raises: it gets a verdict.
"""


class OCamlRewardError(Exception):
    """The base class; the text is one line for the user."""


class InputError(OCamlRewardError):
    """The caller's input cannot be used; the message has the file, line or key."""


class SchemeError(InputError):
    """A reward scheme is inconsistent."""


class ProblemError(InputError):
    """A problem cannot be graded: its tests are missing, broken or unsupported."""


class FormatError(InputError):
    """A line or file of problems or completions cannot be read."""


class MachineError(OCamlRewardError):
    """The machine, not the completion, is at fault."""


class ToolchainError(MachineError):
    """The OCaml toolchain is missing or our helpers do not build with it."""


class SandboxUnavailable(MachineError):
    """No jail of the wanted kind works on this machine."""


class JailFault(MachineError):
    """One run of a jail could not be set up."""


class EngineFault(MachineError):
    """The engine died, hung or sent an invalid reply."""


class JudgeFault(MachineError):
    """A problem's judge also dies or loops on good outputs, or reports that the problem is wrong.

    The problem is at fault, not the completion.
    """


class RemoteFault(MachineError):
    """No server has replied in time, or none may be used."""


class WorkerLost(MachineError):
    """Three processes in a row died while grading the same completion."""


class Abandoned(MachineError):
    """Nobody waits for this work any more."""
