"""Citation numbers: given out by `Composer`, kept by `adopted`."""

from dataclasses import replace

import pytest

from agents.evidence.values import Citation
from agents.reports.compose import Composer
from agents.reports.numbering import adopted
from agents.reports.values import Cell, Code, Figure, Points, Prose, Section, Statement, Structure, Table
from agents.trust.values import Claim
from tests.agents.reports.builders import TEXT, cite, evidence, says


def test_numbers_follow_the_order_of_first_use() -> None:
    composer = Composer([evidence("E1"), evidence("E2", 500)])
    assert composer.statement(Claim("Second.", ("E2",))).citations == (1,)
    assert composer.statement(Claim("Both.", ("E1", "E2"))).citations == (2, 1)
    assert [one.start for one in composer.citations()] == [500, 100]


def test_a_quote_narrows_a_citation_to_its_place() -> None:
    composer = Composer([evidence("E1")])
    composer.statement(Claim("The dose.", ("E1",), ("not in it", "5 mg")))
    (citation,) = composer.citations()
    assert (citation.quote, citation.start, citation.end) == ("5 mg", 113, 117)


def test_without_a_quote_the_whole_passage_is_cited() -> None:
    composer = Composer([evidence("E1")])
    composer.statement(Claim("The dose.", ("E1",), ("", "not in it")))
    assert composer.citations()[0].quote == TEXT


def test_the_same_place_has_one_number_and_another_place_another() -> None:
    composer = Composer([evidence("E1"), evidence("E2")])
    first, second = (composer.cite(key, ["5 mg"]) for key in ("E1", "E2"))
    assert (first, second, composer.cite("E1", ["given once"])) == (1, 1, 2)


def test_a_cell_has_the_quote_that_carries_it_else_the_passage() -> None:
    composer = Composer([evidence("E1")])
    composer.statement(Claim("The dose.", ("E1",), ("5 mg",)))
    assert composer.cell("5 mg", ["E1"]) == Cell("5 mg", (1,))
    assert composer.cell("given once", ["E1"]) == Cell("given once", (2,))
    assert composer.cell("none") == Cell("none")


def test_a_cell_cites_the_passage_of_its_value_and_no_other_of_its_field() -> None:
    other = replace(evidence("E2", 500), text="In dogs 20 mg/kg was the limit.")
    composer = Composer([evidence("E1"), other])
    composer.statement(Claim("The dose was 5 mg.", ("E1",)))
    assert composer.cell("20 mg/kg", ["E1", "E2"]).citations == (2,)
    assert composer.cell("5 mg", ["E1", "E2"]).citations == (1,)
    assert composer.cell("5 mg; 20 mg/kg", ["E1", "E2"]).citations == (1, 2)


def test_quotes_that_do_not_carry_the_claim_do_not_narrow_its_citation() -> None:
    composer = Composer([evidence("E1")])
    composer.statement(Claim("The dose was 5 mg.", ("E1",), ("given once",)))
    assert composer.citations()[0].quote == TEXT


def test_a_key_that_is_no_evidence_is_refused() -> None:
    with pytest.raises(KeyError):
        Composer([]).statement(Claim("Out of thin air.", ("E9",)))


def foreign(*blocks: object, citations: tuple[Citation, ...]) -> Section:
    """A section as a run of its own numbered it."""
    return Section("a", "A", blocks, citations)  # type: ignore[arg-type]


def test_a_place_that_the_report_cites_keeps_its_number_and_others_follow() -> None:
    written = foreign(*says("Old and new.", numbers=(1, 2)), citations=(cite(1, 30), cite(2, 20)))
    new = adopted(written, [cite(4, 20), cite(9, 0)])
    assert [(one.number, one.start) for one in new.citations] == [(10, 30), (4, 20)]
    assert new.blocks == says("Old and new.", numbers=(4, 10))


def test_every_block_with_numbers_gets_those_of_the_report() -> None:
    one = (1,)
    blocks = (
        Prose((Statement("x", one),)),
        Points((Statement("x", one),)),
        Table("t", ("c",), ((Cell("x", one),),)),
        Figure("f", "0", "image/png", "x", one),
        Structure("C", "x", one),
        Code("python", "x"),
    )
    new = adopted(foreign(*blocks, citations=(cite(1, 30),)), [cite(1)])
    five = (2,)
    assert new.blocks == (
        Prose((Statement("x", five),)),
        Points((Statement("x", five),)),
        Table("t", ("c",), ((Cell("x", five),),)),
        Figure("f", "0", "image/png", "x", five),
        Structure("C", "x", five),
        Code("python", "x"),
    )


def test_a_section_that_is_adopted_twice_is_the_same() -> None:
    known = [cite(1), cite(2, 5)]
    once = adopted(foreign(*says("x", numbers=(1,)), citations=(cite(1, 30),)), known)
    assert adopted(once, [*known, *once.citations]) == once


def test_a_line_cites_no_more_than_carries_it() -> None:
    one = replace(evidence("E1"), text="The dose was 5 mg.")
    two = replace(evidence("E2", 500), text="It was given to men.")
    three = replace(evidence("E3", 900), text="The dose was 5 mg in all.")
    composer = Composer([one, two, three])
    numbers = [composer.cite(key) for key in ("E1", "E2", "E3")]

    assert composer.fewest("The dose was 5 mg.", numbers) == (1,)
    assert composer.fewest("The dose was 5 mg (men).", numbers) == (1, 2)
    assert composer.fewest("Nothing of it", numbers) == (1, 2, 3)


def test_a_cell_cites_all_where_a_part_would_leave_a_study_without_its_dose() -> None:
    first = replace(evidence("E1"), doc_id="QA-CL-01", text="QA-CL-01: 10 mg or 20 mg.")
    second = replace(evidence("E2", 500), doc_id="QA-CL-02", text="QA-CL-02: 10 mg or 20 mg for 12 weeks.")
    third = replace(evidence("E3", 900), doc_id="QA-LST-03", text="Reported: QA-CL-01 and QA-CL-02.")
    composer = Composer([first, second, third])
    told = "10 mg or 20 mg (QA-CL-01); 10 mg or 20 mg for 12 weeks (QA-CL-02)"
    assert composer.cell(told, ["E3", "E1", "E2"]).citations == (1, 2, 3)
