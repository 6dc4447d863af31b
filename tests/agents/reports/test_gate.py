"""The gate: what a citation does not carry is not shown, and what it carries always is."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from agents.evidence.values import Citation
from agents.foreign import foreign_remark
from agents.kinds import Kinds, RunKind, Understood
from agents.reports.gate import NOT_CARRIED, PASSAGES_LEFT, STRUCK, audit, gated
from agents.reports.recheck import recheck
from agents.reports.shown import STRUCK_CELL
from agents.reports.values import (
    Block,
    Cell,
    Figure,
    Heading,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Table,
)
from agents.runs.records import RunRecord
from agents.trust.measures import misfits
from agents.trust.values import COUNT, Claim, Derivation, Verdict
from retrieval.values import Document, DocumentRecord


def cite(number: int, quote: str, **more: object) -> Citation:
    """A citation of a report on QX-311."""
    base = Citation(number, f"E{number}", "QX-TX-04", "Toxicity of QX-311", quote, 0, len(quote))
    return replace(base, **more)  # type: ignore[arg-type]


def report(*blocks: Block, quotes: tuple[Citation, ...], short: str = "", asked: str = "What?") -> Report:
    return Report(asked, "Answer", short, True, (Section("answer", "Answer", blocks, quotes),))


def says(text: str, *numbers: int, derived: tuple[Derivation, ...] = ()) -> Points:
    claim = Claim(text, tuple(f"E{number}" for number in numbers), derived=derived)
    return Points((Statement(text, numbers, claim),))


def everything(told: Report) -> str:
    """All that a report shows in words."""
    return repr((told.short, told.notes, told.not_found, [section.blocks for section in told.sections]))


RUN_ON = "the cells of one table ran together as Vertigo 27.4% 6.7% Second degree block 4.7% and more"


@pytest.mark.parametrize(
    ("subject", "text", "stands"),
    [
        ("QX-311", RUN_ON, True),
        ("QX-999", RUN_ON, False),
        ("QX-311", RUN_ON.replace("27.4", "28.4"), False),
    ],
)
def test_a_cell_that_is_its_own_passage_word_for_word_stands(subject: str, text: str, stands: bool) -> None:
    table = Table("Passages", ("drug", "passage"), ((Cell(subject), Cell(text, (1,))),))
    told = report(table, quotes=(cite(1, f"In this study {RUN_ON}."),))
    (kept,) = [one for one in gated(told).sections[0].blocks if isinstance(one, Table)] or [None]
    assert (kept is not None and kept.rows[0][1].text == text) is stands
    assert bool([one for one in audit(told).wrong if one[0].startswith("table")]) is not stands


@pytest.mark.parametrize(
    ("head", "text", "stands"),
    [
        ("doses", "10, 20, 40, 80, 160", True),
        ("doses", "10, 20, 40, 80, 16", False),
        ("doses (mg)", "10, 20, 40, 80, 160", True),
        ("doses (mg/kg)", "10, 20, 40, 80, 160", False),
        ("given", "and once a dose of 3 mg/kg", True),
        ("given", "and once a dose of 3 mg", False),
    ],
)
def test_a_cell_cut_from_an_amount_or_under_another_unit_falls(head: str, text: str, stands: bool) -> None:
    told = report(
        Table("Doses", ("finding", head), ((Cell("Seen", (1,)), Cell(text, (1,))),)),
        quotes=(cite(1, "Seen at doses of 10, 20, 40, 80, 160 mg, and once a dose of 3 mg/kg in ferrets."),),
    )
    tables = [one for one in gated(told).sections[0].blocks if isinstance(one, Table)]
    assert (bool(tables) and tables[0].rows[0][1].text == text) is stands


def test_a_list_keeps_its_other_items_and_a_count_is_no_item() -> None:
    quotes = (cite(1, "Low exposure and vomiting led to the stop. Deaths occurred."),)
    text = "Grounds: (1) low exposure; (2) vomiting; (3) cough in 40%."
    kept = gated(report(says(text, 1), says("Vomiting occurred.", 1), quotes=quotes))
    assert next(kept.sections[0].statements).text == "Grounds: low exposure; (2) vomiting"
    kept = gated(report(says("(3) deaths occurred.", 1), says("Vomiting occurred.", 1), quotes=quotes))
    assert next(kept.sections[0].statements).text == "deaths occurred."


PASSAGE = cite(1, "The half-life of QX-311 was 7 h in 14 rats after 30 mg/kg.")


@pytest.mark.parametrize(
    "claimed",
    [
        "The half-life was 8 h.",
        "The half-life was 7 days.",
        "The dose was 30 mg.",
        "The dose was 30 µg/kg.",
        "There were 15 rats.",
        "The half-life of QX-312 was 7 h.",
        "It was 7 h on 3 May 2014.",
        "Study QX-TX-05 gave 7 h.",
        "It was measured by Dr. Belinda Ostrava in the 14 rats.",
        "The clearance was 30 mg/kg.",
        "The half-life was 30 mg/kg.",
    ],
)
def test_a_value_that_the_passage_does_not_carry_is_struck_everywhere(claimed: str) -> None:
    table = Table("Values", ("Finding",), ((Cell("7 h", (1,)),), (Cell(claimed, (1,)),)))
    line = Prose((Statement(claimed, (1,)),), strong=True)
    blocks = (Paragraph(claimed, strong=True), line, says(claimed, 1), says("7 h in rats", 1), table)
    noted = (f"{claimed} [1]",)
    told = gated(replace(report(*blocks, quotes=(PASSAGE,), short=claimed), notes=noted))
    assert claimed not in everything(told)
    assert claimed.rstrip(".") not in everything(told)
    assert told.sections[0].tables[0].rows == ((Cell("7 h", (1,)),), (Cell(STRUCK_CELL),))
    assert [one.text for one in told.sections[0].statements] == ["7 h in rats"]
    assert told.notes[-1].startswith(STRUCK)
    assert not audit(told).wrong


@pytest.mark.parametrize(
    "claimed",
    [
        "The half-life of QX-311 was 7 h in 14 rats after 30 mg/kg.",
        "half-life 7 hours (rat)",
        "QX311: t1/2 7 h",
        "30 mg/kg was given to fourteen rats",
        "0.03 g/kg",
        "No value is stated for dogs.",
    ],
)
def test_what_the_passage_carries_stands_as_it_is(claimed: str) -> None:
    told = report(Paragraph(claimed, strong=True), says(claimed, 1), quotes=(PASSAGE,), short=claimed)
    assert gated(told) is told


@pytest.mark.parametrize(
    ("quote", "short"),
    [
        ("The clearance study QX-CL-02 of 2016 was a crossover with 6 mg.", "clearance 6 mg (human)"),
        ("Study 04 was the clinical study of QX-311.", "04"),
        ("Table 9 lists the clinical studies.", "9"),
    ],
)
def test_no_value_of_another_kind_is_taken_for_the_one_asked_for(quote: str, short: str) -> None:
    told = gated(
        report(Paragraph(short, strong=True), says(quote, 1), quotes=(cite(1, quote),), short=short),
        "Closest passages",
    )
    assert (told.short, told.outcome) == (PASSAGES_LEFT, "Closest passages")
    assert [one.text for one in told.sections[0].statements] == [quote]


def test_only_the_clause_that_falls_leaves_a_line() -> None:
    short = "half-life 7 h (rat; male); clearance 30 mg/kg; 14 rats"
    told = gated(report(says(PASSAGE.quote, 1), quotes=(PASSAGE,), short=short))
    assert told.short == "half-life 7 h (rat; male); 14 rats"


def test_a_value_of_one_molecule_is_no_value_of_another() -> None:
    other = cite(2, "It was 9 h.", title="Toxicity of QX-400", doc_id="QX-TX-09")
    blocks = (says("QX-311: 7 h", 1), says("QX-400: 9 h", 2))
    right = report(*blocks, quotes=(PASSAGE, other), short="QX-311: 7 h; QX-400: 9 h")
    swapped = replace(right, short="QX-311: 9 h; QX-400: 7 h")
    assert gated(right) is right
    assert gated(swapped).short == PASSAGES_LEFT


def test_heads_of_a_table_carry_the_unit_that_stands_once() -> None:
    header = ("Group", "0", "10", "30", "100 mg/kg")
    row = cite(1, "| ALT (U/L) | 41 | 44 | 97 | 210 |", header=header, caption="Table 4: week 13")
    right = report(says("At 30 mg/kg ALT was 97 U/L.", 1), quotes=(row,))
    assert gated(right) is right
    assert not list(gated(report(says("At 30 mg ALT was 97 U/L.", 1), quotes=(row,))).sections[0].statements)
    spanned = replace(
        row, header=("Group", "Dose (mg/kg)", "", "", ""), quote="| Level | 0 | 10 | 30 | 100 |"
    )
    right = report(says("Levels were 10, 30 and 100 mg/kg.", 1), quotes=(spanned,))
    assert gated(right) is right


def test_a_quoted_table_carries_each_of_its_cells_with_its_own_unit() -> None:
    heads = ("Dose (mg)", "Cmax (ng/mL)", "Half-life (h)")
    quote = f"| {' | '.join(heads)} |\n|---|---|---|\n| 5 | 17 (21) | 7.1 |\n| 9 | 44 (19) | 8.2 |"
    source = cite(1, quote, caption="Table 2", header=heads)

    def shown(*rows: tuple[str, ...]) -> str:
        body = tuple((Cell(first, (1,)), *map(Cell, others)) for first, *others in rows)
        return everything(gated(report(Table("Table 2", heads, body), quotes=(source,))))

    whole = shown(("5", "17 (21)", "7.1"), ("9", "44 (19)", "8.2"))
    assert all(value in whole for value in ("17 (21)", "44 (19)", "7.1", "8.2"))
    assert STRUCK not in whole
    assert "45 (19)" not in shown(("9", "45 (19)", "8.2"))
    assert "9.3" not in shown(("9", "44 (19)", "9.3"))


def test_the_citation_of_a_row_shows_caption_and_heads() -> None:
    row = cite(1, "| 10 | 41 |", header=("Dose (mg/kg)", "ALT (U/L)"), caption="Table 4: week 13", page=3)
    assert row.place == "page 3, Table 4: week 13, heads: Dose (mg/kg) | ALT (U/L)"


def test_a_derived_number_stands_if_its_inputs_do() -> None:
    sum_ = Derivation("60 mg/kg/day", "30 * 2", ("30 mg/kg b.i.d.",), ("E1",))
    quote = cite(1, "Rats got 30 mg/kg b.i.d. for 4 weeks.")
    right = report(says("Rats got 60 mg/kg/day.", 1, derived=(sum_,)), quotes=(quote,), short="60 mg/kg/day")
    assert gated(right) is right
    wrong = replace(sum_, formula="30 * 3", value="90 mg/kg/day")
    told = gated(report(says("Rats got 90 mg/kg/day.", 1, derived=(wrong,)), quotes=(quote,)))
    assert "90" not in everything(told)


def test_a_count_is_counted_and_not_quoted() -> None:
    quotes = (cite(1, "QX-CL-01 was done in 2016."), cite(2, "QX-CL-02 was done in 2017."))
    blocks = (says("QX-CL-01 was done in 2016.", 1), says("QX-CL-02 was done in 2017.", 2))
    told = report(*blocks, quotes=quotes, short="2 studies")
    counted = Derivation("2", COUNT, ("QX-CL-01", "QX-CL-02"), ())
    assert gated(told).short == PASSAGES_LEFT
    assert gated(replace(told, derived=(counted,))).short == "2 studies"
    invented = replace(counted, value="3", inputs=("QX-CL-01", "QX-CL-02", "QX-CL-03"))
    assert gated(replace(told, short="3 studies", derived=(invented,))).short == PASSAGES_LEFT


def test_a_report_of_which_nothing_stands_found_nothing() -> None:
    told = gated(report(says("The half-life was 8 h.", 1), quotes=(PASSAGE,), short="8 h"))
    assert (told.found, told.outcome) == (False, NOT_CARRIED)
    assert "8 h" not in everything(told)


def test_a_citation_that_the_claim_does_not_name_carries_nothing() -> None:
    claim = Claim("There were no findings.", ("E1",))
    told = report(
        Points((Statement(claim.text, (2,), claim),)), says("7 h", 1), quotes=(PASSAGE, cite(2, "x"))
    )
    assert [one.text for one in gated(told).sections[0].statements] == ["7 h"]


def test_headings_figures_and_table_heads_are_no_way_around_it() -> None:
    blocks = (
        Heading("Half-life 8 h"),
        Figure("Course", "0" * 64, "image/png", "A half-life of 8 h.", (1,)),
        Table("Half-life of 8 h", ("Value",), ((Cell("7 h", (1,)),),)),
        Table("Values", ("At 40 mg/kg",), ((Cell("7 h", (1,)),),)),
        says("7 h", 1),
    )
    told = gated(report(*blocks, quotes=(PASSAGE,)))
    assert told.sections[0].blocks == (says("7 h", 1),)


def test_a_partly_carried_statement_says_so() -> None:
    claim = Claim("7 h", ("E1",), verdict=Verdict.PARTLY)
    assert Statement("7 h", (1,), claim).rendered == "7 h (the source says only a part of this)"


def test_no_kind_gets_past_the_gate() -> None:
    kind = RunKind(
        name="liar",
        title="Liar",
        inputs=str,
        output=str,
        understand=lambda message, thread: Understood(message.text),
        asked=lambda text: text,
        report=lambda text: report(says(text, 1), says("7 h", 1), quotes=(PASSAGE,), short=text),
        open=lambda house: lambda principal: NotImplemented,
    )
    record = RunRecord("r1", "liar", '"x"', "t", result='"The half-life was 8 h."')
    for one in (kind, replace(kind, title="Still a liar")):
        told = Kinds([one]).view(record).report
        assert told is not None
        assert "8 h" not in everything(told)


@dataclass(frozen=True)
class Fact:
    """What a passage says, in values that can be changed one by one."""

    code: str
    dose: int
    unit: str
    hours: int
    animals: int
    day: int
    person: str

    def sentence(self) -> str:
        return (
            f"{self.code} at {self.dose} {self.unit} had a half-life of {self.hours} h in {self.animals} rats"
            f" on {self.day} March 2014, as Dr. {self.person} wrote."
        )

    def short(self) -> str:
        return f"{self.code}: {self.dose} {self.unit}, half-life {self.hours} h, {self.animals} rats"

    def built(self, told: "Fact", place: str) -> Report:
        """A report on this fact which tells another one in one place, and this one everywhere else."""

        def text(name: str, words: str, other: str) -> str:
            return other if name == place else words

        quote = cite(1, self.sentence(), title="Report", doc_id="R-1", subjects=(self.code,))
        decoy = cite(2, "The committee met and took note of it.", title="Minutes", doc_id="R-2")
        number = 2 if place == "citation" else 1
        line = text("statement", self.sentence(), told.sentence())
        headline = text("headline", self.short(), told.short())
        cell = text("cell", self.short(), told.short())
        blocks = (
            Paragraph(headline, strong=True),
            Prose((Statement(headline, (1,)),), strong=True),
            Points((Statement(line, (number,), Claim(line, (f"E{number}",))),)),
            Points((Statement("The committee took note of it.", (2,)),)),
            Table("Found", ("What",), ((Cell(cell, (1,)),), (Cell("noted", (2,)),))),
        )
        section = Section("answer", "Answer", blocks, (quote, decoy))
        short = text("short", self.short(), told.short())
        note = text("note", self.short(), told.short()) + " [1]"
        return Report("What is known?", "Answer", short, True, (section,), (note,))


FACTS = st.builds(
    Fact,
    st.from_regex(r"[A-Z]{2}-[1-9]\d{2,3}", fullmatch=True).filter(lambda code: "1/2" not in code),
    st.integers(41, 900),
    st.sampled_from(("mg", "mg/kg", "µg", "mg/kg/day", "mg/m2")),
    st.integers(2, 40),
    st.integers(1000, 1800),
    st.integers(1, 28),
    st.sampled_from(("Ostrava", "Lindqvist", "Okonkwo", "Marchetti")),
)
PLACES = ("statement", "headline", "cell", "short", "note")


@given(FACTS)
def test_an_honest_draft_always_gets_through(fact: Fact) -> None:
    told = fact.built(fact, "")
    assert gated(told) is told


NAMED_AS_A_FREQUENCY = Fact("OD-100", 41, "mg", 2, 1000, 1, "Ostrava")


@example(NAMED_AS_A_FREQUENCY, replace(NAMED_AS_A_FREQUENCY, code="OD-200"), "code", "statement")
@given(FACTS, FACTS, st.sampled_from(("code", "dose", "unit", "hours", "animals")), st.sampled_from(PLACES))
def test_a_draft_with_one_changed_value_never_gets_through(
    fact: Fact, other: Fact, name: str, place: str
) -> None:
    changed = replace(fact, **{name: getattr(other, name)})
    assume(changed != fact)
    told = gated(fact.built(changed, place))
    false = changed.sentence() if place == "statement" else changed.short()
    assert false not in everything(told)
    assert not audit(told).wrong
    assert gated(told) == told


@given(FACTS, FACTS, st.sampled_from(("day", "person")))
def test_a_changed_date_or_name_never_gets_through(fact: Fact, other: Fact, name: str) -> None:
    changed = replace(fact, **{name: getattr(other, name)})
    assume(changed != fact)
    assert changed.sentence() not in everything(gated(fact.built(changed, "statement")))


@given(FACTS)
def test_a_statement_under_another_citation_never_gets_through(fact: Fact) -> None:
    told = gated(fact.built(fact, "citation"))
    assert fact.sentence() not in [one.text for one in told.sections[0].statements]


def test_a_line_that_a_kind_put_together_loses_only_the_clause_that_falls() -> None:
    line = Points((Statement("Pharmacokinetics: half-life 7 h; clearance 30 mg/kg", (1,)),))
    (left,) = gated(report(line, quotes=(PASSAGE,))).sections[0].statements
    assert left.text == "Pharmacokinetics: half-life 7 h"


ROW = cite(
    1,
    "| 200 mg/kg | Q7M02 | 103.4 | 48.2 |",
    header=("Treatment", "Animal", "Time after dosing (hours) / pre", "Time after dosing (hours) / 8"),
    caption="Appendix 4. Minute volume",
)


def test_a_head_under_one_that_spans_it_names_its_own_unit_and_not_that_of_its_cells() -> None:
    told = report(says("At 8 hours the minute volume of Q7M02 was 48.2 mL/min.", 1), quotes=(ROW,))
    assert gated(told) is told
    for claimed in ("At 6 hours it was 48.2 mL/min.", "At 8 days it was 48.2 mL/min.", "It was 48.3 mL/min."):
        assert not list(gated(report(says(claimed, 1), quotes=(ROW,))).sections[0].statements)


@pytest.mark.parametrize(
    ("caption", "claimed", "stands"),
    [
        ("Incidence of findings", "In males at 200 mg/kg/day there were 6.", True),
        ("Incidence of findings", "In males at 210 mg/kg/day there were 6.", False),
        ("Incidence by dose (mg/kg/day)", "In males at 200 mg/kg/day there were 6.", True),
        ("Incidence by dose (mg/kg/day)", "In males at 200 µg/kg/day there were 6.", False),
    ],
)
def test_a_group_head_has_the_unit_of_its_table_or_any_if_the_table_has_none(
    caption: str, claimed: str, stands: bool
) -> None:
    row = cite(1, "| Necrosis | 0 | 6 |", header=("Finding", "M 0", "M 200"), caption=caption)
    assert bool(list(gated(report(says(claimed, 1), quotes=(row,))).sections[0].statements)) is stands


def test_a_cell_with_a_mark_and_without_a_unit_carries_its_number() -> None:
    row = cite(1, "| Equation B | 10.4 | 53.6† |", header=("", "Stage 2", "Stage 3"), caption="Misclassified")
    told = report(says("Equation B misclassified 53.6% at Stage 3.", 1), quotes=(row,), asked="Equation B?")
    assert gated(told) is told


def test_an_aside_that_no_citation_carries_is_cut_off() -> None:
    blocks = (says("It was 7 h (14 rats, 30 mg/kg).", 1),)
    told = gated(report(*blocks, quotes=(PASSAGE,), short="7 h (14 rats, Day 59, 30 mg/kg)"))
    assert told.short == "7 h (14 rats, 30 mg/kg)"
    assert gated(report(*blocks, quotes=(PASSAGE,), short="7 h (Day 59)")).short == "7 h"


def test_the_text_around_a_quote_carries_the_conditions_of_a_finding_and_no_finding() -> None:
    near = "Animals were dosed at 30 mg/kg (n = 11) until Day 59. The AST was 97 U/L."
    row = cite(1, "The ALT was 41 U/L.", around=near)
    told = report(says("At 30 mg/kg the ALT was 41 U/L (n = 11, Day 59).", 1), quotes=(row,))
    assert gated(told) is told
    for claimed in ("The ALT was 97 U/L.", "The dose was 30 mg/kg.", "At 40 mg/kg the ALT was 41 U/L."):
        assert not list(gated(report(says(claimed, 1), quotes=(row,))).sections[0].statements)


def test_codes_and_names_of_the_question_may_be_repeated() -> None:
    quote = cite(1, "The MIC90 was 2 mg/L.", title="Microbiology", doc_id="MB")
    told = report(
        says("Against Klebsiella QNA 09-513 had a MIC90 of 2 mg/L.", 1),
        quotes=(quote,),
        asked="MIC90 of 09-513 on klebsiella",
    )
    assert gated(told) is told
    assert not list(gated(replace(told, title="MIC90?")).sections[0].statements)


def test_a_member_of_a_list_needs_no_unit_of_the_next() -> None:
    row = cite(1, "| Death | 1 (1.6) | 2 (3.2) |", header=("Event", "Placebo", "30 mg"))
    told = report(says("Deaths: placebo 1, 30 mg 2.", 1), quotes=(row,), short="3: placebo 1, 30 mg 2")
    assert [one.text for one in gated(told).sections[0].statements] == ["Deaths: placebo 1, 30 mg 2."]


@pytest.mark.parametrize("verdict", [Verdict.SUPPORTED, Verdict.PARTLY])
def test_the_first_statement_takes_the_place_of_a_struck_short_answer_if_it_was_supported(
    verdict: Verdict,
) -> None:
    first = Statement("The half-life was 7 h.", (1,), Claim("", ("E1",), verdict=verdict))
    told = gated(report(Points((first,)), quotes=(PASSAGE,), short="9 h"))
    assert told.short == (first.text if verdict is Verdict.SUPPORTED else PASSAGES_LEFT)


def test_what_stands_under_a_table_and_over_a_row_is_read_with_it() -> None:
    row = cite(
        1, "| 30 mg/kg | 41 |", header=("Group", "Week 4"), group=("Males",), notes="n = 11. Values in U/L."
    )
    told = report(says("ALT of Males at 30 mg/kg in Week 4: 41 U/L (n = 11).", 1), quotes=(row,))
    assert gated(told) is told


def test_a_value_goes_with_the_property_named_before_its_dose() -> None:
    quote = cite(1, "The AUC at the NOAEL of QX-311 was 48 µg·h/mL.")
    told = report(says("AUC at the NOAEL: 48 µg·h/mL", 1), quotes=(quote,), short="NOAEL: 48 µg·h/mL")
    assert [one.text for one in gated(told).sections[0].statements] == ["AUC at the NOAEL: 48 µg·h/mL"]
    assert gated(told).short == PASSAGES_LEFT


def test_a_dose_at_which_an_exposure_was_measured_is_no_exposure() -> None:
    quote = cite(1, "| Margin to the human AUC at 2.5 mg once a day | 4.1 | 0.7 |")
    told = report(says("0.7 to the human AUC at 2.5 mg once a day", 1), quotes=(quote,), short="0.7")
    assert gated(told) is told
    assert list(misfits("The AUC was 2.5 mg."))


def test_a_code_with_a_blank_is_one_identifier() -> None:
    quote = cite(1, "QNB 22-081 had a half-life of 9 h.", title="Kinetics", doc_id="K")
    told = report(says("The half-life of QNB 22-081 was 9 h.", 1), quotes=(quote,))
    assert gated(told) is told
    assert not list(gated(report(says("QNB 22-082: 9 h.", 1), quotes=(quote,))).sections[0].statements)


@pytest.mark.parametrize(
    "claimed",
    [
        "The t½ was 24.1 days after a single 180 mg s.c. dose of QNM-09.",
        "AUCinf was 625 µg·day/mL in QNM09-101.",
        "Route: s.c.; AUCinf (µg·day/mL): 625; t½ (days): 24.1",
    ],
)
def test_a_route_is_no_unit_a_property_no_name_and_a_study_no_number(claimed: str) -> None:
    row = cite(
        1,
        "| 180 mg | s.c. | 625 | 24.1 |",
        header=("Dose", "Route", "AUCinf (µg·day/mL)", "t½ (days)"),
        caption="Kinetics after a single dose",
        title="QNM09-101",
        subjects=("QNM-09", "QNM09"),
    )
    told = report(says(claimed, 1), quotes=(row,))
    assert gated(told) is told


async def test_what_stands_around_a_quote_is_read_from_the_stored_text() -> None:
    text = "Animals were dosed at 30 mg/kg. The ALT was 41 U/L."
    record = DocumentRecord("QX-TX-04", "tox.md", "0" * 64, "md", "Toxicology of QX-311")
    at = text.index("The ALT")
    row = cite(1, text[at:], start=at, end=len(text), around="Animals were dosed at 30 mg/kg.")
    told = report(says("At 30 mg/kg the ALT was 41 U/L.", 1), quotes=(row,))

    async def stored(_: str) -> Document:
        return Document(record, text)

    async def changed(_: str) -> Document:
        return Document(record, text.replace("30", "60"))

    assert not (await recheck(told, stored)).wrong
    assert [fault.value for _, fault in (await recheck(told, changed)).wrong] == ["30 mg/kg"]


def test_the_address_of_a_model_that_failed_is_told_and_an_address_elsewhere_is_not() -> None:
    told = "The language model at http://127.0.0.1:9/v1 cannot be reached; check model.base_url."
    other = "The results of 14 May 2019 are at http://127.0.0.1:9/v1."
    kept = gated(replace(report(says("7 h in rats", 1), quotes=(PASSAGE,)), notes=(told, other)))
    assert kept.notes[0] == told
    assert other not in kept.notes


def test_a_remark_on_the_question_stands_beside_passages() -> None:
    said = Paragraph(foreign_remark("Was ist die Halbwertszeit und für wen?"), remark=True)
    kept = gated(report(said, says("7 h in rats", 1), quotes=(PASSAGE,)))
    assert kept.sections[0].blocks[0] == said
    assert kept.notes == ()
