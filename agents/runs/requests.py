"""What runs ask people: how a decision is given, and what happens when nobody decides in time.

A run that has nothing else to do waits without a worker; a decision queues it again.
"""

from agents.errors import NotAnOption, UnknownRequest
from agents.ports import Ledger
from agents.runs.hashing import canonical_json
from agents.runs.polls import Vote
from agents.runs.records import Decision, OpenRequest

ASKED, DECIDED, WAITS = "request.asked", "request.decided", "run.waiting"
"""Events of a run's trail."""


async def answer(run_id: str, name: str, choice: str, by: str, ledger: Ledger) -> bool:
    """Decide on what a run asks; the caller hands the run to a worker. False if somebody was quicker.

    Raises `UnknownRun`, `UnknownRequest`, and `NotAnOption` for a choice that the request does not offer.
    """
    asked = next((one for one in await ledger.open_requests(run_id) if one.name == name), None)
    if asked is None:
        raise UnknownRequest(f"The run {run_id} asks nothing of this kind any more: it was decided.")
    options = asked.request.options
    if asked.request.poll:
        raise NotAnOption("Several people answer this: write `vote 2`, or press a button of the poll.")
    if options and choice not in options:
        raise NotAnOption(f"{choice!r} is no choice here. Choose one of: {', '.join(options)}.")
    return await ledger.decide(run_id, name, choice, by)


async def vote(run_id: str, name: str, cast: Vote, ledger: Ledger) -> bool:
    """Change a ballot; whether that closed the poll, so that the caller hands the run to a worker.

    Raises `UnknownRun`, `UnknownRequest` for a poll that is closed, and `NotAnOption` for what it does not
    offer, or for somebody who may not vote in it.
    """
    asked = next((one for one in await ledger.open_requests(run_id) if one.name == name), None)
    poll = asked.request.poll if asked else None
    if poll is not None and not poll.admits(cast.by):
        raise NotAnOption(f"Only {', '.join(poll.voters)} may vote here: {poll.question}")
    if poll is not None and not {*cast.chosen, *cast.dropped} <= {*poll.options}:
        raise NotAnOption(f"Vote for one of: {', '.join(poll.options)}.")
    if poll is None or not await ledger.vote(run_id, name, cast):
        raise UnknownRequest("This poll is closed, and your vote came too late to count.")
    return name not in {one.name for one in await ledger.open_requests(run_id)}


async def settle_overdue(ledger: Ledger) -> list[str]:
    """Decide what people left undecided: a run goes on with its `otherwise`, or stops.

    Returns the ids of the runs, for the caller to hand to a worker.
    """
    overdue = await ledger.overdue()
    for asked in overdue:
        request = asked.request
        if request.otherwise is not None:
            await ledger.decide(asked.run_id, asked.name, request.otherwise, timed_out=True)
        else:
            await ledger.request_stop(
                asked.run_id, f"Nobody decided in time: {request.question} Resume the run to be asked again."
            )
    return list(dict.fromkeys(asked.run_id for asked in overdue))


def asked_detail(asked: OpenRequest) -> str:
    """The event of a new request."""
    request = asked.request
    told = {"name": asked.name, "question": request.question, "who": request.who, "due": asked.due}
    more = {"poll": request.poll, "attachments": request.attachments, "touches": request.touches}
    return canonical_json(told | {name: value for name, value in more.items() if value})


def decided_detail(name: str, decision: Decision) -> str:
    """The event of a decision."""
    told = {"name": name, "choice": decision.choice, "by": decision.by, "timed_out": decision.timed_out}
    return canonical_json({**told, "shown": decision.shown})


def voted_detail(name: str, vote: Vote) -> str:
    """The event of a vote."""
    return canonical_json({"name": name, "by": vote.by, "chosen": vote.chosen, "dropped": vote.dropped})
