"""What the words of a passage confirm, whatever a judge says."""

import pytest

from agents.trust.reworded import says_in_its_words
from tests.agents.trust.builders import evidence

SAID = (
    "We conclude that liver necrosis was seen in rats at 50 mg/kg. Warfarin can cause fetal harm. "
    "Randomisation was performed by Covance and the samples were analysed by Quintiles. "
    "ALT increased in males but decreased in females. Rats given placebo died. "
    "Contrary to reports that dogs vomited, none did. ZK-701 was not withdrawn. "
    "PAR-2 is made in cartilage."
)


@pytest.mark.parametrize(
    "claim",
    [
        "Liver necrosis was seen in rats at 50 mg/kg.",
        "Liver necrosis was seen in rats.",
        "Warfarin can cause fetal harm.",
        "Randomisation was performed by Covance.",
        "ZK-701 was not withdrawn.",
        "PAR-2 is made in cartilage.",
    ],
)
def test_a_sentence_confirms_its_own_words(claim: str) -> None:
    assert says_in_its_words(claim, (evidence(SAID),))


@pytest.mark.parametrize(
    "claim",
    [
        "Liver necrosis was seen in dogs at 50 mg/kg.",
        "Liver necrosis was not seen in rats.",
        "Liver necrosis was seen in rats at 5 mg/kg.",
        "Warfarin caused fetal harm.",
        "Randomisation was performed by Quintiles.",
        "ALT increased in females.",
        "Rats died.",
        "Dogs vomited.",
        "PAR-5 is made in cartilage.",
        "ZK-701 was withdrawn.",
        "ZK-702 was not withdrawn.",
        "Fetal harm can cause warfarin.",
    ],
)
def test_no_sentence_confirms_another_subject_event_or_direction(claim: str) -> None:
    assert not says_in_its_words(claim, (evidence(SAID),))
