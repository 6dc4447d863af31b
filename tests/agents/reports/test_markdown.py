"""A section's text in Markdown."""

import pytest

from agents.reports.markdown import text_of
from agents.reports.values import Prose, Statement


@pytest.mark.parametrize(
    ("value", "written"),
    [("96* U/L", r"**96\* U/L**"), ("3.1** (F)", r"**3.1\*\* (F)**"), ("a *b*", "**a *b***")],
)
def test_a_sign_of_significance_behind_a_value_is_no_emphasis(value: str, written: str) -> None:
    assert text_of([Prose((Statement(value, ()),), strong=True)]) == written
