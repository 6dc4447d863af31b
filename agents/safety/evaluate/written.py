"""Safety reports as they were written to JSON files, and the claims of their integrated risk tables.

Three forms are read: the report for machines (`pestle safety --json`, `pestle ask --json`), the whole export
(format "pestle.report/1"), and for reports of other systems a plain one:

    {"target": "ADRB2",
     "endpoints": {"Cardiovascular toxicity": [{"text": "tachycardia", "species": "human"}]}}
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import LedgerMismatch
from agents.evidence.values import Citation
from agents.reports.values import Cell, Report, Table
from agents.runs.encoding import decode
from agents.safety.endpoints.species import SpeciesGroup, species_group, species_name
from agents.safety.endpoints.values import Endpoint
from agents.safety.synthesis.findings import LINES
from retrieval.errors import JudgementsError

RISKS = "risks"
_LINE = re.compile(rf" \((?:{'|'.join(dict.fromkeys(LINES.values()))})(?:: [^()]*)?\)$")
"""The line of evidence behind a finding: "bradycardia (animals: mouse)"."""
HUMAN = "human"
ENDPOINT, SPECIES, FINDINGS = "endpoint", "species", "findings"


@dataclass(frozen=True, slots=True)
class RiskClaim:
    """An atomic claim of the risk table: an observation, and the species in which it was made (or "")."""

    text: str
    species: str


@dataclass(frozen=True, slots=True)
class Written:
    """A report's risk claims by endpoint; `name` tells the file, `target` whose report it is."""

    name: str
    target: str
    claims: Mapping[Endpoint, tuple[RiskClaim, ...]]


def read_report(path: Path) -> Report:
    """The report in a file of either of Pestle's forms. Raises `JudgementsError`."""
    content = _content(path)
    inner = content.get("report", content)
    try:
        found: Report = decode(Report, json.dumps(inner), "report")
    except LedgerMismatch as error:
        raise JudgementsError(f"{path} holds no report of Pestle as JSON. {error}") from error
    return found


def read_risks(path: Path) -> Written:
    """The claims of a file's risk table. Raises `JudgementsError`."""
    content = _content(path)
    if isinstance(content.get("endpoints"), dict):
        return Written(path.name, str(content.get("target", "")), _plain(content["endpoints"], path))
    result = content.get("result")
    if isinstance(result, dict) and isinstance(result.get("risks"), list):
        target = (result.get("target") or {}).get("symbol", "")
        return Written(path.name, target, _grouped(_of_result(result["risks"])))
    report = read_report(path)
    section = report.section(RISKS)
    table = next((one for one in section.tables if _columns(one)), None) if section else None
    if section is None or table is None:
        raise JudgementsError(f"{path} has no integrated risk table.")
    return Written(path.name, report.title, _grouped(_of_table(table, section.citations)))


def endpoint_named(name: str) -> Endpoint | None:
    """The endpoint of a title or key, None for another one."""
    flat = name.strip().casefold()
    return next((one for one in Endpoint if flat in (one.title.casefold(), one.key)), None)


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise JudgementsError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(content, dict):
        raise JudgementsError(f"{path} holds no report as JSON.")
    return content


def _plain(endpoints: Mapping[str, Any], path: Path) -> dict[Endpoint, tuple[RiskClaim, ...]]:
    found = []
    for name, claims in endpoints.items():
        endpoint = endpoint_named(name)
        if endpoint is None:
            raise JudgementsError(f"{path}: {name!r} is none of the 15 endpoints.")
        found += [(endpoint, RiskClaim(str(one["text"]), str(one.get("species", "")))) for one in claims]
    return _grouped(found)


def _of_result(risks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Endpoint, RiskClaim]]:
    """The findings that a run of this kind weighed."""
    for risk in risks:
        endpoint = endpoint_named(str(risk["endpoint"]))
        for finding in risk.get("findings", ()):
            fact = finding["cited"]["fact"]
            if endpoint:
                yield endpoint, RiskClaim(fact.get("term") or fact["text"], fact.get("species", ""))


def _columns(table: Table) -> dict[str, int]:
    """Where the endpoint, the species and the findings stand; empty for another table."""
    places = {name.casefold(): place for place, name in enumerate(table.columns)}
    return places if {ENDPOINT, FINDINGS} <= set(places) else {}


def _of_table(table: Table, citations: Sequence[Citation]) -> Iterator[tuple[Endpoint, RiskClaim]]:
    """The findings that a table shows: each is one claim, in the species of the record that states it."""
    places = _columns(table)
    for row in table.rows:
        endpoint = endpoint_named(row[places[ENDPOINT]].text)
        if endpoint is None:
            continue
        named = row[places[SPECIES]].text if SPECIES in places else ""
        parts = (_LINE.sub("", part).strip() for part in row[places[FINDINGS]].text.split(";"))
        for text in filter(None, parts):
            yield endpoint, RiskClaim(text, _species(text, named, row[places[FINDINGS]], citations))


def _species(text: str, named: str, cell: Cell, citations: Sequence[Citation]) -> str:
    """The one species of the row, or that of the cited record which says the finding.

    A record that names no species is one of human data, if the row speaks of people.
    """
    several = [name.strip() for name in named.split(",") if name.strip()]
    if len(several) == 1:
        return several[0]
    cited = (one for one in citations if one.number in cell.citations)
    says = [one for one in cited if text.casefold() in one.quote.casefold()]
    told = (species_name(words) for one in says for words in (*one.species, one.title) if _known(words))
    return next(told, HUMAN if says and HUMAN in several else "")


def _known(words: str) -> bool:
    return species_group(words) is not SpeciesGroup.UNKNOWN


def _grouped(found: Iterable[tuple[Endpoint, RiskClaim]]) -> dict[Endpoint, tuple[RiskClaim, ...]]:
    claims: dict[Endpoint, dict[RiskClaim, None]] = {}
    for endpoint, claim in found:
        claims.setdefault(endpoint, {})[claim] = None
    return {endpoint: tuple(of) for endpoint, of in claims.items()}
