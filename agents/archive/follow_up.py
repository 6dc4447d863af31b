"""Turns a follow-up into a whole question: the earlier question, with what the follow-up changes in it.

Rules, in this order: a phrase in place of one of its kind ("and in dogs?"); a bare question word in place of
the earlier one ("why?"); words that point back, in place of what they point at ("who decided that?"). What is
no follow-up stays as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive import phrases as p
from agents.archive.names import STUDY
from retrieval.molecules.lookup import mentions, without_names
from retrieval.values import Molecule

FRAGMENT_WORDS = 8
BARE_WORDS = 5
"""Words of a question that only has another question word than the one before ("in which study?")."""


@dataclass(frozen=True, slots=True)
class Thread:
    """What a thread knows: the whole question asked last, the molecules spoken of, the answer's document."""

    asked: str = ""
    molecules: tuple[str, ...] = ()
    document: str = ""


def whole_question(text: str, thread: Thread, registry: Sequence[Molecule]) -> str:
    """The question in full; the text itself if it is no follow-up."""
    plain = p.SHORT_IS.sub(r"\1 is", " ".join(text.split()))
    rest = p.TAIL.sub("", p.LEAD.sub("", plain))
    if not thread.asked or not rest:
        return text
    if dose := p.DOSE.search(thread.asked):
        pointed = p.AT_THAT_DOSE.sub(rf"\1 {dose[0]}", rest)
        if pointed != rest and thread.molecules and re.match(r"(?:the )?\w+ (?:at|on) the\b", pointed):
            return _sentence(f"what was {pointed} of {thread.molecules[0]}")
        rest = pointed
    if p.MORE.fullmatch(rest) and thread.molecules:
        return f"Summarise what we know about {thread.molecules[0]}."
    led = rest != p.TAIL.sub("", plain)
    if p.REQUEST.match(rest) and not _points(rest):
        of_one = p.WANTED.match(rest) and not p.OVER_ALL.search(rest) and not mentions(rest, registry)
        return _sentence(f"{rest} for {thread.molecules[0]}") if of_one and thread.molecules else text
    if not p.ASKS.match(rest):
        is_fragment = len(rest.split()) <= FRAGMENT_WORDS and not p.VERB.search(rest)
        is_fragment = is_fragment and not _stands_alone(rest, registry)
        return _sentence(_changed(rest, thread, registry)) if led or is_fragment else text
    if mentions(rest, registry):
        return text
    made = _asked_again(rest, thread, led=led)
    return _sentence(made) if made != rest else text


def _stands_alone(words: str, registry: Sequence[Molecule]) -> bool:
    """Whether words without a verb name a molecule and a thing ("highest single dose of X")."""
    named = bool(mentions(words, registry))
    words = without_names(words, registry)
    for kind in p.KINDS:
        words = kind.sub(" ", words)
    return named and bool(p.LINKS.sub("", words))


def _asked_again(rest: str, thread: Thread, *, led: bool) -> str:
    """A question that names no molecule, with what it leaves to the thread."""
    if again := p.WHEN_WAS_THAT.match(rest):
        return _asked_otherwise(again["word"], thread.asked)
    if (ones := p.WHICH_ONES.match(rest)) and (noun := p.PLURAL.search(thread.asked)):
        return f"which {noun['noun']} {ones['rest']}"
    study = STUDY.search(thread.asked)
    place = study[0] if study else thread.document
    if place and (many := p.HOW_MANY_THERE.match(rest)) and (counted := _counted(thread.asked)):
        return f"how many {counted} {many['aux']} in {place}"
    who = p.WHO_DID.match(thread.asked)
    if who and re.fullmatch(rf"who {who['verb']} (?:that|this|it)\W*", rest, re.IGNORECASE):
        return thread.asked.rstrip("?. ")
    points = _points(rest)
    if not points and len(rest.split()) <= BARE_WORDS and not p.VERB.search(rest):
        return _asked_otherwise(rest, thread.asked)
    made = _pointed(rest, thread) if points else rest
    if made == rest and led and thread.molecules and not p.CODE.search(rest):
        return f"{rest} for {thread.molecules[0]}"
    return made


def _points(words: str) -> bool:
    """Whether words point back ("it", "they", "there")."""
    return any(one.search(words) for one in (p.IT, p.THEY, p.THAT, p.ITS, p.THERE, p.THAT_DOCUMENT))


def _counted(asked: str) -> str:
    """The people, animals or things in the plural that a question is about; "" where there are none."""
    if noun := p.PLURAL.search(asked):
        return noun["noun"]
    groups = p.GROUP.findall(asked)
    return groups[-1] if groups and re.search(r"(?:s|men|mice)$", groups[-1]) else ""


def _changed(fragment: str, thread: Thread, registry: Sequence[Molecule]) -> str:
    """The earlier question with a phrase of it changed."""
    asked = thread.asked.rstrip("?. ")
    if study := STUDY.fullmatch(fragment):
        return STUDY.sub(study[0], asked) if STUDY.search(asked) else f"{asked} in study {study[0]}"
    if names := mentions(fragment, registry):
        asked = _with_molecules(asked, [fragment[start:end] for start, end, _ in names], registry)
        fragment = p.BARE_LINK.sub("", " ".join(without_names(fragment, registry).split()))
    if not fragment.strip(" ,"):
        return asked
    for kind in p.KINDS:
        if found := kind.search(fragment):
            return _in_kind(asked, fragment, found[0], kind)
    if re.match(rf"{p.PREPOSITION}\b", fragment, re.IGNORECASE):
        return _with_place(asked, fragment)
    return _with_topic(asked, fragment, thread)


def _with_molecules(asked: str, names: Sequence[str], registry: Sequence[Molecule]) -> str:
    """The question about other molecules; a comparison gets them beside its own."""
    places = mentions(asked, registry)
    told = " and ".join(names)
    if not places:
        return f"{asked} of {told}"
    if p.COMPARED.search(asked) or len({name for _, _, name in places}) > 1:
        end = places[-1][1]
        return f"{asked[:end]} and {told}{asked[end:]}"
    for start, end, _ in reversed(places):
        asked = f"{asked[:start]}{told}{asked[end:]}"
    return asked


def _in_kind(asked: str, fragment: str, phrase: str, kind: re.Pattern[str]) -> str:
    """The question with a phrase in place of the last one of its kind, or with the phrase added."""
    told = re.sub(rf"^(?:{p.PREPOSITION} )?(?:the )?", "", fragment, flags=re.IGNORECASE)
    phrase = told if kind is p.GROUP else phrase
    before = [found for found in kind.finditer(asked) if found[0].casefold() != "human"]
    if before:
        start, end = before[-1].span()
        plural = phrase.endswith(("s", "men", "mice"))
        head = re.sub(r"\bthe $", "", asked[:start]) if plural else asked[:start]
        return f"{head}{phrase}{asked[end:]}"
    if re.match(rf"{p.PREPOSITION}\b", fragment, re.IGNORECASE):
        return f"{asked} {fragment}"
    if not p.OF_DEGREE.match(fragment):
        return f"{asked} {'at' if p.AMOUNT.fullmatch(phrase) else 'in'} {fragment}"
    if noun := p.TOPIC.search(asked):
        told = told if len(told.split()) > len(phrase.split()) else f"{phrase} {noun['topic']}"
        return f"{asked[: noun.start('topic')]}{told}{asked[noun.end('topic') :]}"
    return re.sub(r"^(what|which) ", rf"\1 was the {phrase} of the ", asked, flags=re.IGNORECASE)


def _with_place(asked: str, fragment: str) -> str:
    """The question with its last phrase of the same preposition changed, or with the phrase added."""
    word = fragment.split()[0]
    found = re.search(rf"\b{word} (?:the |a )?[\w-]+(?: [\w-]+)?$", asked, re.IGNORECASE)
    return f"{asked[: found.start()]}{fragment}" if found else f"{asked} {fragment}"


def _with_topic(asked: str, fragment: str, thread: Thread) -> str:
    """The question about another thing: what it asks for, or what somebody had."""
    topic = re.sub(r"^(?:the|any|some) ", "", fragment, flags=re.IGNORECASE)
    pattern = p.HAD if re.match(r"how many", asked, re.IGNORECASE) else p.TOPIC
    if found := pattern.search(asked):
        return f"{asked[: found.start('topic')]}{topic}{asked[found.end('topic') :]}"
    about = f" of {thread.molecules[0]}" if thread.molecules else f" ({asked})"
    return f"What was the {topic}{about}"


def _asked_otherwise(word: str, asked: str) -> str:
    """The earlier question with another question word or phrase ("why", "in which study")."""
    asked = p.ABOUT.sub("", asked.rstrip("?. "))
    word = "by whom" if word.casefold() in ("who", "whom") else word
    if found := p.YES_NO.match(asked) or p.BY_ADVERB.match(asked) or p.BY_WHAT.match(asked):
        return f"{word} {found['aux'].lower()} {found['rest']}"
    if found := p.WHO_SAID_THAT.match(asked):
        return f"{word} {found['aux'].lower()} {found['subject']} {found['rest']}"
    if found := p.BY_NOUN.match(asked):
        return f"{word} {found['aux'].lower()} {found['noun']} {found['rest']}"
    if found := p.WHO_DID.match(asked):
        to_do = re.match(r"(?:to|that) ", found["rest"], re.IGNORECASE)
        done = f"it {found['verb']} {found['rest']}" if to_do else f"{found['rest']} {found['verb']}"
        return f"{word} was {done}"
    return f"{word}, about: {asked[:1].lower()}{asked[1:]}"


def _pointed(question: str, thread: Thread) -> str:
    """The question with what its words point at in their place."""
    molecule = thread.molecules[0] if thread.molecules else ""

    def instead(found: re.Match[str], words: str) -> str:
        return f"{question[: found.start()]}{words}{question[found.end() :]}"

    if thread.document and (found := p.THAT_DOCUMENT.search(question)):
        return instead(found, f"the {found['noun']} {thread.document}")
    if thread.document and (found := p.THERE.search(question)):
        return instead(found, f"in {thread.document}")
    if molecule and (found := p.ITS.search(question)):
        return instead(found, f"the {found['noun']} of {molecule}")
    written = thread.document and p.OF_WRITING.search(question) and not p.EVENT.search(thread.asked)
    if written and (found := p.THAT.search(question) or p.IT.search(question)):
        return instead(found, thread.document)
    if (found := p.THAT.search(question)) and (stated := _stated(thread.asked)):
        return instead(found, f"that {stated}")
    if (found := p.THEY.search(question)) and (those := _those(question, thread.asked)):
        return instead(found, those)
    if found := p.IT.search(question):
        named = molecule if molecule.casefold() in thread.asked.casefold() else ""
        if thing := _thing(question, thread.asked) or named:
            return instead(found, thing)
        return f"{question.rstrip('? ')} ({thread.asked.rstrip('?. ')})"
    return question


def _those(question: str, asked: str) -> str:
    """Whom or what in the plural a question was about, with their study; "" for what it asked for."""
    noun = p.PLURAL.search(asked)
    if not noun or p.LISTED.search(noun["noun"]):
        return ""
    study = STUDY.search(asked)
    return f"the {noun['noun']}{f' in study {study[0]}' if study and not STUDY.search(question) else ''}"


def _stated(asked: str) -> str:
    """What a question takes for granted ("Why was X stopped?": "X was stopped"); "" if it cannot be said."""
    plain = asked.rstrip("?. ")
    if (told := p.WHO_SAID_THAT.match(plain)) is not None:
        return f"{told['subject']} {told['aux'].lower()} {told['rest']}"
    found = p.YES_NO.match(plain) or p.BY_ADVERB.match(plain)
    if found and found["aux"].lower() == "did" and (ends := p.ENDS.match(found["rest"])):
        verb = ends["verb"].lower()
        return f"{ends['subject']} {p.PAST.get(verb, f'{verb}ed')}{ends['rest']}"
    passive = p.PASSIVE.match(found["rest"]) if found else None
    if not found or not passive:
        return ""
    return f"{passive['subject']} {found['aux'].lower()} {passive['participle']}{passive['rest']}"


def _thing(question: str, asked: str) -> str:
    """The meeting, study or document, or the dose or measure, that the earlier question was about, if this
    one asks about such.
    """
    plain = asked.rstrip("?. ")
    if (measured := p.MEASURED.search(plain)) and p.OF_MEASURES.search(question):
        return measured["thing"]
    found = p.EVENT.search(plain)
    return found[0] if found and p.OF_EVENTS.search(question) else ""


def _sentence(question: str) -> str:
    """A question with a capital letter and its mark."""
    plain = " ".join(question.split()).rstrip("?. ")
    return f"{plain[:1].upper()}{plain[1:]}{'.' if p.TOLD_TO.match(plain) else '?'}"
