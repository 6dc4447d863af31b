"""Patterns of how labels word things (`wording.toml`), and what a mention's sentence says by them."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

LOOK_BACK, LOOK_AHEAD = 160, 90
"""So many characters before and after a mention the patterns beside it see."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Patterns right before a mention, after it, anywhere before it, or anywhere in its sentence; None where
    there is none.
    """

    left: re.Pattern[str] | None
    right: re.Pattern[str] | None
    far: re.Pattern[str] | None
    any: re.Pattern[str] | None

    def fits(self, before: str, after: str, sentence: str) -> bool:
        """Whether a pattern matches. All texts are in small letters."""
        near, behind = before[-LOOK_BACK:], after[:LOOK_AHEAD]
        places = (self.left, self.right, self.far, self.any)
        texts = zip(places, (near, behind, before, sentence), strict=True)
        return any(pattern and pattern.search(text) for pattern, text in texts)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, object]]:
    return tomllib.loads((files(__package__) / "wording.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def cues() -> Mapping[str, Cue]:
    """All cues by name."""
    made = {}
    for name, patterns in _table().items():
        if name != "same":
            compiled = {where: re.compile(str(pattern)) for where, pattern in patterns.items()}
            made[name] = Cue(*(compiled.get(where) for where in ("left", "right", "far", "any")))
    return made


@lru_cache(maxsize=1)
def same_words() -> tuple[tuple[str, ...], ...]:
    """Groups of words that stand for one another."""
    groups = _table()["same"]["words"]
    return tuple(tuple(group) for group in groups) if isinstance(groups, list) else ()


Said = frozenset[str]
"""What the sentence of a mention says, as the names of cues."""


def said_of(sentence: str, start: int, end: int) -> Said:
    """What a sentence says of the mention at these offsets."""
    text = " ".join(sentence.lower().split()) if "  " in sentence or "\n" in sentence else sentence.lower()
    if len(text) != len(sentence):
        before = " ".join(sentence[:start].lower().split()) + " "
        after = " ".join(sentence[end:].lower().split())
    else:
        before, after = text[:start], text[end:]
    return Said(name for name, cue in cues().items() if cue.fits(before, after, text))
