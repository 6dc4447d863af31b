"""Whatever people and runs do to a report, in any order: what holds for its history."""

from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from agents.errors import AgentError
from agents.reports.numbering import adopted
from agents.reports.revisions import Action, History, NothingToUndo, Revision, SectionLocked
from agents.reports.values import Section, SectionState
from tests.agents.reports.builders import AT, chain, cite, grown, history, says

NAMES = ("a", "b", "c", "d")
DOINGS = st.tuples(
    st.sampled_from(("edit", "revise", "undo", "accept", "lock", "reopen")),
    st.sampled_from(NAMES),
    st.lists(st.integers(0, 6), max_size=3, unique=True),
)
SIGNS = {"accept": Action.ACCEPTED, "lock": Action.LOCKED, "reopen": Action.REOPENED}
LINES = TypeAdapter(tuple[Revision, ...])


def bare(section: Section) -> Section:
    """What a section says, without what its line put on it."""
    return replace(section, state=SectionState.DRAFT, revision=0, signed="")


@dataclass
class Model:
    """The same doings, kept the simplest way: all texts of each section, and which are locked."""

    texts: dict[str, list[Section]] = field(default_factory=lambda: {s.id: [s] for s in chain().sections})
    locked: set[str] = field(default_factory=set)

    def does(self, what: str, line: Revision) -> None:
        name = line.section.id
        if what in ("edit", "revise"):
            self.texts[name].append(bare(line.section))
        elif what == "undo":
            self.texts[name].pop()
        elif what == "lock":
            self.locked.add(name)
        elif what == "reopen":
            self.locked.discard(name)


def written(before: History, name: str, places: list[int], what: str) -> Revision:
    """A new text that cites these places, numbered as a run of its own would."""
    cited = tuple(cite(number, place) for number, place in enumerate(places, 1))
    numbers = tuple(one.number for one in cited)
    text = Section(name, "", says(f"Text {len(before.lines)}.", numbers=numbers), cited)
    action = Action.REVISED if what == "revise" else Action.EDITED
    run_id = f"run-{len(before.lines)}" if what == "revise" else ""
    return before.write(adopted(text, before.citations), action, "ada", AT, "", run_id)


def line_of(before: History, what: str, name: str, places: list[int]) -> Revision:
    if what in SIGNS:
        return before.sign(name, SIGNS[what], "ada", AT)
    if what == "undo":
        return before.undo(name, "ada", AT)
    return written(before, name, places, what)


def lived(doings: list[Any]) -> tuple[History, Model]:
    """The history after these doings, and the model; what is refused is refused by both."""
    now, model = history(), Model()
    for what, name, places in doings:
        try:
            line = line_of(now, what, name, places)
        except SectionLocked:
            assert name in model.locked
        except NothingToUndo:
            assert len(model.texts[name]) == 1
        else:
            assert name not in model.locked or what == "reopen"
            now = grown(now, line)
            model.does(what, line)
    return now, model


@given(st.lists(DOINGS, max_size=25))
def test_the_standing_report_follows_from_the_lines_alone(doings: list[Any]) -> None:
    now, model = lived(doings)
    assert [line.number for line in now.lines] == list(range(1, len(now.lines) + 1))
    again = History("r1", chain(), LINES.validate_json(LINES.dump_json(now.lines)))
    assert again.standing == now.standing
    assert {one.id: bare(one) for one in now.standing.sections} == {
        name: texts[-1] for name, texts in model.texts.items()
    }
    assert {one.id for one in now.standing.sections if one.state is SectionState.LOCKED} == model.locked


@given(st.lists(DOINGS, max_size=25), st.sampled_from(NAMES), st.lists(st.integers(0, 6), max_size=3))
def test_undo_restores_the_text_before_and_touches_no_other_section(
    doings: list[Any], name: str, places: list[int]
) -> None:
    now, _ = lived(doings)
    try:
        changed = grown(now, line_of(now, "revise", name, list(dict.fromkeys(places))))
    except AgentError:
        return
    back = grown(changed, changed.undo(name, "ada", AT))
    assert bare(back.section(name)) == bare(now.section(name))
    others = [one.section for one in now.lines if one.section.id != name]
    assert [one.section for one in back.lines if one.section.id != name] == others
    assert back.stale - {name} == now.stale - {name}


@given(st.lists(DOINGS, max_size=25))
def test_a_number_is_never_given_to_another_place(doings: list[Any]) -> None:
    now, _ = lived(doings)
    places: dict[int, tuple[str, int, int]] = {}
    for section in (*chain().sections, *(line.section for line in now.lines)):
        for one in section.citations:
            place = (one.doc_id, one.start, one.end)
            assert places.setdefault(one.number, place) == place
    assert len(set(places.values())) == len(places)


@given(st.lists(DOINGS, max_size=25))
def test_every_mark_in_a_text_is_a_citation_of_its_section(doings: list[Any]) -> None:
    now, _ = lived(doings)
    for section in now.standing.sections:
        cited = {one.number for one in section.citations}
        assert {number for one in section.statements for number in one.citations} <= cited
