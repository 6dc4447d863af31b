"""Misspelt words of a question, corrected by the words that the archive and questions about it use.

A word is only taken for misspelt if no document holds it and English does not know it, and only corrected if
one known word is nearest. Names of molecules and other codes are resolved elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rapidfuzz.distance import OSA

WORD = re.compile(r"(?<![\w-])(?=\w{3}|\w+-)[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
LEAST_LETTERS = 5
"""Shorter words are too near to one another; only the words that a question begins with may be shorter."""
LONG = 8
"""Letters from which on two slips of the keys are forgiven."""
COMMON = 5_000_000
"""How often books use a word that is meant as it stands where a question begins."""
CHAT = (
    "pls plz plse thx thanx tnx cheers hey hiya btw fyi asap imo imho afaik idk tbh lmk tbd tbc eod eta wrt "
    "gonna wanna gotta dunno kinda cuz coz bcs ppl msg info admin approx prelim config"
)
"""Words of hurried messages, which no dictionary has and nobody misspelt."""
DICTIONARY = "frequency_dictionary_en_82_765.txt"
OPENING = (
    "what which when where who whose whom why how was were did does the in are is and for of from list "
    "give show tell "
    "name rank order count brief compare make write can could please has have had been all our any each every"
)
ASKED = (
    "about adverse again all already also amount animal animals another any anyone approved average "
    "bad because been began begin being best better between big both call called came can case cases "
    "caused causes clearance clinical come compare concentration date dates day days decided decision "
    "describe development difference different director discontinued document documents does doing "
    "done dosage dose doses duration during each early effect effective effects efficacious efficacy "
    "else end events ever every exposure fact facts figure final find finding findings first found "
    "frequency from full gave get give given going good got group groups had half half-life has have "
    "healthy help here high highest hour hours human humans into just kidney kind kinds know known "
    "largest last late least less like line lines liver long longest look low lowest made make many "
    "margin maximum may mean measured mechanism median mention mice might minimum molecule molecules "
    "month months more most much must name names need new next not number observed often old once "
    "only onto organ organs other over page pages part parts patients people percent pharmacokinetics "
    "archive brochure brochures chronology compounds comparison candidates dossier drugs everything files "
    "history investigated memos minutes overview profile substances timeline "
    "phase planned plasma please population project projects protocol purity rabbits reached reason "
    "reasons received repeated report reported reports result results route routes safety said same "
    "say says seem serious severe shall short shortest should show showed shown side signed since "
    "single small some sort species sponsor sponsored start started state stated statement status "
    "still stopped studied studies study subject subjects substance such summarise summarize summary "
    "table tables take taken target tell temperature terminated tested than their them then "
    "therapeutic there these they think those though time told too toxic toxicity treated treatment "
    "trial trials twice type types under until use used using value values very volunteer volunteers "
    "want weather week weeks weight went where which while will with within without women word words "
    "worse would written wrote year years yes yet"
)
"""Words of questions and frequent ones; none of them is a misspelt word of a document."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was written, and as it is read."""

    written: str
    read: str

    @property
    def note(self) -> str:
        """What the reader should know."""
        return f'"{self.written}" was read as "{self.read}".'


@cache
def english() -> Mapping[str, int]:
    """The words of English, British and American, with how often books use them."""
    lines = files("symspellpy").joinpath(DICTIONARY).read_text(encoding="utf-8-sig").splitlines()
    return {word: int(count) for word, _, count in (line.partition(" ") for line in lines) if count}


def is_english(word: str, *, opens: bool = False) -> bool:
    """Whether a word, or each part of it around hyphens, is meant as it stands."""
    least = COMMON if opens else 1
    return all(part in CHAT.split() or english().get(part, 0) >= least for part in word.casefold().split("-"))


def words_in(text: str) -> Counter[str]:
    """The words of a text in small letters, and how often it uses them."""
    return Counter(word.casefold() for word in WORD.findall(text))


def doubtful_words(question: str) -> tuple[str, ...]:
    """Words of a question that may be misspelt: no abbreviations, and no words of English."""
    asked = set(f"{OPENING} {ASKED}".split())
    return tuple(
        dict.fromkeys(
            word
            for place, word in enumerate(WORD.findall(question))
            if word.casefold() not in asked
            and not is_english(word, opens=place == 0)
            and (len(word) >= LEAST_LETTERS or place == 0 or word.islower())
            and not any(letter.isupper() for letter in word[1:])
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
