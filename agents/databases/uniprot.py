"""UniProt: what a protein does, where it is, its domains, the diseases that it is involved in.

Bulk: the flat file of UniProtKB (`uniprot_sprot_human.dat`). Live: the same text, of one entry.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from agents.counts import number_of
from agents.databases.bulk_format import BulkFormat, Row, under
from agents.databases.database import database
from agents.databases.edition import Edition, absent
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, text, texts
from agents.databases.naming import quoted
from agents.databases.ports import Reach, Web, WebRequest
from agents.databases.refusals import other_gene, unknown_form
from agents.databases.sheet import Sheet, sentence, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from retrieval.text.sentences import split_sentences

HUMAN = "9606"
EVIDENCE = re.compile(r"\s*\{(ECO:|Ref\.)[^{}]*\}")
COMMENTS = {
    "FUNCTION": "function",
    "TISSUE SPECIFICITY": "tissue",
    "SUBUNIT": "subunit",
    "ACTIVITY REGULATION": "regulation",
    "PATHWAY": "pathway",
    "SIMILARITY": "family",
    "SUBCELLULAR LOCATION": "location",
    "DISEASE": "disease",
}
"""Comments that are kept, and the column of each."""
FEATURES = {
    "DOMAIN": "Domain",
    "TRANSMEM": "Transmembrane",
    "SIGNAL": "Signal",
    "ZN_FING": "Zinc finger",
}
"""Features that are kept, and what they are called."""
ONTOLOGY = re.compile(r"^GO; (GO:\d{7}); ([FPC]):(.+); ([A-Z]{2,3}):", re.MULTILINE)
"""A term of the Gene Ontology: id, aspect, name, evidence."""
DISEASE = re.compile(r"(?P<name>[^\[]+?)(?: \[MIM:(?P<mim>\d+)\])?: (?P<text>.+)", re.DOTALL)


def rows_of_text(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """The human entries of a flat file, under accessions, symbols and ids."""
    entry: list[str] = []
    for line in lines:
        if not line.startswith("//"):
            entry.append(line)
            continue
        row, others = _row_of_entry(entry)
        entry = []
        if row["taxon"] == HUMAN and row["accession"]:
            names = texts(cell(row["synonyms"]))
            yield from under(row, row["symbol"], *names, row["ensembl"], row["entrez"], *others)


def looks_like_text(head: Sequence[str]) -> bool:
    """Whether a flat file of UniProtKB begins so."""
    return len(head) > 1 and head[0].startswith("ID   ") and head[1].startswith("AC   ")


def _row_of_entry(lines: Sequence[str]) -> tuple[Row, list[str]]:
    """The row of a flat entry, and all its accessions."""
    parts: dict[str, list[str]] = {}
    for line in lines:
        parts.setdefault(line[:2], []).append(line[5:])
    whole = {code: EVIDENCE.sub("", " ".join(parts.get(code, ()))) for code in ("DE", "GN", "OX")}
    ids = re.split(r";\s*", " ".join(parts.get("AC", [])).strip("; "))
    genes = whole["GN"]
    size = re.search(r"(\d+) AA\.", " ".join(parts.get("ID", [])))
    references = "\n".join(parts.get("DR", []))
    row = {
        "accession": ids[0],
        "entry": " ".join(parts.get("ID", [""])).split(" ")[0],
        "symbol": _first(r"Name=([^;]+);", genes),
        "synonyms": _json(list(filter(None, re.split(r",\s*", _first(r"Synonyms=([^;]+);", genes))))),
        "name": _first(r"RecName: Full=([^;]+);", whole["DE"]),
        "taxon": _first(r"NCBI_TaxID=(\d+)", whole["OX"]),
        "length": size[1] if size else "",
        "entrez": _first(r"GeneID; (\d+);", references),
        "ensembl": _first(r"(ENSG\d+)", references),
        "domains": _json(_domains(parts.get("FT", []))),
        "go": _json([list(one) for one in ONTOLOGY.findall(references)]),
        **_comments(parts.get("CC", [])),
    }
    return row, ids


def _comments(lines: Sequence[str]) -> dict[str, str]:
    lists: dict[str, list[JsonValue]] = {column: [] for column in COMMENTS.values()}
    block = "\n".join(lines).split("---------------")[0]
    for comment in re.split(r"^-!- ", block, flags=re.MULTILINE)[1:]:
        topic, _, said = comment.partition(":")
        column = COMMENTS.get(topic)
        if column:
            lists[column] += _said(EVIDENCE.sub("", _unwrapped(said)), column)
    return {column: _json(list(found)) for column, found in lists.items()}


def _said(said: str, column: str) -> list[JsonValue]:
    if column == "location":
        places = said.partition("Note=")[0].split(". ")
        named = (re.sub(r"^\[[^]]+\]:\s*", "", place).split(";")[0].strip(" .") for place in places)
        return [place for place in dict.fromkeys(named) if place]
    if column == "disease":
        found = DISEASE.fullmatch(said.partition(" Note=")[0].strip())
        return [[found["name"], found["mim"] or "", found["text"]]] if found else []
    return [said.strip()]


def _unwrapped(said: str) -> str:
    """Lines as one text. A line that ends with a hyphen goes on without a blank."""
    return " ".join(re.sub(r"(?<=\w)-\n\s*", "-", said).split())


def _domains(lines: Sequence[str]) -> list[JsonValue]:
    found: list[JsonValue] = []
    for line in lines:
        if place := re.fullmatch(r"(\w+)\s+[<?]?(\d+)(?:\.\.[>?]?(\d+))?", line.strip()):
            kind = FEATURES.get(place[1], "")
            found.append([kind, place[2], place[3] or place[2], ""])
        elif found and (note := re.fullmatch(r'/note="([^"]*)"?', line.strip())):
            found[-1] = [*items(found[-1])[:3], note[1]]
    return [one for one in found if text(one, 0)]


def _first(pattern: str, said: str) -> str:
    found = re.search(pattern, said)
    return found[1].strip() if found else ""


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""


API = "https://rest.uniprot.org/uniprotkb"
PAGE = "https://www.uniprot.org/help/downloads"
CITED = re.compile(r"\s*\((?:PubMed:\d+|By similarity|Ref\.\d+|, )+\)")
MOST_SENTENCES = 12
PROSE = (
    ("function", "Function", Topic.FUNCTION),
    ("pathway", "Pathway", Topic.PATHWAY),
    ("regulation", "Activity regulation", Topic.FUNCTION),
    ("subunit", "Interactions", Topic.FUNCTION),
    ("tissue", "Tissue specificity", Topic.EXPRESSION),
)
"""Columns with sentences, their titles, and the topic of their facts."""
UNIPROT = database(
    "uniprot",
    BulkFormat(
        "uniprot",
        "uniprot_sprot_human.dat",
        PAGE,
        "ID   ADRB2_HUMAN   Reviewed; …",
        looks_like_text,
        rows_of_text,
    ),
)


async def uniprot_entry(reach: Reach, target: Target) -> tuple[Row, Edition] | None:
    """The reviewed human entry of a target as a row (`uniprot_entry`), and where it is from.

    None if UniProt has none. Raises `ToolFailed` if the network fails or replies with another protein.
    """
    loaded = reach.bulk.release(UNIPROT.name)
    if loaded is not None:
        for key in filter(None, (target.uniprot, target.symbol)):
            for row in await reach.bulk.rows(UNIPROT.name, key):
                if row["symbol"].casefold() == target.symbol.casefold():
                    return row, Edition.of_bulk(UNIPROT, loaded, _page(row))
    return await _live(reach.web, target) if reach.web else None


async def protein_of(reach: Reach, target: Target) -> TargetFindings:
    """What UniProt says of a target's protein. Raises `ToolFailed`."""
    if reach.bulk.release(UNIPROT.name) is None and reach.web is None:
        return unasked(UNIPROT)
    if (found := await uniprot_entry(reach, target)) is None:
        if reach.web is None:
            return absent(f"The loaded file of UniProt has no entry of {target.symbol}.")
        return absent(f"UniProt has no reviewed human entry of {target.symbol}.")
    return protein(target, *found)


def protein(target: Target, row: Row, edition: Edition) -> TargetFindings:
    """What an entry says, with a fact for each sentence, place, domain and disease."""
    gene = target.symbol
    sheet = edition.sheet(f"{row['name'] or 'protein'} of {gene} ({row['accession']})", gene)
    named = sheet.line(f"Entry {row['accession']} ({row['entry']}), human: {row['name']}")
    for column, title, topic in PROSE:
        _prose(sheet, gene, title, topic, texts(cell(row[column])))
    if places := texts(cell(row["location"])):
        line = sheet.line(f"Subcellular location: {'; '.join(places)}")
        for place in places:
            said = f"UniProt locates the protein of {gene} at: {place}."
            sheet.fact(Topic.LOCATION, said, line, named, term=place)
    _structure(sheet, gene, row, named)
    _diseases(sheet, gene, items(cell(row["disease"])))
    if family := texts(cell(row["family"])):
        line = sheet.line(f"Family: {family[0]}")
        said = f"UniProt on the family of {gene}: {sentence(family[0])}"
        sheet.fact(Topic.FUNCTION, said, line)
    return target_findings((sheet,), nothing=f"The entry of {gene} in UniProt says nothing of its function.")


def _prose(sheet: Sheet, gene: str, title: str, topic: Topic, said: Sequence[str]) -> None:
    """Each sentence on a line of its own. The first are facts; a report need not repeat a review."""
    sentences = [one for written in said for one in split_sentences(written)]
    for number, one in enumerate(sentences):
        line = sheet.line(f"{title} of {gene}: {sentence(one)}")
        if number < MOST_SENTENCES:
            told_of = f"UniProt on {gene}, {title.lower()}: {sentence(CITED.sub('', one))}"
            sheet.fact(topic, told_of, line)


def _structure(sheet: Sheet, gene: str, row: Row, named: str) -> None:
    """Length and domains."""
    if row["length"].isdigit():
        line = sheet.line(f"Length: {row['length']} amino acids")
        said = f"The canonical protein of {gene} has {row['length']} amino acids."
        length = {"measure": "protein length", "value": float(row["length"]), "unit": "amino acids"}
        sheet.fact(Topic.FUNCTION, said, line, named, **length)
    spans = 0
    for one in items(cell(row["domains"])):
        kind, start, end, note = (text(one, place) for place in range(4))
        spans += kind == "Transmembrane"
        line = sheet.line(f"{kind}{f' ({note})' if note else ''}: residues {start} to {end}")
        if kind != "Transmembrane":
            said = f"The protein of {gene} has, at residues {start} to {end}: {kind.lower()} {note}".strip()
            sheet.fact(Topic.FUNCTION, f"{said}.", line, term=note or kind.lower())
    if spans:
        line = sheet.line(f"Transmembrane segments in all: {spans}")
        many = number_of(spans, "transmembrane segment")
        sheet.fact(Topic.FUNCTION, f"The protein of {gene} has {many}.", line)


def _diseases(sheet: Sheet, gene: str, found: Sequence[JsonValue]) -> None:
    for one in found:
        name, mim, described = (text(one, place) for place in range(3))
        line = sheet.line(f"Disease: {name}{f' [MIM:{mim}]' if mim else ''}: {sentence(described)}")
        said = f"UniProt lists {name} as a disease in which {gene} is involved."
        sheet.fact(Topic.DISEASE, said, line, term=name, id=f"MIM:{mim}" if mim else "")


def _page(row: Row) -> str:
    return f"https://www.uniprot.org/uniprotkb/{row['accession']}/entry"


async def _live(web: Web, target: Target) -> tuple[Row, Edition] | None:
    """The entry by its accession, else the reviewed human entry with the gene's symbol."""
    if target.uniprot:
        reply = await web.fetch(WebRequest("uniprot", f"{API}/{target.uniprot}.txt"))
    else:
        query = f"(gene_exact:{quoted(target.symbol)}) AND organism_id:{HUMAN} AND reviewed:true"
        params = (("query", query), ("format", "txt"), ("size", "5"))
        reply = await web.fetch(WebRequest("uniprot", f"{API}/search", params))
    if reply is None or not reply.text.strip():
        return None
    rows = [row for _, row in rows_of_text(reply.text.splitlines())]
    if not rows:
        raise unknown_form(UNIPROT.title, "no human entry")
    row = next((row for row in rows if _is_of(row, target)), None)
    if row is None:
        raise other_gene(UNIPROT.title, rows[0]["symbol"] or rows[0]["accession"], target)
    return row, Edition.of_reply(UNIPROT, reply, _page(row))


def _is_of(row: Row, target: Target) -> bool:
    known = {row["symbol"], *texts(cell(row["synonyms"]))}
    if row["taxon"] not in ("", HUMAN):
        return False
    same = row["accession"] == target.uniprot and bool(known & {*target.symbols})
    return row["symbol"] == target.symbol or same


uniprot_tool = TargetTool(
    "protein",
    UNIPROT,
    protein_of,
    (Topic.FUNCTION, Topic.LOCATION, Topic.PATHWAY, Topic.EXPRESSION, Topic.DISEASE),
)
