"""A tool that needs approval asks the people of the run's thread, and the run waits for their decision."""

from agents.runs import meter
from agents.runs.records import Request
from agents.runs.run import Run
from agents.tools.approved import REJECT, Approval, Ask, Files

SECONDS = 3 * 24 * 3600.0
"""How long a person has. After that the call is rejected, and the agent goes on without it."""


def approver(run: Run) -> Ask:
    """Asks through `Run.wait_for`: nothing is lost and no worker is held while nobody decides.

    A decision holds for the step that asks, so that the same call made again is asked about again.
    """

    async def ask(question: str, options: tuple[str, ...], files: Files) -> Approval:
        kept = [await run.artefact(text.encode(), "text/plain", name) for name, text in files.items()]
        request = Request(question, options, seconds=SECONDS, otherwise=REJECT, attachments=tuple(kept))
        asking = meter.current()
        name = f"approval/{asking.inputs_hash[:12]}" if asking else "approval"
        decided = await run.wait_for(name, request)
        said = "nobody decided in time" if decided.timed_out else ""
        return Approval(decided.choice, decided.by, said)

    return ask
