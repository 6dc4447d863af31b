"""The search: five queries in every place, ten hits each, rated; datasets (BioResearcher, section 3.2)."""

import asyncio
from collections.abc import Sequence

from agents.errors import ToolFailed
from agents.evidence.sources import Source, Sources, tool_source
from agents.ports import LanguageModel
from agents.protocol.accessions import accessions_in, kind_of
from agents.protocol.archive import NAME as ARCHIVE
from agents.protocol.judge import KEPT, Wanted, judged, rated
from agents.protocol.literature import Literature, dataset_source
from agents.protocol.minds import ratings_of
from agents.protocol.values import Article, Dataset, Objective, Query, Rated, Search

HITS = 10
"""Of a query and a place."""
READ, FOR_METHODS = 10, 3
"""Articles that are read, at most; and where none is helpful as a whole."""
LISTED = 12
"""Rated articles that a report lists."""
ACCESSIONS = 20
"""Datasets named by articles that are looked up."""
NOTHING_SET_UP = (
    "No literature is set up here, so nothing was searched but the archive. Name a folder with articles "
    "(JATS or PubMed XML, PDF), GEO's SOFT files and tables in PESTLE_SOURCES_LITERATURE, or let "
    "PESTLE_SOURCES_LIVE ask PubMed, PMC and GEO."
)


async def search(
    places: Sequence[Literature],
    model: LanguageModel | None,
    sources: Sources | None,
    objective: Objective,
    queries: tuple[Query, ...],
) -> Search:
    """What all queries find everywhere, rated. A place that fails is told, and the others go on."""
    found: dict[str, tuple[Article, set[int]]] = {}
    datasets: dict[str, Dataset] = {}
    told: list[str] = []
    for place in places:
        asked = await asyncio.gather(*(_ask(place, one) for one in queries))
        for number, (articles, sets, _) in enumerate(asked, start=1):
            for article in articles:
                found.setdefault(article.doi or article.id, (article, set()))[1].add(number)
            datasets.update({one.accession: one for one in sets if one.accession not in datasets})
        told.append(_told(place, asked))
    wanted = Wanted(objective)
    scored = [rated(article, wanted, tuple(sorted(numbers))) for article, numbers in found.values()]
    judged_by, note = await ratings_of(model, objective, scored)
    ranked = tuple(sorted(judged_by, key=lambda one: (-one.score, -len(one.queries), one.article.id)))
    named = accessions_in(objective.whole)
    every = [*datasets.values(), *await resolved(places, [one for one in named if one not in datasets])]
    known = tuple(judged(one, wanted) for one in (*every, *await _at_hand(places, every)))
    for one in ranked[:LISTED]:
        await keep(sources, head_source(one.article))
    for each in known:
        await keep(sources, dataset_source(each))
    nothing = NOTHING_SET_UP if all(one.name == ARCHIVE for one in places) and not ranked else ""
    return Search(queries, ranked, known, tuple(told), tuple(filter(None, (note, nothing))))


Asked = tuple[Sequence[Article], Sequence[Dataset], str]


async def _ask(place: Literature, query: Query) -> Asked:
    """What one query finds in a place; "" or why it was not answered."""
    try:
        return await place.articles(query.text, HITS), await place.datasets(query.text, HITS), ""
    except ToolFailed as error:
        return (), (), str(error)


def _told(place: Literature, asked: Sequence[Asked]) -> str:
    failed = next((why for _, _, why in asked if why), "")
    hits = {one.id for articles, _, _ in asked for one in articles}
    sets = {one.accession for _, found, _ in asked for one in found}
    name = place.name[0].upper() + place.name[1:]
    told = f"{name}: {len(hits)} articles and {len(sets)} datasets by {len(asked)} queries."
    return f"{told} {failed}".strip()


async def resolved(places: Sequence[Literature], accessions: Sequence[str]) -> list[Dataset]:
    """Datasets by their accessions, as the first place describes them; one that none has is told so."""
    found: list[Dataset] = []
    for accession in accessions[:ACCESSIONS]:
        described: Dataset | None = None
        for place in places:
            try:
                described = described or await place.dataset(accession)
            except ToolFailed:
                continue
        found.append(described or Dataset(accession, kind_of(accession), source="named only"))
    return found


async def _at_hand(places: Sequence[Literature], known: Sequence[Dataset]) -> list[Dataset]:
    """The datasets at hand that no query found: the request may name a file of theirs."""
    seen = {one.accession for one in known}
    every = [one for place in places for one in await place.at_hand()]
    return [one for one in every if one.accession not in seen]


async def keep(sources: Sources | None, source: Source) -> None:
    """Keep a source, where there is a place for it."""
    if sources is not None:
        await sources.put(source)


def head_source(article: Article) -> Source:
    """Title, journal and abstract of an article as a source that can be cited."""
    lines = (f"# {article.title}", f"{article.journal} {article.year}".strip(), article.abstract)
    text = "\n\n".join(filter(None, lines))
    title = f"{article.title} ({article.id})"
    return tool_source(article.source or "literature", title, text, query=article.id, link=article.link)


def kept_articles(search: Search) -> tuple[Rated, ...]:
    """The articles that are read: helpful ones, and the next best if none of these has methods to read."""
    useful = [one for one in search.rated if one.score >= KEPT - 1 and not one.article.retracted]
    helpful = [one for one in useful if one.score >= KEPT][:READ]
    next_best = [one for one in useful if one.score < KEPT][:FOR_METHODS]
    return (*helpful, *([] if any(one.article.full_text for one in helpful) else next_best))
