"""Extraction that was learnt from annotated labels: a lexicon, and a logistic regression over candidates.

A candidate is a term that some phrase of a section may stand for. Whether experts would mark it follows from
the words around its mentions, its section, how it was found, and how often they marked the term elsewhere.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.errors import WrongFile
from agents.vigilance.extraction.candidates import Candidate, candidates
from agents.vigilance.extraction.features import Features, Habit, features_of
from agents.vigilance.extraction.lexicon import Lexicon
from agents.vigilance.extraction.values import Event, LabelSection
from agents.vigilance.extraction.words import words_of
from agents.vigilance.learning import scikit_learn

PENALTY = 0.2
"""scikit-learn's C: the smaller, the nearer are weights to zero."""
ALWAYS = 3.0
"""Log odds where all rows are alike, so that nothing can be learnt of them."""
LEAST = 1e-4
"""Weights below this are not kept."""
SURE_ENOUGH = 0.45
"""From this score on a term is taken. Between 0.4 and 0.6 F1 differs by less than 0.01."""
FORM = "pestle adverse event extraction 1"


@dataclass(frozen=True)
class LearntExtraction:
    """What was learnt: the lexicon, the habits of terms, the weights of features, and on what."""

    lexicon: Lexicon
    habits: Mapping[str, Habit]
    weights: Mapping[str, float]
    bias: float
    learnt_on: str

    def events(self, text: str, section: str) -> list[Event]:
        """The events of a section's text, in their order, each term once."""
        words = words_of(text)
        found = candidates(words, self.lexicon)
        features = features_of(LabelSection("", section, text), words, found, self.habits)
        scores = {term: self._score(known) for term, known in features.items()}
        first: dict[str, Candidate] = {}
        for one in sorted(found, key=lambda one: (one.between, one.start)):
            first.setdefault(one.term, one)
        taken = [first[term] for term, score in scores.items() if score >= SURE_ENOUGH]
        return [
            Event(
                one.term, words.span(one.start, one.end), words.starts[one.start], round(scores[one.term], 4)
            )
            for one in sorted(taken, key=lambda one: (one.start, one.term))
        ]

    def _score(self, features: Features) -> float:
        total = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-total))

    def as_json(self) -> str:
        """What was learnt as JSON; `read_learnt` reads it."""
        return json.dumps(
            {
                "form": FORM,
                "learnt_on": self.learnt_on,
                "phrases": [
                    [" ".join(key), term, sorted(self.lexicon.taught[key])]
                    for key, term in sorted(self.lexicon.terms.items())
                ],
                "habits": {term: asdict(habit) for term, habit in sorted(self.habits.items())},
                "weights": {name: round(weight, 5) for name, weight in sorted(self.weights.items())},
                "bias": self.bias,
            }
        )


def read_learnt(text: str) -> LearntExtraction:
    """What `as_json` wrote.

    Raises:
        WrongFile: if the text is something else.
    """
    try:
        fields: dict[str, Any] = json.loads(text)
        if fields["form"] != FORM:
            raise ValueError(fields["form"])
        phrases = [
            (tuple(key.split()), str(term), frozenset(labels)) for key, term, labels in fields["phrases"]
        ]
        return LearntExtraction(
            Lexicon(
                {key: term for key, term, _ in phrases if key}, {key: labels for key, _, labels in phrases}
            ),
            {term: Habit(int(one["marked"]), int(one["seen"])) for term, one in fields["habits"].items()},
            {name: float(weight) for name, weight in fields["weights"].items()},
            float(fields["bias"]),
            str(fields["learnt_on"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WrongFile("This file does not hold what extraction learnt.") from error


@dataclass(frozen=True, slots=True)
class _Read:
    """A section with its candidates, as learning sees it."""

    section: LabelSection
    found: Sequence[Candidate]

    @property
    def terms(self) -> set[str]:
        return {one.term for one in self.found}


def learn(sections: Iterable[LabelSection], learnt_on: str) -> LearntExtraction:
    """Learn from annotated sections.

    A label is seen as a new one would be: what it alone teaches is left out while its texts are read.

    Raises:
        WrongFile: if nothing is annotated.
        LibraryMissing: the extra `train` is not installed.
    """
    from agents.vigilance.extraction.lexicon import learn_lexicon

    known = list(sections)
    lexicon = learn_lexicon(known)
    if len({one.label for one in known if one.gold}) < 2:
        raise WrongFile("At least two labels with annotated adverse events are needed to learn from.")
    reads = [_Read(one, candidates(words_of(one.text), lexicon, one.label)) for one in known]
    habits, own = _habits(reads)
    rows: list[Features] = []
    marked: list[bool] = []
    for read in reads:
        words = words_of(read.section.text)
        of_terms = features_of(read.section, words, read.found, habits, own[read.section.label])
        rows.extend(of_terms.values())
        marked.extend(term in read.section.gold for term in of_terms)
    weights, bias = fit(rows, marked)
    return LearntExtraction(lexicon, habits, weights, bias, learnt_on)


def _habits(reads: Iterable[_Read]) -> tuple[dict[str, Habit], dict[str, dict[str, Habit]]]:
    """The habits of all terms, and of each label by itself."""
    habits: dict[str, Habit] = {}
    own: dict[str, dict[str, Habit]] = {}
    for read in reads:
        mine = own.setdefault(read.section.label, {})
        for term in read.terms:
            one = Habit(int(term in read.section.gold), 1)
            habits[term] = habits.get(term, Habit()) + one
            mine[term] = mine.get(term, Habit()) + one
    return habits, own


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
