"""Outcomes by the words that people use: the own table of synonyms (`outcomes.toml`), spelling, acronyms."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from agents.vigilance.values import Outcome

TABLE = Path(__file__).with_name("outcomes.toml")
SPELLED = (("oedema", "edema"), ("aemi", "emi"), ("haem", "hem"), ("rrhoea", "rrhea"), ("leuco", "leuko"))
"""British spelling and its American counterpart; labels are American."""
NOT_ITS_NAME = re.compile(
    r"^(?:omop|hoi|risk of|the|a|an|any|developing|drug[- ]induced)\s+"
    r"|(?<!\btype)(?<!\bstage)(?<!\bgrade)(?<!\bclass)(?:\s+|\s*#\s*)\d+$",
    re.I,
)
"""What definitions of reference sets and questions put around an outcome's name."""
EVENTS = re.compile(r"\s+events?$")
HEADS = ("syndrome", "disease", "disorder")
HEAD = re.compile(rf"(?P<name>[^'’]+)(?:['’]s)? (?:{'|'.join(HEADS)})")
QUALIFIER = re.compile(r"^(?:acute|chronic|severe|serious|upper|non-fatal|fatal|new|primary)\s+")


@lru_cache(maxsize=1)
def known_outcomes() -> Mapping[str, Outcome]:
    """The table: every outcome under its name."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["outcome"]
    return {
        row["name"]: Outcome(row["name"], (row["name"], *row["terms"]), tuple(row["narrower"]))
        for row in rows
    }


def is_known(written: str) -> bool:
    """Whether the table knows an outcome under this name."""
    return _row(plain(written)) is not None


def outcome_of(written: str) -> Outcome:
    """The outcome that somebody wrote. One that the table does not know is looked for by its own words.

    A name of the table wins over a synonym, and that over the name without a qualifier ("acute"): "stroke"
    is the outcome of that name although other outcomes list it.
    """
    bare = plain(written)
    if (found := _row(bare)) is not None:
        return Outcome(found.name, found.terms, found.narrower, written.strip())
    general = QUALIFIER.sub("", bare)
    terms = dict.fromkeys((bare, EVENTS.sub("", bare), general, *_other_heads(general)))
    return Outcome(bare, tuple(terms), (), written.strip())


def _other_heads(bare: str) -> Iterator[str]:
    """The same illness as others call it: "tourette's disorder" for "tourette syndrome"."""
    if found := HEAD.fullmatch(bare):
        for head in HEADS:
            yield f"{found['name']} {head}"
            yield f"{found['name']}'s {head}"


def plain(written: str) -> str:
    """An outcome's name as labels spell it, in small letters, without numbers of a definition."""
    text = " ".join(written.split()).strip(" .?!\"'").casefold()
    while (shorter := NOT_ITS_NAME.sub("", text).strip()) != text and shorter:
        text = shorter
    for british, american in SPELLED:
        text = text.replace(british, american)
    return text


def singular(term: str) -> str:
    """A term with its last word in the singular ("hip fractures", "hip fracture")."""
    if term.endswith("ies"):
        return f"{term[:-3]}y"
    return term[:-1] if term.endswith("s") and not term.endswith(("ss", "is", "us")) else term


def _row(bare: str) -> Outcome | None:
    """The row of the table for a name in `plain` form."""
    short = EVENTS.sub("", bare)
    names = (bare, singular(bare), short, singular(short), QUALIFIER.sub("", short))
    return next((found for name in names if (found := _index().get(name))), None)


@lru_cache(maxsize=1)
def _index() -> Mapping[str, Outcome]:
    """Outcomes by name and by synonym; names win."""
    found = dict(known_outcomes())
    for one in known_outcomes().values():
        for term in one.terms:
            found.setdefault(plain(term), one)
            found.setdefault(singular(plain(term)), one)
    return found
