"""Misspelt words of a question, corrected by the words that the archive and questions about it use.

A word is only taken for misspelt if no document holds it, and only corrected if one known word is nearest.
Names of molecules and other codes are resolved elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz.distance import OSA

WORD = re.compile(r"(?<![\w-])(?=\w{3}|\w+-)[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
LEAST_LETTERS = 5
"""Shorter words are too near to one another; only the words that a question begins with may be shorter."""
LONG = 8
"""Letters from which on two slips of the keys are forgiven."""
OPENING = (
    "what which when where who whose whom why how was were did does the in are is and for of from list "
    "give show tell "
    "name rank order count brief compare make write can could please has have had been all our any each every"
)
ASKED = (
    "archive brochure brochures chronology compounds comparison candidates dossier drugs everything files "
    "history "
    "investigated know known memos minutes overview profile status substances table timeline "
    "about adverse amount animal animals anyone approved average because between caused causes "
    "clearance clinical compare concentration decided decision describe development difference "
    "different director discontinued document documents does dosage dose doses duration during effect "
    "effective effects efficacious efficacy events exposure finding findings first frequency given "
    "group groups half-life healthy highest human humans kidney known largest liver longest lowest "
    "many margin maximum mean measured mechanism median mention mice minimum molecule molecules "
    "months most much number observed often organ organs patients people percent pharmacokinetics "
    "phase planned plasma please population project projects protocol purity rabbits reached reason "
    "reasons received repeated report reported reports result results route routes safety serious "
    "severe shortest should showed side signed single species sponsor sponsored started state stated "
    "statement status stopped studied studies study subject subjects substance summarise summarize "
    "summary target temperature terminated tested therapeutic there time toxic toxicity treated "
    "treatment trial trials under until used value values volunteer volunteers weather weeks weight "
    "which without women would written wrote years"
)
"""Words of questions about an archive; none of them is a misspelt word of a document."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was written, and as it is read."""

    written: str
    read: str

    @property
    def note(self) -> str:
        """What the reader should know."""
        return f'"{self.written}" was read as "{self.read}".'


def words_in(text: str) -> Counter[str]:
    """The words of a text in small letters, and how often it uses them."""
    return Counter(word.casefold() for word in WORD.findall(text))


def doubtful_words(question: str) -> tuple[str, ...]:
    """Words of a question that may be misspelt: no abbreviations, and none of the words that ask."""
    asked = set(f"{OPENING} {ASKED}".split())
    return tuple(
        dict.fromkeys(
            word
            for place, word in enumerate(WORD.findall(question))
            if word.casefold() not in asked
            and (len(word) >= LEAST_LETTERS or place == 0 or word.islower())
            and not (word.isupper() and len(word) > 1)
        )
    )


def correction(word: str, vocabulary: Mapping[str, int], *, opens: bool) -> Correction | None:
    """The known word that a word was meant for, if one is nearest. `opens`: it begins the question."""
    written = word.casefold()
    ranked = sorted(
        (distance, written not in _shortened(known), -count, known)
        for known, count in _candidates(vocabulary, opens)
        if (distance := _slips(written, known, opens=opens))
    )
    if not ranked:
        return None
    distance, longer, _, read = ranked[0]
    rivals = [known for near, more, _, known in ranked[1:] if (near, more) == (distance, longer)]
    unsure = len(written) < LEAST_LETTERS or written[0] != read[0]
    if unsure and not opens and any(not _same_stem(known, read) for known in rivals):
        return None
    return Correction(word, read.capitalize() if word[0].isupper() else read)


def corrected(question: str, corrections: Iterable[Correction]) -> str:
    """The question with its corrections."""
    for one in corrections:
        question = re.sub(rf"(?<![\w-]){re.escape(one.written)}(?![\w-])", one.read, question)
    return question


def _candidates(vocabulary: Mapping[str, int], opens: bool) -> Iterable[tuple[str, int]]:
    if opens:
        yield from ((word, 1_000) for word in OPENING.split())
    yield from ((word, 100) for word in ASKED.split())
    yield from vocabulary.items()


def _slips(written: str, known: str, *, opens: bool) -> int:
    """Slips of the keys between two words if they are few; else 0."""
    if abs(len(written) - len(known)) > 2 or written == known:
        return 0
    distance = OSA.distance(written, known)
    allowed = 2 if min(len(written), len(known)) >= LONG else 1
    if distance > allowed:
        return 0
    if len(written) < LEAST_LETTERS and not opens:
        return distance if sorted(written) == sorted(known) or written in _shortened(known) else 0
    return distance if written[0] == known[0] or sorted(written) == sorted(known) or distance == 1 else 0


def _shortened(known: str) -> set[str]:
    """A word with one letter left out."""
    return {known[:place] + known[place + 1 :] for place in range(len(known))}


def _same_stem(one: str, other: str) -> bool:
    """Whether two words differ in an ending only."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter[: max(4, len(shorter) - 2)])
