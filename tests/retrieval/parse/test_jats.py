"""Journal articles as XML."""

from pathlib import Path

import pytest

from retrieval.errors import CorruptDocument, UnsupportedFormat
from retrieval.ingest.record import describe
from retrieval.parse import parse

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "http://nowhere.invalid/JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front>
<journal-meta><journal-title-group>
<journal-title>J Exampl Tox</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1000/1</article-id>
<title-group><article-title>Toxicity of <italic>QX-1001</italic> in rats</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Roe</surname>
<given-names>Ann</given-names></name></contrib>
</contrib-group>
<pub-date pub-type="collection"><year>2011</year></pub-date>
<pub-date pub-type="epub"><day>2</day><month>8</month><year>2011</year></pub-date>
<pub-date pub-type="pmc-release"><day>1</day><month>1</month><year>2010</year></pub-date>
<abstract><p>Rats were given 10&#xa0;mg/kg.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>See <xref>[1]</xref>; 10<sup>6</sup> cells.</p>
<sec><title>Animals</title><list><list-item><p>ten rats</p></list-item></list></sec></sec>
<table-wrap><label>Table 1</label><caption><title>Plasma levels</title></caption><table><thead>
<tr><th rowspan="2">Dose</th><th colspan="2">Cmax</th></tr><tr><th>M</th><th>F</th></tr></thead>
<tbody><tr><td>10 mg/kg</td><td>5.2</td><td>4.9</td></tr></tbody></table>
<table-wrap-foot><fn><p>M: males.</p></fn></table-wrap-foot></table-wrap></body>
<back><ack><p>We thank B. Doe.</p></ack><ref-list><title>References</title><ref><mixed-citation>Cited 1999
</mixed-citation></ref></ref-list></back></article>"""


def stored(folder: Path, text: str, name: str = "a.nxml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_an_article_is_read_with_sections_and_tables(tmp_path: Path) -> None:
    text = parse(stored(tmp_path, ARTICLE)).text
    assert text.startswith(
        "# Toxicity of QX-1001 in rats\n\nAnn Roe\n\nJ Exampl Tox. Published: 2011-08-02. doi:10.1000/1"
    )
    assert "## Abstract\n\nRats were given 10 mg/kg." in text.replace("\xa0", " ")
    assert "## Methods\n\nSee [1]; 10⁶ cells.\n\n### Animals\n\n- ten rats" in text
    assert (
        "Table 1. Plasma levels.\n| Dose | Cmax / M | Cmax / F |\n|---|---|---|\n| 10 mg/kg | 5.2 | 4.9 |"
        "\n\nM: males.\n\n## Acknowledgements\n\nWe thank B. Doe." in text
    )
    assert "Cited 1999" not in text


def test_its_record_has_what_the_article_says_of_itself(tmp_path: Path) -> None:
    record = describe(parse(stored(tmp_path, ARTICLE)), "a.nxml", "0")
    assert (record.title, record.date, record.document_type) == (
        "Toxicity of QX-1001 in rats",
        "2011-08-02",
        "Article",
    )
    corrected = ARTICLE.replace("research-article", "correction").replace("Toxicity", "Correction: Toxicity")
    assert describe(parse(stored(tmp_path, corrected)), "a.xml", "0").document_type == "Correction"


def test_several_articles_are_told(tmp_path: Path) -> None:
    article = ARTICLE[ARTICLE.index("<article ") :]
    found = parse(stored(tmp_path, f"<pmc-articleset>{article}{article}</pmc-articleset>", "two.xml"))
    assert found.text.count("## Methods") == 1
    assert "first of its 2 articles" in found.warnings[0]


@pytest.mark.parametrize("text", ["<study><dose>10 mg</dose></study>", "<article><p>no front</p></article>"])
def test_other_xml_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnsupportedFormat, match="no journal article"):
        parse(stored(tmp_path, text, "study.xml"))


def test_nothing_is_loaded_and_no_entity_expanded(tmp_path: Path) -> None:
    secret = stored(tmp_path, "secret", "secret.txt")
    declared = f'<!DOCTYPE article [<!ENTITY x SYSTEM "file://{secret}">]>'
    with pytest.raises(CorruptDocument, match="entities"):
        parse(stored(tmp_path, declared + ARTICLE[ARTICLE.index("<article ") :]))
    assert "α-blocker" in parse(stored(tmp_path, ARTICLE.replace("ten rats", "&alpha;-blocker"))).text


@pytest.mark.parametrize("text", [ARTICLE[:900], "<a>" * 5_000, "no XML"])
def test_damaged_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CorruptDocument):
        parse(stored(tmp_path, text))
