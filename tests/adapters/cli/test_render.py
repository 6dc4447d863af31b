"""Cards on the terminal: nothing of a document's text is lost, followed or obeyed."""

import io

from rich.console import Console

from adapters.cli.render import card
from bot.values import Card, CardKind


def shown(text: str) -> str:
    console = Console(file=io.StringIO(), width=100, force_terminal=True, no_color=True)
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


def test_rich_markup_is_text() -> None:
    assert "[red]not red[/red]" in shown("[red]not red[/red]")
