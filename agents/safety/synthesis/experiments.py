"""What is asked next: for each endpoint the experiment that settles it, as `experiments.toml` lists them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

_ALL = tomllib.loads(Path(__file__).with_name("experiments.toml").read_text(encoding="utf-8"))
CONFLICT: str = _ALL.pop("conflict")
NO_EVIDENCE: str = _ALL.pop("no_evidence")
NOT_ASKED: str = _ALL.pop("not_asked")
EXPERIMENTS: Mapping[str, str] = _ALL
"""By the endpoint's key."""
