"""When an answer says that nothing speaks of what is asked, and when it must not."""

from pathlib import Path

import pytest

from agents.archive.answer import Outcome
from tests.agents.archive.test_pipeline import ask
from tests.agents.archive.world import archive

TEXTS = {
    "QB-CL-1": "# QB-710: Phase 2 trial\n\nOne SAE, a serious adverse event, was a fall.\n\n"
    "Adverse events of taste were seen in 9 patients.\n",
    "QB-MIN-2": "# Minutes of the board of QB-710\n\nThe bioanalysis of study QB-CL-1 cost 40,000 euro.\n",
}


@pytest.mark.parametrize(
    "question",
    [
        "Which SAEs of QB-710 were there?",
        "How many patients had taste AEs?",
        "How much went into the bioanalysis and pharmacy of study QB-CL-1?",
    ],
)
async def test_what_documents_speak_of_in_another_form_or_place_is_not_denied(
    tmp_path: Path, question: str
) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), question)

    assert answer.outcome is Outcome.CLOSEST


async def test_a_short_form_that_nothing_writes_or_spells_out_is_said_to_be_missing(tmp_path: Path) -> None:
    answer = await ask(await archive(tmp_path, TEXTS), "Were there NOAELs of QB-710?")

    assert answer.outcome is Outcome.NOTHING
    assert "speaks of NOAELs" in answer.short
