"""Every exception this library raises, by who has to act.

* OCamlRewardError
  * InputError: our caller gave something unusable; raised when it is loaded
    * SchemeError: a reward scheme file or override
    * ProblemError: a problem, or its tests
    * FormatError: a file of problems or completions
  * MachineError: this machine cannot score right now; says nothing about a completion
    * ToolchainError: no OCaml compiler, no gcc, or the helpers do not build
    * SandboxUnavailable: no jail of the wanted kind works here
    * JailFault: a jail was chosen and works, but this one run of it failed
    * EngineFault: the engine died or answered nonsense
    * JudgeFault: a problem's own judge dies on good outputs, too
    * RemoteFault: no server has answered in time, or none may be used
    * WorkerLost: three processes died, one after the other, that graded the same

A bad *completion* never raises: it gets a verdict.
"""


class OCamlRewardError(Exception):
    """Base of everything raised on purpose; its text is one line fit for a user."""


class InputError(OCamlRewardError):
    """Something we were given cannot be used; names the file, line or key."""


class SchemeError(InputError):
    """A reward scheme does not hold together."""


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
    """The engine died, hung or answered nonsense."""


class JudgeFault(MachineError):
    """A problem's own judge dies or loops on good outputs, too, or says that the problem is wrong: the
    problem's fault, and no completion's.
    """


class RemoteFault(MachineError):
    """No server has answered in time, or none of them may be used."""


class WorkerLost(MachineError):
    """Three processes died, one after the other, that graded the same completion."""
