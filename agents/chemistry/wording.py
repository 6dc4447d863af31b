"""Which wishes in words are refused: those nearer to examples of harm than to harmless ones that look alike.

Kernel ridge regression (Saunders et al., ICML 1998) on the examples of `wording.toml`, as the sentence
encoder and pieces of words see them; learnt at first use, in seconds. Agents are read by their class, so that
what is learnt of one holds for all. Without an encoder, names of agents alone are refused, where nothing
protects. docs/decisions/0020-words-that-are-refused.md says why, docs/results.md how often it errs.
"""

import logging
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Any

import numpy as np

from agents.chemistry.guard import Refusal, refused_group, refused_structure
from retrieval.compute.cache import Lru
from retrieval.errors import WeightsError
from retrieval.ports import Encoder, Vectors

logger = logging.getLogger(__name__)

NEARNESS, RIDGE, PRIOR = 2.0, 0.1, -0.4
"""How fast likeness falls with distance, in mean distances; how far examples may be missed; what is said of
what is like no example (-1 harmless, 1 harm). The first was the best of 1, 2, 3 and 4 on examples left out.
"""
THRESHOLD = 0.0
"""Score from which a sentence is refused: nearer to harm than to harmless."""
HARMLESS = ""
KEPT = 2_000
"""Sentences whose judgement is kept: a protocol is read after each of its rounds."""
_END = re.compile(r"[.;!?]\s|\n")
Pieces = dict[str, tuple[int, float]]


class Wording:
    """Judges words. `encoder` opens the sentence encoder; without it, or its weights, names alone count."""

    def __init__(self, encoder: Callable[[], Encoder] | None = None) -> None:
        self._encoder = encoder
        self._learnt: Classifier | None = None
        self._judged = Lru[str, str](KEPT)

    async def refused(self, text: str) -> Refusal | None:
        """Why what is asked for is not done; None if it may be."""
        return (await self.refusals([text]))[0]

    async def refusals(self, texts: Sequence[str]) -> list[Refusal | None]:
        """As `refused`, of each text. Structures written in it are judged too. What is refused is logged."""
        found = [refused_structure(text) for text in texts]
        parts = [(at, part) for at, text in enumerate(texts) for part in _END.split(text) if part.strip()]
        groups = await self._judged.all((part for _, part in parts), self._groups)
        for at, part in parts:
            found[at] = found[at] or (refused_group(group) if (group := groups[part]) else None)
        for no in filter(None, found):
            logger.warning("words were refused (%s)", no.group)
        return found

    async def among(self, texts: Iterable[str]) -> dict[str, Refusal]:
        """Those of the texts that are refused, each with the reason."""
        texts = list(dict.fromkeys(texts))
        return {text: no for text, no in zip(texts, await self.refusals(texts), strict=True) if no}

    async def classifier(self) -> "Classifier | None":
        """What was learnt of the examples, at first use; None without an encoder."""
        if self._learnt is None and self._encoder is not None:
            try:
                self._learnt = await learnt(self._encoder(), *examples())
            except WeightsError as error:
                logger.warning("names alone are refused in words: %s", error)
                self._encoder = None
        return self._learnt

    async def _groups(self, sentences: Sequence[str]) -> list[str]:
        if (known := await self.classifier()) is None:
            return [next(_named(one), HARMLESS) for one in sentences]
        return await known.groups(sentences)


@dataclass(frozen=True, slots=True)
class Classifier:
    """What was learnt of n examples with p pieces of words.

    `pieces` are the columns of the pieces of words and how much each weighs, the more the rarer (idf);
    `seen` (n, d + p) are the examples, `answers` (n, 1 + groups) the weights of the regression: harm, and
    each group; `scale` is the mean distance of examples, 1 less the cosine.
    """

    encoder: Encoder
    pieces: Pieces
    known: tuple[str, ...]
    seen: Vectors
    answers: Vectors
    scale: float

    async def scores(self, texts: Sequence[str]) -> Vectors:
        """(texts, 1 + groups): harm from about -1 to 1, and how much of each group it is."""
        seen = await _seen(self.encoder, self.pieces, texts)
        found: Vectors = _likeness(seen, self.seen, self.scale) @ self.answers
        found[:, 0] += PRIOR
        return found

    async def groups(self, texts: Sequence[str]) -> list[str]:
        """The group by which each text is refused, or `HARMLESS`."""
        rows = await self.scores(texts)
        return [self.known[int(row[1:].argmax())] if row[0] >= THRESHOLD else HARMLESS for row in rows]


async def learnt(encoder: Encoder, texts: Sequence[str], groups: Sequence[str]) -> Classifier:
    """A classifier of texts with their groups; harmful and harmless ones weigh the same in all."""
    often = Counter(piece for text in texts for piece in _pieces(text))
    rare = ((piece, log((1 + len(texts)) / (1 + count)) + 1) for piece, count in often.items() if count > 1)
    pieces = {piece: (at, weight) for at, (piece, weight) in enumerate(rare)}
    seen = await _seen(encoder, pieces, texts)
    scale = float(1 - (seen @ seen.T).mean())
    known = tuple(sorted({*groups} - {HARMLESS}))
    harm = np.array([group != HARMLESS for group in groups])
    ridge = 2 * RIDGE * np.where(harm, harm.mean(), 1 - harm.mean())
    wanted = np.column_stack(
        [np.where(harm, 1, -1) - PRIOR, *([one == of for one in groups] for of in known)]
    )
    answers = np.linalg.solve(_likeness(seen, seen, scale) + np.diag(ridge), wanted)
    return Classifier(encoder, pieces, known, seen, answers.astype(np.float32), scale)


def examples() -> tuple[list[str], list[str]]:
    """The sentences of `wording.toml`, and the group of each."""
    data = _data()
    rows = [(one, group) for group, some in data["dangerous"].items() for one in some]
    rows += [(one, HARMLESS) for some in data["harmless"].values() for one in some]
    return [one for one, _ in rows], [group for _, group in rows]


async def _seen(encoder: Encoder, pieces: Pieces, texts: Sequence[str]) -> Vectors:
    """(n, d + p), rows of unit length: vectors of the encoder, and which pieces of words are there."""
    there = np.zeros((len(texts), len(pieces)), np.float32)
    for row, text in enumerate(texts):
        for at, weight in filter(None, map(pieces.get, _pieces(text))):
            there[row, at] = weight
    there /= np.maximum(np.linalg.norm(there, axis=1, keepdims=True), 1)
    meant = await encoder.encode([_by_class(text) for text in texts])
    seen: Vectors = np.hstack([meant, there]) * np.float32(0.5**0.5)
    return seen


def _likeness(some: Vectors, others: Vectors, scale: float) -> Vectors:
    """(n, m), from 0 to 1."""
    likeness: Vectors = np.exp(NEARNESS * (some @ others.T - 1) / scale)
    return likeness


def _pieces(text: str) -> set[str]:
    """Three to five letters in a row within a word, the blanks at its ends among them."""
    words = [f" {word} " for word in _by_class(text).lower().split()]
    return {
        word[at : at + long] for word in words for long in (3, 4, 5) for at in range(len(word) - long + 1)
    }


def _by_class(text: str) -> str:
    """The text with the class of each agent for its name."""
    pattern, known = _names()
    return pattern.sub(lambda found: known[found[1].lower()]["read"], text)


def _named(sentence: str) -> Iterator[str]:
    """The groups of the agents that a sentence names, where nothing in it protects from them."""
    pattern, known = _names()
    if not re.search("|".join(_data()["protects"]), sentence, re.IGNORECASE):
        yield from filter(None, (known[found[1].lower()]["group"] for found in pattern.finditer(sentence)))


@cache
def _names() -> tuple[re.Pattern[str], dict[str, dict[str, str]]]:
    known = {name: kind for kind in _data()["agents"] for name in kind["names"]}
    longest = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])({longest})(?:s|n|vir\w*| virus(?:es)?| toxins?)?(?!\w)", re.I), known


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("agents.chemistry").joinpath("wording.toml").read_text(encoding="utf-8"))
