"""What comes closest: the paragraphs and tables of the best sentences and rows, each with that one."""

from collections.abc import Mapping, Sequence

from agents.archive.general.blocks import apart, block_around
from agents.archive.general.candidates import stem_set
from agents.archive.general.score import ScoredPassage
from agents.archive.tools import LoadedDocument

SEARCHED = 5.0
"""Weight of a passage's chunk in the search, beside what its words say."""
OLDER = 3.0
"""What it costs to stand in an older version of another document."""
KEPT = 6


def closest_passages(
    scored: Sequence[ScoredPassage], documents: Mapping[str, LoadedDocument]
) -> list[ScoredPassage]:
    """The passages that come closest, best first; their paragraphs and tables do not overlap."""

    def nearness(one: ScoredPassage) -> float:
        older = documents[one.passage.doc_id].document.record.newest_version
        return one.score + SEARCHED * one.searched - OLDER * bool(older)

    near = sorted(scored, key=nearness, reverse=True)
    blocks = [
        block_around(own, own.place_of(one.passage.start))
        for one in near
        for own in [documents[one.passage.doc_id]]
    ]
    return without_repetitions([near[place] for place in apart(blocks)])[:KEPT]


def without_repetitions(near: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """Passages without those of which one before them says every word, as a report does its protocol's."""
    kept: dict[frozenset[str], ScoredPassage] = {}
    for one in near:
        words = stem_set(one.passage.text)
        if not any(words <= said for said in kept):
            kept[words] = one
    return list(kept.values())
