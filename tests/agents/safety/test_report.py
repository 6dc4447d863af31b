"""A whole report by rules: every section, all endpoints, every sentence cited, and the same twice."""

from dataclasses import replace

import pytest

from agents.databases.facts import Topic
from agents.databases.target import Found
from agents.reports.gate import audit, gated
from agents.reports.values import Prose, Report, Structure, Table
from agents.runs.encoding import encode
from agents.safety.endpoints.values import Endpoint
from agents.safety.kind import KIND
from agents.safety.order import Direction, SafetyOrder
from agents.safety.outline import SECTIONS
from agents.safety.values import Assessment, Strength
from tests.agents.safety.kit import assessed, databases, fact, replying, tools


@pytest.fixture
async def made() -> Assessment:
    return await assessed(SafetyOrder("ZORB1", direction=Direction.INHIBITION))


@pytest.fixture
def report(made: Assessment) -> Report:
    shown: Report = KIND.report(made)
    return shown


def test_every_section_is_there_in_its_order(report: Report) -> None:
    assert [one.id for one in report.sections] == [one.id for one in SECTIONS]
    assert all(one.blocks for one in report.sections)


def test_the_gate_strikes_nothing(made: Assessment, report: Report) -> None:
    found = audit(KIND.report.ungated(made))  # type: ignore[attr-defined]
    assert found.values > 30
    assert found.wrong == ()
    assert not any("Not shown" in note for note in report.notes)


async def test_a_medicine_with_digits_in_its_name_is_named_where_nothing_is_cited() -> None:
    says = "Zorbumab-CD3 is an inhibitor of ZORB1 and was withdrawn."
    of = {"change": "inhibition", "measure": "withdrawn drug"}
    told = [fact(Topic.DRUG, says, "zorbumab-CD3", **of)]
    asked = tools(databases(drugs=replying("drugs", "drugs", "Drugs", told)))
    made = await assessed(SafetyOrder("ZORB1", direction=Direction.INHIBITION), asked)
    assert audit(KIND.report.ungated(made)).wrong == ()  # type: ignore[attr-defined]
    assert "Withdrawn somewhere, for a reason that is not at hand: zorbumab-CD3." in str(KIND.report(made))


async def test_the_first_page_tells_that_animals_without_the_target_die() -> None:
    says = "Mice without Zorb1 show preweaning lethality."
    of = {"species": "mouse", "change": "loss", "genotype": "homozygous knockout"}
    told = [fact(Topic.PHENOTYPE, says, "preweaning lethality", **of)]
    asked = tools(databases(mice=replying("mice", "mice", "Mice", told)))
    made = await assessed(SafetyOrder("ZORB1", direction=Direction.INHIBITION), asked)
    assert says in str(KIND.report(made).section("summary"))


def test_every_statement_is_cited(report: Report) -> None:
    statements = [one for section in report.sections for one in section.statements]
    assert len(statements) > 20
    assert all(one.citations for one in statements)


def test_all_15_endpoints_are_weighed_or_without_evidence(made: Assessment, report: Report) -> None:
    rated, less, *_ = report.section("risks").tables  # type: ignore[union-attr]
    assert sorted(row[0].text for row in (*rated.rows, *less.rows)) == sorted(one.title for one in Endpoint)
    assert all(row[3].text.startswith(("strong", "moderate")) for row in rated.rows)
    assert not any(row[3].text.startswith(("strong", "moderate")) for row in less.rows)
    assert less.folded
    by_name = {row[0].text: row for row in (*rated.rows, *less.rows)}
    heart = by_name[Endpoint.CARDIOVASCULAR.title]
    assert [cell.text for cell in heart[1:3]] == ["serious", "inhibition"]
    assert heart[3].text.startswith("strong (clinical, human genetics, animals")
    assert "mouse" in heart[4].text
    assert heart[5].citations
    eye = by_name[Endpoint.OCULAR.title]
    assert eye[3].text == "no evidence found"
    assert not any(cell.citations for cell in eye)
    assert {one.endpoint: one.strength for one in made.risks}["cardiovascular"] is Strength.STRONG


@pytest.mark.parametrize("direction", [None, *Direction])
async def test_the_short_line_and_the_table_agree_on_what_is_more_than_weak(
    direction: Direction | None,
) -> None:
    shown: Report = KIND.report(await assessed(SafetyOrder("ZORB1", direction=direction)))
    table = next(block for block in shown.section("risks").blocks if isinstance(block, Table))  # type: ignore[union-attr]
    leading = [
        row[0].text.lower()
        for row in table.rows
        if row[3].text.startswith(("strong", "moderate")) and "(the other direction)" not in row[2].text
    ]
    assert [title for title in leading if title not in shown.short.lower()] == []
    assert ("no strong or moderate evidence" in shown.short) is (not leading)


def test_the_summary_names_the_main_concern(report: Report) -> None:
    assert "cardiovascular toxicity (serious, strong evidence)" in report.short
    told = " ".join(one.text for one in report.section("summary").statements)  # type: ignore[union-attr]
    assert "bradycardia" in told
    assert "Mouse Zorb1 has 91% identity" in told
    assert "Dog ZORB1 has 97% identity" in told


def test_many_facts_make_a_table_and_few_make_sentences(report: Report) -> None:
    expression = report.section("expression")
    assert expression is not None
    assert [len(table.rows) for table in expression.tables] == [8, 2]
    genetics = report.section("genetics")
    assert genetics is not None
    assert not genetics.tables
    assert "The pLI of ZORB1 is 0.01" in " ".join(one.text for one in genetics.statements)


def test_contradictions_show_both_sides(report: Report) -> None:
    lethal = [one for one in report.section("phenotypes").statements if "preweaning" in one.text]  # type: ignore[union-attr]
    assert any("The pLI of ZORB1 is 0.01" in one.text for one in lethal)


def test_open_questions_propose_an_experiment_each(report: Report) -> None:
    (table,) = report.section("questions").tables  # type: ignore[union-attr]
    assert len(table.rows) >= 3
    assert all(row[2].text for row in table.rows)
    assert any("telemetry" in row[2].text for row in table.rows)


async def test_two_runs_are_the_same_to_the_byte(made: Assessment) -> None:
    again = await assessed(SafetyOrder("ZORB1", direction=Direction.INHIBITION))
    assert encode(Assessment, again)[0] == encode(Assessment, made)[0]
    assert encode(Report, KIND.report(again))[0] == encode(Report, KIND.report(made))[0]


async def test_an_ambiguous_name_is_asked_back_with_choices() -> None:
    shown = KIND.report(await assessed("ZRB"))
    assert shown.options == ("ZORB1 (zorbin receptor 1)", "ZORB2 (zorbin receptor 2)")
    assert "alias of two genes" in shown.ask_back
    assert not shown.sections


async def test_an_unknown_name_says_so() -> None:
    shown = KIND.report(await assessed("NOGENE"))
    assert "No human gene is called 'NOGENE'" in shown.ask_back
    assert shown.options == ()


async def test_close_spellings_of_an_unknown_name_can_be_chosen() -> None:
    async def find(name: str) -> Found:
        return Found(note=f"No human gene is called {name!r}. Did you mean ZORB17?", near=("ZORB17",))

    shown = KIND.report(await assessed("ZORBB", replace(tools(), find=find)))
    assert shown.options == ("ZORB17",)
    assert gated(shown).notes == ()


async def test_tools_can_be_left_out() -> None:
    shown = KIND.report(await assessed(SafetyOrder("ZORB1", without=("events", "drugs"))))
    assert (
        "zorbatinib"
        not in " ".join(one.text for section in shown.sections for one in section.statements).casefold()
    )


def test_no_prose_is_left_empty(report: Report) -> None:
    assert all(
        block.statements
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Prose)
    )


def test_every_source_stands_in_one_table_with_what_it_holds(report: Report) -> None:
    (table,) = report.section("coverage").tables  # type: ignore[union-attr]
    rows = {row[0].text: row for row in table.rows}
    assert [cell.text for cell in rows["Mice"]] == ["Mice", "2026-01", "yes", "yes", "Animal phenotypes"]
    assert rows["Mice"][3].citations
    assert len(rows) == len(table.rows)


def test_drugs_are_drawn_where_a_record_states_their_structures(made: Assessment, report: Report) -> None:
    (drug,) = {
        one.doc_id
        for one in report.section("pharmacology").citations  # type: ignore[union-attr]
    }
    lines = "\n".join(
        f"- Zorbinib {number} (CHEMBL{number}), SMILES: {'C' * number}O" for number in range(1, 8)
    )
    told = tuple(
        replace(one, text=f"{one.text}\n{lines}", end=one.end + len(lines) + 1) if one.doc_id == drug else one
        for one in made.evidence
    )
    shown: Report = KIND.report(replace(made, evidence=told))
    section = shown.section("pharmacology")
    assert section is not None
    drawn = [block for block in section.blocks if isinstance(block, Structure)]
    assert [one.smiles for one in drawn] == ["CO", "CCO", "CCCO", "CCCCO"]
    assert drawn[1].name == "Zorbinib 2"
    (cited,) = [one for one in section.citations if one.number in drawn[1].citations]
    assert cited.quote == "- Zorbinib 2 (CHEMBL2), SMILES: CCO"
    assert not any(isinstance(block, Structure) for one in report.sections for block in one.blocks)
