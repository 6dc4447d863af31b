"""The five measures of a protocol, 0 to 1 each (BioResearcher, section 4.1, formulas 1 to 4).

Code cuts and numbers the steps, so that every judge judges the same ones. A judge goes through them once and
lists steps that are to be added, that are wrong and that stand in the wrong place; code reckons the shares.
The paper asks for each measure by itself, and leaves open what a step is.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from statistics import fmean
from typing import Annotated

from pydantic import BaseModel, Field

from agents.protocol.markdown import parts_in
from retrieval.text.sentences import split_sentences

SENTENCES = 4.42
"""Sentences of a step, the mean of 315 protocols in the paper; shorter steps are less often wrong."""
LEAST_PENALTY = 0.5
WORDS = 6
"""A sentence has more words than these. A row of a table that has counts as one."""
_BEGINS = tuple(
    map(re.compile, (r"### ", r"(?:[-*] +)?(?:\*\*)?\d+(?:[.)]|(?:\.\d+)+\.?) ", r"[-*] ", r"(?!\||```)"))
)
"""How steps of a part begin: by smaller headings; without these by numbers, by dashes, or as paragraphs."""
_AMOUNT = re.compile(r"\d\s?(?:[%°×]|[pnµμmk]?[gLlMm]\b|[a-zµμ]+/|(?:h|min|s|days?|weeks?|U|bp)\b)")
_CITED = re.compile(r"\[A?\d")
Share = Annotated[float, Field(ge=0, le=1)]


class Fault(BaseModel):
    """A step by its number, and what is wrong with it."""

    step: int
    why: str = ""


class Judged(BaseModel):
    """What a judge finds in a protocol."""

    missing: list[str]
    wrong: list[Fault]
    misplaced: list[Fault]
    detail: Share
    structure: Share
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Proxies:
    """What is counted without a judge, in its place: says little of what steps are worth.

    `sentences` are those of a step, `brevity` is their penalty, `amounts` and `cited` are shares of steps.
    """

    parts: int
    steps: int
    sentences: float
    brevity: float
    amounts: float
    cited: float


def steps_in(text: str) -> list[tuple[str, list[str]]]:
    """The parts of a protocol in Markdown, each by its heading, with its steps. What tells more of a step (a
    table, a paragraph, dashes below a number) belongs to it.
    """
    found = []
    for part in parts_in(text, ""):
        blocks = [one.text for one in part.steps]
        begins = next((form for form in _BEGINS if any(map(form.match, blocks))), _BEGINS[-1])
        steps: list[str] = []
        for one in blocks:
            if not steps or begins.match(one):
                steps.append(one)
            else:
                steps[-1] += f"\n\n{one}"
        found.append((part.heading, steps))
    return found


def numbered(text: str) -> str:
    """A protocol as a judge reads it: `<step 7>` before each."""
    numbers = count(1)
    return "\n\n".join(
        "\n\n".join((f"## {heading}", *(f"<step {next(numbers)}>\n{one}" for one in steps)))
        for heading, steps in steps_in(text)
    )


def proxies(text: str) -> Proxies:
    """The counts of a protocol; an empty one is one step without words."""
    parts = steps_in(text)
    steps = [one for _, some in parts for one in some] or [""]

    amounts, cited = (fmean(bool(what.search(one)) for one in steps) for what in (_AMOUNT, _CITED))
    mean = fmean(map(_sentences, steps))
    return Proxies(len(parts), len(steps), mean, brevity(mean), amounts, cited)


def _sentences(step: str) -> int:
    return sum(len(re.findall(r"\w+", one)) > WORDS for one in split_sentences(step))


def brevity(sentences: float) -> float:
    """The brevity penalty of steps with so many sentences (formula 2)."""
    return min(1.0, max(math.exp(1 - SENTENCES / max(sentences, 1)), LEAST_PENALTY))


def measures(counted: Proxies, judged: Judged) -> dict[str, float]:
    """The measures by their names; `overall` is their sum, of 5. A step that is named twice counts once."""
    steps = range(1, counted.steps + 1)

    def sound(faults: Sequence[Fault]) -> float:
        return 1 - len({one.step for one in faults}.intersection(steps)) / len(steps)

    found = {
        "completeness": len(steps) / (len(steps) + len(judged.missing)),
        "detail": judged.detail,
        "correctness": counted.brevity * sound(judged.wrong),
        "logic": sound(judged.misplaced),
        "structure": judged.structure,
    }
    return {**found, "overall": sum(found.values())}
