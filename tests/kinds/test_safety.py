"""A safety report in the conversation: twelve requests, and every other section stays to the byte."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import docx
import pytest

from adapters.settings import Settings
from adapters.wiring import runtime
from agents.kinds import AnyKind
from agents.reports.revisions import History
from agents.reports.values import Report, Section, SectionState
from agents.runs.encoding import encode
from agents.safety.kind import KIND
from tests.agents.safety.kit import kind, tools
from tests.agents.safety.test_whole import model
from tests.kinds.skins import SKINS, PageSkin, Skin, TakesFiles, reads
from tests.support.drills import in_drills

REQUESTS = (
    # accuracy
    ("clinical", "is the number of patients with rash right?"),
    ("genetics", "verify the pLI"),
    ("phenotypes", "check the heart rate"),
    # completeness
    ("expression", "list all tissues"),
    ("pharmacology", "add the phase of zorbatinib"),
    ("homology", "complete the species"),
    # consistency
    ("expression", "reconcile what the atlases say of the lung"),
    ("genetics", "is it consistent with bradycardia?"),
    ("risks", "leave out rash"),
    # prioritisation
    ("phenotypes", "put the decreased rate first"),
    ("risks", "begin with the rash"),
    ("expression", "only heart and liver"),
)

WAYS = ("slack-model", "page-rules", "page-model", "slack-rules")
"""A place and a mind. Each of them is for each run of the suite, the other two pairs of them are drills."""

STALE = "A section that this one was written from changed since."


@pytest.mark.parametrize("way", in_drills(WAYS, 1))
@pytest.mark.timeout(300)
async def test_twelve_requests_change_what_they_ask_for_and_nothing_else(way: str, tmp_path: Path) -> None:
    place, mind = way.split("-")
    over = kind(tools(model=model()) if mind == "model" else None)
    async with SKINS[place](tmp_path, [over]) as skin:
        await written(skin, "Slow heart" if mind == "model" else "ardiovascular toxicity")
        await asked_for(skin, REQUESTS)
        await skin.say("undo expression")
        shown = await reads(skin, "Undone: Expression profile", STALE)
        assert "−" in shown  # a sentence that was taken out
    history = await history_of(tmp_path, over)
    only_what_was_asked_changed(history, REQUESTS)
    undone = history.lines[-1].section
    assert undone.blocks == history.lines[6].section.blocks
    assert "summary" in history.stale


async def asked_for(skin: Skin, requests: Sequence[tuple[str, str]]) -> None:
    """Each is asked for in turn, and what it changed is shown sentence by sentence."""
    for section, wish in requests:
        await skin.say(f"revise {section}: {wish}")
        await reads(skin, f"Asked for: {wish}", "unchanged.")


def only_what_was_asked_changed(history: History, requests: Sequence[tuple[str, str]]) -> None:
    """Each request is a line of the history; every other section is the same to the byte each time."""
    assert [(line.section.id, line.why) for line in history.lines[: len(requests)]] == list(requests)
    for number, line in enumerate(history.lines, start=1):
        before, after = history.at(number - 1).standing, history.at(number).standing
        for section in before.sections:
            if section.id != line.section.id:
                assert as_bytes(after.section(section.id)) == as_bytes(section)


async def test_rules_follow_what_an_instruction_asks_for(tmp_path: Path) -> None:
    over = kind()
    async with SKINS["page"](tmp_path, [over]) as skin:
        await written(skin)
        for section, wish in (
            ("risks", "leave out rash"),
            ("phenotypes", "put the decreased rate first"),
            ("expression", "only heart and liver"),
            ("clinical", "what of hepatitis?"),
        ):
            await skin.say(f"revise {section}: {wish}")
            await reads(skin, f"Asked for: {wish}")
    history = await history_of(tmp_path, over)
    risks, phenotypes, expression, clinical = (line.section for line in history.lines)
    (skin_row,) = (row for table in risks.tables for row in table.rows if row[0].text.startswith("Skin"))
    assert skin_row[3].text == "no evidence found"
    assert phenotypes.opening == "Mice without ZORB1 show decreased heart rate."
    assert {one.text.split(" in ")[-1].split()[0] for one in expression.statements if "TPM" in one.text} >= {
        "heart",
        "liver",
    }
    assert not any("kidney" in one.text for one in expression.statements)
    assert any(
        "Nothing that was found speaks of what the instruction asks for" in getattr(block, "text", "")
        for block in clinical.blocks
    )


async def test_what_could_not_be_followed_is_said(tmp_path: Path) -> None:
    async with SKINS["page"](tmp_path, [kind()]) as skin:
        await written(skin)
        await skin.say("revise summary: leave out the thymus")
        await reads(
            skin, "The text is the same as before", "A wish that was not followed can be said in other words"
        )


async def test_a_synthesis_section_reads_the_others_as_they_stand(tmp_path: Path) -> None:
    over = kind(tools(model=(asked := model())))
    async with SKINS["page"](tmp_path, [over]) as skin:
        await written(skin, "Slow heart")
        await skin.say("append homology: The cat lacks the receptor [1].")
        await reads(skin, "The cat lacks the receptor")
        await skin.say("refresh species")
        await reads(skin, "Written anew: Species recommendation")
    assert any("The cat lacks the receptor" in call.user for call in asked.calls if call.role == "assess")


@pytest.mark.parametrize("place", ["page", "slack"])
async def test_a_given_text_is_a_source_of_its_section_and_of_no_other(place: str, tmp_path: Path) -> None:
    over = kind()
    async with SKINS[place](tmp_path, [over]) as skin:
        await written(skin)
        await skin.say(
            "source clinical: Study 9 of ZORB1 was stopped after 2 of 40 patients fainted. It rained."
        )
        await reads(skin, "Written anew: Clinical safety", "2 of 40 patients fainted")
        await skin.say("revise clinical: put the rash first")
        await reads(skin, "Asked for: put the rash first")
        await skin.say("source risks: Anything.")
        await reads(skin, "Give a source to a section that cites sources itself")
    history = await history_of(tmp_path, over)
    given, revised = history.lines
    for line in (given, revised):  # what a section was given it keeps
        (statement,) = (one for one in line.section.statements if "fainted" in one.text)
        (number,) = statement.citations
        cited = next(one for one in line.section.citations if one.number == number)
        assert "2 of 40 patients fainted" in cited.quote
    assert not any("rained" in one.text for one in given.section.statements)
    before, after = history.at(0).standing, history.standing
    for section in before.sections:
        if section.id != "clinical":
            assert as_bytes(after.section(section.id)) == as_bytes(section)
    assert "summary" in history.stale


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("source clinical", "Written anew: Clinical safety"),
        ("append clinical", "Edited: Clinical safety"),
        ("append risks", "Edited: Integrated risk assessment"),
    ],
)
async def test_the_risk_table_weighs_a_given_text_once_it_is_refreshed(
    way: str, told: str, tmp_path: Path
) -> None:
    over = kind()
    async with SKINS["page"](tmp_path, [over]) as skin:
        await written(skin)
        await skin.say(f"{way}: Study 9 of ZORB1 was stopped after hepatitis in 2 of 40 patients.")
        await reads(skin, told)
        await skin.say("refresh risks")
        await reads(skin, "Written anew: Integrated risk assessment")
        await skin.say("refresh risks")  # and keeps it
        await reads(skin, "The text is the same as before")
    history = await history_of(tmp_path, over)
    before, after = (at.section("risks") for at in (history.at(0).standing, history.standing))
    assert before is not None
    assert after is not None
    old, row = (
        next(row for table in at.tables for row in table.rows if row[0].text == "Hepatotoxicity")
        for at in (before, after)
    )
    assert row in after.tables[0].rows  # what people told stands on the first pages
    assert "given sources" not in old[3].text
    assert row[3].text == "weak (given sources)"
    assert row[5].text.count("(given sources)") == 1
    cited = {one.number: one for one in after.citations}
    assert any("hepatitis in 2 of 40" in cited[number].quote for number in row[5].citations)


@pytest.mark.parametrize("place", ["page", "slack"])
async def test_a_given_file_is_a_source_of_its_section_and_of_no_other(place: str, tmp_path: Path) -> None:
    over = kind()
    async with SKINS[place](tmp_path, [over]) as skin:
        await written(skin)
        assert not await taking(skin).give("clinical", "study-9.docx", word_file(STUDY))
        await reads(skin, "Written anew: Clinical safety", "2 of 40 patients fainted")
        await skin.say("revise clinical: put the rash first")
        await reads(skin, "Asked for: put the rash first")
        assert not await taking(skin).give("clinical", "study-9.zzz", b"\x00\x01\x02")
        await reads(skin, "study-9.zzz")
    history = await history_of(tmp_path, over)
    given, revised = history.lines
    for line in (given, revised):  # what a section was given it keeps
        (statement,) = (one for one in line.section.statements if "fainted" in one.text)
        (number,) = statement.citations
        cited = next(one for one in line.section.citations if one.number == number)
        assert cited.title == "study-9.docx"
        assert "2 of 40 patients fainted" in cited.quote
        async with runtime(Settings(home=tmp_path), [over]) as built:
            source = await built.sources.get(cited.doc_id)
        assert source is not None
        assert source.text[cited.start : cited.end] == cited.quote
    before, after = history.at(0).standing, history.standing
    for section in before.sections:
        if section.id != "clinical":
            assert as_bytes(after.section(section.id)) == as_bytes(section)
    assert "summary" in history.stale


HUMAN = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDF"
SEQUENCES = f""">sp|P00001|ZORB1_HUMAN Zorbin OS=Homo sapiens OX=9606 GN=ZORB1 PE=1 SV=1
{HUMAN}
>sp|P00002|ZORB1_RAT Zorbin OS=Rattus norvegicus OX=10116 GN=Zorb1 PE=1 SV=1
{HUMAN.replace("QAP", "QSP")}
>sp|P00003|ZORB1_MOUSE Zorbin OS=Mus musculus OX=10090 GN=Zorb1 PE=1 SV=1
{HUMAN[:30]}
"""


@pytest.mark.parametrize("place", ["page", "slack"])
async def test_given_sequences_are_compared_and_feed_the_species_section(place: str, tmp_path: Path) -> None:
    async with SKINS[place](tmp_path, [over := kind()]) as skin:
        await written(skin)
        assert not await taking(skin).give("homology", "zorb1.fasta", SEQUENCES.encode())
        await reads(
            skin, "Written anew: Homology", "of the rat (P00002 (UniProt reviewed)) is 98.8% identical"
        )
        await reads(skin, "of the mouse is refused: 30 residues, 65.1 % fewer")
        rat = SEQUENCES[SEQUENCES.index(">sp|P00002") : SEQUENCES.index(">sp|P00003")]
        assert not await taking(skin).give("homology", "rat.fasta", rat.encode())
        await reads(skin, "give the human canonical sequence")
    lines = (await history_of(tmp_path, over)).lines
    cited = [one.title for line in lines for one in line.section.citations if "P00002" in one.quote]
    assert set(cited) == {"Ortholog selection: ZORB1, human P00001 of 86 residues"}


def taking(skin: Skin) -> TakesFiles:
    assert hasattr(skin, "give")
    return cast(TakesFiles, skin)


STUDY = ("Study 9", "It rained on the day.", "Study 9 of ZORB1 was stopped after 2 of 40 patients fainted.")


def word_file(paragraphs: Sequence[str]) -> bytes:
    document, file = docx.Document(), io.BytesIO()
    for one in paragraphs:
        document.add_paragraph(one)
    document.save(file)
    return file.getvalue()


async def test_a_correction_becomes_guidance_that_the_next_report_follows(tmp_path: Path) -> None:
    async with SKINS["page"](tmp_path, [kind()]) as skin:
        assert isinstance(skin, PageSkin)
        await written(skin)
        await skin.say("revise expression: only heart and liver")
        await reads(skin, "Asked for: only heart and liver")
        await skin.press("Use in later reports")
        await reads(
            skin, "The next report in this channel follows it.", "expression: only heart and liver (you"
        )
        await skin.say("remember: leave out the mouse")
        await reads(skin, "leave out the mouse (you")
        skin.place["thread"] = "0123456789a1"
        await written(skin)
        skin.place["thread"], skin.place["channel"] = "0123456789a2", "elsewhere"
        await written(skin)
        skin.place["channel"], skin.place["thread"] = "archive", "0123456789a1"
        await skin.say("forget 2")
        await reads(skin, "Forgotten: leave out the mouse")
        await skin.say("guidance")
        await reads(skin, "expression: only heart and liver (you")
    async with runtime(Settings(home=tmp_path), [kind()]) as built:
        runs = [one for one in await built.ledger.runs() if not one.revises]
        reports = {one.thread_id: (await built.views.of(one)).report for one in runs}
    followed, free = reports["web:archive:0123456789a1"], reports["web:elsewhere:0123456789a2"]
    assert "kidney" not in told(followed, "expression")
    assert "decreased heart rate" not in told(followed, "phenotypes")
    assert "liver" in told(followed, "expression")
    assert "liver" not in told(free, "expression")
    assert "decreased heart rate" in told(free, "phenotypes")


def told(report: Report | None, section: str) -> str:
    found = report.section(section) if report else None
    assert found is not None
    return " ".join(one.text for one in found.statements)


async def test_what_a_run_will_do_is_told_before_it_begins(tmp_path: Path) -> None:
    async with SKINS["slack"](tmp_path, [kind()]) as skin:
        await skin.say("safety ZRB, inhibition")
        await reads(skin, "One question back", "ZORB1 (zorbin receptor 1)")
        await skin.say("1")
        await reads(skin, "Executive summary", "Our own archive", "Trace")
        await skin.say("help")
        await reads(skin, "writes a target safety report")
    assert "14 sections" in KIND.plan(KIND.inputs("ZORB1"))
    assert "1 section with" in KIND.plan(KIND.inputs("ZORB1", section="summary"))


async def test_what_can_be_left_out_is_and_what_there_is_not_is_refused(
    tmp_path: Path,
) -> None:
    over = kind()
    async with SKINS["terminal"](tmp_path, [over]) as skin:
        await skin.say("safety ZORB1 without literatur_search")
        await reads(skin, "There is no tool or section 'literatur_search'")
        await skin.say("safety ZORB1 without literature and species")
        await reads(skin, "9 more sections", "Trace")
    history = await history_of(tmp_path, over)
    assert "literature" not in {one.id for one in history.standing.sections}
    assert not {"literature", "species"} & set(history.section("summary").depends_on)


async def written(skin: Skin, risk: str = "ardiovascular toxicity") -> None:
    await skin.say("safety ZORB1, inhibition")
    await reads(skin, risk, "Our own archive", "Trace")


async def history_of(home: Path, over: AnyKind) -> History:
    async with runtime(Settings(home=home), [over]) as built:
        records = await built.ledger.runs()
        first = next(one for one in records if not one.revises)
        view = await built.views.of(first)
        assert view.history is not None
        return view.history


def as_bytes(section: Section | None) -> str:
    assert section is not None
    return encode(Section, replace(section, state=SectionState.DRAFT))[0]  # being stale is no change of it
