"""Reports of articles against the articles themselves: steps tied to paragraphs, accessions found.

Accessions are counted a second time, by another way: the words of the raw file, by their beginnings.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.protocol.folder import read_files
from agents.protocol.literature import Paper
from agents.protocol.reports import experiment_report, untied

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
    title: str
    steps: int
    untied: tuple[str, ...]
    found: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """Accessions of the file that were not found."""
        return tuple(one for one in self.expected if one not in self.found)

    @property
    def extra(self) -> tuple[str, ...]:
        """Accessions that were found and are not expected."""
        return tuple(one for one in self.found if one not in self.expected)


@dataclass(frozen=True, slots=True)
class Figures:
    """All articles that were read; `reported` are those of which reports were made."""

    articles: tuple[ArticleFigures, ...]
    reported: int

    @property
    def steps(self) -> int:
        """Steps of all reports."""
        return sum(one.steps for one in self.articles)

    @property
    def tied(self) -> float | None:
        """The share of steps that are tied to a paragraph; None without steps."""
        return 1 - sum(len(one.untied) for one in self.articles) / self.steps if self.steps else None

    @property
    def precision(self) -> float | None:
        """Of the accessions that were found, the share that is expected; None if none was."""
        return _share([(len(one.found) - len(one.extra), len(one.found)) for one in self.articles])

    @property
    def recall(self) -> float | None:
        """Of the accessions that are expected, the share that was found; None if none is."""
        return _share([(len(one.expected) - len(one.missed), len(one.expected)) for one in self.articles])


def _share(pairs: Sequence[tuple[int, int]]) -> float | None:
    whole = sum(whole for _, whole in pairs)
    return sum(part for part, _ in pairs) / whole if whole else None


def evaluate(folder: Path, most: int) -> Figures:
    """Every article of a folder: accessions of all, reports of the first `most` that have methods."""
    figures: list[ArticleFigures] = []
    reported = 0
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".xml", ".nxml")):
        for held in read_files([path]).held.values():
            paper = held.read()
            expected = counted(path.read_text("utf-8", "replace"))
            steps, wrong = _reported(paper) if reported < most and paper.article.full_text else (0, ())
            reported += bool(steps)
            if steps or expected or paper.accessions:
                one = ArticleFigures(
                    path.name, paper.article.title, steps, wrong, paper.accessions, tuple(sorted(expected))
                )
                figures.append(one)
    return Figures(tuple(figures), reported)


def _reported(paper: Paper) -> tuple[int, tuple[str, ...]]:
    report = experiment_report(paper, 1)
    return len(report.steps), untied(report, paper)


def counted(xml: str) -> frozenset[str]:
    """The accessions among the words of a raw file, tags aside."""
    words = re.split(r"[^\w.-]+", re.sub(r"<[^>]*>", " ", xml))
    found = filter(None, (ACCESSION.match(word.strip(".-_")) for word in words))
    return frozenset(one[one.lastindex or 0] for one in found)
