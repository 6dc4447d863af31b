"""FASTA text as protein sequences, checked where it enters."""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

from agents.safety.orthologs.headers import read_header
from agents.safety.orthologs.values import ProteinSequence, SequenceError

MOST_CHARACTERS = 100_000_000
MOST_SEQUENCES = 100_000
"""Some proteomes; the sequences that are like the human one are found in them."""
LONGEST = 40_000
"""Residues of the longest sequence that is read; titin has 34,350."""

GAPS = str.maketrans("*", "X", "-. \t\r")
"""Gaps go; a stop inside a protein is a residue that is not known."""
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_RUN_ON = re.compile(r"^([A-Za-z*-]+)(?=>)", re.MULTILINE)
_NUCLEOTIDES = frozenset("ACGTUN")


def read_fasta(text: str, origin: str = "") -> tuple[ProteinSequence, ...]:
    """The sequences of a FASTA text, in its order; gaps of an alignment are taken out.

    `origin` names the file or service, for reasons and messages. Raises `SequenceError`, in a sentence, for a
    text that is too large, is no FASTA, or holds something else than proteins. A sequence that occurs twice
    under one accession is read once.
    """
    name = origin or "the text"
    if len(text) > MOST_CHARACTERS:
        raise SequenceError(
            f"{name} has over {MOST_CHARACTERS // 1_000_000} MB; give the sequences of one gene."
        )
    read: dict[tuple[str, str], ProteinSequence] = {}
    for header, residues in _entries(text, name):
        one = _sequence(header, residues, name, origin)
        read.setdefault((one.accession, one.residues), one)
        if len(read) > MOST_SEQUENCES:
            raise SequenceError(
                f"{name} has over {MOST_SEQUENCES:,} sequences; give those of some species only."
            )
    if not read:
        raise SequenceError(f"{name} holds no sequence. FASTA has a line with “>” before each.")
    return tuple(read.values())


def _entries(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Headers and what stands below them, without comments. A header may follow on the residues of a file
    without a last line break.
    """
    library: Any = import_module("Bio.SeqIO.FastaIO")  # it takes a moment to load
    every = _RUN_ON.sub(r"\1\n", text.lstrip("\ufeff")).splitlines()
    lines = [line for line in every if line.strip() and not line.startswith(";")]
    if lines and not lines[0].startswith(">"):
        raise SequenceError(f"{name} is no FASTA: it does not begin with a line that starts with “>”.")
    yield from library.SimpleFastaParser(iter(lines))


def _sequence(line: str, text: str, name: str, origin: str) -> ProteinSequence:
    if not line.strip():
        raise SequenceError(f"{name} has a header without a name; each sequence needs one after its “>”.")
    header = read_header(line[:2_000])
    residues = text.rstrip("* \t\r-").translate(GAPS).upper()
    _check(residues, header.accession, name)
    return replace(header, residues=residues, origin=origin)


def _check(residues: str, accession: str, name: str) -> None:
    if not residues:
        raise SequenceError(f"{accession} in {name} has no residues.")
    if len(residues) > LONGEST:
        raise SequenceError(
            f"{accession} in {name} has {len(residues):,} residues; at most {LONGEST:,} are read."
        )
    if odd := sorted(set(residues) - LETTERS):
        shown = ", ".join(repr(letter) for letter in odd[:5])
        raise SequenceError(f"{accession} in {name} is no protein sequence: it has {shown}.")
    if len(residues) >= 30 and set(residues) <= _NUCLEOTIDES:
        raise SequenceError(f"{accession} in {name} is a nucleotide sequence; proteins are compared here.")
