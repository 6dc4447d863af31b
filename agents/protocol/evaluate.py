"""Reports of articles against the articles themselves: steps tied to paragraphs, accessions found; and the
filter of articles against verdicts of people.

Accessions are counted a second time, by another way: the words of the raw file, by their beginnings.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import WrongFile
from agents.ports import LanguageModel
from agents.protocol.folder import read_files
from agents.protocol.judge import KEPT, Wanted, rated
from agents.protocol.literature import LocalLiterature, Paper
from agents.protocol.minds import ratings_of
from agents.protocol.reports import experiment_report, untied
from agents.protocol.understand import ordered

ACCESSION = re.compile(
    r"((?:GS[EM]|GDS|PRJ(?:NA|EB|DB))\d{2,}|(?:GPL|MTBLS|E-[A-Z]{4}-)\d+|[SED]R[APRSXZ]\d{5,}"
    r"|SAM(?:N|EA|D)\d{5,}|PXD\d{6,}|EGA[SDN]\d{11,}|(?:TCGA|TARGET)-[A-Z]{2,4}|GTEx)$|(TCGA)(?:-|$)"
    r"|(phs\d{6}.*)"
)
"""A word that is an accession; that of a sample of TCGA names the project."""


@dataclass(frozen=True, slots=True)
class ArticleFigures:
    """Steps of one article, those that are not tied to a paragraph, and accessions found and expected."""

    article: str
    steps: int
    untied: tuple[str, ...]
    found: tuple[str, ...]
    expected: tuple[str, ...]


def figures(articles: Sequence[ArticleFigures]) -> dict[str, float | None]:
    """Counts and shares over all articles: steps tied to a paragraph, and accessions that are right of
    those found and of those expected. A share of nothing is None.
    """
    steps = sum(one.steps for one in articles)
    right = sum(len({*one.found} & {*one.expected}) for one in articles)
    return {
        "articles with a report": sum(one.steps > 0 for one in articles),
        "steps": steps,
        "tied": part(steps - sum(len(one.untied) for one in articles), steps),
        "accessions precision": part(right, sum(len(one.found) for one in articles)),
        "accessions recall": part(right, sum(len(one.expected) for one in articles)),
    }


def part(count: int, whole: int) -> float | None:
    """A share in four digits; None of nothing."""
    return round(count / whole, 4) if whole else None


async def filtered(
    place: LocalLiterature, model: LanguageModel | None, verdicts: Mapping[str, Mapping[str, bool]]
) -> dict[str, float | None]:
    """How well articles are kept, by the model or by rules, against what readers of title and abstract found
    helpful: a verdict by article and objective (BioResearcher, section 5.3.2). Raises `WrongFile`.
    """
    await place.look()
    found: list[tuple[bool, bool]] = []
    for text, said in verdicts.items():
        if absent := said.keys() - place.held.keys():
            raise WrongFile(f"The folder has no article {', '.join(sorted(absent))}.")
        objective = ordered(text).objective
        given = [rated(place.held[name].article, Wanted(objective)) for name in said]
        made, _ = await ratings_of(model, objective, given)
        found += [(one.score >= KEPT, said[one.article.id]) for one in made]
    kept, helpful = (sum(some) for some in zip(*found, strict=True))
    right = sum(map(all, found))
    return {
        "articles": len(found),
        "helpful": helpful,
        "kept": kept,
        "accuracy": part(sum(one == other for one, other in found), len(found)),
        "precision": part(right, kept),
        "recall": part(right, helpful),
    }


def evaluate(folder: Path, most: int) -> list[ArticleFigures]:
    """Every article of a folder: accessions of all, reports of the first `most` that have methods."""
    made: list[ArticleFigures] = []
    reported = 0
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".xml", ".nxml")):
        for held in read_files([path]).held.values():
            paper = held.read()
            expected = counted(path.read_text("utf-8", "replace"))
            steps, wrong = _reported(paper) if reported < most and paper.article.full_text else (0, ())
            reported += bool(steps)
            if steps or expected or paper.accessions:
                made.append(
                    ArticleFigures(path.name, steps, wrong, paper.accessions, tuple(sorted(expected)))
                )
    return made


def _reported(paper: Paper) -> tuple[int, tuple[str, ...]]:
    report = experiment_report(paper, 1)
    return len(report.steps), untied(report, paper)


def counted(xml: str) -> frozenset[str]:
    """The accessions among the words of a raw file, tags aside."""
    words = re.split(r"[^\w.-]+", re.sub(r"<[^>]*>", " ", xml))
    found = filter(None, (ACCESSION.match(word.strip(".-_")) for word in words))
    return frozenset(one[one.lastindex or 0] for one in found)
