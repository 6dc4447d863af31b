"""Cards on the terminal: nothing of a document's text is lost, followed or obeyed."""

import io

import pytest

from adapters.cli.render import card
from adapters.cli.runs import runs_table
from adapters.cli.screen import Screen
from agents.reports.marked import cited
from agents.runs.records import RunRecord, RunState
from bot.values import Card, CardKind, Source, Table, Text


def shown(text: str) -> str:
    console = Screen(file=io.StringIO(), width=100, force_terminal=True, no_color=True)
    console.print(card(Card(CardKind.ANSWER, text=text)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_what_looks_like_html_is_shown() -> None:
    """In papers "<LLOQ>" stands for a value below the limit of quantification."""
    assert "was <LLOQ> at day 2" in shown("was <LLOQ> at day 2")
    assert "<div>kept</div>" in shown("<div>kept</div>")


def test_a_link_shows_its_address_and_cannot_be_followed_under_another_name() -> None:
    seen = shown("[click here](http://evil.org)\n\n[a]: http://evil.org/b")

    assert "[click here](http://evil.org)" in seen
    assert "[a]: http://evil.org/b" in seen
    assert "\x1b]8;" not in seen  # the escape code of a hyperlink


def test_escape_codes_are_shown_and_not_obeyed() -> None:
    """A link of the terminal's own, and a cleared screen."""
    seen = shown("a \x1b]8;;http://evil.org\x1b\\click\x1b]8;;\x1b\\ **b** \x1b[2J \x9b2J")

    assert "a ␛]8;;http://evil.org␛" in seen
    assert "\x1b[1mb\x1b[0m" in seen  # Rich's own styles stay
    assert not any(code in seen for code in ("\x1b]", "\x1b[2J", "\x9b"))


def test_a_source_of_folded_passages_alone_is_not_listed() -> None:
    """Where nothing speaks of what is asked, nothing looks like a source of that."""
    absent = Card(
        CardKind.ANSWER,
        text="Nothing in 7 documents speaks of QT.",
        parts=(Text("Weight was stable.", folded=True),),
        sources=(Source(1, "Rat study", "page 3", "Weight was stable.", "RS-1", 0, 18),),
    )
    for more in (False, True):
        console = Screen(file=io.StringIO(), width=100)
        console.print(card(absent, more=more))
        assert ("Rat study" in console.file.getvalue()) is more  # type: ignore[attr-defined]


def test_rich_markup_is_text() -> None:
    assert "[red]not red[/red]" in shown("[red]not red[/red]")


@pytest.mark.parametrize("width", [24, 30, 40, 60, 80, 120])
def test_the_list_of_runs_shows_ids_and_states_whole_however_narrow_the_terminal(width: int) -> None:
    records = [
        RunRecord("5443773c34ff", "archive", "", "k", state=state, created="2026-11-22T05:53:00+00:00")
        for state in (RunState.DONE, RunState.WAITING, RunState.STOPPED)
    ]
    screen = Screen(width=width, file=io.StringIO())
    screen.print(runs_table(records, ["What was the highest dose of AF-2107 in volunteers?"] * 3, width))
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("5443773c34ff") == 3
    assert all(state in shown for state in ("done", "waiting", "stopped"))
    assert max(map(len, shown.splitlines())) <= width
    assert ("What was" in shown) == (width >= 40)


def test_only_the_citations_of_the_report_are_set_as_such() -> None:
    seen = shown(f"As reported [1]: {cited('it was 5 mg.', (1, 2))}")
    assert "As reported [1]: it was 5 mg. \x1b[1m[1][2]\x1b[0m" in seen


def test_a_table_of_many_short_columns_stays_a_table_and_a_wide_one_names_its_numbers() -> None:
    heads = ("Dose (mg/kg)", "Heart rate", "QTci (ms)", "QTci (%)", "Pressure")
    narrow = Table("T", heads, (("5", "+1", "+1", "+0.4", "0"), ("25", "+4", "+3", "+1.3", "-1")))
    wide = Table("T", heads, (("5", *["a long remark on it " * 2] * 4),))

    def lines(table: Table) -> list[str]:
        screen = Screen(width=80, file=io.StringIO())
        screen.print(card(Card(CardKind.ANSWER, parts=(table,))))
        return screen.file.getvalue().splitlines()  # type: ignore[attr-defined]

    assert any("25" in line and "+1.3" in line for line in lines(narrow))
    assert any("Dose (mg/kg): 5" in line for line in lines(wide))
