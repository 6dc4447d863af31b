"""What was done to a report, and how it stands then."""

from dataclasses import replace

import pytest

from agents.reports.revisions import Action, History, NothingToUndo, SectionLocked, UnknownSection
from agents.reports.values import Prose, Report, Section, SectionState, Statement
from agents.trust.values import Claim, Verdict
from tests.agents.reports.builders import (
    AT,
    chain,
    cite,
    edited,
    grown,
    history,
    says,
    section,
    signed,
    undone,
)


def content(found: Section) -> Section:
    """A section without what its line put on it."""
    return replace(found, state=SectionState.DRAFT, revision=0, signed="")


def states(found: History) -> dict[str, str]:
    return {one.id: str(one.state) for one in found.standing.sections}


def test_without_lines_the_report_stands_as_written() -> None:
    assert history().standing == chain()
    assert history().stale == frozenset()


def test_an_edit_changes_its_section_and_no_other_byte() -> None:
    after = edited(history(), "d", "Said anew.")
    assert after.section("d").blocks == says("Said anew.")
    assert after.section("d").revision == 1
    assert after.standing.sections[:3] == chain().sections[:3]


def test_an_edit_keeps_what_the_section_depends_on_and_its_title() -> None:
    line = history().write(Section("b", ""), Action.EDITED, "ada", AT)
    assert (line.section.title, line.section.depends_on) == ("B", ("a",))


def test_undo_brings_back_the_content_before_byte_for_byte() -> None:
    after = undone(edited(history(), "a", "Said anew."), "a")
    assert content(after.section("a")) == chain().sections[0]
    assert [line.action for line in after.lines] == [Action.EDITED, Action.UNDONE]


def test_undo_of_undo_goes_further_back_until_the_first_text() -> None:
    after = edited(edited(history(), "a", "Second."), "a", "Third.")
    once = undone(after, "a")
    assert once.section("a").opening == "Second."
    twice = undone(once, "a")
    assert twice.section("a").opening == "As written."
    with pytest.raises(NothingToUndo, match="as it was first written"):
        undone(twice, "a")
    again = edited(twice, "a", "Fourth.")
    assert [one.opening for one in again.versions("a")] == ["As written.", "Fourth."]


def test_a_sign_off_is_no_content_and_cannot_be_undone() -> None:
    with pytest.raises(NothingToUndo):
        undone(signed(history(), "a", Action.ACCEPTED), "a")


def test_a_sign_off_names_who_and_when_and_ends_with_the_next_change() -> None:
    accepted = signed(history(), "a", Action.ACCEPTED)
    assert (accepted.section("a").state, accepted.section("a").signed) == (
        SectionState.ACCEPTED,
        "ada, 2026-03-01 12:00",
    )
    changed = edited(accepted, "a", "Other.").section("a")
    assert (changed.state, changed.signed) == (SectionState.DRAFT, "")


def test_a_locked_section_takes_nothing_until_it_is_reopened() -> None:
    locked = signed(edited(history(), "a", "Second."), "a", Action.LOCKED, "eve")
    for doing in (
        lambda: edited(locked, "a", "x"),
        lambda: undone(locked, "a"),
        lambda: signed(locked, "a", Action.ACCEPTED),
        lambda: signed(locked, "a", Action.LOCKED),
    ):
        with pytest.raises(SectionLocked, match=r"locked \(eve, 2026-03-01 12:00\).*`unlock a` first"):
            doing()
    assert edited(locked, "d", "x").section("d").opening == "x"
    assert edited(signed(locked, "a", Action.REOPENED), "a", "x").section("a").opening == "x"


def test_what_was_written_from_a_changed_section_is_stale_through_two_levels() -> None:
    changed = edited(history(), "a", "Other.")
    assert states(changed) == {"a": "draft", "b": "stale", "c": "stale", "d": "draft"}
    refreshed = edited(changed, "b", "From the other.")
    assert refreshed.stale == {"c"}


def test_accepting_a_stale_section_makes_it_fresh_until_the_next_change() -> None:
    accepted = signed(edited(history(), "a", "Other."), "b", Action.ACCEPTED)
    assert states(accepted) == {"a": "draft", "b": "accepted", "c": "stale", "d": "draft"}
    assert edited(accepted, "a", "Third.").stale == {"b", "c"}


def test_undoing_the_change_makes_fresh_what_was_written_before_it() -> None:
    assert undone(edited(history(), "a", "Other."), "a").stale == frozenset()
    refreshed = edited(edited(history(), "a", "Other."), "b", "From the other.")
    assert undone(refreshed, "a").stale == {"b", "c"}


def test_a_revision_that_reads_the_same_makes_nothing_stale() -> None:
    """Another run gives other keys, and another check of a claim: a reader sees neither."""
    before = history()
    old = before.section("a")
    claim = Claim("As written.", ("E9",), verdict=Verdict.SUPPORTED, reason="By words", checked_by="rules")
    anew = replace(
        old,
        blocks=(Prose((Statement("As written.", (1,), claim),)),),
        citations=tuple(replace(one, key="E9", around="More.") for one in old.citations),
    )
    again = grown(before, before.write(anew, Action.REVISED, "ada", AT, run_id="r2"))
    assert again.stale == frozenset()
    partly = replace(claim, verdict=Verdict.PARTLY)
    doubted = replace(anew, blocks=(Prose((Statement("As written.", (1,), partly),)),))
    for changed in (doubted, replace(anew, citations=(cite(1, 5),)), replace(anew, title="Other")):
        line = again.write(changed, Action.REVISED, "ada", AT, run_id="r3")
        assert grown(again, line).stale == {"b", "c"}


def test_a_locked_section_stays_locked_when_it_is_stale() -> None:
    changed = edited(signed(history(), "b", Action.LOCKED), "a", "Other.")
    assert states(changed)["b"] == "locked"
    assert "b" in changed.stale
    with pytest.raises(SectionLocked):
        edited(changed, "b", "x")


def test_the_short_answer_of_a_report_with_one_section_follows_what_it_says() -> None:
    one = Report("Dose?", "Answer", "5 mg", True, (section("answer", "It was 5 mg."),))
    before = History("r1", one)
    assert before.standing.short == signed(before, "answer", Action.ACCEPTED).standing.short == "5 mg"
    changed = edited(before, "answer", "It was 6 mg.")
    assert changed.standing.short == "It was 6 mg."
    assert undone(changed, "answer").standing.short == "5 mg"
    assert edited(history(), "a", "x").standing.short == "A chain."


def test_a_section_that_the_report_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(UnknownSection, match=r"no section 'z'\. It has: a, b, c, d"):
        edited(history(), "z", "x")
    with pytest.raises(UnknownSection):
        signed(history(), "z", Action.ACCEPTED)


def test_every_citation_that_a_report_ever_had_is_known() -> None:
    assert [one.number for one in edited(history(), "a", "Without any.").citations] == [1, 2, 3]
