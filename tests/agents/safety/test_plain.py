"""The baseline of one prompt: over the very records of a run, and measured as the run's report is."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.evidence.sources import MemorySources, Source
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.safety.evaluate.plain import Need, measure, read_needs, records_of, write_plainly
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import assess
from agents.scripted import Call, ScriptedModel
from agents.trust.lexical import LexicalEntailment
from agents.usage import Usage
from retrieval.errors import JudgementsError
from retrieval.values import Document
from tests.agents.safety.kit import databases, tools

NEEDS = (
    Need("ZORB1", "slow heart", "bradycardia"),
    Need("ZORB1", "deaths in Lisbon", "Lisbon"),
    Need("ZORB1", "bone", "fracture"),
)
TRUE = "On zorbatinib, 12 of 80 patients had bradycardia."
MADE_UP = "ZORB1 inhibition killed 777 patients in Lisbon."


def plain_answer(call: Call) -> str:
    """One carried sentence, one that its record does not carry, and one without a record."""
    (key,) = {
        line.split('"')[1] for line in call.user.split("\n") if "Events: ZORB1" in line and "key" in line
    }
    told = [(TRUE, [key]), (MADE_UP, [key]), ("ZORB1 inhibition causes fracture in 9 % of people.", [])]
    sentences = [{"text": text, "records": keys} for text, keys in told]
    return json.dumps({"sections": [{"title": "Summary", "sentences": sentences}]})


async def test_both_reports_are_measured_alike_over_the_same_records() -> None:
    sources, ledger = MemorySources(), MemoryLedger()
    record = new_run("safety", SafetyOrder("ZORB1"), "key")
    await ledger.create(record)
    kept = [item async for item in _fetched()]
    for source in kept:
        await sources.put(source)
    report = KIND.report(await assess(tools(), Run(record, ledger), SafetyOrder("ZORB1")))
    records = records_of(await ledger.steps(record.run_id))
    assert len(records) == len({item.title for item in records}) == 9

    model = ScriptedModel({"write": plain_answer}, usage=Usage(100, 20, calls=1))
    plain, usage = await write_plainly(model, LexicalEntailment(), report.title, report.about, records)
    assert all(item.text in model.calls[0].user for item in records)

    async def text(key: str) -> Document | None:
        found = await sources.get(key)
        return found.document if found else None

    ours, theirs = await measure(report, text, NEEDS, Usage()), await measure(plain, text, NEEDS, usage)
    assert (theirs.factual, theirs.unsupported, theirs.calls, theirs.tokens) == (3, 2, 1, 120)
    assert theirs.told == ours.told == ("slow heart",)  # what nothing carries tells nothing
    assert ours.not_carried == 0
    assert ours.support_rate is not None
    assert ours.support_rate > (theirs.support_rate or 0)
    assert theirs.not_carried > 0
    assert theirs.as_fields()["missed"] == ("deaths in Lisbon", "bone")


async def _fetched() -> AsyncIterator[Source]:
    for tool in databases().values():
        for one in (await tool(tool.inputs(target="ZORB1"))).records:
            yield one.source


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs the columns"),
        ("target\tneed\nZORB1\theart\n", "needs the columns"),
        ("target\tneed\taccept\nZORB1\theart\t(heart\n", "is no regular expression"),
    ],
)
def test_needs_that_cannot_be_read_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (file := tmp_path / "needs.tsv").write_text(text)
    with pytest.raises(JudgementsError, match=said):
        read_needs(file)
    with pytest.raises(JudgementsError, match="cannot be read"):
        read_needs(tmp_path / "none.tsv")


def test_the_needs_behind_the_published_figures_can_be_read() -> None:
    found = read_needs(Path(__file__).with_name("needs.tsv"))
    assert {one.target for one in found} == {"CASR", "PPARG"}
