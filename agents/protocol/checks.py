"""What a look at a protocol finds: conditions and requirements that no step meets, sample sizes, hazards."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from agents.protocol.contrast import contrast_of
from agents.protocol.design import COMPARING
from agents.protocol.power import (
    counts_per_group,
    effect_found,
    events_needed,
    fold_found,
    means_per_group,
)
from agents.protocol.templates import any_word, templates
from agents.protocol.values import Check, Dataset, DryTask, Objective, Protocol
from agents.text.words import content_words

MET = 0.75
"""The share of a requirement's words that steps must have."""
LEVEL, STRICT = 0.05, 0.001
"""Two-sided levels: of one test, and where thousands are done."""
VARIATION, VARIATION_OF_LINES, DEPTH, FOLD = 0.4, 0.1, 20.0, 2.0
"""Biological coefficients of variation of people, and of cell lines and inbred animals (edgeR's user guide,
section 2.12); reads of the gene; change.
"""
EFFECT = 1.0
RATIO, SHARE = 1.5, 0.5
ASSUMED = {
    "fold": f"{FOLD:g}",
    "depth": f"{DEPTH:g}",
    "effect": f"{EFFECT:g}",
    "ratio": f"{RATIO:g}",
    "level": f"{LEVEL:g}",
    "strict": f"{STRICT:g}",
}
"""What sample sizes assume, as it is told."""
_SAMPLES = re.compile(
    r"\b(\d{1,5})\s+(?:[\w-]+\s+){0,2}(?:samples|patients|cases|subjects|animals|mice|rats|goats|donors|arrays|tumou?rs)\b",
    re.IGNORECASE,
)
_BUDGET = re.compile(r"budget|€|\$|EUR|USD|funding", re.IGNORECASE)
_ASKS = re.compile(r"^(?:must|should|include|with|use|a|an|the|report|give|at least)\s+", re.IGNORECASE)


def checked(objective: Objective, protocol: Protocol, datasets: Sequence[Dataset]) -> tuple[Check, ...]:
    """All checks of a protocol."""
    steps = "\n".join(step.text for part in protocol.parts for step in part.steps)
    return (
        *_conditions(objective, protocol, steps, datasets),
        *sample_sizes(objective, protocol.families, datasets),
        *hazards("\n".join((objective.whole, steps, *(one.organism for one in datasets if one.usable)))),
    )


def _conditions(
    objective: Objective, protocol: Protocol, steps: str, datasets: Sequence[Dataset]
) -> Iterator[Check]:
    for task in protocol.tasks:
        yield _of_task(task)
    if {*COMPARING} & {*protocol.families} and contrast_of(objective, datasets) is None:
        yield Check("condition", "The request does not name the two groups that are compared.")
    said = content_words(steps)
    for one in objective.conditions:
        if _BUDGET.search(one):
            yield Check(
                "condition",
                f"Budget: “{one}”. The protocol holds no prices; have it costed before it begins.",
            )
    for one in objective.requirements:
        words = content_words(_ASKS.sub("", one))
        if words and len(words & said) < MET * len(words):
            yield Check("condition", f"No step speaks of the requirement “{one}”.", "missing")


def _of_task(task: DryTask) -> Check:
    title = templates()[task.assay_family].title
    if task.why_not:
        return Check("condition", f"{title}: {task.why_not}", "missing")
    name = task.dataset.accession if task.dataset else "the results of the task before it"
    return Check("condition", f"{title}: {name} has what it reads.", "ok")


def sample_sizes(
    objective: Objective, families: Sequence[str], datasets: Sequence[Dataset]
) -> Iterator[Check]:
    """The samples that each family needs where groups are compared, and what those at hand can find."""
    told = _file()
    for name in families:
        if name not in told["sizes"]:
            continue
        title = templates()[name].title
        variation = variation_in(objective)
        text = told["sizes"][name].format(need=_need(name, variation), variation=f"{variation:g}", **ASSUMED)
        yield Check("power", f"{title}: {text}")
        for what, samples in _counted(objective, datasets, name):
            each = samples // 2
            text = told["found"][name].format(
                accession=what, samples=samples, each=each, least=f"{_least(name, each, variation):.1f}"
            )
            yield Check("power", f"{title}: {text}")


def _counted(objective: Objective, datasets: Sequence[Dataset], family: str) -> Iterator[tuple[str, int]]:
    """Samples of the datasets that a family reads, else those that the conditions name."""
    kinds = _OF.get(family, ())
    fit = [one for one in datasets if one.usable and any(file.kind in kinds for file in one.files)]
    named = [("The team", int(found[1])) for one in objective.conditions if (found := _SAMPLES.search(one))]
    for what, samples in [(one.accession, one.samples or 0) for one in fit] or named:
        if kinds and samples > 3:
            yield what, samples


_OF = {"bulk_rnaseq": ("counts",), "microarray": ("expression",), "infiltration": ("expression", "counts")}
"""Tables whose columns are the samples of a family."""


def variation_in(objective: Objective) -> float:
    """The biological coefficient of variation to plan with: that of cell lines where only these are named."""
    cells = any_word(templates()["culture"].words).search(objective.whole)
    others = any_word(_file()["varied"]).search(objective.whole)
    return VARIATION_OF_LINES if cells and not others else VARIATION


def _need(family: str, variation: float) -> int:
    """Samples in each group, or events; 0 where a convention stands in place of a formula."""
    if family == "bulk_rnaseq":
        return counts_per_group(FOLD, variation, DEPTH, STRICT)
    if family == "survival":
        return events_needed(RATIO, SHARE, LEVEL)
    levels = {"microarray": STRICT, "infiltration": LEVEL}
    return means_per_group(EFFECT, levels[family]) if family in levels else 0


def _least(family: str, each: int, variation: float) -> float:
    """The smallest change that groups of this size find."""
    if family == "bulk_rnaseq":
        return fold_found(each, variation, DEPTH, STRICT)
    return effect_found(each, STRICT if family == "microarray" else LEVEL)


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("agents.protocol").joinpath("checks.toml").read_text(encoding="utf-8"))


@cache
def _hazards() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((one["title"], any_word(one["words"]), one["text"]) for one in _file()["hazards"])


def hazards(text: str) -> tuple[Check, ...]:
    """What is dangerous or needs a permission, by words of objective and steps, with the word that told."""
    found = []
    for title, pattern, told in _hazards():
        if match := pattern.search(text):
            found.append(Check("hazard", f"{title} (“{match[0]}”): {told}"))
    return tuple(found)
