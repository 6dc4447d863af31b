"""What a channel disputes among a label's extracts: it counts less, and proves nothing by itself."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.reports.disputed import DOUBTED, Disputed, doubters
from agents.vigilance.records import source_of
from agents.vigilance.values import Extract


def weighed(extracts: Iterable[Extract], disputed: Sequence[Disputed]) -> list[Extract]:
    """The extracts, those that count most first; a disputed one keeps a share of its weight."""
    found = [_weighed(one, disputed) for one in extracts] if disputed else list(extracts)
    return sorted(found, key=lambda one: -one.weight)


def _weighed(one: Extract, disputed: Sequence[Disputed]) -> Extract:
    source = source_of(one.passage)
    start = max(0, source.text.find(one.quote))
    if not doubters(disputed, source.id, start, start + len(one.quote)):
        return one
    return replace(one, weight=round(one.weight * DOUBTED, 4), disputed=True)
