"""What people write, and what it is taken for."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import MAX_CHARACTERS, export_format, understand, verdict_and_comment
from bot.errors import BadRequest
from bot.values import Command, CommandName, Incoming, ThreadRef

THREAD = ThreadRef("web", "general", "1")


def said(text: str) -> Command:
    command, run_id = understand(Incoming("e1", THREAD, "ada", text))
    assert run_id == ""
    return command


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "Stop!",
        "please stop",
        "could you stop it now?",
        "cancel this",
        "stop the search",
        "never mind",
        "that's enough",
        "/stop",
    ],
)
def test_stop_is_understood_in_natural_forms(text: str) -> None:
    assert said(text) == Command(CommandName.STOP)


@pytest.mark.parametrize(
    ("text", "section"),
    [("changes", ""), ("changes clinical", "clinical"), ("show the changes in section risks", "risks")],
)
def test_changes_may_be_those_of_one_section(text: str, section: str) -> None:
    assert said(text) == Command(CommandName.CHANGES, section)


@pytest.mark.parametrize(
    "text", ["Where does it say that?", "How do you know?", "are you sure?", "says who?"]
)
def test_who_doubts_is_shown_the_sources(text: str) -> None:
    assert said(text) == Command(CommandName.SOURCES)


@pytest.mark.parametrize(
    "text",
    [
        "Why was the development stopped?",
        "stop codons in the gene",
        "What is the status of the Phase II study?",
        "help me understand the hepatotoxicity",
        "sources of variability in exposure",
        "feedback inhibition of the pathway",
        "resume of the safety findings",
        "export pump inhibition in vitro",
        "up to which dose was it tolerated?",
    ],
)
def test_a_question_that_begins_like_a_command_stays_a_question(text: str) -> None:
    assert said(text) == Command(CommandName.ASK, text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("help", Command(CommandName.HELP)),
        ("?", Command(CommandName.HELP)),
        ("status", Command(CommandName.STATUS)),
        ("continue", Command(CommandName.RESUME)),
        ("keep going please", Command(CommandName.RESUME)),
        ("sources", Command(CommandName.SOURCES)),
        ("show me the sources", Command(CommandName.SOURCES)),
        ("source 3", Command(CommandName.SOURCES, "3")),
        ("[12]", Command(CommandName.SOURCES, "12")),
        ("export", Command(CommandName.EXPORT)),
        ("export as pdf", Command(CommandName.EXPORT, "pdf")),
        ("feedback up clear and complete", Command(CommandName.FEEDBACK, "up clear and complete")),
        ("👎 wrong species", Command(CommandName.FEEDBACK, "👎 wrong species")),
        ("ask: what is the half-life?", Command(CommandName.ASK, "ask: what is the half-life?")),
    ],
)
def test_commands(text: str, command: Command) -> None:
    assert said(text) == command


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("\u200b\u200e", "empty"),
        ("x" * (MAX_CHARACTERS + 1), "4,001 characters"),
        ("x" * 100_000, "100,000 characters"),
        ("%PDF-1.7\x00\x01\x02", "plain text"),
        ("dose \ufffd\ufffd", "plain text"),
        ("\ud800", "plain text"),
        ("!!! ---", "no words"),
    ],
)
def test_what_cannot_be_acted_on_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(BadRequest, match=advice):
        said(text)


def test_the_longest_question_and_several_lines_are_taken() -> None:
    text = "What\nis " + "x" * (MAX_CHARACTERS - 8)
    assert said(text).argument == text


@given(st.text(max_size=200))
def test_whatever_is_written_is_understood_or_refused_with_a_reason(text: str) -> None:
    with suppress(BadRequest):
        command = said(text)
        assert command.name is not CommandName.ASK or any(map(str.isalnum, command.argument))


@pytest.mark.parametrize(
    ("action", "value"),
    [
        *(("ask", value) for value in ("a1b2", "a1b2  ", "a1b2 \x00", "a1b2 " + "x" * (MAX_CHARACTERS + 1))),
        *((action, "a1b2 QX-01") for action in ("sources", "pin", "forget", "dispute")),
        ("forget", "a1b2"),
    ],
)
def test_a_press_that_nothing_shown_sends_is_refused(action: str, value: str) -> None:
    with pytest.raises(BadRequest):
        understand(Incoming("e1", THREAD, "ada", "", action=action, value=value))


def test_a_button_names_its_run() -> None:
    pressed = Incoming("e1", THREAD, "ada", "", action="feedback", value="a1b2 down")
    assert understand(pressed) == (Command(CommandName.FEEDBACK, "down"), "a1b2")


def test_an_unknown_button_is_refused() -> None:
    with pytest.raises(BadRequest, match="not known"):
        understand(Incoming("e1", THREAD, "ada", "", action="delete_everything"))


@pytest.mark.parametrize(
    ("argument", "meant"),
    [
        ("up", ("up", "")),
        ("down: the dose is wrong", ("down", "the dose is wrong")),
        ("👍🏽", ("up", "")),
        ("thumbs down", ("down", "")),
        ("-1 no", ("down", "no")),
    ],
)
def test_feedback_is_a_verdict_and_a_comment(argument: str, meant: tuple[str, str]) -> None:
    assert verdict_and_comment(argument) == meant


def test_feedback_without_a_verdict_says_how_to_give_one() -> None:
    with pytest.raises(BadRequest, match="feedback up"):
        verdict_and_comment("")


def test_export_formats() -> None:
    assert [export_format(name) for name in ("", "Word", ".pdf", "json")] == ["md", "docx", "pdf", "json"]
    with pytest.raises(BadRequest, match="md, html, docx, pdf, json"):
        export_format("xlsx")


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("edit: It was 5 mg.", ": It was 5 mg."),
        ("append liver: Was it seen?", "liver: Was it seen?"),
        ("/revise: shorter!", ": shorter!"),
        ("feedback up: well done.", "up: well done."),
        ("feedback", ""),
    ],
)
def test_somebodys_own_words_keep_their_last_stop(text: str, argument: str) -> None:
    assert said(text).argument == argument
