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
SAME = 0.8
"""Share of their words from which two passages say the same."""
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
    """Passages without those that say what one before them says, as a protocol and its report do."""
    kept: list[tuple[frozenset[str], ScoredPassage]] = []
    for one in near:
        words = stem_set(one.passage.text)
        if not any(say_the_same(words, said) for said, _ in kept):
            kept.append((words, one))
    return [one for _, one in kept]


def say_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two passages share most of their words, and all of their numbers."""
    alike = len(one & other) > SAME * len(one | other)
    return alike and not any(map(str.isdigit, "".join(one ^ other)))
