"""Accession numbers of datasets in a text, by their forms."""

import re

FORMS: tuple[tuple[str, str, str], ...] = (
    ("GEO series", r"GSE\d{2,7}", "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={}"),
    ("GEO sample", r"GSM\d{2,8}", "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={}"),
    ("GEO platform", r"GPL\d{1,6}", "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={}"),
    ("GEO dataset", r"GDS\d{2,5}", "https://www.ncbi.nlm.nih.gov/sites/GDSbrowser?acc={}"),
    ("read archive", r"(?:SR|ER|DR)[APRSXZ]\d{5,9}", "https://www.ncbi.nlm.nih.gov/sra/{}"),
    ("BioProject", r"PRJ(?:NA|EB|DB)\d{2,8}", "https://www.ncbi.nlm.nih.gov/bioproject/{}"),
    ("BioSample", r"SAM(?:N|EA|D)\d{5,12}", "https://www.ncbi.nlm.nih.gov/biosample/{}"),
    ("ArrayExpress", r"E-[A-Z]{4}-\d{1,6}", "https://www.ebi.ac.uk/biostudies/arrayexpress/studies/{}"),
    ("dbGaP", r"phs\d{6}(?:\.v\d+(?:\.p\d+)?)?", "https://www.ncbi.nlm.nih.gov/gap/?term={}"),
    ("EGA", r"EGA[SDN]\d{11}", "https://ega-archive.org/studies/{}"),
    ("TCGA", r"TCGA(?:-[A-Z]{2,4}(?![\w-]))?", "https://portal.gdc.cancer.gov/"),
    ("TARGET", r"TARGET-[A-Z]{2,4}(?![\w-])", "https://portal.gdc.cancer.gov/"),
    ("ProteomeXchange", r"PXD\d{6}", "https://proteomecentral.proteomexchange.org/cgi/GetDataset?ID={}"),
    ("MetaboLights", r"MTBLS\d{1,5}", "https://www.ebi.ac.uk/metabolights/{}"),
    ("GTEx", r"GTEx", "https://gtexportal.org/"),
)
"""Kind, form and address of what has an accession number. Those of single sequences are no datasets."""
_ANY = re.compile("|".join(rf"(?<!\w)(?:{form})(?![A-Za-z0-9])" for _, form, _ in FORMS))


def accessions_in(text: str) -> tuple[str, ...]:
    """The accession numbers of a text in order, each once."""
    return tuple(dict.fromkeys(match[0] for match in _ANY.finditer(text)))


def kind_of(accession: str) -> str:
    """What an accession number is one of; "" for none."""
    return next((kind for kind, form, _ in FORMS if re.fullmatch(form, accession)), "")


def link_of(accession: str) -> str:
    """Where an accession number is told of; "" for none."""
    return next((link.format(accession) for _, form, link in FORMS if re.fullmatch(form, accession)), "")
