"""Every try to learn of a hidden document, with its outcome, a line each: `python -m tests.adapters.rights`.

The tries are those of `test_attacks`. The outcome of a tool or a look into the index is compared with the one
of an archive that never had the hidden documents; of a command or a press the cards that it shows are
searched for what only the hidden documents say. At last the times of a search and of an answer
are compared between the two.
"""

import asyncio
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from adapters.wiring import Runtime
from retrieval.values import SearchRequest
from tests.adapters.rights.test_attacks import COMMANDS, PRESSES, card_texts, say, tried, without
from tests.adapters.rights.world import HIDDEN, OPEN, PLACE, SECRETS, archive, ask


async def at_the_index(folder: Path) -> dict[str, str]:
    """Each name of a hidden document, given to each tool and to each way into the index."""
    async with archive(folder / "with", OPEN, HIDDEN) as built:
        had = await tried(built, "anna")
    async with archive(folder / "without", OPEN, {}) as built:
        never = await tried(built, "anna")
    paths = [(str(folder / one), "HOME") for one in ("without", "with")]
    same = {what: without(told, paths) == without(never[what], paths) for what, told in had.items()}
    return {f"index: {what}": "as if it did not exist" if one else "TOLD" for what, one in same.items()}


async def in_a_thread(folder: Path) -> dict[str, str]:
    """Each command and press in the thread of a run that read hidden documents."""
    async with archive(folder / "thread", OPEN, HIDDEN) as built:
        run = await ask(built, "bea", "What was the highest dose of ZK-701?")
        assert run is not None
        outcomes = {}
        for text in (*COMMANDS, "Why?", "And which dose before?", f"sources {run.run_id}"):
            outcomes[f"command: {text.replace(run.run_id, 'RUN')}"] = await shown(built, text)
        for action in PRESSES:
            for value in ("{}", "{} 1", "{} md", "{} docx"):
                what = f"press: {action} {value.format('RUN')}"
                outcomes[what] = await shown(built, "", action, value.format(run.run_id))
        return outcomes


async def shown(built: Runtime, text: str, action: str = "", value: str = "") -> str:
    """What comes of a try: nothing of the hidden documents, or which word."""
    before = set(await card_texts(built))
    await say(built, f"{text}{action}{value}", text, action, value)
    for one in await (await built.reading_at(PLACE, "anna")).ledger.runs():
        await built.finished(one.run_id)
    new = "\n".join(card for card in await card_texts(built) if card not in before)
    told = [secret for secret in SECRETS if secret in new]
    return f"TOLD {told}" if told else "nothing of it is shown"


Work = Callable[[Runtime, str], Awaitable[object]]
"""What is done with a house, and a question that names what is hidden there."""


async def searched(built: Runtime, question: str) -> object:
    theirs = await built.reading_at(PLACE, "anna")
    (vector,) = await theirs.encoder.encode([question])
    return await theirs.index.candidates(SearchRequest(question), vector)


async def answered(built: Runtime, question: str) -> object:
    return await ask(built, "anna", question, replace(PLACE, thread=secrets.token_hex(6)))


async def in_time(folder: Path, work: Work, rounds: int) -> tuple[list[float], list[float]]:
    """Median seconds of work for hidden names, where they are hidden and where they never were, under the
    same rules: of the clock, and of the processor, which others' work does not touch.
    """
    async with (
        archive(folder / "here", OPEN, HIDDEN) as built,
        archive(folder / "nowhere", OPEN, {}) as other,
    ):
        rules = await built.storage.policies.current()
        await other.storage.policies.change(replace(rules, number=0), "test")
        took: tuple[list[tuple[float, float]], ...] = ([], [])
        for number in range(-2, rounds):  # the first ones load what is needed
            question = f"What is known about {SECRETS[number % len(SECRETS)]}?"
            for which in (0, 1) if number % 2 else (1, 0):
                begun = time.perf_counter(), time.process_time()
                await work((built, other)[which], question)
                if number >= 0:
                    took[which].append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    hidden, never = ([median(one) for one in zip(*each, strict=True)] for each in took)
    return hidden, never


async def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        outcomes = await at_the_index(Path(folder)) | await in_a_thread(Path(folder))
        times = {
            "a search": await in_time(Path(folder) / "search", searched, 200),
            "an answer": await in_time(Path(folder) / "answer", answered, 40),
        }
    for what, outcome in outcomes.items():
        print(f"{what}: {outcome}")
    print(len(outcomes), "tries:", dict(Counter(what.split(":")[0] for what in outcomes)))
    print("told:", sum("TOLD" in one for one in outcomes.values()))
    for what, (hidden, never) in times.items():
        for does, one, other in zip(("takes", "computes"), hidden, never, strict=True):
            print(f"{what} {does} {one * 1e3:.2f} ms, {one / other - 1:+.0%} of what it {does} without them")
    return any("TOLD" in one for one in outcomes.values())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
