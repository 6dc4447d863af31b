"""Every try to learn of a hidden document, with its outcome, a line each: `python -m tests.adapters.rights`.

The tries are those of `test_attacks`. The outcome of a tool or a look into the index is compared with the one
of an archive that never had the hidden documents; of a command or a press the cards that it shows are
searched for what only the hidden documents say. At last the time of a search is compared between the two.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
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


async def in_time(folder: Path, rounds: int = 200) -> tuple[float, float]:
    """Median seconds of a search for hidden names, where they are hidden and where they never were, under the
    same rules.
    """
    async with (
        archive(folder / "here", OPEN, HIDDEN) as built,
        archive(folder / "nowhere", OPEN, {}) as other,
    ):
        rules = await built.storage.policies.current()
        await other.storage.policies.change(replace(rules, number=0), "test")
        desks = [await one.reading_at(PLACE, "anna") for one in (built, other)]
        took: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds):
            request = SearchRequest(f"What is known about {SECRETS[number % len(SECRETS)]}?")
            vector = (await desks[0].encoder.encode([request.text]))[0]
            for which in (0, 1) if number % 2 else (1, 0):
                begun = time.perf_counter()
                await desks[which].index.candidates(request, vector)
                took[which].append(time.perf_counter() - begun)
    return median(took[0]), median(took[1])


async def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        outcomes = await at_the_index(Path(folder)) | await in_a_thread(Path(folder))
        hidden, never = await in_time(Path(folder))
    for what, outcome in outcomes.items():
        print(f"{what}: {outcome}")
    print(len(outcomes), "tries:", dict(Counter(what.split(":")[0] for what in outcomes)))
    print("told:", sum("TOLD" in one for one in outcomes.values()))
    print(f"a search takes {hidden * 1e3:.2f} ms, {hidden / never - 1:+.0%} of what it takes without them")
    return any("TOLD" in one for one in outcomes.values())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
