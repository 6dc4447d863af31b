"""Articles with their authors, and ligands with their papers, as loaded files."""

import pytest

from agents.databases.gtopdb import GTOPDB
from agents.databases.memory import MemoryBulk
from agents.databases.pubmed_records import RECORDS, article_of, words_of
from agents.errors import WrongFile

AUTHOR = (
    "<Author><LastName>{0}</LastName><ForeName>{1}</ForeName><Initials>{2}</Initials>"
    "<AffiliationInfo><Affiliation>{3}</Affiliation></AffiliationInfo></Author>"
)


def article(pmid: str, title: str, authors: str, abstract: str = "", topics: str = "") -> str:
    headings = "".join(
        f"<MeshHeading><DescriptorName>{one}</DescriptorName></MeshHeading>"
        for one in topics.split(";")
        if one
    )
    people = "".join(AUTHOR.format(*one.split("|")) for one in authors.split(";"))
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{title}</ArticleTitle>"
        f"<Abstract><AbstractText>{abstract}</AbstractText></Abstract><AuthorList>{people}</AuthorList></Article>"
        f"<MeshHeadingList>{headings}</MeshHeadingList></MedlineCitation></PubmedArticle>"
    )


def records(*articles: str) -> list[str]:
    return ["<PubmedArticleSet>", *articles, "</PubmedArticleSet>"]


async def test_an_article_is_found_by_id_by_its_first_and_last_author_and_by_its_words() -> None:
    bulk = MemoryBulk()
    people = "Yi|Ping|P|Fuzhou University;Mid|Ann|A|;Qiu|Ming Hua|MH|"
    bulk.load(
        RECORDS.formats[0], records(article("1", "QSAR of JNK1 inhibitors", people, "Kinases.", "Models"))
    )
    (row,) = await bulk.rows("pubmed-records", "author qiu m")
    found = article_of(row)
    assert (found.pmid, found.authors[0].affiliation, found.terms) == ("1", "Fuzhou University", ("Models",))
    assert await bulk.rows("pubmed-records", "author mid a") == ()
    (word,) = words_of("kinase")
    assert await bulk.rows("pubmed-records", word) == (row,)


def test_what_is_no_xml_is_refused() -> None:
    with pytest.raises(WrongFile):
        MemoryBulk().load(RECORDS.formats[0], ["<PubmedArticleSet>", "<PubmedArticle>"])


async def test_a_ligand_is_found_by_gene_by_name_and_by_each_paper() -> None:
    head = "target_gene_symbol,uniprot,ligand,smiles,inchikey,type,action,units,original,pubmed_id"
    bulk = MemoryBulk()
    bulk.load(
        GTOPDB.formats[0],
        [head, 'GSK3B,P49841,"CHIR-1, racemic",CCO,,Inhibitor,,,,11|12', "ABC,P1,x,,,,,,,13"],
    )
    for key in ("GSK3B", "ligand CHIR-1, racemic", "pmid 11", "pmid 12"):
        assert [row["smiles"] for row in await bulk.rows("gtopdb", key)] == ["CCO"], key
    assert list(await bulk.rows("gtopdb", "ABC")) == []
