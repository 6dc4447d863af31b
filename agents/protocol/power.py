"""How many samples a comparison needs. Formulas with their sources; z by the normal law."""

import math
from statistics import NormalDist

POWER = 0.8
CORRELATION = 0.5
"""Of the two samples of a pair, as it is assumed; their difference varies by 1 - r of what two samples do."""


def _z(level: float, power: float = POWER) -> float:
    """z of a two-sided level plus z of the power."""
    normal = NormalDist()
    return normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)


def counts_per_group(fold: float, variation: float, depth: float, level: float, r: float = 0.0) -> int:
    """Samples in each group, or pairs, to find a gene that changes by `fold`.

    `variation` is the biological coefficient of variation, `depth` the reads of the gene, `r` the correlation
    within pairs, which leaves 1 - r of it. Hart and others (2013), J Comput Biol 20:970, equation 1.
    """
    return math.ceil(2 * _z(level) ** 2 * (1 / depth + (1 - r) * variation**2) / math.log(fold) ** 2)


def fold_found(samples: int, variation: float, depth: float, level: float, r: float = 0.0) -> float:
    """The smallest change that a group of this size finds: the formula of `counts_per_group` turned round."""
    return math.exp(math.sqrt(2 * _z(level) ** 2 * (1 / depth + (1 - r) * variation**2) / samples))


def means_per_group(effect: float, level: float, r: float = 0.0) -> int:
    """Samples in each group, or pairs, to find a difference of `effect` standard deviations:
    2 (1 - r) (z / d)², and for the unknown variance z² / 4, of pairs z² / 2 (Guenther 1981).
    """
    return math.ceil(2 * (1 - r) * (_z(level) / effect) ** 2 + _for_variance(level, r))


def effect_found(samples: int, level: float, r: float = 0.0) -> float:
    """The smallest difference, in standard deviations, that a group of this size finds: the formula of
    `means_per_group` turned round; infinite for too few samples.
    """
    left = samples - _for_variance(level, r)
    return math.sqrt(2 * (1 - r) / left) * _z(level) if left > 0 else math.inf


def _for_variance(level: float, r: float) -> float:
    return NormalDist().inv_cdf(1 - level / 2) ** 2 / (2 if r else 4)


def events_needed(hazard_ratio: float, share: float, level: float) -> int:
    """Events to find a hazard ratio with this `share` of subjects in one group. Schoenfeld (1983), Biometrics
    39:499.
    """
    return math.ceil(_z(level) ** 2 / (share * (1 - share) * math.log(hazard_ratio) ** 2))
