"""Highest dose in repeated-dose Phase I studies or in Phase II."""

from collections import Counter
from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.doses import DoseMention, all_doses
from agents.archive.research.drafting import (
    absent,
    claims_of,
    dose_field,
    phase_label,
    study_label,
    text_field,
)
from agents.archive.research.first_dose import called
from agents.archive.research.guards import (
    admit,
    corrected,
    late_phase,
    never_dosed,
    not_done,
    other_drug,
    preclinical,
    refused,
    single_dose,
    withdrawn,
)
from agents.archive.research.study import Kind, studies
from agents.archive.research.vocabulary import any_of
from agents.archive.values import Dossier, Draft

GUARDS = (other_drug, preclinical, withdrawn, not_done, late_phase, single_dose)
ESCALATION = any_of(
    [
        r"dose[- ]escalat\w+",
        r"escalat(?:ing|ed|ion)(?: of)?(?: the)? dos\w+",
        r"increasing doses",
        r"ascending[- ]dos\w+",
        r"3 ?\+ ?3",
    ]
)
PATIENTS = any_of(["patients?", r"phase (?:II|2)[ab]?", "outpatients?"])


def extract(dossier: Dossier) -> Draft:
    """Highest repeated dose of a molecule in Phase I or II."""
    read = studies(dossier)
    name = dossier.molecule.name
    admitted, rejected = admit(all_doses(read), (corrected(read), *GUARDS))
    if (never := never_dosed(read)) is not None:
        return absent(f"{name} was never given to humans: {never.reason}", [never, *rejected])
    believed, contradicted = follow_reports(admitted)
    believed, starting_only = without_starting_doses(believed)
    rejected += [*contradicted, *starting_only]
    if not believed:
        return absent(
            f"The archive states no dose of {name} in a repeated-dose Phase I or in a Phase II study.",
            rejected,
        )
    return draft(name, believed, rejected, [f"{item.value}: {item.reason}." for item in contradicted])


def follow_reports(admitted: Sequence[DoseMention]) -> tuple[list[DoseMention], list[Rejected]]:
    """Leave out what an overview or brochure states above the maximum of the signed reports on the same
    people.
    """
    highest: dict[tuple[str, bool], DoseMention] = {}
    for dose in sorted(admitted, key=lambda dose: dose.amount):
        if dose.study.kind is Kind.CLINICAL:
            highest[dose.dimension, in_patients(dose)] = dose
    believed: list[DoseMention] = []
    contradicted: list[Rejected] = []
    for dose in admitted:
        report = highest.get((dose.dimension, in_patients(dose)))
        if (
            dose.study.kind in (Kind.CLINICAL, Kind.REGISTRY)
            or report is None
            or dose.amount <= report.amount
        ):
            believed.append(dose)
        else:
            contradicted.append(
                refused(
                    dose,
                    "document contradicts the study report",
                    f"{study_label(report.study)} gives {report.text} as the highest and was followed",
                )
            )
    return believed, contradicted


def without_starting_doses(doses: Sequence[DoseMention]) -> tuple[list[DoseMention], list[Rejected]]:
    """Leave out the starting dose of an escalation whose steps are not stated: it is not its highest dose."""
    kept: list[DoseMention] = []
    rejected: list[Rejected] = []
    for dose in doses:
        alone = {other.amount for other in doses if other.study is dose.study} == {dose.amount}
        if (
            alone
            and called(dose, "start_dose")
            and any(ESCALATION.search(line.text) for line in dose.study.lines)
        ):
            rejected.append(
                refused(
                    dose,
                    "not the highest",
                    "it is the starting dose of an escalation whose steps are not stated",
                )
            )
        else:
            kept.append(dose)
    return kept, rejected


def in_patients(dose: DoseMention) -> bool:
    """Whether a dose was given to patients and not to volunteers."""
    return bool(PATIENTS.search(dose.line.text)) or 2 in dose.phases


def comparable(doses: Sequence[DoseMention]) -> list[DoseMention]:
    """Doses of the dimension that most documents use: flat, per body weight or per body surface."""
    used = Counter(dimension for dimension, _ in {(d.dimension, d.study.record.doc_id) for d in doses})
    most = max(used, key=lambda dimension: (used[dimension], dimension == "mg"))
    return [dose for dose in doses if dose.dimension == most]


def highest(doses: Sequence[DoseMention]) -> list[DoseMention]:
    """The highest of comparable doses, where it stands, best document first."""
    top = max(dose.amount for dose in comparable(doses))
    at_top = [dose for dose in comparable(doses) if dose.amount == top]
    return sorted(
        at_top,
        key=lambda dose: (
            not dose.study.reported,
            -dose.study.authority,
            not dose.often,
            dose.quantity.is_range,
        ),
    )


def draft(
    name: str, believed: Sequence[DoseMention], rejected: Sequence[Rejected], conflicts: Sequence[str]
) -> Draft:
    """The highest dose, with frequency, phase, design and study."""
    tops = highest(believed)
    best = tops[0]
    value = f"{best.quantity.high:g} {' '.join(best.text.split(' ')[1:])}"
    design = best.design.value if best.design else ""
    planned = "" if best.study.reported else "as planned in the record"
    kind = "; ".join(filter(None, [phase_label(best), design, planned, study_label(best.study)]))
    lower = [
        refused(d, "not the highest", "a higher dose was given")
        for d in comparable(believed)
        if d.amount < best.amount
    ]
    fields = [dose_field(best), text_field("study", study_label(best.study), [best.line])]
    fields += [
        text_field(f, v, [best.line])
        for f, v in (("frequency", best.often), ("phase", phase_label(best)), ("design", design))
        if v
    ]
    return Draft(
        True,
        f"{value} ({kind})",
        f"The highest dose of {name} in repeated-dose Phase I or Phase II studies is {value} ({kind}).",
        claims_of([dose.line for dose in tops], 4),
        tuple(fields),
        (*rejected, *{item.value: item for item in lower}.values()),
        tuple(dict.fromkeys(conflicts)),
    )
