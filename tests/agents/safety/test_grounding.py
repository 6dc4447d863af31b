"""The evidential support rate: every sentence of a report in one of seven classes."""

from dataclasses import replace

import pytest

from agents.evidence.sources import tool_source
from agents.evidence.values import Citation
from agents.reports.values import (
    PROPOSED,
    Cell,
    Heading,
    Origin,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Table,
)
from agents.safety.evaluate.grounding import ground
from agents.trust.values import Claim, Verdict
from retrieval.values import Document

TEXT = "Mice without KLM1 show seizures and a heart rate of 320 bpm.\n"


def record(text: str = TEXT) -> Document:
    return tool_source("mgi", "MGI: KLM1", text).document


def stated(text: str, *, number: int = 1, verdict: Verdict = Verdict.SUPPORTED) -> Statement:
    return Statement(text, (number,), Claim(text, ("E1",), (TEXT.strip(),), verdict, checked_by="words"))


CITATION = Citation(1, "E1", "d1", "MGI: KLM1", TEXT.strip(), 0, len(TEXT.strip()))


def report(*blocks, more: tuple[Section, ...] = ()) -> Report:
    section = Section("phenotypes", "Animal phenotypes", blocks, (CITATION,))
    return Report("Target safety of KLM1", "r", "", True, (section, *more), about=("KLM1",))


async def texts(key: str) -> Document | None:
    return record() if key == "d1" else None


async def classes(made: Report) -> list[str]:
    return [str(kind) for _, kind in (await ground(made, texts)).sentences]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (stated("Mice without KLM1 show seizures."), "cited"),
        (stated("Mice without KLM1 have a heart rate of 320 bpm."), "cited"),
        (stated("Mice without KLM1 have a heart rate of 480 bpm."), "unsupported"),
        (stated("Mice without KLM1 show seizures.", number=9), "unsupported"),
        (stated("Mice without KLM1 are blind.", verdict=Verdict.UNSUPPORTED), "unsupported"),
        (Statement("Databases were asked in the order of their names."), "procedural"),
        (Statement("Inhibition of KLM1 leads to liver failure."), "unsupported"),
    ],
)
async def test_each_sentence_has_a_class(statement, kind):
    assert await classes(report(Points((statement,)))) == [kind]


async def test_a_claim_that_nobody_judged_is_compared_with_its_citations():
    for text, kind in (
        ("Mice without KLM1 show seizures.", "cited"),
        ("Dogs without KLM1 vomit.", "unsupported"),
    ):
        statement = Statement(text, (1,), Claim(text, ("E1",)))
        assert await classes(report(Points((statement,)))) == [kind]


async def test_a_citation_whose_text_is_gone_carries_nothing():
    async def gone(key: str) -> None:
        return None

    made = report(Points((stated("Mice without KLM1 show seizures."),)))
    assert (await ground(made, gone)).rate == 0.0


async def test_what_follows_from_the_sentences_above_or_from_other_sections_is_supported():
    first = report(Points((stated("Mice without KLM1 show seizures."),)))
    claimed = Statement("Seizures in mice without KLM1.", (), Claim("x", ()))
    above = replace(first.sections[0], blocks=(*first.sections[0].blocks, Prose((claimed,))))
    assert await classes(replace(first, sections=(above,))) == ["cited", "tool-grounded"]
    looser = Statement("Mice of KLM1 show seizures, a risk.", (), Claim("x", ()))
    after = Section("summary", "Summary", (Prose((looser,)),), (CITATION,), ("phenotypes",))
    assert await classes(replace(first, sections=(first.sections[0], after))) == ["cited", "in-memory"]
    inside = replace(first.sections[0], blocks=(*first.sections[0].blocks, Prose((looser,))))
    assert await classes(replace(first, sections=(inside,))) == ["cited", "inferable"]


async def test_general_knowledge_says_nothing_of_the_target():
    general = Statement("Rodents metabolise many drugs faster.", (), Claim("x", ()))
    assert await classes(report(Prose((general,)))) == ["common knowledge"]


async def test_an_alias_inside_another_word_does_not_name_the_target():
    made = replace(report(Points((Statement("Pregnancy tests are due."),))), about=("KLM1", "TS"))
    assert await classes(made) != ["unsupported"]
    named = replace(report(Points((Statement("TS brings liver failure."),))), about=("KLM1", "TS"))
    assert await classes(named) == ["unsupported"]


async def test_rows_rest_on_their_cells_and_an_empty_row_on_the_search():
    rows = (
        (Cell("Neurological"), Cell("moderate"), Cell("seizures", (1,))),
        (Cell("Ocular toxicity"), Cell("no evidence found"), Cell("")),
    )
    made = report(Heading("Risks"), Table("Risks", ("Endpoint", "Evidence", "Findings"), rows))
    assert await classes(made) == ["cited", "tool-grounded"]


async def test_what_is_marked_as_proposed_is_no_finding_and_the_cited_cells_of_its_row_are():
    by = Origin(PROPOSED, "Reader")
    row = (Cell("Liver failure: serious"), Cell("seizures", (1,)), Cell("Known of KLM1: liver failure."))
    table = Table("Risks", ("Risk", "Records", "Known"), (row,), by)
    known = Statement("KLM1 blockers bring liver failure.", origin=by)
    assert await classes(report(Points((known,)), table)) == ["proposed", "cited", "proposed"]


async def test_the_rate_leaves_procedural_sentences_out():
    statements = (
        stated("Mice without KLM1 show seizures."),
        stated("Mice without KLM1 have a heart rate of 480 bpm."),
        Statement("Databases were asked in the order of their names."),
    )
    found = await ground(report(Points(statements), Paragraph("")), texts)
    assert found.rate == 0.5
    assert [one.text for one in found.unsupported] == ["Mice without KLM1 have a heart rate of 480 bpm."]
    fields = (found + found).as_fields()
    assert (fields["esr"], fields["sentences"], fields["classes"]["cited"]) == (0.5, 6, 2)
