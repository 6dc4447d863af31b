"""Each part of a question is about the molecule that it names, or about that of another part."""

import pytest

from agents.archive.several import asked_in
from retrieval.values import Molecule


@pytest.mark.parametrize(
    ("question", "wholes"),
    [
        (
            "What is the Cmax of Ozelquinat and what is the NOAEL of KV-401?",
            ("What is the Cmax of Ozelquinat?", "what is the NOAEL of KV-401?"),
        ),
        (
            "What is the NOAEL of KV-401 and what is the Cmax of KV-777?",
            ("What is the NOAEL of KV-401?", "what is the Cmax of KV-777?"),
        ),
        (
            "What is the NOAEL and what is the Cmax of KV-401?",
            ("What is the NOAEL for KV-401?", "what is the Cmax of KV-401?"),
        ),
    ],
)
def test_a_part_with_an_unknown_name_is_not_about_another_molecule(
    question: str, wholes: tuple[str, ...]
) -> None:
    assert tuple(part.whole for part in asked_in(question, [Molecule("KV-401")])) == wholes
