"""Five Boolean queries from an objective: what it is about, with synonyms (BioResearcher, section 3.2)."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agents.protocol.boolean import parsed
from agents.protocol.values import Objective, Query
from agents.protocol.whose import ASKER

QUERIES = 5
NAMES = 4
"""Names of a concept in a query, at most."""
SUBJECTS = 2
"""Subjects that a query must have, at most: a disease or organism first, then a treatment."""
_WORD = re.compile(r"[^\W_][\w'/+-]*")
_RUN = re.compile(r"[^\W_](?:[^,;:.()\n]*[\w'/+-])?")
FILE = re.compile(r"\b[\w-]+\.(?:csv|tsv|txt|gz|soft|arff|h5ad|xlsx?)(?:\.gz)?\b|\b(?:GSE|GDS|GSM|GPL)\d+\b")
"""Names of files and accessions, which are no subjects."""


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that an objective speaks of: the part of `synonyms.toml` that has it, and its names."""

    kind: str
    names: tuple[str, ...]

    @property
    def group(self) -> str:
        """Its names as a part of a query."""
        quoted = [f'"{name}"' if re.search(r"[\s-]", name) else name for name in self.names[:NAMES]]
        return quoted[0] if len(quoted) == 1 else f"({' OR '.join(quoted)})"


@cache
def _lists() -> dict[str, list[str] | str]:
    text = files("agents.protocol").joinpath("synonyms.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def known_concepts() -> tuple[Concept, ...]:
    """All concepts of `synonyms.toml`."""
    return tuple(
        Concept(kind, tuple(name.strip() for name in line.split("|")))
        for kind, lines in _lists().items()
        if isinstance(lines, list)
        for line in lines
    )


@cache
def _named(kind: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(str(_lists()[kind]).split())})(?!\w)", re.IGNORECASE)


def _place(concept: Concept) -> int:
    """The place of a subject in a query."""
    names = " | ".join(concept.names)
    return next((at for at, kind in enumerate(("disease", "treatment")) if _named(kind).search(names)), 2)


def concepts_of(text: str) -> tuple[Concept, ...]:
    """What a text speaks of, in its order: known concepts, and subjects in its own words.

    A concept's first name is that of the text, so that it leads the query.
    """
    text = FILE.sub(lambda match: " " * len(match[0]), text)
    found: list[tuple[int, int, Concept]] = []
    for concept in known_concepts():
        for name in sorted(concept.names, key=len, reverse=True):
            if match := re.search(rf"(?<!\w){re.escape(name)}(?:s|es)?(?!\w)", text, re.IGNORECASE):
                named = (name, *(other for other in concept.names if other != name))
                found.append((match.start(), match.end(), Concept(concept.kind, named)))
                break
    found = [one for one in found if not any(_inside(one, other) for other in found)]
    taken = [(start, end) for start, end, _ in found]
    found += [(at, at + len(words), Concept("topic", (words,))) for at, words in _subjects(text, taken)]
    return tuple(concept for _, _, concept in sorted(found, key=lambda one: one[0]))


def _inside(one: tuple[int, int, Concept], other: tuple[int, int, Concept]) -> bool:
    """Whether a name stands within a longer one ("myeloma" in "multiple myeloma")."""
    longer = other[1] - other[0] > one[1] - one[0]
    return longer and other[0] <= one[0] and one[1] <= other[1]


def _subjects(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """Runs of words that no concept has and that mean something."""

    def kept(word: re.Match[str]) -> str:
        free = not any(start < word.end() and word.start() < end for start, end in taken)
        means = free and len(word[0]) > 2 and not _named("skip").fullmatch(word[0])
        return word[0] if means else ";" * len(word[0])

    for run in _RUN.finditer(_WORD.sub(kept, text)):
        yield run.start(), run[0]


def make_queries(objective: Objective) -> tuple[Query, ...]:
    """Five queries, from the narrowest to the widest."""
    own = concepts_of(objective.text)
    beside = concepts_of("\n".join((*objective.conditions, *objective.requirements)))
    topics = [one.group for one in sorted(own, key=_place) if one.kind == "topic"]
    asked = _groups("aim", own, beside)
    aims = asked or [_concept("aim", "biomarker")]
    assays = _groups("assay", own, beside)
    assays = assays or asked or [_concept("assay", "gene expression")]
    models = _groups("model", beside, own) or [_concept("model", "patients")]
    data = " OR ".join(one.group.strip("()") for one in known_concepts() if one.kind == "data")
    subject = topics[:SUBJECTS] or aims[:1]
    wanted = [
        ((*subject, assays[0]), "the subject by the method"),
        ((*subject, aims[0]), "the subject by what is asked"),
        ((*subject,), "the subject as a whole"),
        ((*subject, f"({data})"), "public datasets on the subject"),
        ((subject[0],), "anything on the first subject"),
        ((*subject, models[0]), "the same on this material"),
        ((*subject, aims[0], models[0]), "what is asked, on this material"),
        ((assays[0],), "the method"),
    ]
    made: dict[str, Query] = {}
    for parts, aim in wanted:
        text = " AND ".join(dict.fromkeys(parts))
        made.setdefault(text, Query(text, aim))
    return tuple(made.values())[:QUERIES]


def _groups(kind: str, *concepts: tuple[Concept, ...]) -> list[str]:
    return list(dict.fromkeys(one.group for some in concepts for one in some if one.kind == kind))


def _concept(kind: str, name: str) -> str:
    return next(one.group for one in known_concepts() if one.kind == kind and one.names[0] == name)


def own_queries(texts: tuple[str, ...]) -> tuple[Query, ...]:
    """Queries that a person wrote. Raises `WrongOrder` for one that cannot be read."""
    for text in texts:
        parsed(text)
    return tuple(Query(text, "as written", ASKER) for text in texts)
