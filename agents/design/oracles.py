"""Oracles that ask no other process: models from files, similarity, and a model learnt from measurements.

Files are numpy archives without pickled objects, so that a model that somebody hands over cannot run code.
"""

import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.chemistry.molecule import Molecule, read_molecule
from agents.chemistry.similarity import bits, counted, feature_counts, similarities
from agents.design.oracle import Direction, Oracle, Score
from agents.design.surrogate import Surrogate, kernel
from agents.errors import ChemistryError, WrongFile

LIKELY = 0.5
"""Probability of activity from which a molecule counts as active."""
LIKE_KNOWN = 0.3
"""Tanimoto similarity to the nearest known molecule from which a model's value is in its domain."""
MOST_LEARNT = 2_000
"""Measurements that a model is learnt from; more are sampled."""
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class _Model:
    """What a file holds of a model, and the probability of activity that is wished."""

    name: str
    arrays: Arrays
    direction: Direction = "maximise"
    good: float = LIKELY


class Forest(_Model):
    """A random forest over Morgan bits: the mean over its trees, and how far they differ."""

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """The mean of the trees; the uncertainty is the standard deviation between them."""
        values = np.stack([self._leaves(row) for row in bits(molecules)]) if molecules else np.zeros((0, 1))
        return tuple(Score(float(row.mean()), float(row.std())) for row in values)

    def _leaves(self, row: NDArray[np.float32]) -> NDArray[np.float64]:
        """What each tree says."""
        nodes = self.arrays["roots"].copy()
        while True:
            inside = self.arrays["left"][nodes] >= 0
            if not inside.any():
                return self.arrays["value"][nodes].astype(np.float64)
            here = nodes[inside]
            left = row[self.arrays["feature"][here]] <= 0.5
            nodes[inside] = np.where(left, self.arrays["left"][here], self.arrays["right"][here])


class Machine(_Model):
    """A support vector machine over counted pharmacophoric environments, with Platt's probability."""

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """The probability; the domain is what resembles a support vector."""
        known, lengths = self._known
        asked = feature_counts(molecules)
        shared, mine = asked @ known.T, (asked**2).sum(1)[:, None]
        near = np.exp(-float(self.arrays["gamma"][0]) * (mine + lengths - 2 * shared))
        decision = near @ self.arrays["dual"].ravel() + float(self.arrays["intercept"][0])
        scaled = -float(self.arrays["probA"][0]) * decision + float(self.arrays["probB"][0])
        alike = (shared / np.maximum(mine + lengths - shared, 1)).max(1, initial=0.0) >= LIKE_KNOWN
        values = 1 - 1 / (1 + np.exp(scaled))
        return tuple(
            Score(value, None, known) for value, known in zip(values.tolist(), alike.tolist(), strict=True)
        )

    @cached_property
    def _known(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The support vectors, and their squared lengths."""
        vectors = self.arrays["sv"].astype(np.float32)
        return vectors, (vectors**2).sum(1)[None, :]


@dataclass(frozen=True)
class Similarity:
    """How like the nearest of some molecules one is, 0 to 1."""

    references: tuple[Molecule, ...]
    name: str = "similarity"
    direction: Direction = "maximise"
    good: float = 0.4

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """An exact value."""
        return tuple(Score(max(similarities(one, self.references)), 0.0, True) for one in molecules)


@dataclass(frozen=True)
class Measured:
    """A model learnt from measurements: a Gaussian process on counted fingerprints."""

    name: str
    molecules: tuple[Molecule, ...]
    values: tuple[float, ...]
    direction: Direction = "maximise"

    @property
    def good(self) -> float:
        """Better than four of five that were measured."""
        return float(np.quantile(self.values, 0.8 if self.direction == "maximise" else 0.2))

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        """Mean and standard deviation of the process; the domain is what resembles a measured molecule."""
        asked = counted(molecules)
        mean, spread = self._model.predict(asked)
        nearest = kernel(asked, self._model.known).max(1)
        rows = zip(mean.tolist(), spread.tolist(), nearest.tolist(), strict=True)
        return tuple(Score(value, sure, near >= LIKE_KNOWN) for value, sure, near in rows)

    @cached_property
    def _model(self) -> Surrogate:
        return Surrogate.fit(counted(self.molecules), np.array(self.values, np.float64))


def open_oracle(path: Path) -> Oracle:
    """The oracle in a file: a forest or a support vector machine (`.npz`), measurements (`.csv`), or known
    molecules to be like (`.smi`, a SMILES first in each line).

    Raises:
        WrongFile: it is none of these.
    """
    if path.suffix == ".csv":
        return _measured(path)
    if path.suffix == ".smi":
        return _alike(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError) as error:
        raise WrongFile(f"{path.name} is no numpy archive of plain arrays: {error}") from error
    if {"left", "right", "feature", "value", "roots"} <= arrays.keys():
        return Forest(path.stem, arrays)
    if {"sv", "dual", "intercept", "probA", "probB", "gamma"} <= arrays.keys():
        return Machine(path.stem, arrays)
    raise WrongFile(f"{path.name} holds neither a forest nor a support vector machine.")


def _alike(path: Path) -> Similarity:
    """Likeness to the molecules of a file."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    try:
        references = tuple(read_molecule(one.split()[0]) for one in lines if one.strip())
    except ChemistryError as error:
        raise WrongFile(f"{path.name} holds what is no molecule: {error}") from error
    if not references:
        raise WrongFile(f"{path.name} holds no molecule.")
    return Similarity(references)


def _measured(path: Path) -> Measured:
    """A table with a column of SMILES first and one of numbers after it, headed."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        names = reader.fieldnames or []
        structure = next((name for name in names if "smiles" in name.lower()), "")
        other = next((name for name in names if name != structure), "")
        number = next((name for name in names if name in ("pchembl_value", "value", "y")), other)
        if not structure or not number:
            raise WrongFile(f"{path.name} needs a column with smiles in its name and one with numbers.")
        rows = [(row[structure], row[number]) for row in reader]
    rows = random.Random(0).sample(rows, min(len(rows), MOST_LEARNT))
    known: dict[Molecule, float] = {}
    for smiles, value in rows:
        try:
            known[read_molecule(smiles)] = float(value)
        except (ChemistryError, ValueError):
            continue
    if len(known) < 2:
        raise WrongFile(f"{path.name} has less than two molecules with a number.")
    return Measured(path.stem, tuple(known), tuple(known.values()))
