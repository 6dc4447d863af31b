"""Outcomes by the words that people use: the own table of synonyms (`outcomes.toml`), spelling, acronyms."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from agents.databases.spelling import american
from agents.vigilance.values import Outcome

TABLE = Path(__file__).with_name("outcomes.toml")
NOT_ITS_NAME = re.compile(
    r"^(?:(?:omop|hoi|risk of|the|a|an|any|developing|drug[- ]induced)\s+)+"
    r"|(?<!\btype)(?<!\bstage)(?<!\bgrade)(?<!\bclass)(?:\s+|\s*#\s*)\d+$",
    re.I,
)
"""What definitions of reference sets and questions put around an outcome's name."""
EVENTS = re.compile(r"\s+events?$")
HEADS = ("syndrome", "disease", "disorder")
HEAD = re.compile(rf"(?P<name>[^'’]+)(?:['’]s)? (?:{'|'.join(HEADS)})")
AFTER = re.compile(r"\s+(?:after|following|post|in patients with|in people with)\s+")
BEFORE_IT = re.compile(r"^post[- ](?P<illness>.+)[- ](?P<outcome>\S+)$")
"""Two ways to name an outcome of patients with an illness: "death after a stroke", "post-MI mortality"."""
CLOSE = 80.0
"""How alike a name must be to be offered (0 to 100)."""
MOST_WRONG, RIGHT = 3, 5
"""So many letters may be wrong at most, and one for so many that there are."""
CHOICES = 4
MEASURES = re.compile(r"^(hypo|hyper|brady|tachy|oligo|poly|pan|leuko|thrombocyt)")
"""Beginnings by which names that are spelt alike mean different things."""
QUALIFIER = re.compile(r"^(?:acute|chronic|severe|serious|upper|non-fatal|fatal|new|primary)\s+")


@lru_cache(maxsize=1)
def known_outcomes() -> Mapping[str, Outcome]:
    """The table: every outcome under its name."""
    return {
        row["name"]: Outcome(row["name"], (row["name"], *row["terms"]), tuple(row["narrower"]))
        for row in _rows()
    }


@lru_cache(maxsize=1)
def _rows() -> Sequence[Mapping[str, Any]]:
    return tuple(tomllib.loads(TABLE.read_text(encoding="utf-8"))["outcome"])


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


def near_outcomes(written: str) -> tuple[str, ...]:
    """Names of the table that are spelt nearly like this one, the nearest first; none for a known one.

    "hypercalcemia" is not near "hypocalcemia": what begins with another measure means something else.
    """
    bare, offered = plain(written), _offered()
    if _row(bare) is not None or bare in offered or singular(bare) in offered:
        return ()
    alike = process.extract(bare, list(offered), scorer=fuzz.ratio, score_cutoff=CLOSE, limit=None)
    wrong = min(MOST_WRONG, max(1, len(bare) // RIGHT))
    near = [
        offered[term]
        for term, _, _ in alike
        if DamerauLevenshtein.distance(bare, term) <= wrong and not _opposite(bare, term)
    ]
    return tuple(dict.fromkeys(near))[:CHOICES]


@lru_cache(maxsize=1)
def _offered() -> Mapping[str, str]:
    """What is offered for each way to write it: outcomes by name, forms and signs of them by their own."""
    signs = {plain(term): term for one in known_outcomes().values() for term in one.narrower}
    return signs | {term: one.name for term, one in _index().items()}


def _opposite(name: str, other: str) -> bool:
    """Whether names that are spelt alike begin with different measures."""
    one, two = MEASURES.match(name), MEASURES.match(other)
    return one is not None and two is not None and one[1] != two[1]


def _other_heads(bare: str) -> Iterator[str]:
    """The same illness as others call it: "tourette's disorder" for "tourette syndrome"."""
    if found := HEAD.fullmatch(bare):
        for head in HEADS:
            yield f"{found['name']} {head}"
            yield f"{found['name']}'s {head}"


def plain(written: str) -> str:
    """An outcome's name as labels spell it, in small letters, without numbers of a definition."""
    text = " ".join(written.replace("_", " ").split()).strip(" .?!\"'").casefold()
    while (shorter := NOT_ITS_NAME.sub("", text).strip()) != text and shorter:
        text = shorter
    return american(text)


def singular(term: str) -> str:
    """A term with its last word in the singular ("hip fractures", "hip fracture")."""
    if term.endswith("ies"):
        return f"{term[:-3]}y"
    return term[:-1] if term.endswith("s") and not term.endswith(("ss", "is", "us")) else term


def _row(bare: str) -> Outcome | None:
    """The row of the table for a name in `plain` form, alone or put together."""
    return _alone(bare) or _index().get(_composed(bare))


def _alone(bare: str) -> Outcome | None:
    """The row of the table for one name."""
    short = EVENTS.sub("", bare)
    names = (bare, singular(bare), short, singular(short), QUALIFIER.sub("", short))
    return next((found for name in names if (found := _index().get(name))), None)


def _composed(bare: str) -> str:
    """An outcome after an illness, both by their names in the table: "death after myocardial infarction" for
    "deaths following a heart attack"; "" for a name of another form.
    """
    inverted = BEFORE_IT.match(bare)
    parts = [inverted["outcome"], inverted["illness"]] if inverted else AFTER.split(bare)
    if len(parts) != 2:
        return ""
    rows = [(part, _alone(part)) for part in map(plain, parts)]
    return " after ".join(row.name if row else part for part, row in rows)


@lru_cache(maxsize=1)
def _index() -> Mapping[str, Outcome]:
    """Outcomes by name, by synonym and by what people call them; names win."""
    found = dict(known_outcomes())
    for one in known_outcomes().values():
        for term in one.terms:
            found.setdefault(plain(term), one)
            found.setdefault(singular(plain(term)), one)
    for row in _rows():
        for word in row.get("words", ()):
            found.setdefault(plain(word), known_outcomes()[row["name"]])
    return found
