"""A logistic regression over named features."""

from collections.abc import Sequence

import numpy as np

from agents.vigilance.learning import scikit_learn

PENALTY = 0.2
"""scikit-learn's C: the smaller, the nearer are weights to zero."""
ALWAYS = 3.0
"""Log odds where all rows are alike, so that nothing can be learnt of them."""
LEAST = 1e-4
"""Weights below this are not kept."""


def fit(rows: Sequence[dict[str, float]], marked: Sequence[bool]) -> tuple[dict[str, float], float]:
    """The weight of each feature and the bias: the log odds that a row is marked."""
    if len(set(marked)) < 2:
        return {}, ALWAYS if all(marked) else -ALWAYS
    vectorizer = scikit_learn("feature_extraction").DictVectorizer(dtype=np.float32)
    matrix = vectorizer.fit_transform(rows)
    # liblinear takes 32-bit indices only
    matrix.indices = matrix.indices.astype(np.int32)
    matrix.indptr = matrix.indptr.astype(np.int32)
    regression = scikit_learn("linear_model").LogisticRegression
    model = regression(C=PENALTY, solver="liblinear", random_state=0, max_iter=300)
    model.fit(matrix, np.array(marked))
    weights = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    return {str(name): float(weight) for name, weight in weights if abs(weight) > LEAST}, float(
        model.intercept_[0]
    )
