"""Turns the drafts of an archive run into checked claims of its evidence."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import FieldValue
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft, DraftClaim, DraftField
from agents.archive.vouched import UNVOUCHED, only_writer_vouches
from agents.evidence.memory import EvidenceMemory
from agents.trust.check import check_claims
from agents.trust.remembered import RememberedEntailment
from agents.trust.values import WRITER, Claim
from retrieval.values import DocumentRecord, Passage


class ClaimChecker:
    """Turns drafts into checked claims, with the evidence memory of the run."""

    def __init__(self, tools: ArchiveTools, records: dict[str, DocumentRecord]) -> None:
        self.tools = tools
        self.records = records
        self.memory = EvidenceMemory()
        self.entailment = RememberedEntailment(tools.entailment)

    def keys(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        """Keys of passages; the same passage has the same key."""
        return tuple(self.memory.add(p, self.records[p.doc_id]).key for p in passages)

    async def claims(self, drafted: Sequence[DraftClaim], by_rules: bool = False) -> tuple[Claim, ...]:
        """Drafted statements with their verdicts; what rules drafted was not written by the judge."""
        claims = [
            Claim(
                one.text,
                keys,
                one.quotes,
                derived=tuple(replace(d, keys=d.keys or keys) for d in one.derived),
            )
            for one in drafted
            for keys in (self.keys(one.passages),)
        ]
        checked = await check_claims(claims, self.memory, self.entailment)
        if not by_rules:
            return checked
        return tuple(replace(one, checked_by=one.checked_by.removesuffix(f", {WRITER}")) for one in checked)

    async def judge_ahead(self, drafts: Sequence[Draft]) -> None:
        """Judge the claims of all drafts together, so that a model is asked in few calls.

        Keys are given out afterwards, one draft after the other: which fields of a draft get keys depends on
        the verdicts.
        """
        ahead = ClaimChecker(self.tools, self.records)
        ahead.entailment = self.entailment
        await ahead.claims([claim for draft in drafts for claim in draft.claims])

    def doubt(self, draft: Draft, claims: Sequence[Claim], question: str) -> str:
        """The note on a model's answer that nobody else vouches for; "" if somebody does."""
        keys = dict.fromkeys(key for one in claims for key in one.keys)
        cited = [self.memory.get(key) for key in keys]
        return UNVOUCHED if only_writer_vouches(draft, claims, cited, question) else ""

    def field(self, drafted: DraftField) -> FieldValue:
        """A drafted field with keys."""
        return FieldValue(
            drafted.field,
            drafted.value,
            drafted.unit,
            self.keys(drafted.passages),
            drafted.realisation,
            drafted.record,
        )
