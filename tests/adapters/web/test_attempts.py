"""How often something may be tried, and which names and passwords are taken."""

import pytest

from adapters.web import attempts
from adapters.web.attempts import Attempts
from adapters.web.passwords import fits, hashed, plain_name, weakness


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_attempts_are_allowed_again_one_by_one() -> None:
    clock = Clock()
    tried = Attempts(2, 10, clock)
    for clock.now in (0.0, 4.0):
        assert tried.wait("a") == 0
        tried.note("a")
    clock.now = 6.0
    assert (tried.wait("a"), tried.wait("b")) == (4, 0)
    clock.now = 10.0
    assert tried.wait("a") == 0
    tried.note("a")
    assert tried.wait("a") == 4
    tried.forget("a")
    assert tried.wait("a") == 0


def test_memory_of_attempts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "KEPT", 3)
    tried = Attempts(1, 10, Clock())
    for key in "abcd":
        tried.note(key)
    assert [tried.wait(key) > 0 for key in "abcd"] == [False, True, True, True]


def test_a_password_is_kept_as_argon2id_and_fits_in_any_form_of_its_letters() -> None:
    secret = hashed("n\u00e4chtlicher Regen")
    assert secret.startswith("$argon2id$")
    assert fits("na\u0308chtlicher Regen", secret)
    assert not fits("naechtlicher Regen", secret)
    assert not fits("nobody has this password", "")
    assert not fits("anything", "no hash")
    assert not fits("\ud800", secret)


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("short", "12 to"),
        ("x" * 1_001, "12 to"),
        ("aaaaaaaaaaaaaaa", "easy"),
        ("Ada is my name", "easy"),
        ("with \x00 in the middle", "keyboard"),
        ("four small green pestles", ""),
    ],
)
def test_which_passwords_are_taken(password: str, told: str) -> None:
    assert told in weakness("ada", password)
    assert bool(weakness("ada", password)) == bool(told)


def test_which_names_are_taken() -> None:
    taken = [plain_name(name) for name in (" Ada ", "ada.l", "you", "a b", "", "é", "../x", "x" * 41, "-x")]
    assert taken == ["ada", "ada.l", "", "", "", "", "", "", ""]
