"""The values of a vigilance run. All are frozen and fit for the ledger.

Question ──> Order: classes (DrugClass) x outcomes (Outcome)
DrugClass ──> Candidate (finder) ──> Ingredient
Ingredient + Outcome ──> Extract (reading) ──> DrugVerdict ──> CategoryVerdict (a class and an outcome)
"""

from dataclasses import dataclass
from enum import StrEnum

from agents.databases.labels import LabelPassage
from agents.evidence.values import Evidence
from agents.kinds.channel import FromChannel
from agents.minds.work import Said
from agents.reports.values import Figure
from agents.trust.values import Verdict
from agents.vigilance.signals import Signal


class Effect(StrEnum):
    """What a drug or a class does to the risk of an outcome (MALADE, section 4.5)."""

    INCREASE = "increase"
    DECREASE = "decrease"
    NO_EFFECT = "no-effect"


class Strength(StrEnum):
    """How strong the evidence is."""

    NONE = "none"
    WEAK = "weak"
    """It was reported, without proof of a cause."""
    STRONG = "strong"
    """A trial, a warning or a boxed warning states it."""


class Frequency(StrEnum):
    """How often the drug has the effect."""

    NONE = "none"
    RARE = "rare"
    """In fewer than 1 in 100 patients, or called rare."""
    COMMON = "common"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A health outcome. `name` is the field's standard term in small letters ("angioedema").

    `terms` are words and phrases in small letters that mean it, `name` first; a label that has one of them
    mentions the outcome. `narrower` are terms of forms or signs of it, which speak for it less surely
    ("elevated transaminases" for acute liver injury). `asked` is as the person wrote it; `as_written` that
    they mean these very words, though a known outcome is spelt nearly so.
    """

    name: str
    terms: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    asked: str = ""
    as_written: bool = False


@dataclass(frozen=True, slots=True)
class DrugClass:
    """One definition of a class of drugs, a single drug, or a list of drugs; edited only as a whole.

    `name` is what people call it. `terms` are the pharmacologic class terms whose products belong to it
    ("Angiotensin Converting Enzyme Inhibitor [EPC]"); `drugs` are ingredients that belong to it by name.
    `without` are ingredients that do not, whatever the terms say. `parts` are names of subclasses that are
    classes of their own here and are judged one by one (MALADE, footnote 3). `version` counts changes from 1.
    """

    name: str
    terms: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    version: int = 1
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Ingredient:
    """An active substance. `names` are all names of its products: salts, brands, spellings; `name` first.

    A `local` one is only applied where it acts, in the eye or on the skin.
    """

    name: str
    names: tuple[str, ...] = ()
    local: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible representative of a class, whether it was chosen, and why in one sentence."""

    ingredient: Ingredient
    chosen: bool
    reason: str


@dataclass(frozen=True, slots=True)
class FoundClass:
    """A class with its candidates. `ask_back` is set instead where it is not clear what is meant.

    `part_of` is the name of the class whose part it is, "" for a whole one.
    """

    drug_class: DrugClass
    candidates: tuple[Candidate, ...] = ()
    part_of: str = ""
    notes: tuple[str, ...] = ()
    ask_back: str = ""
    options: tuple[str, ...] = ()

    @property
    def chosen(self) -> tuple[Ingredient, ...]:
        """The representatives."""
        return tuple(one.ingredient for one in self.candidates if one.chosen)


@dataclass(frozen=True, slots=True)
class Incidence:
    """How often something was seen, as the label says it: `quote` is verbatim.

    `percent` of patients on the drug, or fewer (`below`); `n` of `of` patients where both are stated.
    `control` is the per cent on placebo or on the comparator, if the label gives it.
    """

    quote: str
    percent: float
    n: int | None = None
    of: int | None = None
    control: float | None = None
    below: bool = False


@dataclass(frozen=True, slots=True)
class Extract:
    """What one passage says of one outcome. `quote` stands word for word in `passage.text`.

    `effect` is the direction that it speaks for, and `weight` how much it counts for that (0 to 1, where 1
    is a boxed warning that names the drug as the cause). `mention` is the outcome's term as written there.
    `often` is how frequent the passage calls it or counts it, NONE where it does not say. A `disputed` one
    the channel does not believe.
    """

    passage: LabelPassage
    quote: str
    mention: str
    effect: Effect
    weight: float
    incidence: Incidence | None = None
    boxed: bool = False
    contraindication: bool = False
    often: Frequency = Frequency.NONE
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence of a justification, and the ids of the passages that carry it, with verbatim quotes.

    `verdict` and `checked_by` are those of the check that it passed.
    """

    text: str
    passages: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    verdict: Verdict = Verdict.SUPPORTED
    checked_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeVerdict:
    """What labels say of one outcome, whether of a drug or of a class.

    `confidence` is that of `effect`, `p_harm` and `p_benefit` are probabilities that the risk is raised and
    lowered; all are from 0 to 1, and by default those where nothing was read. `by` is the mind that judged
    ("rules", or the model's name).
    """

    outcome: str
    effect: Effect = Effect.NO_EFFECT
    confidence: float = 0.5
    p_harm: float = 0.0
    p_benefit: float = 0.0
    strength: Strength = Strength.NONE
    frequency: Frequency = Frequency.NONE
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()
    by: str = "rules"
    dialog: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrugVerdict(OutcomeVerdict):
    """What the labels of one ingredient say of one outcome.

    `labels` is how many labels were read: 0 means that none is loaded, which is no evidence of no effect.
    Where labels were read and none mentions the outcome, `extracts` is empty: "not in the label". `newest` is
    the day of the newest of them (ISO 8601), "" where none bears one.
    """

    ingredient: str
    extracts: tuple[Extract, ...] = ()
    labels: int = 0
    newest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryVerdict(OutcomeVerdict):
    """What the labels of a class's representatives say of one outcome, together (MALADE, section 4.5).

    `opposed`: parts of the class have opposite effects, so that the class as a whole has none; `p_harm` and
    `p_benefit` are then those of the parts that raise and that lower the risk. `local`: all that was read are
    labels of drugs that are only applied locally, although the class has others; their silence says nothing
    of the class.
    """

    category: str
    drugs: tuple[DrugVerdict, ...] = ()
    opposed: bool = False
    local: bool = False

    @property
    def covered(self) -> bool:
        """Whether a label of at least one representative was read."""
        return any(one.labels for one in self.drugs)

    @property
    def divided(self) -> bool:
        """Whether some of the class's drugs raise the risk and others lower it."""
        return {Effect.INCREASE, Effect.DECREASE} <= {one.effect for one in self.drugs if one.labels}

    @property
    def ade_score(self) -> float:
        """The score of an adverse drug event from label and confidence (MALADE, section 5.2); 0 to 1."""
        match self.effect:
            case Effect.DECREASE:
                return (1 - self.confidence) / 3
            case Effect.NO_EFFECT:
                return (2 - self.confidence) / 3
            case Effect.INCREASE:
                return (2 + self.confidence) / 3

    @property
    def effect_score(self) -> float:
        """The score of any effect from label and confidence (MALADE, section 5.2); 0 to 1."""
        sign = -1 if self.effect is Effect.NO_EFFECT else 1
        return (1 + sign * self.confidence) / 2


@dataclass(frozen=True, slots=True)
class Reported:
    """What spontaneous reports say of a class and an outcome, beside the labels: no verdict rests on it.

    `signals` has that of all representatives together first, where there are several, then one for each.
    `table` is the loaded file.
    """

    category: str
    outcome: str
    signals: tuple[Signal, ...]
    table: str

    @property
    def text(self) -> str:
        """All of it in sentences, a line for each signal."""
        return "\n".join(one.told for one in self.signals)

    @property
    def place(self) -> str:
        """Its id among the evidence."""
        return f"reports/{self.category}/{self.outcome}"


@dataclass(frozen=True, slots=True)
class Order(FromChannel):
    """The input of a run: classes (or drugs) and outcomes, every one with every other.

    `asked` is what was written. `top` is how many drugs stand for a class at most. `critics` review
    what the model's agents say: off, as they cost as much again and changed no figure (docs/results.md).
    Without `retrieval` the agents answer from memory, to see what labels are worth.
    `population` are the people that are asked about; labels are read for all, and the answer says so.
    """

    classes: tuple[DrugClass, ...]
    outcomes: tuple[Outcome, ...]
    asked: str = ""
    top: int = 3
    critics: bool = False
    retrieval: bool = True
    population: str = ""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The output of a run: a verdict for every class and outcome, with all evidence that they cite.

    `keys` gives the evidence's key of a passage's id. `reported` is what spontaneous reports say beside.
    `missing` are whole sentences on what could not be read, and why; `notes` on what a person decided.
    `unfamiliar` are the names of outcomes that nothing here knows: not the table, and no label.
    `ask_back` is set instead where it is not clear what is meant, with `options`.
    """

    order: Order
    found: tuple[FoundClass, ...] = ()
    cells: tuple[CategoryVerdict, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    figure: Figure | None = None
    reported: tuple[Reported, ...] = ()
    missing: tuple[str, ...] = ()
    ask_back: str = ""
    options: tuple[str, ...] = ()
    partial: str = ""
    notes: tuple[str, ...] = ()
    unfamiliar: tuple[str, ...] = ()
