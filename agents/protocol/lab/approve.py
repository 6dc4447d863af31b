"""The one question before programs run: all code whole, all values, the hash of each file that is read."""

from collections.abc import Sequence

from agents.protocol.lab.families import COMMON
from agents.protocol.lab.results import PARAMETERS, Ready
from agents.runs.artefacts import Artefact
from agents.runs.records import Request
from agents.runs.run import Run

APPROVAL = "programs"
"""The name of the request; a kind lists it in its `approvals`."""
APPROVE = "approve"
QUESTION = (
    "May {count} run? No network, read-only inputs, and limits of time, memory and files hold for each."
)
CORRECTS = (
    " A program that fails may be corrected by {model}, up to {rounds} times, and runs again as corrected."
)
INPUTS = "inputs.txt"


async def request_for(run: Run, ready: Sequence[Ready], model: str, rounds: int) -> Request:
    """The question. `model` may correct programs; "" is none."""
    shown: dict[str, Artefact] = {}
    for one in ready:
        code = {source.name for source in one.sources}
        for name, sha256 in one.inputs:
            if name in code or name == PARAMETERS:
                told = name if name == COMMON else f"{one.task}/{name}"
                data = await run.file(sha256) or b""
                shown[told] = await run.artefact(data, "text/plain", told)
    listed = "\n\n".join(map(_manifest, ready)).encode()
    shown[INPUTS] = await run.artefact(listed, "text/plain", INPUTS)
    question = QUESTION.format(count=f"{len(ready)} programs" if len(ready) > 1 else "this program")
    question += CORRECTS.format(model=model, rounds=rounds) if model else ""
    touches = tuple(f"{name} of {one.task}" for one in ready for name in one.promised)
    return Request(question, (APPROVE, "reject"), attachments=tuple(shown.values()), touches=touches)


def _manifest(ready: Ready) -> str:
    """What a program reads, with hashes."""
    lines = [f"{ready.task}: {ready.title}", f"{ready.sources[-1].name}, by {ready.by}"]
    lines += [f"reads {name} {sha256}" for name, sha256 in ready.inputs]
    lines += [f"reads {one.name}, which is {one.file} of {one.task}" for one in ready.awaited]
    return "\n".join((*lines, *ready.notes))
