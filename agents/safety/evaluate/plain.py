"""The baseline of a safety report: one prompt over the very records that the report was written from.

Whatever the sections, skills, rules and checks do besides must be worth it. Both reports are measured alike:
each cited sentence of the plain one is judged as a section's are, and then over the stored texts.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.evidence.values import Evidence
from agents.minds.keyed import Keyed
from agents.ports import Entailment, LanguageModel
from agents.reports.compose import Composer
from agents.reports.recheck import Texts, recheck
from agents.reports.values import Block, Paragraph, Prose, Report, Section
from agents.runs.encoding import decode
from agents.runs.meter import measuring
from agents.runs.records import StepRecord
from agents.safety.evaluate.grounding import ground
from agents.safety.evaluate.sentences import Grounding
from agents.safety.values import Collected
from agents.trust.check import check_claims
from agents.trust.values import Claim
from agents.usage import Usage
from retrieval.errors import JudgementsError

SYSTEM = (
    "You are a toxicologist. Write the target safety assessment that is asked for, from the records given "
    "and from nothing else: an executive summary; what the target is and does; where it is expressed; "
    "genetic evidence; animal phenotypes; the risks by organ with how strong the evidence is and for which "
    "direction of change; which species to use; what to monitor; open questions. Every sentence names the "
    "keys of the records that it rests on. Say what the records do not tell."
)
COLUMNS = ("target", "need", "accept")


class PlainSentence(BaseModel):
    """A sentence and the keys of its records."""

    text: str
    records: list[str]


class PlainSection(BaseModel):
    """A section of the plain report."""

    title: str
    sentences: list[PlainSentence]


class PlainReport(BaseModel):
    """What the model returns."""

    sections: list[PlainSection]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a reader needs to be told of a target, and a pattern by which it is found."""

    target: str
    need: str
    accept: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one report. `factual` are sentences, rows and figures that tell something; the rates are
    shares of them and of the values shown. `told` are needs that a sentence with support tells of.
    """

    factual: int
    cited: int
    unsupported: int
    support_rate: float | None
    values: int
    not_carried: int
    told: tuple[str, ...]
    missed: tuple[str, ...]
    characters: int
    calls: int
    tokens: int

    def as_fields(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


def records_of(steps: Iterable[StepRecord]) -> tuple[Evidence, ...]:
    """What the databases replied in a run, from its ledger: each record once, in the order of its keys."""
    kept = [one for one in steps if one.name.startswith("collect/") and not one.error]
    collected: list[Collected] = [decode(Collected, one.output, one.name) for one in kept]
    found = {item.key: item for one in collected for item in one.evidence}
    return tuple(found[key] for key in sorted(found, key=lambda key: int(key[1:])))


async def write_plainly(
    model: LanguageModel, judge: Entailment, asked: str, about: Sequence[str], records: Sequence[Evidence]
) -> tuple[Report, Usage]:
    """The model's report over the records, its cited sentences judged; and what writing it spent.

    Raises `ModelError`.
    """
    with measuring("plain", "") as meter:
        written = await _written(model, asked, Keyed(records))
    told = [one for section in written.sections for one in section.sentences]
    keyed = Keyed(records)
    claims = [Claim(one.text, tuple(item.key for item in keyed.under(one.records))) for one in told]
    memory = EvidenceMemory.load(MemoryDump(tuple(records)))
    judged = iter(await check_claims([one for one in claims if one.keys], memory, judge))
    left = iter([next(judged) if one.keys else one for one in claims])
    composer = Composer(records)
    sections = (
        _section(f"s{number}", one.title, [next(left) for _ in one.sentences], composer)
        for number, one in enumerate(written.sections, 1)
    )
    return Report(asked, "Plain report", "", True, tuple(sections), about=tuple(about)), meter.usage


async def _written(model: LanguageModel, asked: str, keyed: Keyed[Evidence]) -> PlainReport:
    listed = keyed.listed(lambda item: item.text, document=lambda item: item.title)
    return await model.ask("write", SYSTEM, f"{asked}.\n\nRecords:\n{listed}", PlainReport)


def _section(name: str, title: str, claims: Sequence[Claim], composer: Composer) -> Section:
    """A section: sentences with citations; those without are paragraphs and rest on nothing of their own."""
    blocks: list[Block] = [
        Prose((composer.statement(one),)) if one.keys else Paragraph(one.text) for one in claims
    ]
    numbers = {n for block in blocks if isinstance(block, Prose) for n in block.statements[0].citations}
    return Section(name, title, tuple(blocks), composer.citations(numbers))


async def measure(report: Report, texts: Texts, needs: Sequence[Need], usage: Usage) -> Measured:
    """The figures of a report over the stored texts of its citations; `usage` is what writing it spent."""
    grounded, values = await ground(report, texts), await recheck(report, texts)
    factual = [(one, kind) for one, kind in grounded.sentences if kind is not Grounding.PROCEDURAL]
    supported = [one.text for one, kind in factual if kind is not Grounding.UNSUPPORTED]
    told = [one.need for one in needs if any(re.search(one.accept, text, re.I) for text in supported)]
    counts = grounded.counts
    return Measured(
        len(factual),
        counts[Grounding.CITED],
        counts[Grounding.UNSUPPORTED],
        grounded.rate,
        values.values,
        len(values.wrong),
        tuple(told),
        tuple(one.need for one in needs if one.need not in told),
        sum(len(one.text) for one, _ in grounded.sentences),
        usage.calls,
        usage.tokens,
    )


def read_needs(path: Path) -> tuple[Need, ...]:
    """The needs of a file with the columns target, need and accept (a regular expression), by tabs.

    Raises `JudgementsError`.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
    except OSError as error:
        raise JudgementsError(f"{path} cannot be read: {error.strerror}.") from error
    if not rows or any(not row.get(name) for row in rows for name in COLUMNS):
        raise JudgementsError(f"{path} needs the columns {', '.join(COLUMNS)} by tabs, and a row a need.")
    for row in rows:
        try:
            re.compile(row["accept"])
        except re.error as error:
            raise JudgementsError(f"{path}: {row['accept']!r} is no regular expression: {error}.") from error
    return tuple(Need(row["target"], row["need"], row["accept"]) for row in rows)
