"""Requests that would make pathogens or toxins more dangerous are refused, whoever asks and for whatever end.

Rules know words (`guard.toml`), by class: what is done, which property it gives, and to which agent. Agents
of concern and poisons are listed. Looking for causes, and acting against an agent, is not refused. What a
model wrote passes here too.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from agents.chemistry.guard import refused_brief

REFUSAL = (
    "This is refused: it would make a pathogen or toxin more dangerous, or help to make one. What protects "
    "from it (detection, treatment, attenuation, surveillance) can be asked for."
)
CLASSES = (
    ("doing", "worse", "agent|concern"),
    ("gaining", "wider", "concern"),
    ("building", "concern", "concern"),
    ("making", "toxin", "toxin"),
)
"""What is done, what it gives, and of what: in any order."""


@cache
def _any(names: str) -> re.Pattern[str]:
    text = files("agents.protocol").joinpath("guard.toml").read_text(encoding="utf-8")
    words = [word for name in names.split("|") for word in tomllib.loads(text)[name]]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def refused(text: str) -> str:
    """Why a request is refused; "" if it is not. What is refused as chemistry is so here too, but for toxins
    that are only measured or treated with.
    """
    if chemical := refused_brief(_any("toxin").sub("it", text), to_make=False):
        return chemical.reason
    return REFUSAL if any(map(_harms, re.split(r"[.;\n]\s*", text.strip()))) else ""


def _harms(sentence: str) -> bool:
    if _any("always").search(sentence):
        return True
    if _any("question").match(sentence) and not _any("wanted").search(sentence):
        return False
    return any(_made(sentence, *kind) for kind in CLASSES)


def _made(sentence: str, deeds: str, gains: str, agents: str) -> bool:
    """Whether something is done that gives an agent what makes it worse.

    "Mice resistant to influenza" resist the agent: what is gained names none.
    """
    if not _any(deeds).search(sentence):
        return False
    for gain in _any(gains).finditer(sentence):
        before = sentence[: gain.start()]
        named = sentence if gains in agents else f"{before} {sentence[gain.end() :]}"
        if _any(agents).search(named) and not _any("against").search(before):
            return True
    return False
