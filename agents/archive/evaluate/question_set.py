"""A question set: a folder with gold answers.

It holds `molecules.json` (who is asked about, and in which folder of documents), `questions.json` (texts with
`{M}` for the molecule) and `gold/*.jsonl`.
"""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from agents.archive.evaluate.scoring import GoldCell
from retrieval.errors import ArchiveNotFound


class AskedMolecule(BaseModel):
    """An entry of `molecules.json`."""

    molecule: str
    archive: str = ""
    folder: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """What a folder asks, and what it expects."""

    folder: Path
    molecules: tuple[AskedMolecule, ...]
    questions: dict[str, str]
    gold: tuple[GoldCell, ...]

    def documents_of(self, cell: GoldCell) -> Path | None:
        """The folder of the documents that a cell asks about; None for a molecule that is not listed."""
        folders = {entry.molecule: entry.folder for entry in self.molecules}
        return self.folder / folders[cell.molecule] if cell.molecule in folders else None


def read_question_set(folder: Path) -> QuestionSet:
    """The question set of a folder. Raises `ArchiveNotFound` for a folder that is none."""
    try:
        molecules = TypeAdapter(tuple[AskedMolecule, ...]).validate_json(
            (folder / "molecules.json").read_text(encoding="utf-8")
        )
        questions = TypeAdapter(dict[str, str]).validate_json(
            (folder / "questions.json").read_text(encoding="utf-8")
        )
        lines = [
            line
            for path in sorted((folder / "gold").glob("*.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        gold = tuple(GoldCell.model_validate_json(line) for line in lines if line.strip())
    except (OSError, ValidationError) as error:
        raise ArchiveNotFound(
            f"{folder} is no question set: it needs molecules.json, questions.json and gold/*.jsonl. {error}"
        ) from error
    if not gold:
        raise ArchiveNotFound(f"{folder / 'gold'} holds no gold answers: add at least one .jsonl file.")
    return QuestionSet(folder, molecules, questions, gold)


def question_text(questions: QuestionSet, cell: GoldCell) -> str:
    """The question of a cell, with the rules that belong to its text."""
    template = questions.questions.get(cell.question_id)
    return template.replace("{M}", cell.molecule) if template else cell.question_text
