"""Which messages are orders, and what they order."""

import pytest

from agents.errors import WrongOrder
from agents.kinds import Certainty, ThreadContext, UserMessage
from agents.reports.values import Report
from agents.safety.choices import checked
from agents.safety.order import Direction, Modality, SafetyOrder
from agents.safety.outline import SECTIONS
from agents.safety.understand import commanded, understand

NEW: ThreadContext[SafetyOrder, SafetyOrder] = ThreadContext()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("ADRB2", SafetyOrder("ADRB2")),
        ("ENSG00000169252, inhibition", SafetyOrder("ENSG00000169252", direction=Direction.INHIBITION)),
        ("154 activation by an antibody", SafetyOrder("154", Modality.ANTIBODY, Direction.ACTIVATION)),
        (
            "PCSK9, inhibition, oligonucleotide, in hypercholesterolaemia; look at the liver first",
            SafetyOrder(
                "PCSK9",
                Modality.OLIGONUCLEOTIDE,
                Direction.INHIBITION,
                "hypercholesterolaemia",
                "look at the liver first",
            ),
        ),
        ("report on NR3C1", SafetyOrder("NR3C1")),
        ("beta-2 adrenergic receptor", SafetyOrder("beta-2 adrenergic receptor")),
        ("HGNC:286, without pathways", SafetyOrder("HGNC:286", without=("pathways",))),
        (
            "PCSK9 without literature and open_targets_safety, inhibition, in asthma",
            SafetyOrder(
                "PCSK9",
                direction=Direction.INHIBITION,
                area="asthma",
                without=("literature", "open_targets_safety"),
            ),
        ),
        (
            "PCSK9 without zebrafish or mouse, in asthma",
            SafetyOrder("PCSK9", area="asthma", instructions="leave out zebrafish\nleave out mouse"),
        ),
    ],
)
def test_behind_the_command_word(text: str, order: SafetyOrder) -> None:
    assert commanded(text) == order
    understood = understand(UserMessage(text, "ada", asked_for=True), NEW)
    assert understood is not None
    assert (understood.inputs, understood.certainty) == (order, Certainty.SURE)


@pytest.mark.parametrize(
    ("text", "target", "direction"),
    [
        ("target safety of ADRB2", "ADRB2", None),
        ("What are the liabilities of inhibiting PCSK9?", "PCSK9", Direction.INHIBITION),
        ("Please write a target safety report for GRIN2B", "GRIN2B", None),
        ("What are the safety liabilities of the DRD2?", "DRD2", None),
        ("which risks of activating OPRM1 are known?", "OPRM1", Direction.ACTIVATION),
    ],
)
def test_in_plain_words(text: str, target: str, direction: Direction | None) -> None:
    understood = understand(UserMessage(text, "ada"), NEW)
    assert understood is not None
    assert (understood.inputs.target, understood.inputs.direction) == (target, direction)


@pytest.mark.parametrize(
    "text",
    [
        "What was the NOAEL of Zorvatinib in rats?",
        "What are the risks of the drug?",
        "Was the safety of Zorvatinib acceptable?",
        "Why was the project stopped?",
    ],
)
def test_other_questions_are_left_to_the_archive(text: str) -> None:
    assert understand(UserMessage(text, "ada"), NEW) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ADRB2, without open_target_drugs", "Did you mean open_targets_drugs"),
        ("ADRB2, inhibition by a peptide", "small molecule, antibody, oligonucleotide, gene therapy"),
        ("report", "Name a target"),
        ("report of", "Name a target"),
    ],
)
def test_what_there_is_not_is_refused_with_the_choices(text: str, said: str) -> None:
    with pytest.raises(WrongOrder, match=said):
        commanded(text)


def test_an_order_leaves_some_section() -> None:
    with pytest.raises(WrongOrder, match="leave some"):
        checked(SafetyOrder("ADRB2", without=tuple(one.id for one in SECTIONS)))
    assert checked(SafetyOrder("ADRB2", without=("Pathways", "pathways"))).without == ("pathways",)


def test_a_choice_orders_again_with_the_target_chosen() -> None:
    asked = SafetyOrder("ZRB", direction=Direction.INHIBITION)
    offered = Report("", "", "", False, options=("ZORB1 (zorbin receptor 1)", "ZORB2 (zorbin receptor 2)"))
    understood = understand(UserMessage("2", "ada"), ThreadContext(asked, (asked,), offered))
    assert understood is not None
    assert understood.inputs == SafetyOrder("ZORB2", direction=Direction.INHIBITION)


@pytest.mark.parametrize("text", ["safety", "/tsa", "Safety!"])
def test_the_command_word_alone_asks_for_a_target(text: str) -> None:
    with pytest.raises(WrongOrder, match="Name a target"):
        understand(UserMessage(text, "ada"), ThreadContext(None, (), None))
