"""Adverse events of invented labels: spelling, order of words, lists, denials, what was learnt and kept."""

import sys
from pathlib import Path

import orjson
import pytest

from agents.errors import LibraryMissing, WrongFile
from agents.vigilance.evaluate.annotated import read_annotated
from agents.vigilance.evaluate.extraction import evaluate_extraction
from agents.vigilance.extraction.candidates import How, candidates
from agents.vigilance.extraction.lexicon import learn_lexicon
from agents.vigilance.extraction.model import learn, read_learnt
from agents.vigilance.extraction.rule import by_rule
from agents.vigilance.extraction.values import Annotated, LabelSection
from agents.vigilance.extraction.words import key_of, words_of
from tests.support.services import shared

ADVERSE = "adverse reactions"
EVENTS = {
    "nausea": "Nausea",
    "anemia": "Anaemia",
    "renal failure": "Renal failure",
    "hepatic failure": "Hepatic failure",
    "elevated ALT": "Alanine aminotransferase increased",
}


def section(label: str, text: str, *mentions: str) -> LabelSection:
    return LabelSection(label, ADVERSE, text, tuple(Annotated(one, EVENTS[one]) for one in mentions))


def taught() -> list[LabelSection]:
    told = "The most common adverse reactions were {}, {} and {}. It is used in patients with {}."
    names = list(EVENTS)
    sections = []
    for turn in range(10):
        first, second, third, used = (names[(turn + i) % len(names)] for i in range(4))
        text = told.format(first, second, third, used)
        sections.append(section(f"invented{turn}", text, first, second, third))
    return sections


def found(text: str) -> set[tuple[str, How]]:
    return {(one.term, one.how) for one in candidates(words_of(text), learn_lexicon(taught()))}


def test_british_spelling_plurals_and_line_breaks_are_the_same_phrase() -> None:
    assert key_of("Anaemias") == key_of("anemia")
    assert ("Renal failure", How.RUN) in found("cases of renal\n  failure")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Hepatic and renal failure occurred.", "Hepatic failure"),
        ("ALT was elevated in some.", "Alanine aminotransferase increased"),
    ],
)
def test_words_of_a_phrase_are_found_apart_and_in_any_order(text: str, term: str) -> None:
    assert (term, How.GAP) in found(text)


def test_a_full_stop_parts_the_words_of_a_phrase() -> None:
    assert not found("It was renal. Failure was rare.")


def test_learning_tells_reactions_from_the_illness_that_is_treated() -> None:
    learnt = learn(taught(), "invented")
    text = (
        "The most common adverse reactions were nausea and anemia. It is used in patients with renal failure."
    )
    events = learnt.events(text, ADVERSE)
    assert [one.term for one in events] == ["Nausea", "Anaemia"]
    for one in events:
        assert text[one.start : one.start + len(one.mention)] == one.mention


def test_what_was_learnt_is_kept_as_text() -> None:
    learnt = learn(taught(), "ten invented labels")
    again = read_learnt(learnt.as_json())
    text = taught()[0].text
    assert again.learnt_on == "ten invented labels"
    assert [one.term for one in again.events(text, ADVERSE)] == [
        one.term for one in learnt.events(text, ADVERSE)
    ]
    for broken in ("", "{}", '{"form": "other"}', "[1]"):
        with pytest.raises(WrongFile):
            read_learnt(broken)


def test_one_label_is_too_little_to_learn_from() -> None:
    with pytest.raises(WrongFile, match="two labels"):
        learn(taught()[:1], "")


def test_the_generic_rule_takes_lists_and_leaves_denials_and_studies() -> None:
    text = (
        "Adverse reactions: nausea, blurred vision, pancytopenia (2%), and peripheral edema. "
        "No pancreatitis was seen. It is indicated for the treatment of migraine headache. "
        "Fever trials were reported."
    )
    assert [one.term for one in by_rule(text, "adverse_reactions")] == [
        "Nausea",
        "Blurred vision",
        "Pancytopenia",
        "Peripheral oedema",
    ]
    assert by_rule(text, "description") == []


def test_evaluation_learns_nothing_from_a_label_that_it_scores() -> None:
    known = taught()
    own = [section("own", "Adverse reactions were nausea and greenish vision.", "nausea")]
    own[0] = LabelSection(
        "own", ADVERSE, own[0].text, (*own[0].annotated, Annotated("greenish vision", "Chloropsia"))
    )
    result = evaluate_extraction(own, taught=known)
    micro = result.by_way["learnt"]["all sections"]
    assert (micro.right, micro.marked) == (1, 2)
    assert evaluate_extraction([*known, *own]).as_fields()["labels"] == 11


def test_files_of_another_form_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongFile):
        read_annotated(tmp_path)
    (tmp_path / "a.json").write_text('{"a": 1}')
    with pytest.raises(WrongFile):
        read_annotated(tmp_path)


def test_the_form_of_the_task_is_read(tmp_path: Path) -> None:
    event = ["nausea", "Nausea", 1.0, "Feeling sick", 2.0, "3", "6", "human"]
    rows = [
        {
            "label_id": "A",
            "section_name": ADVERSE,
            "section_text": "xx nausea",
            "adverse_events": [
                event,
                ["thing", None, None, None, None, None, "5", "human"],
                [*event[:7], "animal"],
            ],
        }
    ]
    (tmp_path / "a.json").write_bytes(orjson.dumps(rows))
    (read,) = read_annotated(tmp_path)
    assert [one.human for one in read.annotated] == [True, False]
    assert read.gold == {"Nausea"}


@pytest.mark.service("shared")
def test_a_third_of_the_real_labels_teaches_others() -> None:
    sections = read_annotated(shared("data/tac2017"))
    labels = sorted({one.label for one in sections})
    teaching = [one for one in sections if one.label in labels[::3]]
    asked = [one for one in sections if one.label in labels[1:31:3]]
    micro = evaluate_extraction(asked, taught=teaching).by_way["learnt"]["all sections"]
    assert micro.f1 is not None
    assert micro.f1 > 0.75


def test_learning_without_its_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction", None)
    with pytest.raises(LibraryMissing, match=r"pip install 'pestle\[train\]'"):
        learn(taught(), "invented labels")
