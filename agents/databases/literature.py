"""The tool `pubmed_literature`: sentences of abstracts that name the target and an effect, word for word."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agents.databases.facts import Change, Topic
from agents.databases.ports import Reach, Web
from agents.databases.pubmed import (
    PUBMED,
    SEARCHES,
    Article,
    fetch_request,
    parse_articles,
    parse_search,
    search_request,
)
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.text.polarity import DENIAL
from retrieval.text.sentences import split_sentences
from retrieval.text.species import SPECIES

OF_ARTICLE, FACTS = 3, 40
"""Sentences of one article, and of all, that are told."""
EFFECT = re.compile(
    r"\b(?:\w*toxic\w*|adverse (?:effects?|events?|reactions?)|side effects?|\w+(?:aemia|emia|uria|itis|"
    r"pathy|cardia|tension|algia|plegia|penia|rrhoea|rrhea|megaly|ectasia)|arrhythmi\w*|qt prolongation|"
    r"heart failure|cardiac arrest|seizures?|convulsions?|epilep\w+|sedation|dependence|addiction|tremor|"
    r"ataxia|memory impairment|cognitive \w+|anxiety|depression|hallucinations?|nausea|vomiting|diarrhea|"
    r"constipation|dyspnea|apnea|bronchospasm|cough|hypoxia|fibrosis|necrosis|steatosis|liver injury|"
    r"kidney injury|renal failure|bleeding|thrombosis|stroke|infections?|immunosuppression|anaphylaxis|rash|"
    r"hypersensitivity|tumou?rs?|carcinomas?|malformations?|embryonic lethal\w*|lethality|mortality|death|"
    r"infertility|weight (?:gain|loss)|obesity|diabetes|osteoporosis|fractures?|hearing loss|blindness|"
    r"cataracts?|(?:heart rate|blood pressure|body weight))\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    rf"\b(?:{DENIAL}|prevent\w*|protect\w*|"
    r"attenuat\w*|ameliorat\w*|alleviat\w*|improv\w*|revers\w*|treat(?:s|ment|ing)?\b|therap\w*)\b",
    re.IGNORECASE,
)
"""Words with which a sentence may deny the effect, or tell of what is done against it."""
CHANGES = {
    Change.LOSS: re.compile(
        r"knock-?out|-/-|−/−|\bnull\b|deficien|loss[- ]of[- ]function|\bdeletion", re.IGNORECASE
    ),
    Change.GAIN: re.compile(r"gain[- ]of[- ]function|overexpress", re.IGNORECASE),
    Change.INHIBITION: re.compile(r"inhibit|antagonis|blockade|blocker|inverse agonist", re.IGNORECASE),
    Change.ACTIVATION: re.compile(r"(?<!inverse )\bagonis|\bactivation\b|\bactivators?\b", re.IGNORECASE),
}


async def literature(reach: Reach, target: Target) -> TargetFindings:
    """The sentences. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(PUBMED)
    articles, date = await _pubmed(reach.web, target)
    kept: list[Sheet] = []
    for article in articles:
        if sum(len(one.facts) for one in kept) < FACTS:
            kept.append(article_sheet(target, article, date))
    nothing = (
        f"Nothing found: of {len(articles)} articles that {PUBMED.title} found, no abstract has a sentence "
        f"that names {target.symbol} and an effect."
    )
    return target_findings(kept, nothing=nothing)


async def _pubmed(web: Web, target: Target) -> tuple[tuple[Article, ...], str]:
    """The articles of all searches, each once, and the day of the replies."""
    pmids: dict[str, None] = {}
    date = ""
    for about in SEARCHES:
        if (reply := await web.fetch(search_request(target, about))) is not None:
            pmids.update(dict.fromkeys(parse_search(reply)))
            date = reply.date
    if not pmids:
        return (), date
    reply = await web.fetch(fetch_request(tuple(pmids)))
    found = () if reply is None else parse_articles(reply, pmids)
    order = {pmid: place for place, pmid in enumerate(pmids)}
    return tuple(sorted(found, key=lambda article: order[article.pmid])), date


def article_sheet(target: Target, article: Article, date: str) -> Sheet:
    """The record of an article: its whole abstract, a sentence a line, with a fact for each telling one."""
    sheet = Sheet(
        f"{PUBMED.title}, PMID {article.pmid}: {article.title}",
        PUBMED.title,
        query=target.symbol,
        date=date,
        link=f"{PUBMED.page}{article.pmid}/",
    )
    if where := " ".join(filter(None, (article.journal, article.year))):
        sheet.line(where)
    names = named(target)
    for said in sentences(article):
        line = sheet.line(said)
        effect = None if DENIED.search(said) else EFFECT.search(said)
        if len(sheet.facts) < OF_ARTICLE and effect is not None and names.search(said):
            sheet.fact(
                Topic.LITERATURE,
                said,
                line,
                term=effect[0],
                id=article.pmid,
                species=_only(SPECIES, (said, article.title, *(part for _, part in article.abstract))),
                change=Change(_only(CHANGES, (said,))),
                measure="abstract",
            )
    return sheet


def sentences(article: Article) -> Iterator[str]:
    """The sentences of an abstract. Questions and fragments are passed over."""
    for _, part in article.abstract:
        for said in split_sentences(part):
            if said.endswith(".") and len(said.split()) > 4:
                yield said


def named(target: Target) -> re.Pattern[str]:
    """Where a sentence names the target. A short symbol has to stand as it is written."""
    names = sorted({*target.symbols, target.name} - {""}, key=len, reverse=True)
    parts = (re.escape(name) if len(name) < 4 else f"(?i:{re.escape(name)})" for name in names)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w])")


def _only(patterns: Mapping[Any, re.Pattern[str]], parts: Iterable[str]) -> str:
    """The one name whose pattern occurs in the first part that has any; "" where several do."""
    for part in parts:
        if found := [name for name, pattern in patterns.items() if pattern.search(part)]:
            return found[0] if len(found) == 1 else ""
    return ""


literature_tool = TargetTool("pubmed_literature", PUBMED, literature, (Topic.LITERATURE,))
