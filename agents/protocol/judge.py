"""How helpful articles, datasets and parts of reports are for an objective, by rules, with reasons.

Articles are rated from 1 to 5 by what titles and abstracts offer (BioResearcher, sections 3.2 and 5.3.2):

5  the subject in the title, by a method or to the end that is asked for, with methods that can be read
4  the subject, by a method or to the end that is asked for, or two subjects in the title
3  the subject in the title, or the method on another subject in a full text
2  the subject or the method is mentioned
1  neither; or it was retracted
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agents.protocol.boolean import words_of
from agents.protocol.queries import Concept, concepts_of
from agents.protocol.templates import any_word, families_of, templates
from agents.protocol.values import Article, Dataset, Objective, Rated, ReportPart

KEPT = 4
"""The least score of an article that is read."""
REFERABLE = 3
"""The least score of a part of a report that is shown to the designer."""
LEAST_SAMPLES = 6
OFFERED = "For programs to read its tables, name it in the conditions."
NO_STEPS = re.compile(
    r"review|editorial|comment|letter|book|biograph|news|guideline|historical|narrative", re.IGNORECASE
)
"""Types of articles that tell of no own experiments."""


@dataclass(frozen=True)
class Wanted:
    """What an objective is about, and by which methods and to which ends."""

    objective: Objective

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """All that it speaks of."""
        return concepts_of(self.objective.whole)

    @cached_property
    def subjects(self) -> tuple[Concept, ...]:
        """Its subjects, those of the objective itself first."""
        own = tuple(one for one in concepts_of(self.objective.text) if one.kind == "topic")
        return own or tuple(one for one in self.concepts if one.kind == "topic")

    @cached_property
    def means(self) -> tuple[Concept, ...]:
        """Methods and ends."""
        return tuple(one for one in self.concepts if one.kind in ("assay", "aim"))

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The assay families that it asks for and that programs can do."""
        return tuple(one for one in families_of(self.objective, ()) if templates()[one].task)

    def means_in(self, text: str) -> tuple[str, ...]:
        """The methods and ends that a text has, those of its assay families as well."""
        named = (templates()[one] for one in self.families)
        titles = (one.title for one in named if any_word(one.words).search(text))
        return self.in_text(self.means, text) or tuple(titles)

    @staticmethod
    def in_text(concepts: Iterable[Concept], text: str) -> tuple[str, ...]:
        """The first names of those concepts that a text has."""
        words = words_of(text)
        return tuple(
            one.names[0] for one in concepts if any(words.has(name, quoted=" " in name) for name in one.names)
        )


def rated(article: Article, wanted: Wanted, queries: tuple[int, ...] = ()) -> Rated:
    """An article with its score and the reasons."""
    text = f"{article.title}\n{article.abstract}"
    in_title = wanted.in_text(wanted.subjects, article.title)
    subjects = wanted.in_text(wanted.subjects, text)
    means = wanted.means_in(text)
    score = _score(article, in_title, subjects, means, len(wanted.subjects))
    return Rated(article, score, tuple(_reasons(article, in_title, subjects, means)), queries=queries)


def _score(
    article: Article, in_title: Sequence[str], subjects: Sequence[str], means: Sequence[str], asked: int
) -> int:
    if article.retracted or not (subjects or means):
        return 1
    own_work = not NO_STEPS.search(article.kind)
    if own_work and (len(in_title) > 1 or (subjects and means and 2 * len(subjects) >= asked)):
        return 5 if in_title and means and article.full_text else 4
    if in_title or (means and article.full_text and own_work and len(means) > 1):
        return 3
    return 2


def _reasons(
    article: Article, in_title: Sequence[str], subjects: Sequence[str], means: Sequence[str]
) -> Iterable[str]:
    if article.notice:
        yield article.notice
    if in_title:
        yield f"its title names {', '.join(in_title)}"
    elif subjects:
        yield f"its abstract names {', '.join(subjects)}"
    else:
        yield "it names no subject of the objective"
    yield f"it speaks of {', '.join(means[:3])}" if means else "it names no method or end that is asked for"
    if NO_STEPS.search(article.kind):
        yield f"as {article.kind.lower()} it tells no own steps"
    if not article.full_text:
        yield "its abstract alone is at hand"


def is_named(dataset: Dataset, objective: Objective) -> bool:
    """Whether an objective or its conditions name a dataset, or a file of it. A plain word as that of
    `tumor_counts.csv` names none.
    """
    files = (one.name for one in dataset.files)
    names = (dataset.accession, *(part for one in files for part in (one, one.partition(".")[0])))
    found = (re.escape(name) for name in names if not name.isalpha())
    return any(re.search(rf"(?<!\w){name}(?!\w)", objective.whole, re.IGNORECASE) for name in found)


def judged(dataset: Dataset, wanted: Wanted) -> Dataset:
    """A dataset with whether it is of use, and why if so. One that its description alone brings is a source
    that is offered, without its tables: neither groups nor tasks rest on them.
    """
    if is_named(dataset, wanted.objective):
        to_fetch = "" if dataset.files else "; its values are not at hand and have to be fetched first"
        return replace(dataset, usable=True, reason=f"The request names it{to_fetch}.")
    subjects = wanted.in_text(wanted.subjects, f"{dataset.title}\n{dataset.summary}\n{dataset.accession}")
    few = dataset.samples is not None and dataset.samples < LEAST_SAMPLES
    if not subjects or few or dataset.accession.startswith(("GSM", "GPL")):
        return replace(dataset, usable=False, reason="")
    to_fetch = f" {OFFERED}" if dataset.files else " Its values are not at hand and have to be fetched first."
    why = f"Its description names {', '.join(subjects)}, no more than that: it may not serve.{to_fetch}"
    return replace(dataset, usable=True, reason=why, files=())


def analysed(part: ReportPart, wanted: Wanted) -> ReportPart:
    """A part of a report with how well it can be followed, and why."""
    text = "\n".join((part.heading, *(one.text for one in part.steps)))
    subjects, means = wanted.in_text(wanted.subjects, text), wanted.means_in(text)
    detailed = sum(bool(re.search(r"\d", one.text)) for one in part.steps)
    score = 1 + 2 * bool(means) + bool(subjects) + (detailed > 0)
    why = [
        f"It speaks of {', '.join((*means, *subjects)[:3])}" if means or subjects else "It shares no method"
    ]
    why.append(f"{detailed} of its {len(part.steps)} steps give values")
    return replace(part, referable=score, reason=f"{'; '.join(why)}.")
