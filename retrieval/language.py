"""Which language a document is written in, and whether a question is in English.

Frequent words tell the languages of most archives at once. Where they do not, a model of 97 languages does
(py3langid: Lui & Baldwin 2012), which takes about a second to load and so is loaded only then. A question is
too short for the model, but where it is known not to be English the model tells six languages apart.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

LOOKED_AT = 20_000
"""Characters at the beginning of a document that are looked at."""
LEAST_WORDS = 10
LEAST_LEAD = 2.5
"""A language is certain from this many frequent words, and this many times those of the next language."""
FEW_WORDS = 25
"""Fewer different words than this, in plain Latin letters and with at most one frequent one, are a table or a
label.
"""
LEAST_SHARE = 0.8
"""How sure the model must be of the language of a question, among those of `STOP_WORDS`."""
LEAST_PROBABILITY = 0.6
"""Under it the model guesses: the text has only codes, numbers or a few words."""
WORD = re.compile(r"[^\W\d_]+")
STOP_WORDS = {
    "en": "the of and to in was were is with for that by from on are not this as at be which or",
    "de": "der die das und in von den mit des zu nicht ist bei ein eine wurde wurden für auf dem nach im",
    "fr": "le la les de des et à en du une un est dans que par pour sur au aux été avec ont pas",
    "es": "el la los las de y en que del se con por para una un es fue no al como más su",
    "it": "il la di e che in un una per con del della dei è non sono alla nel le gli da stato",
    "nl": "de het een en van in is dat op te met voor niet zijn bij aan werd door naar werden ook",
    "pt": "o a os as de e em que do da dos das um uma com por para não foi no na ao mais",
}
"""Frequent words by ISO 639-1 code."""
ENGLISH = "what which who when where how why is are the of for and did does"
"""Words of English questions that hardly any other language has."""
NOT_ENGLISH = (
    "der das ist und für wie welche wurde el los las es una cuál qué por le les des est une quelle quel il "
    "che di della quale het een wat voor qual são da dos que com και είναι ποια ποιο της του την "
    "quels quelles pourquoi combien sont était welcher welches welchen warum gibt wurden welke welk waarom "
    "hoeveel werd bij wann wer hatte hatten waren gab nach mit auf dem im zur zum nicht sind keine quand "
    "chez avec ont cuándo cuánto cuántos cuántas hubo fue en ratas perros quanti quante quanto "
    "quando sono nel hanno"
)
"""Frequent words of other languages that are not English as well."""
MARKED = re.compile(r"[a-zß-ÿ]*[ß-öø-ÿ][a-zß-ÿ]*")
"""A word in small letters with an umlaut, accent or cedilla, as English hardly has ("naïve")."""
LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-zÀ-ɏͰ-Ͽ]")
"""Greek counts too, for the names of receptors and units."""
LISTED = {code: frozenset(words.split()) for code, words in STOP_WORDS.items()}


def language(text: str) -> str:
    """ISO 639-1 code; "" where the text is too short or too little of it is language."""
    text = text[:LOOKED_AT]
    counts = Counter(WORD.findall(text.lower()))
    scores = {code: sum(counts[word] for word in words) for code, words in LISTED.items()}
    best, second = sorted(scores, key=lambda code: -scores[code])[:2]
    if scores[best] >= LEAST_WORDS and scores[best] >= LEAST_LEAD * scores[second]:
        return best
    if text.isascii() and scores[best] < 2 and len(counts) < FEW_WORDS:
        return ""
    code, probability = _model().classify(text)
    return str(code) if probability >= LEAST_PROBABILITY else ""


def is_foreign(question: str) -> bool:
    """Whether a question is in another script, or has more words of `NOT_ENGLISH`, or with marks, than of
    `ENGLISH`.
    """
    letters = LETTER.findall(question)
    words = WORD.findall(question)
    if sum(bool(LATIN.match(letter)) for letter in letters) < len(letters) / 2:
        return True
    small, marked = [one.lower() for one in words], sum(bool(MARKED.fullmatch(one)) for one in words)
    return marked + _count(small, NOT_ENGLISH) > _count(small, ENGLISH)


def language_of_question(question: str) -> str:
    """ISO 639-1 code of a question that is not in English, if it is in one of `STOP_WORDS`; else ""."""
    if sum(bool(LATIN.match(letter)) for letter in LETTER.findall(question)) < len(question) / 2:
        return ""
    ranked = {str(code): float(share) for code, share in _model().rank(question) if code in STOP_WORDS}
    best = max(ranked, key=lambda code: ranked[code])
    sure = best != "en" and ranked[best] >= LEAST_SHARE * sum(ranked.values())
    return best if sure else ""


def _count(words: Sequence[str], listed: str) -> int:
    known = listed.split()
    return sum(word in known for word in words)


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
