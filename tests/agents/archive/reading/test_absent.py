"""What a model says it did not find is told as such, and never as a claim of a passage."""

import pytest

from agents.archive.reading.answers import absences_apart, not_found


@pytest.mark.parametrize(
    ("text", "quotes", "rest", "absent"),
    [
        (
            "The agency asked for a study with Q-1; no study with quinidine is reported.",
            ["We ask for a study with Q-1."],
            "The agency asked for a study with Q-1",
            ("no study with quinidine is reported",),
        ),
        ("There is no rabbit study described in the brochure.", [], "", None),
        ("No deaths were reported.", ["There were no deaths."], "No deaths were reported.", ()),
        (
            "ALT rose. The documents provided do not say more.",
            ["ALT rose."],
            "ALT rose",
            ("The documents provided do not say more",),
        ),
        (
            "The sources don't give the sex. ALT rose.",
            ["The no observed effect level was 5 mg. ALT rose."],
            "ALT rose",
            ("The sources don't give the sex",),
        ),
        ("The sex of the dogs is not stated in these passages.", ["Dogs got 5 mg."], "", None),
        ("The report did not describe the lesion.", ["A lesion was seen."], "", None),
        (
            "The lesion, which was not described in controls, was seen in 3 rats.",
            ["A lesion was seen in 3 rats."],
            "The lesion, which was not described in controls, was seen in 3 rats.",
            (),
        ),
        ("Placebo was not given.", ["All got 5 mg."], "Placebo was not given.", ()),
        ("Cmax was 5 ng/mL.", ["| 5 |"], "Cmax was 5 ng/mL.", ()),
    ],
)
def test_an_absence_is_told_apart(text: str, quotes: list[str], rest: str, absent: tuple[str, ...]) -> None:
    kept, gone = absences_apart(text, quotes)
    assert kept.rstrip(".") == rest.rstrip(".")
    assert gone == (absent if absent is not None else (text.rstrip("."),))


def test_what_was_not_found_is_one_note() -> None:
    assert not_found("", ()) == ""
    assert not_found("a PK study.", ["no AUC is given"]) == (
        "Not found in what was read: a PK study; no AUC is given."
    )
