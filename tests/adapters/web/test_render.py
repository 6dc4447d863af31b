"""Cards as HTML: complete, linked, and safe whatever a document or a model wrote."""

import re

from bs4 import BeautifulSoup

from adapters.web.board import Post
from adapters.web.canonical import canonical_html
from adapters.web.render import environment, post_html
from agents.reports.marked import cited, marks
from bot.commands import EXPORT_FORMATS
from bot.values import Button, Card, CardKind, Source, Step, Table

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) "quoted"'


def shown(card: Card) -> BeautifulSoup:
    return BeautifulSoup(post_html(environment(), Post("answer-r1", card)), "lxml")


def test_citation_marks_open_their_passages() -> None:
    source = Source(1, "First study", "page 3", "received 25 µg", "ZX/CL 1", 10, 24, 3)

    page = shown(
        Card(
            CardKind.ANSWER,
            text=f"It was **25 µg** {marks((1,))}, not {marks((7,))}, see [1].",
            sources=(source,),
        )
    )

    links = page.select("a.cite")
    assert [link["href"] for link in links] == ["/documents/ZX%2FCL%201?start=10&end=24"]
    assert links[0]["aria-label"] == "Source 1: First study"
    assert page.text.count("[1]") == 2
    assert "not [7], see [1]." in page.text
    assert page.select_one("strong").text == "25 µg"  # type: ignore[union-attr]


def test_a_unit_keeps_its_asterisk_a_note_its_code_and_an_error_shows_no_id() -> None:
    unit = "4,340 ng*h/mL — Dog, AUC0-24 (ng*h/mL), **bold** and *slanted*"
    page = shown(Card(CardKind.ERROR, text=unit, notes=("Write `help`.",), footer="Trace id: e-1"))
    assert "4,340 ng*h/mL — Dog, AUC0-24 (ng*h/mL), bold and slanted" in page.text
    assert [one.text for one in page.select("em, strong")] == ["bold", "slanted"]
    assert [one.text for one in page.select(".aside code")] == ["help"]
    assert "e-1" not in page.text


def test_nothing_from_outside_becomes_markup() -> None:
    card = Card(
        CardKind.ANSWER,
        title=HOSTILE,
        text=HOSTILE,
        steps=(Step(HOSTILE, "done", 1.0, HOSTILE),),
        parts=(Table(HOSTILE, (HOSTILE,), ((HOSTILE,),)),),
        sources=(Source(1, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0, 1),),
        not_found=(HOSTILE,),
        notes=(HOSTILE,),
        buttons=(Button(HOSTILE, HOSTILE, HOSTILE, HOSTILE),),
        footer=HOSTILE,
        run_id="r1",
    )

    page = shown(card)

    assert not page.select("script, img, [onerror]")
    assert all(str(link["href"]).startswith("/") for link in page.select("a"))
    assert page.text.count("<script>alert(1)</script>") >= 9


def test_a_link_of_a_document_stays_text_with_its_address() -> None:
    text = "[click here](http://evil.org) <http://evil.org>\n\n[a]: http://evil.org"

    page = shown(Card(CardKind.ANSWER, text=text))

    assert not page.select("a[href*=evil]")
    assert "[click here](http://evil.org) <http://evil.org>" in page.text
    assert "[a]: http://evil.org" in page.text


def test_every_part_of_a_card_is_shown() -> None:
    card = Card(
        CardKind.ANSWER,
        title="Answer",
        steps=(Step("Searching", "done", 1.25), Step("Reading", "running")),
        parts=(Table("Doses", ("Dose", "Subjects", "On"), ((cited("25 µg", (1,)), "6 [1]", "2006-11-20"),)),),
        sources=(Source(1, "First study", "page 3", "a\nverbatim quote", "D", 0, 4),),
        not_found=("no margin",),
        notes=("weaker check of First study [1]",),
        buttons=(Button("Stop", "stop", "r1"),),
        footer="Trace id: r1",
        run_id="r1",
    )

    page = shown(card)

    assert [cell.text for cell in page.select("th, td")] == [
        *("Dose", "Subjects", "On"),
        *("25 µg [1]", "6 [1]", "2006-11-20"),
    ]
    assert [cell.text for cell in page.select("td.whole")] == ["2006-11-20"], "a date stays on its line"
    assert len(page.select("td a.cite")) == len(page.select(".aside a.cite")) == 1
    assert [step["class"] for step in page.select(".steps li")] == [["done"], ["running"]]
    assert page.select_one("blockquote").text == "a\nverbatim quote"  # type: ignore[union-attr]
    for part in ("1.2 s", "no margin", "weaker check"):
        assert part in page.text
    assert page.select_one("button[data-action=stop]")["data-value"] == "r1"  # type: ignore[index]
    assert {link["href"] for link in page.select("a[download]")} == {
        f"/runs/r1/export.{form}" for form in EXPORT_FORMATS
    }


def test_the_progress_of_a_finished_run_is_one_line_that_opens() -> None:
    steps = (Step("Searching", "done", 1.25), Step("Reading", "done", 0.5))
    card = Card(
        CardKind.PROGRESS,
        title="Done",
        text="> How much?",
        steps=steps,
        footer="Trace id: r1 · 1.8 s",
        run_id="r1",
    )

    page = shown(card)

    (line,) = page.select("article.rest > details > summary")
    assert line.text == "Done · 2 steps · 1.8 s"
    assert page.select_one("details[open]") is None
    assert page.select_one("article > a[href='/runs/r1']").text == "Trace"  # type: ignore[union-attr]
    assert "How much?" not in page.text


def test_headings_of_a_document_skip_no_level() -> None:
    text = "### Methods\n\nText.\n\n##### Dogs\n\nText.\n\n# Results\n"
    html = canonical_html(text, 0, len(text), 0, 0)
    assert re.findall("<(h.)>", html) == ["h3", "h4", "h3"]
