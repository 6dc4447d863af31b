"""A passage that is too long is cut so that what is left can be read."""

from agents.archive.reading.trim import CUT, trimmed

LIVER = ["Table 1. Liver weight (g)", "| Animal | Left lobe | Right lobe |"] + [
    f"| L{n} | {n}.1 | {n}.2 |" for n in range(40)
]
KIDNEY = ["Table 2. Kidney weight (mg)", "| Animal | Left kidney | Right kidney |", "| Females | | |"] + [
    f"| K{n} | {n}.3 | {n}.4 |" for n in range(40)
]


def test_rows_stand_below_the_caption_heads_and_sub_head_of_their_own_table() -> None:
    text = "\n".join((*LIVER, *KIDNEY))
    shown = trimmed(text, "K33", 300).splitlines()
    assert shown[:5] == [CUT, *KIDNEY[:3], CUT]
    assert "| K33 | 33.3 | 33.4 |" in shown
    assert not any("Liver" in line or line.startswith("| L") for line in shown)


def test_prose_keeps_the_first_line_which_names_it() -> None:
    text = "\n".join(
        ("Dogs were treated.", *("Nothing was seen." for _ in range(40)), "The spleen was large.")
    )
    shown = trimmed(text, "How was the spleen?", 200).splitlines()
    assert shown[:2] == ["Dogs were treated.", CUT]
    assert shown[-1] == "The spleen was large."


def test_prose_below_a_table_is_not_shown_under_its_heads() -> None:
    text = "\n".join((*LIVER, *("Nothing was seen." for _ in range(40)), "The spleen was large."))
    shown = trimmed(text, "How was the spleen?", 200).splitlines()
    assert shown[0] == CUT
    assert not any(line.startswith("|") for line in shown)
