"""Ratios in a text, and whether it speaks of a margin of safety."""

import re
from collections.abc import Iterator

from agents.archive.research.patterns.species import animals_in, species_terms
from agents.archive.research.vocabulary import any_of, wording
from agents.text.numbers import COUNTING_WORDS, parse_numbers

WRITTEN = rf"\d[\d.,]*(?:\s?(?:-|to)\s?\d[\d.,]*)?|(?!one\b){COUNTING_WORDS}|hundred"
"""A ratio in digits or words; "one" alone is mostly a pronoun."""
FOLD = re.compile(
    rf"(?<![\w.,])(?P<n>{WRITTEN})(?:[\s-]?fold\b|\s?[x×](?=[\s,.;)]|$)|\stimes\b(?!\s(?:a|per|daily|"
    rf"weekly)\b))",
    re.IGNORECASE,
)
RATIO = re.compile(
    rf"\b(?:margins?|ratios?|factors?|multiples?|index|MOS)\b[^;]{{0,140}}?\b(?:is|was|are|were|being|of|"
    rf"equals?|amounts? to|only|about|=|:)\s(?:only |about |approximately |at least |ca\. |~|<|"
    rf">)?(?P<n>{WRITTEN})(?!\w|\.\d|\s?(?:mg|µg|ng|%|per cent|days?|weeks?|hours?|patients|h\b))",
    re.IGNORECASE,
)
ANIMALS = "|".join(term.words.pattern for term in species_terms()[1:])
FURTHER = re.compile(
    rf"(?:,|\band)\s(?:of\s)?(?P<n>{WRITTEN})(?:-fold)?\s"
    rf"(?:(?:for|in|to|towards|relative to)\s(?:the\s)?|\()(?={ANIMALS})",
    re.IGNORECASE,
)
"""Further ratios of an enumeration: "8 for the rat and 4 for the dog"."""
STRONG = any_of([
    r"safety (?:margins?|factors?|ratios?|multiples?)", r"margins? of (?:safety|exposure)",
    r"exposure (?:margins?|multiples?|ratios?)",
    r"safety index", r"therapeutic (?:index|ratio|margin)", "MOS", r"AUC (?:margins?|ratios?|multiples?)",
    r"margins? (?:to|over|versus) (?:human|man|the human)\w*",
])  # fmt: skip
NO_EFFECT = any_of([
    r"no[- ](?:observed[- ])?(?:adverse[- ]|toxic[- ])?effect[- ]?(?:level|dose|concentration)?s?",
    "NOA?ELs?", r"without (?:toxic |adverse )?effects?", "HNSTD",
    r"non-?toxic dose", r"highest (?:tolerated|non-toxic|safe) dose in",
])  # fmt: skip
PEOPLE = any_of(
    [r"(?:hu)?m[ae]n", "humans?", "patients?", "volunteers?", "clinical", "therapeutic", "subjects?"]
)


def speaks_of_margin(text: str) -> bool:
    """Whether a sentence compares animals without toxic effect with humans, and does not deny it."""
    if wording("margin_denial").search(text) and not STRONG.search(text):
        return False
    if re.search(r"does not contain a safety|no (?:\w+ )?margin", text, re.IGNORECASE):
        return False
    return bool(STRONG.search(text)) or bool(
        NO_EFFECT.search(text) and PEOPLE.search(text) and (FOLD.search(text) or RATIO.search(text))
    )


def ratios(text: str) -> Iterator[tuple[int, int, str]]:
    """Ratios in a text: where they stand, and the number."""
    found = {
        match.start("n"): (match.start("n"), match.end("n"), match["n"])
        for pattern in (RATIO, FOLD, FURTHER)
        for match in pattern.finditer(text)
    }
    for start in sorted(found):
        begin, end, written = found[start]
        yield begin, end, number(written)


def number(written: str) -> str:
    """A number in digits; a range as written."""
    if re.search(r"\d\s?(?:-|to)\s?\d", written):
        return re.sub(r"\s?to\s?", "-", written)
    read = parse_numbers(written.rstrip(".,"))
    return f"{read[0].value:g}" if read else written


def species_for(text: str, start: int, end: int, stop: int) -> str:
    """The species named after a ratio and before the next one, or else the last before it."""
    later = [name for at, name in animals_in(text) if end <= at < stop]
    earlier = [name for at, name in animals_in(text) if at < start]
    return later[0] if later else (earlier[-1] if earlier else "")
