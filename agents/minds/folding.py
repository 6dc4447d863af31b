"""Sentences of one make as a line that says once what they have in common: fewer tokens for whoever reads it.

- In GTEx, the mean expression of ADRB2 in … log2(1 + RPKM). [E1] Each … in turn: Lung is 3; Liver is 1
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

SHARED = 24
"""Characters that neighbours must have in common at their beginning."""
FEWEST = 3
"""So many sentences are worth it."""

Keyed = tuple[str, str]
"""A sentence, and its keys as they are shown."""


def folded(sentences: Sequence[Keyed]) -> Iterator[str]:
    """The lines, in order. Neighbours under the same keys that begin alike share a line."""
    for keys, under in groupby(sentences, key=lambda one: one[1]):
        left = [text for text, _ in under]
        while left:
            run = _alike(left)
            yield _line(left[:run], keys)
            left = left[run:]


def _alike(texts: Sequence[str]) -> int:
    """How many of the first sentences share their beginning; 1 where it is not worth it."""
    run = 1
    while run < len(texts) and len(_beginning(texts[: run + 1])) >= SHARED:
        run += 1
    return run if run >= FEWEST else 1


def _line(texts: Sequence[str], keys: str) -> str:
    shown = f" [{keys}]" if keys else ""
    if len(texts) == 1:
        return f"- {texts[0]}{shown}"
    begins = _beginning(texts)
    rests = [text[len(begins) :] for text in texts]
    ends = _beginning([rest[::-1] for rest in rests])[::-1]
    own = (rest[: len(rest) - len(ends)].strip().removesuffix(".") for rest in rests)
    return f"- {begins}…{ends}{shown} Each … in turn: {'; '.join(own)}"


def _beginning(texts: Sequence[str]) -> str:
    """The words with which all begin; each has more than these."""
    least, most = min(texts), max(texts)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False))
    common = "".join(one for one, _ in same)
    return common[: common.rfind(" ") + 1]
