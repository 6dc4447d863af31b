"""Made-up texts of real words: the demo archive's and the encoder's, as frequent as words are in language."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from retrieval.embed.weights import locate
from retrieval.ports import Vectors

SOURCES = Path(__file__).parents[2] / "adapters" / "demo" / "sources"
WORDS_IN_SENTENCE = 16


class Language:
    """Draws words by Zipf's law: the n-th word is 1/n as frequent as the first. Same seed, same texts."""

    def __init__(self, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        self.words = _vocabulary()
        shares = 1 / np.arange(1, len(self.words) + 1)
        self._cumulated = np.cumsum(shares / shares.sum())

    def text(self, words: int) -> str:
        """Sentences with so many words in all."""
        drawn = self._draw(words)
        sentences = (drawn[i : i + WORDS_IN_SENTENCE] for i in range(0, words, WORDS_IN_SENTENCE))
        return " ".join(" ".join(sentence).capitalize() + "." for sentence in sentences)

    def question(self) -> str:
        """A question of five to nine words."""
        drawn = self._draw(int(self._random.integers(5, 10)))
        return f"What was the {' '.join(drawn)}?"

    def code(self, number: int) -> str:
        """A laboratory code."""
        return f"BX-{4000 + number}"

    def vectors(self, rows: int, dimension: int) -> Vectors:
        """(rows, dimension) of unit length, in no particular direction."""
        drawn = self._random.standard_normal((rows, dimension), dtype=np.float32)
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        return drawn

    def _draw(self, words: int) -> list[str]:
        places = np.searchsorted(self._cumulated, self._random.random(words))
        return [self.words[i] for i in places.tolist()]


def _vocabulary() -> list[str]:
    """Words of the demo archive by frequency, then the whole words of the encoder's vocabulary."""
    texts = " ".join(path.read_text("utf-8") for path in sorted(SOURCES.glob("*.md")))
    common = Counter(re.findall(r"[a-z]{2,}", texts.lower()))
    known: dict[str, int] = json.loads(locate().tokenizer.read_text("utf-8"))["model"]["vocab"]
    rare = (word for word in known if re.fullmatch(r"[a-z]{3,}", word))
    return list(dict.fromkeys((*(word for word, _ in common.most_common()), *rare)))


def documents(language: Language, count: int, words: int) -> Iterator[tuple[str, str]]:
    """(name, Markdown) of study reports with sections of about 500 words."""
    for number in range(count):
        sections = (f"## Section {n + 1}\n\n{language.text(500)}" for n in range(words // 500))
        title = f"# Study {number} of {language.code(number % 40)}"
        yield f"report-{number:04}.md", "\n\n".join((title, *sections))
