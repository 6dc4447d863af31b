"""Scientists and their profiles (Indibator, section 2.1), from records of PubMed.

The most relevant articles name their first and last authors. Two of one name are one person only if more
speaks for it: an ORCID, a co-author, an affiliation, or topics in common. A profile holds the person's
articles with most of the task's words, and the molecules that these report.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from agents.chemistry.similarity import tanimoto
from agents.databases.pubmed import Article, Author
from agents.databases.pubmed_records import words_of
from agents.design.lab import molecule_of
from agents.design.literature import Ligands, Publications
from agents.design.values import Brief, Profile, Publication, Published
from agents.evidence.sources import Origin, Source, Sources
from agents.runs.clock import utc_now
from agents.runs.encoding import decode, encode
from agents.runs.hashing import digest
from agents.text.words import content_words

FOUND, OF_AUTHOR = 40, 50
"""Articles of a search, and of one author."""
PUBLICATIONS, MOLECULES = 10, 40
"""Of one profile."""
TOPICS = 3
"""MeSH headings in common that speak for one person."""
_PLACE = re.compile(r"[a-z]{4,}")
_ANYWHERE = frozenset(
    re.findall(
        r"\w+",
        "department university institute school faculty college center centre hospital research medical "
        "medicine science sciences chemistry biology pharmacy pharmaceutical national state laboratory "
        "division from with road street",
    )
)
"""Words of addresses that say nothing about the place."""
_GREEK = str.maketrans("αβγδκ", "abgdk")
ETHICS = (
    "The agents are built from public records of publications. What they say is generated: it is not the "
    "opinion of the people whose work they were built from, and no endorsement by them."
)
NO_PERSONS = "These scientists are built-in roles with written rules. No person stands behind them."


@dataclass(frozen=True, slots=True)
class Mention:
    """An author in an article."""

    author: Author
    article: Article


@dataclass(frozen=True, slots=True)
class Person:
    """An author, and the articles that are taken for theirs. `weight` is how relevant these are."""

    mentions: tuple[Mention, ...]
    weight: float = 0.0

    @property
    def author(self) -> Author:
        """The author as the fullest of the mentions names them."""
        return max(
            (one.author for one in self.mentions), key=lambda one: len(one.fore) + len(one.affiliation)
        )

    @property
    def name(self) -> str:
        """Forename and last name."""
        return f"{self.author.fore or self.author.initials} {self.author.last}".strip()

    @property
    def pmids(self) -> frozenset[str]:
        """The ids of the articles."""
        return frozenset(one.article.pmid for one in self.mentions)


async def found_scientists(
    literature: Publications,
    ligands: Ligands,
    brief: Brief,
    count: int,
    excluded: Sequence[str] = (),
    *,
    sources: Sources,
    voiced: bool,
) -> tuple[Profile, ...]:
    """Profiles of up to `count` people, the most relevant first, kept in `sources`. Raises `ToolFailed`.

    Only articles that name the target count, if there is one. Without a model to speak for them (`voiced`)
    people whose molecules nobody knows could do nothing, and are passed over.
    """
    task = " ".join(filter(None, (brief.target, brief.aim)))
    articles = await literature.on(" ".join((task, *brief.names)), FOUND)
    relevant = [one for one in articles if not brief.names or speaks_of(one, brief.names)]
    people = [one for one in ranked(relevant) if not is_excluded(one, excluded)]
    profiles: list[Profile] = []
    for person in diverse(people):
        if len(profiles) == count:
            break
        own = await literature.by(person.author, OF_AUTHOR)
        name = f"Scientist {ascii_uppercase[len(profiles)]}"
        made = await profile_of(joined(person, mentions_of(own)), ligands, brief, task, sources)
        if voiced or made.molecules:
            profiles.append(replace(made, name=name))
    return tuple(profiles)


def speaks_of(article: Article, names: Sequence[str]) -> bool:
    """Whether an article names a target, however hyphens and Greek letters are set."""
    text = f" {_bare(article.text)} "
    return any(f" {_bare(name)} " in text or (len(name) > 4 and _bare(name) in text) for name in names)


def _bare(text: str) -> str:
    """Words in small letters without hyphens; Greek letters as Latin ones."""
    plain = text.casefold().translate(_GREEK)
    return " ".join(re.findall(r"\w+", re.sub(r"(?<=\w)[-/](?=\w)", "", plain)))


def ranked(articles: Sequence[Article]) -> list[Person]:
    """The first and last authors of articles as people, the most relevant first."""
    people: list[Person] = []
    for place, article in enumerate(articles):
        for mention in mentions_of((article,)):
            gain = 1.0 / (1 + place)
            at = next((n for n, one in enumerate(people) if belongs(mention, one)), None)
            if at is None:
                people.append(Person((mention,), gain))
            else:
                people[at] = Person((*people[at].mentions, mention), people[at].weight + gain)
    return sorted(people, key=lambda one: -one.weight)


def mentions_of(articles: Iterable[Article]) -> tuple[Mention, ...]:
    """First and last authors: primary researchers and principal investigators."""
    ends = ((one, dict.fromkeys((*one.authors[:1], *one.authors[-1:]))) for one in articles)
    return tuple(Mention(author, article) for article, authors in ends for author in authors)


def joined(person: Person, mentions: Iterable[Mention]) -> Person:
    """The person with further articles that are theirs."""
    for one in mentions:
        if one.article.pmid not in person.pmids and belongs(one, person):
            person = replace(person, mentions=(*person.mentions, one))
    return person


def belongs(mention: Mention, person: Person) -> bool:
    """Whether a mention is of this person."""
    return any(same_person(mention, one) for one in person.mentions)


def same_person(one: Mention, other: Mention) -> bool:
    """Whether two mentions are of one person: the names fit, and more speaks for it."""
    mine, theirs = one.author, other.author
    if mine.orcid and theirs.orcid:
        return mine.orcid == theirs.orcid
    if mine.key != theirs.key or not _fore_fits(mine, theirs):
        return False
    if one.article.pmid == other.article.pmid or _colleagues(one) & _colleagues(other):
        return True
    if len(_place(mine) & _place(theirs)) >= 2:
        return True
    shared = len(set(one.article.terms) & set(other.article.terms))
    full = len(mine.fore) > 3 and mine.fore.casefold() == theirs.fore.casefold()
    return shared >= (1 if full else TOPICS)


def diverse(people: Sequence[Person]) -> list[Person]:
    """People by relevance; those of one article alone come after people of others."""
    chosen: list[Person] = []
    covered: set[str] = set()
    for person in people:
        if not person.pmids <= covered:
            chosen.append(person)
            covered |= person.pmids
    return [*chosen, *(one for one in people if one not in chosen)]


async def profile_of(person: Person, ligands: Ligands, brief: Brief, task: str, sources: Sources) -> Profile:
    """The profile of a person, without a name: articles by the frequency of the task's words, molecules by
    similarity. It is kept, and used again until what is known of the person changes.
    """
    articles = {one.article.pmid: one.article for one in person.mentions}
    molecules = await ligands.of_papers(sorted(articles))
    made_of = (person.name, task, brief.seeds, sorted(articles.items()), molecules)
    version = digest(made_of)[:12]
    if (kept := await sources.get(f"profile-{version}")) is not None:
        found: Profile = decode(Profile, kept.text, "profile")
        return found
    wanted = words_of(" ".join(content_words(task))) | words_of(task)
    made = [publication(one, wanted) for one in articles.values()]
    best = sorted(made, key=lambda one: (-one.hits, one.pmid))[:PUBLICATIONS]
    near = nearest(molecules, brief.seeds)
    date = utc_now().date().isoformat()
    profile = Profile("", person.name, tuple(best), near, version=version, date=date)
    text = encode(Profile, profile)[0]
    await sources.put(Source(f"profile-{version}", Origin.TOOL, "Profile", text, date=date, sha256=version))
    return profile


def publication(article: Article, wanted: Iterable[str]) -> Publication:
    """An article as a profile holds it."""
    abstract = "\n".join(part for _, part in article.abstract)
    keys = frozenset(wanted)
    hits = sum(bool(words_of(word) & keys) for word in re.findall(r"[\w-]+", article.text))
    where = ", ".join(filter(None, (article.journal, article.year)))
    text = "\n\n".join(filter(None, (article.title, where, abstract)))
    return Publication(article.pmid, article.title, text, hits)


def nearest(molecules: Sequence[Published], seeds: Sequence[str]) -> tuple[Published, ...]:
    """The molecules that are most similar to the start, the nearest first."""
    if seeds:
        start = molecule_of(seeds[0])
        molecules = sorted(molecules, key=lambda one: -tanimoto(start, molecule_of(one.smiles)))
    return tuple(molecules[:MOLECULES])


def is_excluded(person: Person, excluded: Sequence[str]) -> bool:
    """Whether a person asked not to be used, under any way to write the name."""
    author = person.author
    names = {person.name, f"{author.last} {author.initials}", f"{author.initials} {author.last}"}
    plain = {_plain(name) for name in names}
    return any(_plain(one) in plain for one in excluded)


def _plain(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold()))


def _fore_fits(one: Author, other: Author) -> bool:
    """Whether forenames may be of one person: "Jane", "Jane Q", "J"."""
    mine, theirs = _plain(one.fore).split(), _plain(other.fore).split()
    pairs = zip(mine, theirs, strict=False)
    return all(a.startswith(b) or b.startswith(a) for a, b in pairs)


def _colleagues(mention: Mention) -> frozenset[str]:
    return frozenset(one.key for one in mention.article.authors) - {mention.author.key}


def _place(author: Author) -> frozenset[str]:
    return frozenset(_PLACE.findall(author.affiliation.casefold())) - _ANYWHERE
