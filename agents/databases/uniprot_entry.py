"""An entry of UniProtKB as a row, from the flat text of its downloads and its service."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from agents.databases.bulk_format import Row, under
from agents.databases.fields import cell, items, text, texts

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
