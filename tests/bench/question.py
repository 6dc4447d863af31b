"""A whole question without a model: to be measured once the archive pipeline is wired."""

from pathlib import Path

from tests.bench.report import Measure


async def measure(folder: Path) -> list[Measure]:
    """Nothing yet: the lead fills this in with p50 and p95 of questions to the demo archive (target: 2 s)."""
    return []
