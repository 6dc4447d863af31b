"""Cards as Block Kit: every block valid, no message too large, nothing lost, nobody mentioned."""

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block

from adapters.slack.mrkdwn import escape, from_markdown, from_table, pieces, to_plain
from adapters.slack.render import Message, render
from agents.reports.marked import OPENS, cited
from bot.cards import help_card, started_card
from bot.values import Button, Card, CardKind, Source, Step, Table
from tests.support.archive import KINDS
from tests.support.slack_payloads import Refused, check

SOURCE = Source(1, "28-day study <draft>", "page 7", "NOAEL & <!channel> 5 mg/kg", "d", 0, 9, 7)


def texts(messages: tuple[Message, ...]) -> str:
    return "\n".join(str(block) for message in messages for block in message.blocks)


def valid(block: dict[str, Any]) -> bool:
    parsed = Block.parse(block)
    return parsed is not None and bool(parsed.to_dict())


def long_card() -> Card:
    words = " ".join(f"word{n}" for n in range(3_000))
    rows = tuple((f"species {n}", "5 mg/kg [1]", "liver, kidney & spleen " * 6) for n in range(60))
    sources = tuple(Source(n, f"Report {n}", "page 1", f"quote {n} " * 70, "d", 0, 1) for n in range(1, 81))
    return Card(
        CardKind.ANSWER,
        title="An answer " * 30,
        text=words,
        parts=(Table("Organs", ("species", "dose", "findings"), rows),),
        sources=sources,
        not_found=tuple(f"nothing on {n}" for n in range(50)),
        notes=("a note",),
        buttons=tuple(Button(f"choice {n} " * 20, "ask", f"r1 {n}") for n in range(30)),
        footer="Trace id: r1",
        run_id="r1",
    )


@pytest.mark.parametrize(
    "card",
    [
        help_card(KINDS),
        started_card("r1", "Why < & >?"),
        long_card(),
        Card(CardKind.NOTICE, text="short"),
        Card(CardKind.NOTICE),
    ],
    ids=["help", "progress", "long", "notice", "blank"],
)
def test_every_message_fits_slack(card: Card) -> None:
    for message in render(card):
        check("chat.postMessage", {"text": message.text, "blocks": list(message.blocks)})


def test_the_check_refuses_what_slack_refuses() -> None:
    (message,) = render(Card(CardKind.NOTICE, text="short"))
    (block,) = message.blocks
    for blocks in ([block] * 51, [{"type": "secton"}], [{"type": "header", "text": "x" * 151}]):
        with pytest.raises(Refused):
            check("chat.update", {"text": "x", "blocks": blocks})
    wide = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2_600}}
    with pytest.raises(Refused, match="characters in blocks"):
        check("chat.postMessage", {"text": "x", "blocks": [wide] * 4})


def test_a_message_that_goes_on_says_so() -> None:
    messages = render(long_card())
    assert len(messages) > 2
    assert "continued" not in str(messages[0].blocks)
    assert f"continued (2 of {len(messages)})" in str(messages[1].blocks[0])


def test_nothing_of_a_long_answer_is_lost() -> None:
    shown = texts(render(long_card()))
    for wanted in ("word0 ", "word2999", "species 59", "[80]", "nothing on 49", "a note", "'r1 29'"):
        assert wanted in shown


def test_text_from_documents_mentions_nobody() -> None:
    card = Card(CardKind.ANSWER, text="<!channel> <@U123> & co", sources=(SOURCE,), notes=("<!here>",))
    shown = texts(render(card))
    assert "<!" not in shown
    assert "<@" not in shown
    assert "&lt;!channel&gt;" in shown


def test_the_steps_of_what_is_over_shrink_to_a_line_and_failed_ones_stay() -> None:
    steps = (Step("Searching", "done", 1.2), Step("Writing", "done", 39.8, "18 of 18"))
    card = Card(CardKind.PROGRESS, "Done", "> safety ADRB2", steps=steps, footer="Trace id: r1 · 41.0 s")
    for plain in (True, False):
        (block,) = render(card, plain=plain)[0].blocks
        assert block["elements"][0]["text"] == "Done · 2 steps · Trace id: r1 · 41.0 s"
        for kept in (
            replace(card, steps=(*steps, Step("Charts", "failed"))),
            replace(card, buttons=(Button("Stop", "stop", "r1"),)),
        ):
            assert "Searching" in str(render(kept, plain=plain)[0].blocks)


def test_steps_show_their_state_and_time() -> None:
    steps = (Step("Searching", "done", 1.25, "2 of 2"), Step("Reading", "running"), Step("Check", "failed"))
    shown = texts(render(Card(CardKind.PROGRESS, steps=steps), plain=True))
    assert "● Searching (2 of 2) · 1.2 s" in shown
    assert "◐ Reading" in shown
    assert "✕ Check" in shown


def test_a_long_quote_is_shortened_below_an_answer_and_whole_among_the_sources() -> None:
    source = Source(2, "Report", "", "long quote " * 100 + "END", "d", 0, 1)
    assert "`sources 2` shows it whole" in texts(render(Card(CardKind.ANSWER, sources=(source,))))
    assert "END" in texts(render(Card(CardKind.SOURCES, sources=(source,))))


def test_buttons_give_their_action_and_value_back() -> None:
    card = Card(CardKind.NOTICE, text="t", buttons=(Button("Stop", "stop", "r1", "danger"),))
    (button,) = render(card)[0].blocks[-1]["elements"]
    assert (button["action_id"], button["value"], button["style"]) == ("stop:0", "r1", "danger")


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("# Findings", "*Findings*"),
        ("**5 mg/kg** [1]", "*5 mg/kg* [1]"),
        ("- one\n- two", "• one\n• two"),
        ("> quoted <b>", "> quoted &lt;b&gt;"),
        ("> one\n>\n> two", "> one\n>\n> two"),
        ("[page](https://example.com/a?b&c)", "page (<https://example.com/a?b&amp;c>)"),
        ("[https://good.org](http://evil.org)", "https://good.org (<http://evil.org>)"),
        ("[a|<!here>](http://x|y<!here>)", "a|&lt;!here&gt; (<http://x%7Cy%3C!here%3E>)"),
        ("<https://example.com> https://example.com", "<https://example.com> https://example.com"),
        ("![plot](http://x.org/p.png)", "plot (<http://x.org/p.png>)"),
        ("[bad](javascript:alert)", "[bad](javascript:alert)"),
        ("[file](ftp://x.org)", "file (ftp://x.org)"),
        ("[a]\n\n[a]: http://x.org", "[a]\n\n[a]: http://x.org"),
        ("## A **bold** *heading*", "*A bold _heading_*"),
        ("~~out~~ __bold__ *it*", "~out~ *bold* _it_"),
        ("`a < b`\n```py\n<!here>\n```", "`a &lt; b`\n```\n&lt;!here&gt;\n```"),
        ("Two:\n- a\n  - b\n\n  c\n- d\n\nend", "Two:\n• a\n    • b\n\n    c\n• d\n\nend"),
        ("7. x\n8. y", "7. x\n8. y"),
        ("|a|b|\n|-|-|\n|1|<2|", "```\na  b\n-  --\n1  &lt;2\n```"),
        ("a\r\nb\n\n\nc", "a\nb\n\nc"),
        ("5 <LLOQ> &amp; \\<!here>", "5 &lt;LLOQ&gt; &amp; &lt;!here&gt;"),
        ("***", "———"),
        ("", ""),
        ("2 * 3 * 4 and a_b", "2 * 3 * 4 and a_b"),
    ],
)
def test_markdown(markdown: str, mrkdwn: str) -> None:
    assert from_markdown(markdown) == mrkdwn


PIECES = ["<!channel>", "<@U1>", "<#C1>", "<!", "<", ">", "|", "[", "](", ")", "http://e.org", "javascript:x"]
PIECES += ["`", "```", "\n", "\r", "> ", "- ", "1. ", "# ", "*", "**", "_", "~~", "&lt;", "&", "\\", "    "]
PIECES += ["![", "]: ", "|-|-|", "a", " ", "\t", "\x0b", "\u2028", "\x00"]


def test_a_notification_is_in_the_markup_of_slack() -> None:
    (message,) = render(Card(CardKind.ANSWER, title="Q & A", text="**5 mg** twice daily"))
    assert message.text == "Q &amp; A: *5 mg* twice daily"


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map("".join))
def test_no_text_mentions_anybody_or_hides_an_address(text: str) -> None:
    """All that Slack could take for a reference is the address of a page, under its own name."""
    shown = from_markdown(text)

    assert "<" not in re.sub(r"<https?://[^<>|\s]+>", "", shown, flags=re.IGNORECASE)
    assert not re.search(r"<[!@#]", texts(render(Card(CardKind.ANSWER, text=text))))


@pytest.mark.parametrize("deep", ["*" * 5_000 + "a" + "*" * 5_000, "> " * 3_000 + "a", "- " * 3_000 + "a"])
def test_deep_nesting_is_not_deeper_than_python_recurses(deep: str) -> None:
    assert from_markdown(deep)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("<@UBOT> What is the dose?", "What is the dose?"),
        ("<@UBOT|pestle>: why?", ": why?"),
        ("ask <@U1|ada> or <#C1|safety>", "ask @ada or #safety"),
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("see <https://x.org/a|here> <https://x.org/b>", "see here https://x.org/b"),
        ("<!channel> hi", "@channel hi"),
    ],
)
def test_what_was_typed_becomes_plain_text(typed: str, plain: str) -> None:
    assert to_plain(typed, "UBOT") == plain


def test_a_narrow_table_is_monospaced_and_a_wide_one_a_list() -> None:
    narrow = Table("", ("species", "dose"), (("rat", "5 <mg>"), ("monkey", "10")))
    assert from_table(narrow) == (
        "species  dose\n-------  ------\nrat      5 &lt;mg&gt;\nmonkey   10",
        True,
    )
    wide = Table("", ("organ", "finding", "dose"), (("liver", "x" * 90, ""),))
    assert from_table(wide) == ("*liver*\nfinding: " + "x" * 90, False)


def test_a_wide_table_reads_as_rows_with_their_citations() -> None:
    columns = ("endpoint", "with", "evidence", "findings")
    row = ("liver \ue0001\ue001", "inhibition", "weak", f"{'x' * 90} \ue0002\ue001\ue0003\ue001")
    text, monospaced = from_table(Table("", columns, (row,)))
    assert not monospaced
    assert text == f"*liver [1]*\nwith: inhibition · evidence: weak\nfindings: {'x' * 90} *[2][3]*"


def test_pieces_are_small_enough_and_keep_every_word() -> None:
    rng = random.Random(7)
    for _ in range(200):
        words = [escape(rng.choice("ab<&>") * rng.randint(1, 12)) for _ in range(60)]
        text = "".join(word + rng.choice([" ", "\n", "\n\n"]) for word in words)
        parts = list(pieces(text, 80))
        assert all(len(part) <= 80 for part in parts)
        assert "".join("".join(parts).split()) == "".join(text.split())


def test_a_text_is_cut_between_paragraphs_rather_than_within_one() -> None:
    assert list(pieces("aaa bbb\n\ncc dd ee", 14)) == ["aaa bbb", "cc dd ee"]


def test_a_text_without_spaces_is_cut_between_entities() -> None:
    parts = list(pieces("&amp;" * 100, 52))
    assert "".join(parts) == "&amp;" * 100
    assert all(len(part) % 5 == 0 for part in parts)


def test_only_the_citations_of_the_report_are_set_in_bold() -> None:
    text = f"As reported [1]: {cited('it was 5 mg.', (1, 2))} **{cited('Strong', (1,))}**"
    table = Table("Doses", ("Dose",), ((cited("5 mg [1]", (2,)),),))
    shown = str(render(Card(CardKind.ANSWER, text=text, parts=(table,))))
    assert "As reported [1]: it was 5 mg. *[1][2]* *Strong [1]*" in shown
    assert "5 mg [1] [2]" in shown
    assert OPENS not in shown


@pytest.mark.parametrize(
    ("who", "mention"),
    [("@U024BE7LH", "<@U024BE7LH>"), ("@S0614TZR7", "<!subteam^S0614TZR7>"), ("@ada <!channel>", "")],
)
def test_whom_a_request_is_for_is_mentioned_where_an_id_is_known(who: str, mention: str) -> None:
    (message,) = render(Card(CardKind.REQUEST, text="Which?", who=who))
    shown = json.dumps(list(message.blocks))
    assert (mention in shown) if mention else ("<@" not in shown and "<!" not in shown)
