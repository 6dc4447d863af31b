"""What the next oracle call may give, guessed from the calls made: a Gaussian process on fingerprints.

The kernel is the Tanimoto similarity of counted Morgan fingerprints (Ralaivola 2005; as in GP BO of the PMO
benchmark). The amplitude follows in closed form, the noise by the marginal likelihood of a few values.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
NOISES = (0.003, 0.01, 0.03, 0.1, 0.3)
"""Variance of the noise, as a share of the amplitude, from which the likeliest is taken."""

NOISE_FROM = 200
"""Molecules, spread over the order of the calls, that the noise is chosen by."""


def kernel(one: Array, other: Array) -> Array:
    """Tanimoto similarity of each row of `one` (n, bits) with each row of `other` (m, bits): (n, m)."""
    shared = one @ other.T
    total = one.sum(1)[:, None] + other.sum(1)[None, :] - shared
    return np.asarray(shared / np.maximum(total, 1.0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Surrogate:
    """A fitted process: `predict` gives mean and standard deviation in the units of the values."""

    known: Array
    inverse: Array
    weights: Array
    centre: float
    amplitude: float

    @classmethod
    def fit(cls, fingerprints: Array, values: Array) -> "Surrogate":
        """Fit to rows of fingerprints (n, bits) and their values (n), two or more."""
        similar = kernel(fingerprints, fingerprints).astype(np.float64)
        centre = float(values.mean())
        rest, count = values - centre, len(values)
        few = np.linspace(0, count - 1, min(count, NOISE_FROM)).astype(int)
        noise = _likeliest_noise(similar[np.ix_(few, few)], rest[few])
        inverse: Array = np.linalg.inv(similar + noise * np.eye(count))
        amplitude = max(float(rest @ inverse @ rest) / count, 1e-9)
        weights = (inverse @ rest).astype(np.float32)
        return cls(fingerprints, inverse.astype(np.float32), weights, centre, amplitude)

    def predict(self, fingerprints: Array) -> tuple[Array, Array]:
        """Mean (n) and standard deviation (n) for rows of fingerprints (n, bits)."""
        similar = kernel(fingerprints, self.known)
        mean = self.centre + similar @ self.weights
        variance = 1 - np.einsum("ij,ij->i", similar @ self.inverse, similar)
        return mean, np.sqrt(self.amplitude * np.maximum(variance, 1e-6)).astype(np.float32)


def _likeliest_noise(similar: Array, rest: Array) -> float:
    count, likelihoods = len(rest), []
    for noise in NOISES:
        noisy = similar + noise * np.eye(count)
        amplitude = max(float(rest @ np.linalg.solve(noisy, rest)) / count, 1e-9)
        likelihoods.append(-0.5 * (count * np.log(amplitude) + np.linalg.slogdet(noisy)[1]))
    return NOISES[int(np.argmax(likelihoods))]
