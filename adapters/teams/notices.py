"""`/privacy` and `/terms`: what the app package points to, in plain words, on the bot's own port.

A company that has pages of its own sets their addresses; then these lead there.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

PRIVACY, TERMS = "/privacy", "/terms"
HEADERS = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
"""A page of words: it may load and do nothing."""

Section = tuple[str, Sequence[str]]
"""A heading and its paragraphs."""

TERMS_OF_USE: Sequence[Section] = (
    (
        "What it is",
        (
            "Pestle finds passages in documents and databases and writes answers and reports from them. "
            "It is a tool for professionals of drug discovery and development. It is no medical device, "
            "gives no medical advice and replaces nobody's judgement.",
        ),
    ),
    (
        "What you may rely on",
        (
            "A citation opens the passage that it names, word for word. Answers can still be wrong or "
            "incomplete, and so can the documents: read the passages before you decide anything.",
        ),
    ),
    (
        "What you agree to",
        (
            "To ask only where you may share what you write: everybody in a channel or chat reads what is "
            "said there. What you write is stored as the page on privacy says.",
        ),
    ),
    (
        "The software",
        (
            "Pestle is free software under the Apache License 2.0: it comes as it is, without warranty. "
            "For its use here the rules of the company that runs it hold.",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Practice:
    """What is done here with what people write. `model` is set where a language model reads it, `live` where
    public databases are asked over the internet; shown cards are kept for `card_days` days.
    """

    model: bool
    live: bool
    card_days: int


def notice_routes(practice: Practice, *, privacy_url: str = "", terms_url: str = "") -> list[BaseRoute]:
    """The two pages; with an address in place of one, a way there."""
    pages = ((PRIVACY, privacy_url, _privacy(practice)), (TERMS, terms_url, TERMS_OF_USE))
    return [_route(path, elsewhere, sections) for path, elsewhere, sections in pages]


def _route(path: str, elsewhere: str, sections: Sequence[Section]) -> BaseRoute:
    title = f"Pestle: {path.strip('/')}"

    async def page(request: Request) -> Response:
        if elsewhere:
            return RedirectResponse(elsewhere, 302)
        return HTMLResponse(_html(title, sections), headers=HEADERS)

    return Route(path, page)


def _html(title: str, sections: Sequence[Section]) -> str:
    told = "".join(
        f"<h2>{html.escape(heading)}</h2>" + "".join(f"<p>{html.escape(one)}</p>" for one in paragraphs)
        for heading, paragraphs in sections
    )
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
    return f"{head}<h1>{html.escape(title)}</h1>{told}</html>"


def _privacy(practice: Practice) -> list[Section]:
    return [
        (
            "Who runs it",
            (
                "This Pestle is run by the company that added it to Teams, on that company's machines or on "
                "those it rents. The makers of the software receive nothing of what is written to it.",
            ),
        ),
        (
            "What is stored",
            (
                "What you ask Pestle and the answers; the steps between, with the passages they rest on; "
                "what you decide, correct, judge and sign; files that you let it read, as text. A file that "
                "you add to the archive stays there until somebody takes it out. With each: your directory "
                "id, and when it was. Your address and picture are not stored, your name only where somebody "
                "writes it, or mentions you as responsible.",
                "Of a conversation: its id and where Teams is reached for it, what the channel wants of its "
                "reports, its digests. Messages that are not meant for Pestle are not stored.",
            ),
        ),
        (
            "Where",
            (
                "In the database and the folder that the company chose. Messages also stay in Teams, as all "
                "messages do, under the company's own rules for Teams.",
                _reads_along(practice),
            ),
        ),
        (
            "For how long",
            (
                "Runs, with their questions, answers and who acted, are an audit trail: they are kept until "
                f"somebody deletes them from the database. Copies of shown messages go after "
                f"{practice.card_days} days.",
            ),
        ),
        (
            "How to have it deleted",
            (
                "Ask who runs Pestle in your company; whoever added the app to Teams knows them. They find "
                "what is yours by your directory id, and delete it from the database: Pestle has no command "
                "for it. You yourself can delete a question in Teams, which stops the work on it, take a "
                "judgement or an emoji back, and delete a digest or a wish of your channel.",
            ),
        ),
    ]


def _reads_along(practice: Practice) -> str:
    """Who else learns what is written."""
    model = (
        "Questions and passages are sent to the language model that the company chose."
        if practice.model
        else "No language model is set: questions and passages are sent to none."
    )
    live = (
        "Names from your questions, such as those of genes and medicines, are looked up in public databases "
        "over the internet."
        if practice.live
        else "Public databases are not asked over the internet."
    )
    return f"{model} {live}"
