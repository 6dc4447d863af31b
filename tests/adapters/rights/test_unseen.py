"""Who may not read a document gets, byte for byte, what they would get if it did not exist."""

from pathlib import Path

import pytest

from tests.adapters.rights.world import HIDDEN, OPEN, SECRETS, archive, outputs

QUESTIONS = (
    "What was the highest dose of ZK-701?",
    "Why was ZK-701 stopped?",
    "What is the half-life of QX-900?",
    "What is the half-life of xorvatide?",
    "What is the half-life of xorvatid or QX-9OO?",
    "What do you know about zanolimib?",
    "List all studies of ZK-701.",
    "What was the NOAEL of ZK-7O1?",
    "Which molecules are there?",
    "How many documents are there?",
    "Did hepatitis occur?",
    "hello",
)


@pytest.mark.parametrize("names", [sorted(HIDDEN), ["QX-01"], ["ZK-MIN-01", "ZK-CL-09 copy"]], ids=len)
async def test_all_output_is_as_if_the_hidden_documents_did_not_exist(
    tmp_path: Path, names: list[str]
) -> None:
    hidden = {name: HIDDEN[name] for name in names}
    async with archive(tmp_path / "with", OPEN, hidden) as built:
        had = await outputs(built, "anna", QUESTIONS)
    async with archive(tmp_path / "without", OPEN, {}) as built:
        never = await outputs(built, "anna", QUESTIONS)
    assert len(had) == len(never)
    for one, other in zip(had, never, strict=True):
        assert one == other


async def test_who_may_read_all_is_told_of_the_hidden_documents(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        kept = "\n".join(await outputs(built, "anna", QUESTIONS[:1]))
        assert not any(secret in kept for secret in SECRETS)
        told = "\n".join(await outputs(built, "bea", QUESTIONS[1:4]))
        assert all(secret in told for secret in ("QX-900", "ZK-MIN-01", "ZK-CL-02"))
