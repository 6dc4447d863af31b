"""A model's JSON at the edge: what nobody sees is gone, also where it is escaped."""

import pytest
from pydantic import BaseModel

from agents.json_answers import checked


class Said(BaseModel):
    text: str


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("7\u200b7\u20607 mg", "777 mg"),
        (r"7\u200b7\ufeff7 mg", "777 mg"),
        (r"7\u0000\u00077 mg", "77 mg"),
        (r"path\\u200bx", r"path\u200bx"),
        ("x\u202ey \u00e9", "xy \u00e9"),
        (r"a\nb", "a\nb"),
    ],
)
def test_characters_that_nobody_sees_are_gone(written: str, read: str) -> None:
    assert checked(f'{{"text": "{written}"}}', Said) == Said(text=read)
