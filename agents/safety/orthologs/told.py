"""A selection as JSON, for a program: one form for the command, the tool and the evaluation."""

from pydantic import JsonValue

from agents.safety.orthologs.matrix import IdentityMatrix
from agents.safety.orthologs.values import Candidate, Choice, ProteinSequence, Selection

IDENTITY = "100 x identical residues / columns of a global pairwise alignment, gaps included"
"""What `identity` means, wherever it stands."""


def as_data(selection: Selection, matrix: IdentityMatrix | None = None) -> dict[str, JsonValue]:
    """Everything that was found. Identities, mismatches and length changes are in %."""
    data: dict[str, JsonValue] = {
        "human": _sequence(selection.human),
        "identity_is": IDENTITY,
        "notes": list(selection.notes),
        "searched": list(selection.searched),
        "species": [_choice(choice) for choice in selection.choices],
    }
    if matrix is not None:
        data["matrix"] = {
            "species": list(matrix.names),
            "accessions": [one.accession for one in matrix.sequences],
            "identity": [list(row) for row in matrix.values],
        }
    return data


def _choice(choice: Choice) -> dict[str, JsonValue]:
    chosen = choice.chosen
    return {
        "species": choice.species.common,
        "scientific": choice.species.scientific,
        "verdict": choice.verdict.value,
        "choice": chosen.sequence.accession if chosen else None,
        "identity": chosen.measures.identity if chosen else None,
        "flags": list(chosen.flags) if chosen else [],
        "reasons": list(choice.reasons),
        "searched": list(choice.searched),
        "chosen": {**_candidate(chosen), "sequence": chosen.sequence.residues} if chosen else None,
        "candidates": [_candidate(one) for one in choice.candidates],
        "similar": [_candidate(one) for one in choice.similar],
        "rejections": [_refusal(one) for one in choice.refused],
    }


def _sequence(one: ProteinSequence) -> dict[str, JsonValue]:
    return {
        "accession": one.accession,
        "database": one.database,
        "description": one.description,
        "gene": one.gene,
        "origin": one.origin,
        "reviewed": one.reviewed,
        "fragment": one.fragment,
        "isoform": one.isoform,
        "length": len(one.residues),
    }


def _candidate(one: Candidate) -> dict[str, JsonValue]:
    found = one.measures
    return {
        **_sequence(one.sequence),
        "identity": found.identity,
        "aligned_identity": found.aligned_identity,
        "of_human": found.of_human,
        "mismatch": found.mismatch,
        "length_change": found.length_change,
        "gaps": found.gaps,
        "unknown": found.unknown,
        "valid": one.valid,
        "flags": list(one.flags),
        "rejections": [{"reason": each.reason.value, "text": each.text} for each in one.rejections],
    }


def _refusal(one: Candidate) -> dict[str, JsonValue]:
    return {
        "accession": one.sequence.accession,
        "database": one.sequence.database,
        "reasons": [each.text for each in one.rejections],
    }
