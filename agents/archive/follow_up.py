"""Turns a follow-up into a whole question: the earlier question, with what the follow-up changes in it.

Rules, in this order: a phrase in place of one of its kind ("and in dogs?"); a bare question word in place of
the earlier one ("why?"); words that point back, in place of what they point at. What is no follow-up stays as
it is. Where there is a model, it does this instead.
"""

import re
from collections.abc import Sequence

from agents.archive.answer import Question
from agents.archive.names import STUDY
from retrieval.molecules.lookup import mentions, without_names
from retrieval.values import Molecule

FRAGMENT_WORDS, BARE_WORDS = 8, 5
"""Words of a fragment ("and in dogs"), and of a question that is no more than a question word."""
AUXILIARY = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)"
PREPOSITION = r"(?:of|in|for|at|on|from|by|with|during|after|to|under|between|about|as)"


def _of(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


LEAD = _of(
    r"^\W*(?:(?:and|but|or|also|ok(?:ay)?|so|now|then|well|what about|how about|what of|as for",
    r"|(?:no|nope|sorry)(?=,)",
    r"|(?:i|we) mean(?:t)?(?: to (?:ask|say|write))?|wrong \w+(?=,)",
    r"|(?:the )?same(?: question| thing)?(?: for| in| with| of)?)\b[\s,:]*)+",
)
TAIL = _of(r"(?:\s*\b(?:too|as well|then|please|instead))?\W*$")
ASKS = _of(rf"^(?:{PREPOSITION} )?(?:(?:who|whom|whose|what|which|when|where|why|how)\b|{AUXILIARY}\b)")
TELLS = _of(
    r"^(?:please )?(?:list|name|show|give|tell|compare|summari[sz]e|describe|explain|rank|count|draw|find"
    r"|table)\b"
)
MORE = _of(
    r"(?:tell me )?(?:some )?more(?: details?)?(?: about (?:it|that|this))?|(?:what|anything) else|details?"
)
VERB = _of(rf"\b(?:{AUXILIARY}|\w{{3,}}ed|given|gave|got|made|took|led)\b")
ASKED_WITH = _of(
    rf"^(?:(?:what|which) (?P<noun>(?:(?!{AUXILIARY}\b)[\w-]+ ){{0,4}})"
    rf"|(?:why|when|where|by whom|(?:for )?how(?: long| often| much)?) )?(?P<aux>{AUXILIARY}) (?P<rest>.+)"
)
POINTS = _of(r"\b(?:it|its|they|them|those|these|there|that|this)\b")
ITS = _of(r"\bits (?P<noun>[\w-]+(?: [\w-]+)?)(?=\s*(?:\?|$|\bin\b|\bat\b|\bof\b))")
IT = _of(r"\b(?:it|(?:this|that|the) (?:drug|molecule|compound|substance))\b")
THAT_DOCUMENT = _of(
    r"\b(?:that|this|the same) "
    r"(?P<noun>study|trial|report|document|protocol|meeting|memo(?:randum)?|experiment)\b"
)
THERE = _of(r"\bthere(?=\s*(?:\?|$|,))|\bin (?:it|there)\b")
TOPIC = _of(rf"\bthe (?P<topic>(?!{PREPOSITION}\b).+?)(?=\s+(?:{PREPOSITION}|{AUXILIARY})\b|\?|$)")
PHRASE = _of(rf"\b{PREPOSITION} (?:(?!(?:{PREPOSITION}|{AUXILIARY}|wh\w+)\b)\S+\s?)+")
"""What narrows a question: "in rats", "at 9 mg/kg"."""
COMPARED = _of(r"\bcompar\w+|\bversus\b|\bvs\b")
LINKS = _of(rf"\b(?:{PREPOSITION}|the|an?|and)\b|\W")
KINDS = tuple(
    _of(rf"(?<![\w-])(?:{words})(?![\w-])")
    for words in (
        r"(?:(?:male|female|pregnant|sprague-dawley|beagle|cynomolgus|rhesus|healthy) )?"
        r"(?:rats?|dogs?|beagles?|mouse|mice|monkeys?|rabbits?|(?:mini|guinea )?pigs?|hamsters?|ferrets?"
        r"|animals?|humans?|man|men|women"
        r"|patients|volunteers?|subjects|children|adults|elderly)",
        r"males?|females?",
        r"orally|oral|by mouth|intravenous(?:ly)?|i\.?v\.?|inhaled|by inhalation|subcutaneous(?:ly)?"
        r"|dermal(?:ly)?",
        r"highest|lowest|maximum|minimum|largest|smallest|first|last|mean|median|average",
        r"phase (?:i{1,3}v?|iv|[1-4])[ab]?",
        r"\d+(?:[.,]\d+)? ?(?:mg|µg|ug|mcg|g|ml|l|iu|%)(?:/\w+){0,2}",
        r"(?:day|week|month|year|cycle|visit|cohort|group|part|period) \d+"
        r"|\d+ (?:days|weeks|months|years|hours)",
        r"(?:19|20)\d\d",
    )
)
"""Kinds of phrases of which one may stand for another: groups of animals or people first."""
OF_DEGREE = KINDS[3]


def whole_question(question: Question, registry: Sequence[Molecule]) -> str:
    """The question in full, by what its thread knows; its text itself if it is no follow-up."""
    text = question.text
    plain = TAIL.sub("", " ".join(text.split()))
    rest, asked = LEAD.sub("", plain), (*question.previous, "")[0].rstrip("?. ")
    if not asked or not rest:
        return text
    if MORE.fullmatch(rest) and question.thread_molecules:
        return _sentence(f"what is known about {question.thread_molecules[0]}")
    if not (ASKS.match(rest) or TELLS.match(rest)):
        short = len(rest.split()) <= FRAGMENT_WORDS and not VERB.search(rest)
        is_fragment = rest != plain or (short and not _is_whole(rest, registry))
        return _sentence(_changed(asked, rest, registry)) if is_fragment else text
    if mentions(rest, registry):
        return text
    bare = len(rest.split()) <= BARE_WORDS and not (VERB.search(rest) or TELLS.match(rest))
    if bare and not POINTS.search(rest):
        return _sentence(_asked_otherwise(rest, asked))
    made = _pointed(rest, asked, question)
    return _sentence(made) if made != rest else text


def _asked_otherwise(word: str, asked: str) -> str:
    """The earlier question with another question word or phrase ("why", "in which study")."""
    if found := ASKED_WITH.match(asked):
        return f"{word} {found['aux'].lower()} {found['noun'] or ''}{found['rest']}"
    return f"{word}, about: {asked[:1].lower()}{asked[1:]}"


def _is_whole(words: str, registry: Sequence[Molecule]) -> bool:
    """Whether words without a verb name a molecule and a thing ("highest single dose of X")."""
    rest = without_names(words, registry)
    for kind in KINDS:
        rest = kind.sub(" ", rest)
    return bool(mentions(words, registry)) and bool(LINKS.sub("", rest))


def _changed(asked: str, fragment: str, registry: Sequence[Molecule]) -> str:
    """The earlier question with a phrase of it changed: study, molecule, phrase of a kind, or topic."""
    if STUDY.fullmatch(fragment):
        return STUDY.sub(fragment, asked) if STUDY.search(asked) else f"{asked} in study {fragment}"
    if names := mentions(fragment, registry):
        asked = _with_molecules(asked, [fragment[start:end] for start, end, _ in names], registry)
        fragment = " ".join(without_names(fragment, registry).split())
    if not LINKS.sub("", fragment):
        return asked
    for kind in KINDS:
        new, old = kind.search(fragment), list(kind.finditer(asked))
        if new and old:
            start, end = old[-1].span()
            before = re.sub(r"\bthe $", "", asked[:start]) if kind is KINDS[0] else asked[:start]
            return f"{before}{new[0]}{asked[end:]}"
        if new and kind is not OF_DEGREE and not re.match(PREPOSITION, fragment, re.IGNORECASE):
            return f"{asked} {'at' if new[0][0].isdigit() else 'in'} {fragment}"
    if re.match(rf"{PREPOSITION}\b", fragment, re.IGNORECASE):
        return f"{asked} {fragment}"
    topic = re.sub(r"^(?:the|any|some) ", "", fragment, flags=re.IGNORECASE)
    if found := TOPIC.search(asked):
        return f"{asked[: found.start('topic')]}{topic}{asked[found.end('topic') :]}"
    narrowed = "".join(PHRASE.findall(asked))
    return f"what is known about {topic} {narrowed}" if narrowed else f"{asked}: {topic}"


def _with_molecules(asked: str, names: Sequence[str], registry: Sequence[Molecule]) -> str:
    """The question about other molecules; a comparison gets them beside its own."""
    places, told = mentions(asked, registry), " and ".join(names)
    if not places:
        return f"{asked} of {told}"
    if COMPARED.search(asked) or len({name for _, _, name in places}) > 1:
        return f"{asked[: places[-1][1]]} and {told}{asked[places[-1][1] :]}"
    for start, end, _ in reversed(places):
        asked = f"{asked[:start]}{told}{asked[end:]}"
    return asked


def _pointed(text: str, asked: str, question: Question) -> str:
    """A text with what its words point at in their place; else with the question before beside it."""
    molecule, document = (*question.thread_molecules, "")[0], question.thread_document
    study = STUDY.search(asked)
    it = study[0] if study and molecule.casefold() not in asked.casefold() else molecule
    for pointing, thing, told in (
        (THAT_DOCUMENT, document, rf"the \g<noun> {document}"),
        (THERE, document, f"in {document}"),
        (ITS, molecule, rf"the \g<noun> of {molecule}"),
        (IT, it, it),
    ):
        if thing and pointing.search(text):
            return pointing.sub(told, text, count=1)
    return f"{text.rstrip('? ')} ({asked})" if POINTS.search(text) else text


def _sentence(question: str) -> str:
    """A question with a capital letter and its mark."""
    plain = " ".join(question.split()).rstrip("?. ")
    return f"{plain[:1].upper()}{plain[1:]}?"
