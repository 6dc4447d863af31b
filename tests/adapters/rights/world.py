"""Two archives: one holds documents that Anna may not read, the other never had them."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.export import exported
from adapters.settings import Settings
from adapters.web.traces import lines
from adapters.wiring import Runtime, runtime
from agents.runs.records import RunRecord
from agents.runs.tree import tree
from bot.values import Incoming, ThreadRef
from retrieval.collections import REST, Collection
from retrieval.ingest.folder import Folder
from retrieval.records import RecordFilter, Thing, find_records
from retrieval.values import SearchRequest

OPEN = {
    "ZK-CL-01": """# ZK-701: first administration to healthy volunteers

Phase I clinical study report. Study number ZK-CL-01. 4 March 1998.
This single ascending dose study was the first administration of ZK-701 to humans.
Thirty-two healthy volunteers received single oral doses of 2, 6, 20 and 60 mg ZK-701 as capsules.

## Safety

There were no serious adverse events. Headache was the most frequent adverse event.
""",
    "ZK-TX-01": """# ZK-701: 13-week oral toxicity study in rats

Rats received 5, 15 or 50 mg/kg ZK-701 daily by gavage. Liver necrosis was seen at 50 mg/kg.
The no observed adverse effect level was 15 mg/kg. Zanolimib was also mentioned by the pathologist.
""",
    "ZK-CL-09": """# ZK-702: study in patients

Phase II study. Patients with asthma received 75 mg ZK-702 by inhalation once daily for 8 weeks.
""",
}
HIDDEN = {
    "ZK-MIN-01": """# Minutes of the portfolio committee

The development of ZK-701 (zanolimib) was stopped because of liver toxicity in the multiple dose study.
ZK-701 is also known as zanolimib. ZK-7011 and QX-900 (xorvatide) are continued.
""",
    "ZK-CL-02": """# ZK-701: multiple ascending dose study

Phase I clinical study report. Healthy volunteers received 10, 20 or 400 mg ZK-701 orally twice daily.
A serious adverse event (hepatitis) occurred in one subject at 400 mg twice daily.
""",
    "ZK-TX-01 final v2": OPEN["ZK-TX-01"].replace("15 mg/kg. Zan", "12 mg/kg. Zan"),
    "ZK-CL-09 copy": OPEN["ZK-CL-09"],
    "QX-01": "# QX-900: pharmacokinetics in dogs\n\nThe half-life of QX-900 (xorvatide) in dogs was 7.5 h.\n",
}
"""Another name, later figures, a newer version, a copy, and a molecule of its own."""
SECRETS = (
    "xorvatide",
    "QX-900",
    "QX-01",
    "ZK-MIN-01",
    "ZK-CL-02",
    "400 mg",
    "hepatitis",
    "12 mg/kg",
    "ZK-7011",
)
PLACE = ThreadRef("web", "archive", "0123456789ab")


def write(folder: Path, documents: dict[str, str]) -> Folder:
    folder.mkdir(parents=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return Folder(folder)


@asynccontextmanager
async def archive(
    home: Path, shown: dict[str, str], hidden: dict[str, str], **settings: Any
) -> AsyncIterator[Runtime]:
    """A house whose hidden documents Anna may not read, if there are any. Bea may read all."""
    async with runtime(Settings(home=home / "home", **settings)) as built:
        if hidden:
            await built.files.ingest(write(home / "secret", hidden))
            policy = await built.storage.policies.current()
            policy = policy.collected(Collection("secret", (str(home / "secret"),)))
            policy = policy.granting(REST, "web:anna").granting(REST, "web:bea").granting("secret", "web:bea")
            assert await built.storage.policies.change(policy, "test")
        await built.files.ingest(write(home / "open", shown))
        yield built


async def ask(built: Runtime, user: str, text: str, place: ThreadRef = PLACE) -> RunRecord | None:
    receipt = await built.intake.receive(Incoming(f"e{abs(hash((text, user, place)))}", place, user, text))
    return await built.finished(receipt.run_id) if receipt.run_id else None


async def outputs(built: Runtime, user: str, questions: Sequence[str]) -> list[str]:
    """Everything that somebody gets to see of an archive, in every form, with random ids and times masked."""
    theirs = await built.reading_at(PLACE, user)
    index = theirs.index
    seen = [repr(await index.records()), repr(await index.molecules()), repr(await theirs.starters())]
    seen += [repr(await find_records(index, RecordFilter(thing))) for thing in Thing]
    masks = {}
    for number, text in enumerate(questions):
        place = ThreadRef(PLACE.platform, PLACE.channel, f"{number:012x}")
        record = await ask(built, user, text, place)
        seen.append(
            repr(await index.candidates(SearchRequest(text), (await theirs.encoder.encode([text]))[0]))
        )
        if record is not None:
            masks[record.run_id] = f"run {number}"
            seen += await of_run(theirs, record)
            seen += [repr(await theirs.suggested(record))]
        seen.append(repr(await theirs.storage.outbox.unposted([place])))
        seen.append(await cards(built, place))
    return [masked(text, masks) for text in seen]


async def of_run(theirs: Runtime, record: RunRecord) -> list[str]:
    """The report of a run, its trace and its exports."""
    view, steps = await theirs.views.by_id(record.run_id), await theirs.ledger.steps(record.run_id)
    seen = [repr(view.report), record.error, repr([one.output for one in steps])]
    seen += [
        repr([(line.step.name, line.depth) for line in lines(tree(steps), 1.0)]),
        str(len(steps)),
    ]
    for form in ("md", "html", "json"):
        seen.append((await exported(view, form, theirs.ledger, theirs.storage.artefacts)).decode())
    return seen


async def cards(built: Runtime, place: ThreadRef) -> str:
    """What waits to be shown at a place, or was."""
    from sqlalchemy import select

    from adapters.storage.tables import OUTBOX

    query = select(OUTBOX.c.card).where(
        OUTBOX.c.thread_id == place.thread_id, OUTBOX.c.slot.startswith("answer")
    )
    async with built.storage.database.reading() as connection:
        return json.dumps(list(await connection.scalars(query)))


def masked(text: str, names: dict[str, str]) -> str:
    """The text without run ids, times and the folder of the test."""
    for run_id, name in names.items():
        text = text.replace(run_id, name)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00:00| UTC)?", "TIME", text)
    text = re.sub(r'seconds[\\"]*[:=] ?[\d.e-]+', "seconds", text)
    return re.sub(r"/\S*?/(open|secret)/", "FOLDER/", text)
