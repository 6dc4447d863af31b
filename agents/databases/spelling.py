"""British and American spelling of medical words, by the parts that `spelling.toml` lists.

american("haemorrhage")  # "hemorrhage"
british("fecal infection")  # "faecal infection"
"""

import re
import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("spelling.toml").read_text(encoding="utf-8"))
PARTS = {
    spelling: [(re.compile(part), instead) for part, instead in parts.items()]
    for spelling, parts in _FILE.items()
}


def american(text: str) -> str:
    """A text in small letters in American spelling."""
    return _spelt(text, "american")


def british(text: str) -> str:
    """A text in small letters in British spelling, as preferred terms have it."""
    return _spelt(text, "british")


def _spelt(text: str, spelling: str) -> str:
    for part, instead in PARTS[spelling]:
        text = part.sub(instead, text)
    return text
