"""Whose a value is where drugs are given together: a value with another drug is of neither alone."""

import re
from collections.abc import Sequence

from agents.archive.research.documents.attribution import section_drug, subject_drug
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.lines import DrugMention, Line, MoleculeNames, Referent
from agents.archive.research.patterns.amounts import dose_quantities

WITH = re.compile(
    r"(?:\b(?:with|plus|combined with|added to|in the presence of)|\+)\s*(?:[\d.,]+\s?[mµ]?g\s)?$",
    re.IGNORECASE,
)
"""What stands in a label before a drug that is given beside another."""
TREATED_WITH = re.compile(
    r"(?:^|(?<!also )(?<!then )(?<!previously )(?<!additionally )(?<!concomitantly )(?<![\w-]))"
    r"(?:treat(?:ed|ment)|dos(?:ed|ing)) with\s(?:[\d.,]+\s?[mµ]?g\s)?$",
    re.IGNORECASE,
)
"""What stands before the one drug that was given: "in subjects dosed with"."""
COMPARES = re.compile(r"\b(?:compar\w*|versus|vs|contrast|differ\w*|than)\b", re.IGNORECASE)
MOST_WORDS = 4
"""Words that the label of a row has beside its drugs and doses."""


def row_drug(document: AnnotatedDocument, line: Line, head: str) -> DrugMention | None:
    """Whose value a cell is: of the drug named in its column or in its row, or of the one told about.

    None where it was given with another drug ("with itraconazole"): that is a value of neither alone. A row
    that names no drug carries values of what its heading or its document is about, and of no other. A remark
    in a later cell ("higher than with itraconazole") does not name the row's drug.
    """
    assert line.row is not None
    first, *others = line.row.cells
    for text in (head, first, *(cell for cell in others if is_label(document.names, cell))):
        drugs = document.names.drugs_in(text)
        named = [drug for drug in drugs if drug.referent is not Referent.PLACEBO]
        if any(is_added(document, text, named, drug) for drug in named):
            return None
        if named:
            return named[0]
    return section_drug(document, line) or subject_drug(document)


def is_label(names: MoleculeNames, cell: str) -> bool:
    """Whether a cell says what was given, and is no remark: it has no value and compares nothing."""
    if COMPARES.search(cell):
        return False
    known = [(drug.start, drug.end) for drug in names.drugs_in(cell)]
    known += [(dose.start, dose.end) for dose in dose_quantities(cell)]
    rest = "".join(
        character
        for place, character in enumerate(cell)
        if not any(start <= place < end for start, end in known)
    )
    return re.search(r"\d", rest) is None and len(rest.split()) <= MOST_WORDS


def is_added(
    document: AnnotatedDocument, label: str, named: Sequence[DrugMention], drug: DrugMention
) -> bool:
    """Whether a label names a drug as what was given beside the document's own.

    The asked molecule is not where it is the only one named, as what somebody was "dosed with".
    """
    ahead = label[: drug.start]
    others = [one for one in named if one.referent is not Referent.PLACEBO and not one.may_be_this]
    alone = drug.is_this and not others and TREATED_WITH.search(ahead) is not None
    return drug.name != document.subject and not alone and WITH.search(ahead) is not None


def is_of_two_drugs(names: MoleculeNames, question: str) -> bool:
    """Whether a question is about what was given with another drug, of which no value alone tells.

    Placebo is no other drug, and the asked molecule is none beside itself ("seen with AB-1234").
    """
    drugs = names.drugs_in(question)
    return (
        not COMPARES.search(question)
        and any(WITH.search(question[: drug.start]) for drug in drugs)
        and any(not drug.may_be_this and drug.referent is not Referent.PLACEBO for drug in drugs)
    )
