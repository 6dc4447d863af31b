"""What can go wrong while thinking.

AgentError
├── RunStopped               the run ended at a step's edge, with whatever it had; carries the reason
│   ├── RunCancelled         somebody said stop
│   ├── TimeLimitReached     the run's time is used up
│   └── BudgetExceeded       the run's tokens or money are used up
├── Suspended                the run waits for a person; it goes on once there is a decision
├── LeaseLost                another worker carries this run now; stop without writing
├── StepFailed               a step raised; carries its name, and the cause
├── LedgerMismatch           a stored output does not fit its type any more; replay is refused
├── SandboxUnavailable       no program can run in a sandbox here; the message says what is missing
├── ArtefactTooLarge         a file is larger than a run may keep
├── NotAnOption              a decision that the request does not offer
├── UnknownRequest           the run asks nothing of this name
├── UnknownRun               there is no run with this id
├── UnknownKind              this process knows no kind of run of this name
├── WrongOrder               what is asked for is not to be had; the message says what is
├── UnknownEvidence          a key that was never given out
├── ToolRetry                a tool was called wrongly; the message says how to call it
├── ToolFailed               a tool cannot answer; asking it again will not help
├── ChemistryError           a structure cannot be read; the message says where it breaks
├── LibraryMissing           what is asked for needs an extra that is not installed
├── WrongFile                a file is not the kind of file of a database that it was loaded as
└── ModelError               the language model gave no usable answer; carries the tokens already spent
    ├── ModelUnavailable     time-out, or server error after all retries
    │   └── ModelUnreachable nothing answers at the address
    ├── ModelRefused         authentication, quota or request refused: asking again will not help
    └── ModelAnswerInvalid   the answer did not fit its schema, also after one repair

Every message says what happened and what to do next.
"""

from agents.usage import Usage


class AgentError(Exception):
    """Base of this floor's errors; the message is fit to be shown to a user."""


class RunStopped(AgentError):
    """The run was stopped at a step's edge."""


class RunCancelled(RunStopped):
    """Somebody asked to stop."""


class TimeLimitReached(RunStopped):
    """The run's time limit was reached."""


class BudgetExceeded(RunStopped):
    """The run's token or money budget was used up."""


class Suspended(AgentError):
    """The run has nothing to do until a person decides. A pipeline lets it pass."""


class LeaseLost(AgentError):
    """Another worker took this run over."""


class StepFailed(AgentError):
    """A step raised an error; `__cause__` holds it."""

    def __init__(self, step: str, message: str) -> None:
        super().__init__(message)
        self.step = step


class LedgerMismatch(AgentError):
    """A stored step output does not validate against the type it should have."""


class SandboxUnavailable(AgentError):
    """No program can run in a sandbox on this machine. The message says what to install or to allow."""


class ArtefactTooLarge(AgentError):
    """A file is larger than a run may keep."""


class NotAnOption(AgentError):
    """A decision that the request does not offer."""


class UnknownRequest(AgentError):
    """The run asks nothing of this name, or no longer."""


class WorkersDied(AgentError):
    """Workers ended again and again in the same step of a run."""


class UnknownRun(AgentError):
    """The ledger has no run with this id."""


class UnknownKind(AgentError):
    """No kind of run of this name is known here."""


class WrongOrder(AgentError):
    """A request names what a kind of run does not have; the message lists the choices."""


class UnknownEvidence(AgentError):
    """An evidence key that this run never gave out."""


class ToolRetry(AgentError):
    """A tool was called wrongly. The message, fit for a model, says how to call it."""


class ToolFailed(AgentError):
    """A tool cannot answer, and asking again will not help. The message is fit for a reader."""


class WrongFile(AgentError):
    """A file is not the kind of file of a database that it was loaded as."""


class ChemistryError(AgentError):
    """A text or file is no molecule. The message says where it breaks."""


class LibraryMissing(AgentError):
    """An extra is not installed. The message says how to install it."""


class ModelError(AgentError):
    """The language model gave no usable answer. `usage` is what was spent in trying."""

    clause = "it failed"
    """What happened in a few words, for a note in an answer."""

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class ModelUnavailable(ModelError):
    """The endpoint could not be reached, or kept failing."""

    clause = "it could not be reached"


class ModelUnreachable(ModelUnavailable):
    """Nothing answers at the endpoint's address. The clause is the whole message: it is the same for all that
    a run asks.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message, usage)
        self.clause = message


class ModelRefused(ModelError):
    """The endpoint refused the request for good."""

    clause = "its endpoint refused the request"


class ModelAnswerInvalid(ModelError):
    """The answer did not fit the schema, also after one repair."""

    clause = "its answer did not fit what was asked for"
