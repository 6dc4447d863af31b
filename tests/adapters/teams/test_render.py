"""Cards as messages of Teams: each valid, none too large, nothing lost, nobody mentioned."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.markup import MarkupLine, lines_of
from adapters.teams.activities import activity
from adapters.teams.render import render
from adapters.teams.text import escaped, message_text
from agents.reports.marked import OPENS, cited
from agents.reports.values import Code, Figure, Structure
from bot.cards import help_card, started_card
from bot.values import Button, Card, CardKind, Source, Step, Table, Text
from tests.adapters.slack.test_render import PIECES, long_card
from tests.adapters.teams.valid import check_message
from tests.support.archive import KINDS
from tests.support.drills import examples

SOURCE = Source(1, "28-day study <draft>", "page 7", "NOAEL & <at>all</at> 5 mg/kg", "d", 0, 9, 7)


def messages(card: Card, sensitivity: str = "") -> list[dict[str, Any]]:
    """The messages of a card, each of which Teams would take."""
    made = [activity(page, sensitivity) for page in render(card)]
    for one in made:
        check_message(one)
    return made


def words(told: list[dict[str, Any]]) -> str:
    """Everything that messages show, runs of one paragraph joined."""
    return "\n".join((*(one.get("text", "") for one in told), *_texts(told)))


def _texts(node: Any) -> list[str]:
    if isinstance(node, list):
        return [text for one in node for text in _texts(one)]
    if not isinstance(node, dict):
        return []
    if node.get("type") == "RichTextBlock":
        return ["".join(run["text"] for run in node["inlines"])]
    own = [node["title"]] if isinstance(node.get("title"), str) else []
    return own + [text for one in node.values() for text in _texts(one)]


def found(node: Any, kind: str) -> list[dict[str, Any]]:
    """All elements and actions of a kind."""
    if isinstance(node, list):
        return [one for inner in node for one in found(inner, kind)]
    if not isinstance(node, dict):
        return []
    own = [node] if node.get("type") == kind else []
    return own + [one for inner in node.values() for one in found(inner, kind)]


CARDS = {
    "help": help_card(KINDS),
    "progress": started_card("r1", "Why < & >?"),
    "long": long_card(),
    "notice": Card(CardKind.NOTICE, text="short"),
    "blank": Card(CardKind.NOTICE),
    "wide": Card(CardKind.NOTICE, parts=(Table("T", tuple("abcdefgh"), (tuple("12345678"),)),)),
    "huge cell": Card(CardKind.NOTICE, parts=(Table("T", ("a", "b"), (("x " * 30_000, "y"),)),)),
    "parts": Card(
        CardKind.SECTION,
        parts=(
            Text("# A\n\n- b\n- c"),
            Figure("Doses", "0" * 64, "image/png", "Two bars", (1,)),
            Structure("CCO", "ethanol"),
            Code("print(1)", "python", "1"),
        ),
    ),
    "other letters": Card(CardKind.ANSWER, text="剂量 " * 20_000, sources=(SOURCE,)),
}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_every_message_is_one_that_teams_takes(card: Card) -> None:
    assert messages(card, "Confidential: for the team")


def test_nothing_of_a_long_answer_is_lost() -> None:
    made = messages(long_card())
    shown = words(made)
    for wanted in ("word0 ", "word2999", "species 59", "[80]", "nothing on 49", "a note"):
        assert wanted in shown
    assert [one["data"]["value"] for one in found(made, "Action.Execute")] == [f"r1 {n}" for n in range(30)]


def test_a_card_of_several_messages_says_so_on_each() -> None:
    shown = [words([one]) for one in messages(long_card())]
    assert "Goes on in the next message (1 of" in shown[0]
    assert all(f"continued ({number} of {len(shown)})" in told for number, told in enumerate(shown[1:], 2))


def test_an_answer_stands_in_the_message_with_its_citations_and_label() -> None:
    text = cited("The NOAEL was 5 mg/kg.", (1,))
    made, _ = messages(Card(CardKind.ANSWER, text=text, sources=(SOURCE,)), "Confidential: for the team")
    assert made["text"] == "The NOAEL was 5 mg/kg. [1]"
    (entity,) = made["entities"]
    assert entity["additionalType"] == ["AIGeneratedContent"]
    assert entity["usageInfo"]["name"] == "Confidential"
    assert entity["usageInfo"]["description"] == "for the team"
    (claim,) = entity["citation"]
    assert claim["position"] == 1
    assert SOURCE.quote in words([json.loads(claim["appearance"]["text"])])


def test_a_citation_opens_its_verbatim_passage_as_a_card() -> None:
    made = messages(Card(CardKind.ANSWER, text="t", sources=(SOURCE,)))
    (opened,) = found(made, "Action.ShowCard")
    assert opened["title"] == "[1]"
    assert SOURCE.quote in words([opened["card"]])


def test_a_passage_longer_than_a_button_holds_is_whole_among_the_sources() -> None:
    source = Source(2, "Report", "", "long quote " * 3_000 + "END", "d", 0, 1)
    made = messages(Card(CardKind.ANSWER, sources=(source,), footer="3 more: write `sources`"))
    assert "sources 2 shows it whole" in words(made)
    code = [run["text"] for run in found(made, "TextRun") if run.get("fontType") == "Monospace"]
    assert code == ["sources 2", "sources"], "what is to be typed is code, without its signs"
    assert "END" in words(messages(Card(CardKind.SOURCES, sources=(source,))))


def test_only_the_citations_of_the_report_are_left_for_teams_to_find() -> None:
    text = f"As reported [1]: {cited('it was 5 mg.', (2,))}"
    made, _ = messages(Card(CardKind.ANSWER, text=text, sources=(SOURCE,)))
    assert made["text"] == "As reported &#91;1&#93;&#58; it was 5 mg. [2]"
    assert "citation" not in made["entities"][0]
    assert OPENS not in json.dumps(made)


def test_buttons_give_their_action_and_value_back_also_to_old_clients() -> None:
    card = Card(CardKind.NOTICE, text="t", buttons=(Button("Stop", "stop", "r1", "danger"),))
    (pressed,) = found(messages(card), "Action.Execute")
    assert pressed["data"] == {"action": "stop", "value": "r1"}
    assert pressed["fallback"]["data"] == pressed["data"]
    assert pressed["style"] == "destructive"


def test_a_button_that_is_of_use_with_words_only_has_a_field_for_them() -> None:
    card = Card(CardKind.ANSWER, text="t", buttons=(Button("Revise…", "revise", "r1 main"),))
    (opened,) = found(messages(card), "Action.ShowCard")
    (field,) = found(opened, "Input.Text")
    (pressed,) = found(opened, "Action.Execute")
    assert (field["id"], pressed["data"]["value"]) == ("words", "r1 main")


def test_steps_show_their_state_and_time() -> None:
    steps = (Step("Searching", "done", 1.25, "2 of 2"), Step("Reading", "running"), Step("Check", "failed"))
    shown = words(messages(Card(CardKind.PROGRESS, steps=steps)))
    assert "● Searching (2 of 2) · 1.2 s" in shown
    assert "◐ Reading" in shown
    assert "✕ Check" in shown


def test_a_table_keeps_its_heads_on_every_page_and_the_citations_of_its_cells() -> None:
    rows = tuple((f"species {n}", cited("5 mg/kg", (n,)), "liver and kidney " * 5) for n in range(200))
    made = messages(Card(CardKind.NOTICE, parts=(Table("T", ("species", "dose", "found"), rows),)))
    tables = found(made, "Table")
    assert len(tables) > len(made) > 1
    assert sum(len(one["rows"]) - 1 for one in tables) == 200
    assert all(words([one["rows"][0]]) == "\nspecies\ndose\nfound" for one in tables)
    assert "5 mg/kg [199]" in words(made)


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("# Findings", ["Findings"]),
        ("- one\n- two\n  1. three", ["• one", "• two", "1. three"]),
        ("> quoted <b>", ["quoted <b>"]),
        ("[page](https://e.com/a)", ["page (https://e.com/a)"]),
        ("[https://good.org](http://evil.org)", ["https://good.org (http://evil.org)"]),
        ("<https://example.com>", ["https://example.com"]),
        ("`a < b`\n```py\nx\n\ny\n```", ["a < b", "x", " ", "y"]),
        ("a\r\nb\n\nc", ["a\nb", "c"]),
        ("***", ["———"]),
        ("2 * 3 * 4 and a_b", ["2 * 3 * 4 and a_b"]),
        ("", []),
    ],
)
def test_markdown(markdown: str, lines: list[str]) -> None:
    assert [one.text for one in lines_of(markdown) if isinstance(one, MarkupLine)] == lines


def test_a_link_opens_what_it_shows() -> None:
    text = "[https://good.org](http://evil.org) and [x](javascript:alert) and [f](file:///etc)"
    links = found(messages(Card(CardKind.NOTICE, text=text)), "TextRun")
    opened = [(run["text"], run["selectAction"]["url"]) for run in links if "selectAction" in run]
    assert opened == [("http://evil.org", "http://evil.org")]


HOSTILE = [*PIECES, "<at>all</at>", "<at id='0'>", "</at>", "&lt;at&gt;", "[1]", "{{x}}", "${x}", "@everyone"]


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=5), max_size=30).map("".join))
def test_no_text_mentions_anybody_or_hides_an_address(text: str) -> None:
    """All that opens is an address under its own name; a message's text holds no mark-up but ours."""
    source = Source(1, text or "t", "", text, text or "d", 0, 1)
    card = Card(CardKind.ANSWER, title=text, text=text, sources=(source,), notes=(text,), footer=text)
    made = messages(card)
    for run in found(made, "TextRun"):
        assert run.get("selectAction", {"url": run["text"]})["url"] == run["text"]
    shown = made[0].get("text", "")
    assert "<" not in shown
    assert "[" not in shown
    assert "](" not in shown


@given(st.text(max_size=200))
def test_an_escaped_text_holds_nothing_that_could_be_markup(text: str) -> None:
    assert not set(escaped(text)) & set("`*_{}[]()<>|~@$")


@pytest.mark.parametrize("deep", ["*" * 5_000 + "a" + "*" * 5_000, "> " * 3_000 + "a", "- " * 3_000 + "a"])
def test_deep_nesting_is_not_deeper_than_python_recurses(deep: str) -> None:
    assert messages(Card(CardKind.ANSWER, text=deep))


def test_emphasis_is_kept_where_markdown_takes_it() -> None:
    lines = [line for line in lines_of("**bold** and *soft*, ~~out~~") if isinstance(line, MarkupLine)]
    assert message_text(lines) == "**bold** and _soft_, ~~out~~"
