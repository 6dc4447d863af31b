"""Dossiers made from folders and from texts, without an index, for tests of the extractors."""

import hashlib
import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import yaml

from agents.archive.tools import LoadedDocument
from agents.archive.values import ResearchInput
from retrieval.ingest.record import assign, describe
from retrieval.molecules.registry import build_registry
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, Molecule, ParsedFile

QUESTIONS = {
    "Q1": "first_in_human_dose",
    "Q2": "route",
    "Q3": "highest_dose",
    "Q4": "highest_dose_with_sae",
    "Q5": "efficacious_dose",
    "Q6": "regimen",
    "Q7": "margin_of_safety",
    "Q8": "discontinuation_reason",
    "Q9": "organ_toxicity",
}


class Archive:
    """Documents of a folder or of given texts, with the registry of their molecules."""

    def __init__(self, parsed: dict[str, ParsedFile]) -> None:
        described = {
            p: describe(file, p, hashlib.sha256(file.text.encode()).hexdigest()) for p, file in parsed.items()
        }
        self.registry = build_registry(described.values())
        self.documents = [
            self._open(assign(record, parsed[p].text, self.registry), parsed[p])
            for p, record in described.items()
        ]

    def _open(self, record: DocumentRecord, file: ParsedFile) -> LoadedDocument:
        document = Document(record, file.text, file.pages)
        return LoadedDocument(document, passages_of(document))

    def research_input(self, name: str, aliases: tuple[str, ...] = ()) -> ResearchInput:
        """The dossier of all documents that name a molecule."""
        wanted = {key(name) for name in (name, *aliases)}
        molecule = next(
            (m for m in self.registry if wanted & {key(n) for n in (m.name, *m.aliases)}), Molecule(name)
        )
        molecule = replace(molecule, aliases=tuple(dict.fromkeys((*molecule.aliases, *aliases))))
        documents = [d for d in self.documents if molecule.name in d.record.molecules]
        documents.sort(key=lambda d: (d.record.date, d.record.doc_id))
        return ResearchInput(
            molecule, tuple(m for m in self.registry if m.name != molecule.name), tuple(documents)
        )


def key(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def from_folder(folder: Path) -> Archive:
    return Archive(
        {
            path.name: with_front_matter(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.md"))
        }
    )


def with_front_matter(text: str) -> ParsedFile:
    _, front, body = text.split("---\n", 2)
    return ParsedFile(body, metadata=yaml.safe_load(front))


def from_texts(**texts: str) -> Archive:
    """An archive of Markdown texts; front matter is not needed, the first heading is the title."""
    parsed = {}
    for name, text in texts.items():
        doc_id = name.replace("_", "-")
        title = next(
            (line.lstrip("# ") for line in text.strip().splitlines() if line.startswith("#")), doc_id
        )
        metadata: dict[str, object] = {"doc_id": doc_id, "title": title}
        body = text.strip() + "\n"
        while body.startswith("@"):
            line, body = body.split("\n", 1)
            field, value = line[1:].split(":", 1)
            metadata[field.strip()] = value.strip()
        parsed[f"{doc_id}.md"] = ParsedFile(body.strip() + "\n", metadata=metadata)
    return Archive(parsed)


def scorer(folder: Path) -> ModuleType:
    """The reference scorer that comes with an evaluation folder."""
    spec = importlib.util.spec_from_file_location("archive_score", folder / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
