"""Requests that would make pathogens or toxins more dangerous are refused, whoever asks and for whatever end.

Rules know words (`guard.toml`): what is done (increase, engineer, …), to which property (transmissibility,
virulence, evading treatment, …), of what. Looking for causes, and acting against an agent, is not refused.
What a model wrote passes here too.
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
LOOKED_FOR = re.compile(
    r"\b(?:that|which|who|genes?|mutations?|variants?|factors?|regulators?|proteins?|mechanisms?)\s*$",
    re.IGNORECASE,
)
"""What stands before something that others do, and that is only looked for."""
NEAR = 60
"""Characters before what is done in which an agent may be named."""


@cache
def _any(name: str) -> re.Pattern[str]:
    text = files("agents.protocol").joinpath("guard.toml").read_text(encoding="utf-8")
    return re.compile(rf"\b(?:{'|'.join(tomllib.loads(text)[name])})\b", re.IGNORECASE)


def refused(text: str) -> str:
    """Why a request is refused; "" if it is not. What is refused as chemistry is so here too."""
    if chemical := refused_brief(text):
        return chemical.reason
    return REFUSAL if any(map(_harms, re.split(r"[.;\n]", text))) else ""


def _harms(sentence: str) -> bool:
    if _any("always").search(sentence):
        return True
    return any(_gains(sentence, match.start()) for match in _any("doing").finditer(sentence))


def _gains(sentence: str, at: int) -> bool:
    """Whether what is done at a place makes a harmful property of an agent worse.

    "Genes that increase virulence" are looked for, and not made.
    """
    if LOOKED_FOR.search(sentence[:at]):
        return False
    around = sentence[max(0, at - NEAR) :]
    return bool(
        _any("worse").search(sentence, at)
        and _any("agent").search(around)
        and not _any("against").search(around)
    )
