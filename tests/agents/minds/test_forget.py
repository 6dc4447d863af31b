"""A conversation without the records that its model no longer needs."""

from agents.data_block import data_block
from agents.messages import Message, Speaker, ToolCall
from agents.minds.forget import NOTHING_KEPT, forget, kept_by, shown_under
from agents.minds.repeats import without_repeats


def test_records_that_are_not_kept_go_with_documents_that_hold_no_other() -> None:
    told = "\n".join(
        (
            data_block("Who?", kind="question"),
            data_block("D-1: Rat study", kind="document"),
            data_block("One.", key="E1", page="2"),
            data_block("Two.", key="E2"),
            data_block("D-2: Dog study", kind="document"),
            data_block("Three.", key="E3"),
        )
    )
    messages = [Message(Speaker.SYSTEM, told), Message(Speaker.USER, told)]

    [system, user], gone = forget(messages, {"E2"})

    assert system.text == told
    assert gone == {"E1", "E3"}
    assert ("Two." in user.text, "D-1" in user.text, "Who?" in user.text) == (True, True, True)
    assert not any(word in user.text for word in ("One.", "Three.", "D-2"))


def test_what_is_kept_is_what_all_calls_name() -> None:
    calls = [ToolCall("1", "look", '{"keep": ["E1"]}'), ToolCall("2", "look", '{"keep": ["E2", 3]}')]

    assert kept_by(calls) == {"E1", "E2"}
    assert kept_by([ToolCall("1", "search", '{"query": "x"}'), ToolCall("2", "x", "[nonsense")]) is None
    assert kept_by([ToolCall("1", "look", '{"keep": []}')]) == frozenset()


def test_what_is_shown_under_a_key_goes_when_it_is_forgotten() -> None:
    messages = [Message(Speaker.USER, f"{data_block('One.', key='E1')}\n{data_block('Two.', key='E2')}")]
    kept, _ = forget(messages, {"E2"})

    assert "One." in shown_under(messages, "E1")
    assert "Two." not in shown_under(messages, "E1")
    assert (shown_under(kept, "E1"), "Two." in shown_under(kept, "E2")) == ("", True)


def test_what_leads_to_forgotten_records_goes_with_them() -> None:
    first = "\n".join(
        (
            "Passages from 1 of 9 documents, best first:\n",
            data_block("D-1: Rat study", kind="document"),
            data_block("One.", key="E1"),
            data_block("A is also called B.", kind="names"),
        )
    )
    found = f"{data_block('Two.', key='E2')}\nShown before, under these keys: E1, E2."
    messages = [Message(Speaker.USER, first), Message(Speaker.TOOL, found)]

    [user, tool], _ = forget(messages, {"E2"})
    [_, nothing], _ = forget(messages, set())

    assert "Passages from" not in user.text
    assert tool.text.endswith("under these keys: E2.")
    assert nothing.text == NOTHING_KEPT


def test_a_reply_of_which_no_record_is_kept_loses_the_titles_of_its_documents() -> None:
    found = f"{data_block('One.', key='E1')}\n{data_block('D-1: Rat study', kind='summary')}"
    listed = f"{data_block('Two.', key='E2')}\n{data_block('Studies 1 to 9 of 9: D-2', kind='note')}"
    messages = [Message(Speaker.TOOL, found), Message(Speaker.TOOL, listed)]

    kept, _ = forget(messages, {"E1"})
    nothing, _ = forget(messages, set())

    assert "D-1" in kept[0].text
    assert nothing[0].text == NOTHING_KEPT
    assert "D-2" in nothing[1].text


def test_a_page_does_not_repeat_the_lines_found_in_it() -> None:
    found = "\n".join(f"Line {n} of the memo tells how pump {n} was cleaned." for n in range(9))
    page = f"# Memo\n{found}\nThe seals leak at 9 bar."

    told = without_repeats(page, {"E4": data_block(found, key="E4")})

    assert told == "# Memo\n[… under E4]\nThe seals leak at 9 bar."
    assert without_repeats("# Memo\nLine 1.", {"E4": "Line 1."}) == "# Memo\nLine 1."


def test_a_kept_page_keeps_what_it_points_to() -> None:
    page = data_block("# Memo\n[… under E4]\nThe seals leak.", key="E5")
    messages = [Message(Speaker.TOOL, f"{data_block('The pumps.', key='E4')}\n{page}")]

    [kept], gone = forget(messages, {"E5"})

    assert "The pumps." in kept.text
    assert gone == set()
