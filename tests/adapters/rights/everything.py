"""A conversation of every kind of run in every skin, with every command, press and page, as Anna has it.

Kinds, commands, presses and pages are read off what the house itself has: a new one is tried without anybody
thinking of it.
"""

import asyncio
import io
import json
import random
import re
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pypdfium2
from hypothesis import Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from sqlalchemy import func, select
from starlette.routing import Route

from adapters.cli.page import page
from adapters.kinds import KINDS
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.storage import Storage, open_storage
from adapters.storage.tables import OUTBOX
from adapters.web.login import COOKIE, csrf_of, key_of
from adapters.wiring import runtime
from agents.kinds import AnyKind
from bot import commands, offers
from bot.accounts import Account
from bot.rights import EVERYBODY
from bot.values import CommandName, ThreadRef
from retrieval.collections import REST, Collection
from tests.adapters.rights.test_attacks import NAMES
from tests.adapters.rights.world import HIDDEN, OPEN, SECRETS, ask, masked, write
from tests.agents.design.kit import BRIEF
from tests.agents.protocol.kit import OBJECTIVE
from tests.kinds import skins
from tests.kinds.skins import PATIENCE_S, PageSkin

REQUESTS = {
    "archive": "What was the highest dose of ZK-701, and why was it stopped?",
    "safety": "safety EGFR",
    "vigilance": "vigilance lisinopril: angioedema",
    "protocol": f"protocol {OBJECTIVE.text}; conditions: {OBJECTIVE.conditions[0]}",
    "design": BRIEF,
}
"""What each kind is asked."""
ASKED_OF_THE_ARCHIVE = ("archive", "safety", "protocol")
"""Kinds that read it."""
SHOWN = OPEN | {
    "ZK-BIO-01": """# EGFR in airway smooth muscle

Airway smooth muscle cells were treated with dexamethasone. EGFR was not changed by dexamethasone.
""",
}
UNSEEN = HIDDEN | {
    "QX-02": f"""# EGFR in patients who received QX-900

Interstitial lung disease occurred after EGFR was inhibited by QX-900 (xorvatide) at 400 mg.
{OBJECTIVE.text} Dexamethasone and RNA sequencing of airway smooth muscle cells: hepatitis.
Angioedema occurred with lisinopril and QX-900.
""",
}
"""With a document that each kind which reads the archive would use."""
FORMS = ("{}", ": {}", " answer: {}", "1 {}", "records {}", "documents about {}")
ARGUMENTS = (
    *(form.format(name) for form in FORMS for name in NAMES),
    *("1", "1, 2", "md", "docx", "pdf", "json", "up", "every day 08:00 UTC", "approve", "start"),
)
"""What a command is given in place of a made-up argument, where it takes it."""
TIMES = tuple(
    re.compile(one)
    for one in (
        r"\b\d+(\.\d+)? (m?s|seconds?)\b",
        r"\b\d\d:\d\d:\d\d\.\d+",
        r'data-share="[\d.]+"',
        r"seconds&#34;:[\d.e-]+",
        r"\bpost-\d+",
        r"-[0-9a-f]{8}\.png",
        r'"(ts|id|trigger_id|file_id)": "[^"]*"',
    )
)
"""Times, shares of them, and the numbers that messages and files get in the order of coming."""
BEAS = ThreadRef("web", "archive", "b" * 12)
"""Where Bea asks."""
MEANWHILE = re.compile(r"(?m)^╭.*\n(?:│.*\n)*?│.*As it stood while the run worked\..*\n(?:│.*\n)*╰.*\n")
"""What a terminal shows of a run under way, as long as that takes: nothing can be put in its place."""
ENDLESS = "/events"


@asynccontextmanager
async def page_of_anna(home: Path, kinds: Sequence[AnyKind]) -> AsyncIterator[PageSkin]:
    """The page as she is logged in."""
    chosen = Settings(home=home, web=WebSettings(port=0, login="always"))
    headers = {"x-pestle": "page", "x-pestle-csrf": csrf_of("anna"), "cookie": f"{COOKIE}=anna"}
    async with page(chosen, kinds) as (server, address):
        transport = httpx.ASGITransport(server._server.config.app)  # type: ignore[arg-type]
        about: dict[str, Any] = {"base_url": address, "transport": transport, "headers": headers}
        async with httpx.AsyncClient(**about, timeout=PATIENCE_S) as client:
            yield PageSkin(client)


Opened = Callable[[Path, Sequence[AnyKind]], AbstractAsyncContextManager[Any]]
SKINS: dict[str, Opened] = {
    "page": page_of_anna,
    "slack": skins.slack,
    "teams": skins.teams,
    "terminal": skins.terminal,
}


async def house(home: Path, hidden: Mapping[str, str], kind: str) -> str:
    """Make a house in a folder whose hidden documents Bea alone may read; the run of what she asked."""
    async with runtime(Settings(home=home / "home")) as built:
        policy = await built.storage.policies.current()
        policy = policy.collected(Collection("secret", (str(home / "secret"),)))
        policy = policy.granting(REST, EVERYBODY).granting("secret", "web:bea")
        assert await built.storage.policies.change(policy, "test")
        await built.files.ingest(write(home / "secret", dict(hidden)))
        await built.files.ingest(write(home / "open", SHOWN))
        await built.storage.accounts.add(Account("anna", "no password"))
        await built.storage.accounts.open_session("anna", key_of("anna"), 3600.0)
        run = await ask(built, "bea", REQUESTS[kind], BEAS)
        assert run is not None
        told = any(secret in run.result for secret in SECRETS)
        assert told is (bool(hidden) and kind in ASKED_OF_THE_ARCHIVE)
        return run.run_id


def written(seed: int) -> list[str]:
    """A text for every form of every command of the table, made up from its pattern."""
    texts: list[str] = []

    @seeded(seed)
    @settings(max_examples=2, database=None, deadline=None, phases=[Phase.generate])
    @given(st.data())
    def draw(data: st.DataObject) -> None:  # the first example is the simplest, the second any
        texts[:] = [data.draw(st.from_regex(one, fullmatch=True)) for _, one in commands._COMMANDS]

    draw()
    chosen = random.Random(seed)
    forms = zip(texts, commands._COMMANDS, strict=True)
    return [said for text, (_, pattern) in forms for said in given_to(text, pattern, chosen)]


def given_to(text: str, pattern: re.Pattern[str], chosen: random.Random) -> Iterator[str]:
    """The text, and twice with what is hidden in place of its argument, where the command takes that."""
    yield text
    found = pattern.fullmatch(text)
    if found and found.groupdict().get("argument"):
        before, after = text[: found.start("argument")], text[found.end("argument") :]
        takes = [one for one in ARGUMENTS if pattern.fullmatch(f"{before}{one}{after}")]
        yield from (f"{before}{one}{after}" for one in chosen.sample(takes, min(2, len(takes))))


def pressed(runs: Sequence[str], seed: int) -> list[tuple[str, str]]:
    """Every press, of a run of hers and one of Bea's."""
    chosen = random.Random(seed)
    actions = (*CommandName, *offers.PRESSED, offers.GIVE)
    return [
        (str(action), f"{run} {more}".strip())
        for action in actions
        for run in runs
        for more in ("", chosen.choice(ARGUMENTS))
    ]


async def conversation(skin: str, home: Path, bea: str, said: Sequence[str], seed: int) -> list[str]:
    """All that Anna is shown in a skin who says this, presses everything and opens every page; `bea` is a run
    that she may not see.
    """
    kept = await open_storage(Settings(home=home / "home").database_url)
    refused: list[str] = []
    try:
        async with SKINS[skin](home / "home", KINDS) as there:
            for text in said:
                await tried(there.say(text), refused)
                await rested(there, kept)
            own = [one.run_id for one in await kept.ledger.runs() if one.run_id != bea]
            runs = (own[-1] if own else "none", bea)
            for action, value in pressed(runs, seed) if skin != "terminal" else ():
                await tried(press(there, action, value), refused)
                await rested(there, kept)
            seen = [*refused, *await shown(there, runs)]
        names = {one.run_id: f"run {number}" for number, one in enumerate(reversed(await kept.ledger.runs()))}
        return sorted(untimed(masked(text, names)) for text in seen)
    finally:
        await kept.close()


async def tried(doing: Any, refused: list[str]) -> None:
    try:
        await doing
    except (AssertionError, httpx.HTTPStatusError) as error:
        refused.append(str(error))


async def rested(there: Any, kept: Storage) -> None:
    """Wait until no run is under way and every card is shown."""
    if isinstance(there, skins.TerminalSkin):
        return await there.close()  # each command ends with what it began
    waiting = select(func.count()).where(OUTBOX.c.state == "pending", OUTBOX.c.thread_id != BEAS.thread_id)
    for _ in range(int(PATIENCE_S / 0.02)):
        runs = await kept.ledger.runs()
        if not any(one.state.needs_worker or (one.state.over and not one.handed_over) for one in runs):
            async with kept.database.reading() as connection:
                if not await connection.scalar(waiting):
                    return
        await asyncio.sleep(0.02)
    raise AssertionError("a run or a card does not come to its end")


async def press(there: Any, action: str, value: str) -> None:
    if isinstance(there, PageSkin):
        await there._post("/act", action=action, value=value)
    else:
        answer = await there._sender.press(action, value)
        assert answer.is_success, answer.text


async def shown(there: Any, runs: Sequence[str]) -> list[str]:
    """Everything that the skin's far end was given, in full."""
    if isinstance(there, PageSkin):
        return [await there.shown(), *[text async for text in pages(there, runs)]]
    if isinstance(there, skins.TerminalSkin):
        return [MEANWHILE.sub("", await there.shown())]
    end = there._end
    if isinstance(there, skins.TeamsSkin):
        return [json.dumps(one, indent=1) for one in end.shown()]
    told = (*end.messages.values(), *end.private, *end.views, *end.shared, *end.canvases.values())
    return [*(json.dumps(one, indent=1) for one in told), *map(words_of, end.uploads.values())]


async def pages(there: PageSkin, runs: Sequence[str]) -> AsyncIterator[str]:
    """Each address of the page with what is hidden, what is not, and runs for its parts."""
    app = there.client._transport.app.page  # type: ignore[attr-defined]
    for route in app.routes:
        if not isinstance(route, Route) or "GET" not in (route.methods or ()) or route.path == ENDLESS:
            continue
        for part in (*runs, "QX-01", "ZK-CL-02", "ZK-CL-01") if "{" in route.path else ("",):
            for form in ("md", "json", "html", "docx", "pdf") if "form" in route.path else ("1",):
                first, *rest = re.split(r"\{[^}]*\}", route.path)
                path = first + (part + form.join(rest) if rest else "")
                answer = await there.client.get(path, params=there.place)
                yield f"{path} {answer.status_code}\n{words_of(answer.content)}"


def words_of(content: bytes) -> str:
    """The words of a file, whatever it is."""
    if content.startswith(b"%PDF"):
        return "\n".join(one.get_textpage().get_text_bounded() for one in pypdfium2.PdfDocument(content))
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(archive.read(one).decode("utf-8", "replace") for one in archive.namelist())
    return content.decode("utf-8", "replace")


def untimed(text: str) -> str:
    """Without times, and the order of what went on at once: its lines by the letter, each once, since how
    often a card of progress is edited depends on the machine. Only a card that was edited holds its
    own id.
    """
    for took in TIMES:
        text = took.sub("TIME", text)
    lines = re.split(r"\n|(?=<li>)", text)
    return "\n".join(sorted({line for line in lines if line.strip() not in ("TIME", "TIME,")}))
