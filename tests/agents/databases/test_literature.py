"""PubMed: sentences word for word, with species and direction only where they are said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.databases.literature import literature_tool, named, sentences
from agents.databases.ports import WebReply
from agents.databases.pubmed import (
    EUTILS,
    Article,
    parse_articles,
    parse_search,
    search_request,
)
from agents.databases.target import Target
from agents.errors import ToolFailed
from tests.agents.databases.reaching import ask, facts_of, reach_of
from tests.support.services import shared

ADRB2 = Target("ADRB2", name="adrenoceptor beta 2", aliases=("ADRBR", "BAR", "B2AR"))
SAYS = "ADRB2 agonists caused tachycardia in 4 of 12 dogs."
XML = f"""<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "https://example.org/p.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>111</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2019</Year></PubDate></JournalIssue>
<ISOAbbreviation>J Test</ISOAbbreviation></Journal>
<ArticleTitle>Safety of <i>ADRB2</i> agonists</ArticleTitle>
<Abstract><AbstractText Label="METHODS">Is ADRB2 toxic? We treated dogs.</AbstractText>
<AbstractText Label="RESULTS">{SAYS} Weight was <sup>not</sup> changed at all in them.</AbstractText>
</Abstract>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""
SEARCH_FAULT = '{"esearchresult": {"ERROR": "bad"}}'
SEARCH = '{"esearchresult": {"count": "1", "idlist": ["111"]}}'


def replies(search: Any = SEARCH, fetch: Any = XML) -> Any:
    return {f"{EUTILS}/esearch.fcgi": search, f"{EUTILS}/efetch.fcgi": fetch}


async def test_a_sentence_is_told_word_for_word_with_species_and_direction() -> None:
    reply = await ask(literature_tool, reach_of(replies()), "ADRB2")
    (fact,) = facts_of(reply).facts
    assert fact.text == SAYS
    assert (fact.term, fact.species, fact.change, fact.id) == ("tachycardia", "dog", "activation", "111")
    source = reply.records[0].source
    assert source.title == "PubMed, PMID 111: Safety of ADRB2 agonists"
    assert source.link == "https://pubmed.ncbi.nlm.nih.gov/111/"
    assert "Weight was not changed" in source.text


@pytest.mark.parametrize(
    "said",
    [
        "ADRB2 agonists caused no tachycardia in 4 of 12 dogs.",
        "ADRB2 agonists prevented tachycardia in 4 of 12 dogs.",
        "ADRB2 agonists are a therapy of tachycardia in 4 of 12 dogs.",
    ],
)
async def test_an_effect_that_is_denied_or_treated_is_no_fact(said: str) -> None:
    reply = await ask(literature_tool, reach_of(replies(fetch=XML.replace(SAYS, said))), "ADRB2")
    assert not facts_of(reply).facts


async def test_nothing_found_is_no_error() -> None:
    for none in ('{"esearchresult": {"idlist": []}}', None):
        reply = await ask(literature_tool, reach_of(replies(search=none)), "ADRB2")
        assert "Nothing found" in reply.note


async def test_an_abstract_that_does_not_name_the_target_has_no_fact() -> None:
    reply = await ask(literature_tool, reach_of(replies(fetch=XML.replace("ADRB2", "ADRB1"))), "ADRB2")
    assert not facts_of(reply).facts


def test_other_articles_than_were_asked_for_are_refused() -> None:
    with pytest.raises(ToolFailed, match="other articles"):
        parse_articles(WebReply(XML, "", ""), ["999"])


@pytest.mark.parametrize("broken", ["", "<html/>", "{}", "<a", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"])
def test_articles_of_another_form_are_refused(broken: str) -> None:
    with pytest.raises(ToolFailed):
        parse_articles(WebReply(broken, "", ""), ["111"])


@pytest.mark.parametrize("broken", ["", "[]", "{}", SEARCH_FAULT])
def test_searches_of_another_form_are_refused(broken: str) -> None:
    with pytest.raises(ToolFailed):
        parse_search(WebReply(broken, "", ""))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ADRB2 was", True),
        ("adrb2 was", True),
        ("ADRB21 was", False),
        ("the BAR was", True),
        ("in a bar", False),
        ("anti-ADRB2", False),
        ("Adrenoceptor beta 2 is", True),
    ],
)
def test_a_target_is_named_as_it_is_written(text: str, found: bool) -> None:
    assert bool(named(ADRB2).search(text)) is found


def test_short_other_symbols_are_not_searched() -> None:
    (_, term) = next(param for param in search_request(ADRB2, "x").params if param[0] == "term")
    assert term == '("ADRB2"[tiab] OR "adrenoceptor beta 2"[tiab] OR "ADRBR"[tiab] OR "B2AR"[tiab]) AND x'


@given(st.text(max_size=300))
def test_abstracts_may_be_anything(text: str) -> None:
    for sentence in sentences(Article("1", "T", "", "", (("", text),))):
        assert sentence in text


@pytest.mark.service("shared")
def test_recorded_replies_are_read() -> None:
    folder = shared("data/tsa/api_captures")
    xml = (folder / "pubmed/efetch_citation_22663011.xml").read_text()
    (article,) = parse_articles(WebReply(xml, "", ""), ["22663011"])
    assert article.title == "Improved survival with MEK inhibition in BRAF-mutated melanoma."
    assert [label for label, _ in article.abstract] == ["BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"]
    assert parse_search(WebReply((folder / "pubmed/esearch_braf.json").read_text(), "", "")) == ("123", "456")
