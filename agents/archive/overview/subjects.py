"""Which studies a question is about: by number, by the words of their titles, or by a search."""

import re
from collections.abc import Iterable, Sequence

from agents.archive.answer import Question
from agents.archive.overview.narrowed import Narrowed, has_words, stems_of
from agents.archive.overview.page import Desk
from agents.archive.overview.studies import Study, is_about, standing, studies_of
from retrieval.molecules.lexicon import words
from retrieval.molecules.lookup import mentions
from retrieval.values import Filters, Molecule, SearchRequest

FILLING = words("""
    the a an of in on for and or about study studies trial trials report reports document paper article with
    patients
    to findings results result main key conclusions conclusion data from by our all is was were what which
    archive me
    everything safety efficacy summary clinical preclinical nonclinical programme program development
    development's
""")
MOST_WORDS = 0.6


def narrowed_to(
    desk: Desk, question: Question, rest: str, molecules: Sequence[str], registry: Sequence[Molecule]
) -> list[Study]:
    """The studies of molecules whose title has the other words of a question, such as a disease."""
    spelled = [question.text[a:b].casefold() for a, b, _ in mentions(question.text, registry)]
    text = rest.casefold()
    for name in spelled:
        text = text.replace(name, " ")
    wanted = [word for word in re.findall(r"[^\W_][\w'-]*", text) if word not in FILLING]
    own = [
        study for study in studies_of(standing(desk.records)) if is_about(study, Narrowed((), ()), molecules)
    ]
    return [study for study in own if wanted and has_words(study.record.title, wanted)]


def named_study(desk: Desk, text: str) -> Study | None:
    """The study or document whose number or id a question writes; a file called "status" is not named by an
    ordinary word, so a name has a digit or a mark in it. Where none has the whole name, its end will do.
    """
    words = {word.strip(".,;:?!()\"'").casefold() for word in text.split()}
    words = {word for word in words if not word.isalpha()}
    records = standing(desk.records)
    ids = [(r, {r.study_id.casefold(), r.doc_id.rpartition("/")[2].casefold()}) for r in records]
    named = [record for record, own in ids if own & words]
    named = named or [record for record, own in ids if any(_ends_with(one, words) for one in own)]
    if not named:
        return None
    of_study = [study for study in studies_of(records) if any(record in named for record in study.records)]
    return of_study[0] if of_study else Study(named[0].doc_id, tuple(named))


def _ends_with(name: str, words: Iterable[str]) -> bool:
    """Whether a name ends with a word of several parts, as "ab/alm-5" does with "alm-5"."""
    return any(len(word.split("-")) > 1 and re.search(rf"[^\w]{re.escape(word)}$", name) for word in words)


def titled_studies(desk: Desk, rest: str) -> list[Study]:
    """Documents whose title has all words of a subject, reports first."""
    wanted = [word for word in re.findall(r"[^\W_][\w'-]*", rest.casefold()) if word not in FILLING]
    if not wanted:
        return []
    records = [
        record for record in standing(desk.records) if has_words(f"{record.title} {record.doc_id}", wanted)
    ]
    of_study = studies_of(records)
    kept = {record.doc_id for study in of_study for record in study.records}
    return [*of_study, *(Study(record.doc_id, (record,)) for record in records if record.doc_id not in kept)]


async def searched_studies(desk: Desk, rest: str) -> list[Study]:
    """The documents that a search ranks first, if they have most of the subject's words."""
    wanted = [word for word in re.findall(r"[^\W_][\w'-]*", rest.casefold()) if word not in FILLING]
    if not wanted:
        return []
    hits = await desk.tools.retriever.search(SearchRequest(rest, Filters(), 12))
    kept: dict[str, Study] = {}
    for hit in hits:
        there = stems_of(f"{hit.record.title} {hit.chunk.text}")
        share = sum(bool(stems_of(word) & there) for word in wanted) / len(wanted)
        if share >= MOST_WORDS and not (hit.record.copy_of or hit.record.newest_version):
            kept.setdefault(hit.record.doc_id, Study(hit.record.doc_id, (hit.record,)))
    return list(kept.values())[:3]
