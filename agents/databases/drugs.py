"""Drugs that act on a target: what each does to it, and how far it has come."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.databases.facts import Change, Topic
from agents.databases.sheet import Sheet
from retrieval.text.listed import words

PHASE = "highest clinical phase"
ADVANCED = 6
"""How many drugs of a target are followed into trials, labels and reports: those that came farthest."""
_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CARRIER = re.compile(r"(?:tox|dotin|tansine|ozogamicin|deruxtecan|govitecan|tesirine)$", re.IGNORECASE)
"""Names (INN) of fusions and conjugates: these kill cells that show the target, and do not inhibit it."""
SALTS = words(_FILE["salts"])
_STAGES = {
    4.0: "phase 4 (approved)",
    3.0: "phase 3",
    2.0: "phase 2",
    1.0: "phase 1",
    0.5: "early phase 1",
}


@dataclass(frozen=True, slots=True)
class Drug:
    """A drug or clinical candidate that acts on a target.

    `phase` is the highest one it reached for any disease, as ChEMBL counts (4: approved, 0.5: early phase 1);
    None where it is unknown. `action` is what it does to the target in lower case ("partial agonist"), ""
    where nobody says it. `kind` is what it is ("small molecule"). `shared`: it acts on other proteins too, by
    themselves or as a complex or family of which the target is one, so that its harm may come from them.
    `minor`: it acts on several, and binds another one more strongly.
    """

    name: str
    chembl: str = ""
    phase: float | None = None
    action: str = ""
    kind: str = ""
    shared: bool = False
    minor: bool = False

    @property
    def change(self) -> Change:
        """What it does to the target; not told where that is not clear, or where it brings a poison there."""
        return Change.NOT_TOLD if CARRIER.search(self.name) else change_of(self.action)

    @property
    def stage(self) -> str:
        """Its highest phase in words ("phase 4 (approved)")."""
        return _STAGES.get(self.phase or 0.0, "unknown phase")


def change_of(action: str) -> Change:
    """The direction of an action type of ChEMBL; not told for one without a clear direction ("modulator")."""
    action = action.strip().lower()
    if action in _FILE["inhibiting"]:
        return Change.INHIBITION
    return Change.ACTIVATION if action in _FILE["activating"] else Change.NOT_TOLD


def shown_name(name: str) -> str:
    """A drug's name as a sentence has it: databases write names in capitals ("VEMURAFENIB"), codes stay."""
    words = name.split()
    plain = len(name) > 4 and name.isupper() and all(word.replace("-", "").isalpha() for word in words)
    return name.capitalize() if plain else name


def acting(action: str, symbol: str, otherwise: str = "acts on") -> str:
    """What a drug does to a target, as a sentence goes on: "is an inhibitor of BRAF", "binds C5, read as
    inhibition".
    """
    if action in ("", "other", "unknown"):
        return f"{otherwise} {symbol}"
    read = f", read as {Change.INHIBITION}" if change_of(action) is Change.INHIBITION else ""
    return f"binds {symbol}{read}" if "binding" in action else f"is {with_article(action)} of {symbol}"


def apposed(acts: str) -> str:
    """The same behind the drug's name and a comma: "an inhibitor of BRAF", "which binds C5"."""
    return acts.removeprefix("is ") if acts.startswith("is ") else f"which {acts}"


def with_article(words: str) -> str:
    """The words with "a" or "an" before them."""
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


SHARED = " (it acts on other proteins too)"
"""What a sentence on harm says of a drug whose harm may come from another target."""


def state_drug(sheet: Sheet, drug: Drug, acts: str) -> None:
    """One drug as a fact: its name and kind, what it does in words (`acts`), and how far it has come."""
    kind = f", {with_article(drug.kind)}," if drug.kind and drug.kind != "unknown" else ""
    says = f"{drug.name} ({drug.chembl}){kind} {acts}; {PHASE}: {drug.stage}"
    sheet.state(
        Topic.DRUG,
        says,
        term=drug.name,
        id=drug.chembl,
        change=drug.change,
        measure=PHASE,
        value=drug.phase,
    )


def in_phases(drugs: Sequence[Drug], what: str) -> str:
    """How many drugs there are, and how many in each phase ("2 drugs … for BRAF: 1 in phase 4 …")."""
    plural = "" if len(drugs) == 1 else "s"
    counted = Counter(drug.stage for drug in drugs)
    each = ", ".join(f"{count} in {stage}" for stage, count in counted.items())
    return f"{len(drugs)} drug{plural} or clinical candidate{plural} {what}: {each}"


def ranked(drugs: Iterable[Drug]) -> tuple[Drug, ...]:
    """Each drug once, the farthest first, then by name.

    Salts count as their drug: of all forms the one with the shortest name is kept, with the highest phase and
    the first action that any of them has.
    """
    forms: dict[str, list[Drug]] = {}
    for drug in drugs:
        forms.setdefault(plain_name(drug.name).casefold(), []).append(drug)
    return tuple(sorted(map(_joined, forms.values()), key=_order))


def plain_name(name: str) -> str:
    """A drug's name without its salt ("Erlotinib hydrochloride" -> "Erlotinib")."""
    words = name.split()
    while len(words) > 1 and words[-1].lower() in SALTS:
        words.pop()
    return " ".join(words)


def _joined(forms: Sequence[Drug]) -> Drug:
    shortest = min(forms, key=lambda drug: (len(drug.name), drug.name))
    phases = [drug.phase for drug in forms if drug.phase is not None]
    action = next((drug.action for drug in forms if drug.action), "")
    kind = shortest.kind or next((drug.kind for drug in forms if drug.kind), "")
    phase, shared = max(phases, default=None), any(drug.shared for drug in forms)
    return replace(shortest, phase=phase, action=shortest.action or action, kind=kind, shared=shared)


def _order(drug: Drug) -> tuple[float, str]:
    return (-(drug.phase if drug.phase is not None else -1.0), drug.name.casefold())
