"""Misspelt words of a question, corrected by the words that the archive, questions about it and English use.

A word is only taken for misspelt if no document holds it and English does not know it, and only corrected if
one known word is likeliest: by the slip that leads from it to what was written, and by how often it is used.
Abbreviations, units, names of drugs and codes are never corrected; names are resolved elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import log10

from rapidfuzz.distance import OSA

from retrieval.molecules.codes import is_generic

WORD = re.compile(r"(?<![\w-])(?=\w{2}|\w+-)[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
BEFORE_NUMBER = re.compile(r"[ \u00a0]\d")
LEAST_LETTERS = 5
"""Shorter words are near to one another: of them only the commonest slips are mended."""
LEAST_PART = 3
"""Letters of the words that a lost space may have merged; of `PARTICLES` two do."""
LONG = 8
"""Letters from which on two slips of the keys are forgiven."""
COMMON = 5_000_000
"""How often books use a word that is meant as it stands where a question begins; or that may be meant."""
OFTEN = 1_000_000
"""So many uses in books count as one in the archive."""
USUAL = 100
"""So many uses in the archive count as standing among the words of questions."""
ELSEWHERE = 0.5
"""What a word loses, in powers of ten, that neither the archive nor questions about it use."""
CLEARLY = 0.5
"""How much likelier, in powers of ten, one word must be than the next where a slip leads to both."""
TRANSPOSED, DOUBLED, LOST, BESIDE, OTHER = 0.0, 0.0, 0.3, 0.5, 1.5
"""What a slip takes away, in powers of ten: letters that changed places, one typed twice, one left out or
written as it sounds, a key or vowel beside the right one, and any other.
"""
SOUNDS = (("ph", "f"), ("ou", "ow"), ("ck", "k"), ("kw", "qu"))
"""Letters that stand for one sound, for those who write as they hear: "fase", "hou"."""
VOWELS = frozenset("aeiouy")
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
PARTICLES = "of in is to on by at an as it or be do"
SHORT_FORMS = (
    "alt ast alp ggt bun ecg ekg eeg mri bp hr qt qtc qtcf qtcb inr aptt crp psa ldh hdl ldl bmi gfr egfr "
    "copd cns gi cv ckd nash tnf gaba hiv hbv hcv rna dna mrna sirna pcr elisa hplc lcms gcp glp gmp "
    "auc cmax tmax cmin ctrough thalf vd vss cl clr mrt adme ddi pk pd pkpd dmpk noael noel loael loel nel "
    "mtd mrsd mabel hed fih sad mad doi iii vi vii ii iv im sc ip po pr td icv bid tid qid qd od bd prn qod "
    "qw qm ae aes sae saes teae teaes susar susars dlt dlts tox adr herg cyp ugt pgp bcrp oat oct ind nda "
    "bla cta imp fda ema mhra pmda ich irb iec dsmb csr ib smpc cmc api coa sop qa qc eu us uk usa ic ec "
    "ed ld ki kd emax ic50 mab mabs adc adcs car sirnas aso asos orr pfs os dor cr sd pd dcr rct rcts itt hz "
    "ci hr rr or sem moa moas inn usan cas smiles logp pka mw kg mg mcg ug ng pg g l ml dl nl ul um nm mm cm "
    "mol mmol umol nmol pmol iu mci mbq kbq gy msv bpm mmhg ppm ppb wk wks mo mos yr yrs hrs hr min mins sec "
    "biw tiw qwk eod lod loq lloq uloq cro cros nhp nhps mch mchc ck gldh tba bili trigs ibs ibd ipf als sle "
    "aml cll cml dlbcl nsclc "
    "approx vs etc eg ie ca nr id no nos fig tab sec ref doc docs pdf ppt xls wt vol max avg std dev resp"
)
"""Abbreviations and units of the field in small letters, which nobody misspelt."""
OF_THE_FIELD = "feces fecal titer titers sera melena hematochezia edema hemolysis predose predosed"
"""Words that the dictionary of English lacks and that are near to others which it has."""
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
SPOKEN = frozenset(f"{OPENING} {ASKED} {PARTICLES}".split())
MEANT = frozenset(f"{CHAT} {SHORT_FORMS} {OF_THE_FIELD}".split())


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was written, and as it is read."""

    written: str
    read: str


@cache
def english() -> Mapping[str, int]:
    """The words of English, British and American, with how often books use them."""
    lines = files("symspellpy").joinpath(DICTIONARY).read_text(encoding="utf-8-sig").splitlines()
    return {word: int(count) for word, _, count in (line.partition(" ") for line in lines) if count}


@cache
def common_english() -> Mapping[str, int]:
    """The words of English that are used so often that they may be meant."""
    return {word: count for word, count in english().items() if count >= COMMON}


def is_english(word: str, *, opens: bool = False) -> bool:
    """Whether a word, or each part of it around hyphens, is meant as it stands."""
    least = COMMON if opens else 1
    return all(part in MEANT or english().get(part, 0) >= least for part in word.casefold().split("-"))


def words_in(text: str) -> Counter[str]:
    """The words of a text in small letters, and how often it uses them."""
    return Counter(word.casefold() for word in WORD.findall(text))


def doubtful_words(question: str) -> tuple[str, ...]:
    """Words of a question that may be misspelt: no abbreviations, no words of English, no names of drugs."""
    return tuple(
        dict.fromkeys(
            word
            for place, word in enumerate(WORD.findall(question))
            if word.casefold() not in SPOKEN
            and not is_english(word, opens=place == 0)
            and not is_generic(word)
            and (len(word) >= LEAST_LETTERS or place == 0 or word.islower())
            and not any(letter.isupper() for letter in word[1:])
        )
    )


def corrections(question: str, unknown: Iterable[str], vocabulary: Mapping[str, int]) -> list[Correction]:
    """How the unknown words of a question are read, as far as one known word is likeliest for each.

    `vocabulary` are the words of the documents nearest to the question, and how often they are used.
    """
    made: list[Correction] = []
    first = next(iter(WORD.findall(question)), "")
    for word in unknown:
        if any(word in one.written.split() for one in made):
            continue
        one = (
            _rejoined(question, word, vocabulary)
            or correction(word, vocabulary, opens=word == first, numbered=_is_numbered(question, word))
            or _parted(word, vocabulary)
        )
        made += [one] if one else []
    return made


def correction(
    word: str, vocabulary: Mapping[str, int], *, opens: bool, numbered: bool = False
) -> Correction | None:
    """The known word that a word was meant for, if one is likeliest.

    `opens`: it begins the question; one of English is then only misspelt for a word that opens questions
    ("hoe many"). `numbered`: a number follows, so that it may be a name, and only words of questions are
    meant ("phse 2").
    """
    written = word.casefold()
    opening = frozenset(OPENING.split()) if opens and is_english(word) else None
    if any(written in _inflected(known) for known in vocabulary) and not opens:
        return None
    ranked = sorted(
        (slips > 1, _cost(written, known) - used, known)
        for known, used in _candidates(vocabulary, opens, numbered)
        if (opening is None or known in opening)
        and (slips := _slips(written, known))
        and (len(written) >= LEAST_LETTERS or _cost(written, known) < OTHER)
        and (len(written) > 2 or (sorted(written) == sorted(known) and known in SPOKEN))
    )
    if not ranked:
        return None
    far, least, read = ranked[0]
    unsure = len(written) < LEAST_LETTERS or written[0] != read[0]
    close = (known for more, less, known in ranked[1:] if more == far and less - least < CLEARLY)
    if unsure and any(not _same_stem(known, read) for known in close):
        return None
    return Correction(word, read.capitalize() if word[0].isupper() else read)


def corrected(question: str, corrections: Iterable[Correction]) -> str:
    """The question with its corrections."""
    for one in corrections:
        question = re.sub(rf"(?<![\w-]){re.escape(one.written)}(?![\w-])", one.read, question)
    return question


def note_of(corrections: Iterable[Correction]) -> str:
    """What the reader should know, in one sentence; a lost hyphen is not told."""
    told = [f'"{one.written}" was read as "{one.read}"' for one in corrections if not _same_letters(one)]
    return f"{', '.join(told)}." if told else ""


def _candidates(vocabulary: Mapping[str, int], opens: bool, numbered: bool) -> Iterable[tuple[str, float]]:
    """The words that may be meant, each with how often it is used, in powers of ten."""
    words = OPENING.split() if opens else SPOKEN
    known = SPOKEN if numbered else {**common_english(), **vocabulary, **dict.fromkeys(SPOKEN, 0)}
    for word in known:
        times = vocabulary.get(word, 0) + (USUAL if word in words else 0)
        used = log10(1 + times + english().get(word, 0) / OFTEN)
        yield word, used if times else used - ELSEWHERE


def _slips(written: str, known: str) -> int:
    """Slips of the keys between two words if they are few; else 0."""
    if abs(len(written) - len(known)) > 2 or written == known:
        return 0
    if _sounded(written) == _sounded(known):
        return 1
    distance = OSA.distance(written, known)
    if distance > (2 if min(len(written), len(known)) >= LONG else 1):
        return 0
    return distance if distance == 1 or written[0] == known[0] or sorted(written) == sorted(known) else 0


def _cost(written: str, known: str) -> float:
    """How unlikely the slip is that makes one word of the other."""
    if sorted(written) == sorted(known):
        return TRANSPOSED
    if written in _shortened(known) or _sounded(written) == _sounded(known):
        return LOST
    if known in _shortened(written):
        return DOUBLED if any(a == b for a, b in pairwise(written) if a * 2 not in known) else OTHER
    differing = [(a, b) for a, b in zip(written, known, strict=False) if a != b]
    return BESIDE if len(written) == len(known) and len(differing) == 1 and _near(*differing[0]) else OTHER


def _sounded(word: str) -> str:
    """A word with one writing for each sound."""
    for written, sound in SOUNDS:
        word = word.replace(written, sound)
    return word


def _near(one: str, other: str) -> bool:
    """Whether two letters stand beside one another on a keyboard, or are both vowels ("meny")."""
    return _beside(one, other) or {one, other} <= VOWELS


def _beside(one: str, other: str) -> bool:
    """Whether two letters are neighbours on a keyboard."""
    places = {letter: (row, place) for row, keys in enumerate(KEYS) for place, letter in enumerate(keys)}
    if one not in places or other not in places:
        return False
    (row, place), (other_row, other_place) = places[one], places[other]
    return abs(row - other_row) <= 1 and abs(place - other_place) <= 1


def _shortened(known: str) -> set[str]:
    """A word with one letter left out."""
    return {known[:place] + known[place + 1 :] for place in range(len(known))}


def _inflected(known: str) -> set[str]:
    """Other forms of a word of documents, which are no misspelt ones: a plural, a past tense."""
    if len(known) <= LEAST_PART:
        return set()
    if known.endswith("s"):
        return {f"{known}es"}
    return {f"{known}s", f"{known}d"} if known.endswith("e") else {f"{known}s", f"{known}ed", f"{known}ing"}


def _same_stem(one: str, other: str) -> bool:
    """Whether two words differ in an ending only."""
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter[: max(4, len(shorter) - 2)])


def _same_letters(one: Correction) -> bool:
    """Whether only a hyphen was lost."""
    return one.written.casefold().replace("-", "") == one.read.casefold().replace("-", "")


def _is_numbered(question: str, word: str) -> bool:
    """Whether a number follows a word."""
    found = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", question)
    return found is not None and BEFORE_NUMBER.match(question, found.end()) is not None


def _is_whole(word: str, vocabulary: Mapping[str, int]) -> bool:
    """Whether a word is one of questions or of the archive."""
    return word in SPOKEN or word in vocabulary


def _rejoined(question: str, word: str, vocabulary: Mapping[str, int]) -> Correction | None:
    """The word that a space in it parted: "tox icity"."""
    words = WORD.findall(question)
    for left, right in pairwise(words):
        whole = f"{left}{right}".casefold()
        parted = word in (left, right) and len(whole) > LEAST_LETTERS and f"{left} {right}" in question
        if parted and _is_whole(whole, vocabulary):
            return Correction(f"{left} {right}", whole)
    return None


def _parted(word: str, vocabulary: Mapping[str, int]) -> Correction | None:
    """The two words that a lost space merged: "sideeffects". One of them at least is a word of questions."""
    written = word.casefold()
    for place in range(2, len(written) - 1):
        parts = written[:place], written[place:]
        long = all(len(part) >= LEAST_PART or part in PARTICLES.split() for part in parts)
        if long and all(_is_whole(part, vocabulary) for part in parts) and not SPOKEN.isdisjoint(parts):
            return Correction(word, " ".join(parts))
    return None
