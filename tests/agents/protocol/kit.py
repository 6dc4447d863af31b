"""A small literature of invented articles, as files and in memory."""

import gzip
import random
from pathlib import Path

from agents.protocol.folder import FolderLiterature
from agents.protocol.values import Objective

ARTICLE = """<?xml version="1.0"?>
<article article-type="{kind}" xmlns:xlink="http://www.w3.org/1999/xlink"><front>
<journal-meta><journal-title-group><journal-title>Journal of Invented Airways</journal-title>
</journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">{doi}</article-id>
<title-group><article-title>{title}</article-title></title-group>
<pub-date><year>2021</year></pub-date>{related}
<abstract><p>{abstract}</p></abstract></article-meta></front>
<body>
<sec><title>Introduction</title><p>Airways are lined by muscle. Much is known about them already.</p></sec>
<sec><title>Materials and Methods</title>
<sec><title>Cell culture and treatment</title>
<p>Airway smooth muscle cells of four donors were cultured in medium with 10% serum. The medium was changed
every 48 h. Cells were treated with 1 µM dexamethasone or vehicle for 18 h.
No antibiotics were added.</p></sec>
<sec><title>RNA sequencing and differential expression</title>
<p>Total RNA was extracted with TRIzol. Libraries were sequenced with 75 bp paired reads. Differential
expression was tested with DESeq2, and genes with an adjusted p-value below 0.05 were kept. Counts are in GEO
under accession GSE99999 and in SRP012345.</p></sec>
</sec>
<sec><title>Results</title><p>Differential expression was tested between treated and untreated cells, and 316
genes with an adjusted p-value below 0.05 were kept. Cells of all donors were treated alike.</p></sec>
</body><back><ref-list><ref><mixed-citation>Data: PRJNA123456.</mixed-citation></ref>
</ref-list></back></article>
"""
TITLE = "Dexamethasone changes gene expression in airway smooth muscle cells"
ABSTRACT = "We studied by RNA-seq how dexamethasone changes airway smooth muscle cells."
PUBMED = """<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>{pmid}</PMID>
<Article><Journal>
<JournalIssue><PubDate><Year>2019</Year></PubDate></JournalIssue>
<ISOAbbreviation>Inv J</ISOAbbreviation></Journal>
<ArticleTitle>{title}</ArticleTitle><Abstract><AbstractText>{abstract}</AbstractText></Abstract>
<PublicationTypeList><PublicationType>Journal Article</PublicationType>{kinds}</PublicationTypeList></Article>
</MedlineCitation>
</PubmedArticle></PubmedArticleSet>
"""
SOFT = """^DATABASE = Geo
^DATASET = GDS77
!dataset_title = Kidney tumours (invented)
!dataset_type = gene expression array-based
!dataset_platform = GPL1
!dataset_sample_organism = Homo sapiens
!dataset_sample_count = 6
^SUBSET = GDS77_1
!subset_description = tumour
!subset_sample_id = GSM1,GSM2,GSM3
!subset_type = disease state
^SUBSET = GDS77_2
!subset_description = normal
!subset_sample_id = GSM4,GSM5,GSM6
!subset_type = disease state
^DATASET = GDS77
!dataset_table_begin
ID_REF\tIDENTIFIER\tGSM1\tGSM2\tGSM3\tGSM4\tGSM5\tGSM6
{rows}
!dataset_table_end
"""
OBJECTIVE = Objective(
    "Find the genes that dexamethasone changes in airway smooth muscle cells",
    ("Data: airway_counts.csv.gz and airway_samples.csv",),
    ("pathway analysis",),
)


def article(
    title: str = TITLE,
    abstract: str = ABSTRACT,
    doi: str = "10.9/airway",
    kind: str = "research-article",
    related: str = "",
) -> str:
    """An article in JATS."""
    return ARTICLE.format(title=title, abstract=abstract, doi=doi, kind=kind, related=related)


def write_literature(folder: Path) -> Path:
    """A folder with articles, a notice of a retraction, a DataSet, and counts of eight samples."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "airway.xml").write_text(article())
    (folder / "wrong.nxml").write_text(
        article("Dexamethasone makes airway smooth muscle cells sing", doi="10.9/wrong")
    )
    related = '<related-article related-article-type="retracted-article" xlink:href="info:doi/10.9/wrong"/>'
    notice = article("Retraction: cells do not sing", "Withdrawn.", "10.9/notice", "retraction", related)
    (folder / "notice.xml").write_text(notice)
    told = PUBMED.format(
        pmid="7",
        title="Mice and asthma",
        abstract="A review of asthma.",
        kinds="<PublicationType>Review</PublicationType>",
    )
    (folder / "7.xml").write_text(told)
    numbers = random.Random(1)
    rows = "\n".join(
        f"P{n}\tGENE{n}\t" + "\t".join(f"{numbers.uniform(50, 900):.1f}" for _ in range(6))
        for n in range(600)
    )
    (folder / "GDS77.soft").write_text(SOFT.format(rows=rows))
    samples = [f"S{n}" for n in range(1, 9)]
    lines = [f"G{n}," + ",".join(str(numbers.randrange(5, 500)) for _ in samples) for n in range(700)]
    with gzip.open(folder / "airway_counts.csv.gz", "wt") as file:
        file.write("\n".join((f"gene,{','.join(samples)}", *lines)))
    groups = ("control", "treated") * 4
    sheet = [f"{one},{group},D{n // 2}" for n, (one, group) in enumerate(zip(samples, groups, strict=True))]
    (folder / "airway_samples.csv").write_text("\n".join(("id,dex,donor", *sheet)))
    (folder / "broken.xml").write_text("<article>")
    return folder


def literature(folder: Path) -> FolderLiterature:
    """The folder as literature."""
    return FolderLiterature(write_literature(folder))
