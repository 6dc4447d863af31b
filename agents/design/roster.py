"""Scientists that a house knows by itself: built-in roles, members' own profiles, and who is excluded.

Files lie in the folder `skills/scientists` of PESTLE_HOME: `excluded.txt` with a name a line, and a Markdown
file for each member, whose head gives `name`, and SMILES under `molecules`; its text says how they work.
"""

import tomllib
from functools import cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from agents.design.values import Profile, Published, Role
from agents.errors import WrongOrder

FILE = Path(__file__).with_name("roles.toml")
EXCLUDED = "excluded.txt"


@cache
def built_in() -> tuple[Profile, ...]:
    """The three roles, as profiles that no person stands behind."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8"))["role"]
    roles = TypeAdapter(tuple[Role, ...]).validate_python(read)
    return tuple(Profile(role.name, role=role) for role in roles)


class Roster:
    """Over the house's folder of guidance; None where it has none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder / "scientists" if folder else None

    def excluded(self) -> tuple[str, ...]:
        """Names of people who are never used."""
        path = self._folder / EXCLUDED if self._folder else None
        if path is None or not path.is_file():
            return ()
        return tuple(filter(None, map(str.strip, path.read_text("utf-8").splitlines())))

    def exclude(self, name: str) -> None:
        """Never use somebody again. Raises `OSError`."""
        if self._folder is None or name in self.excluded():
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / EXCLUDED).open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")

    def members(self) -> tuple[Profile, ...]:
        """The profiles that members wrote. Raises `WrongOrder` for a file without a name."""
        if self._folder is None or not self._folder.is_dir():
            return ()
        return tuple(_member(path) for path in sorted(self._folder.glob("*.md")))


def _member(path: Path) -> Profile:
    _, head, text = (*path.read_text("utf-8").split("---\n", 2), "", "", "")[:3]
    try:
        read = yaml.safe_load(head) or {}
        name = str(read["name"])
        molecules = tuple(Published(str(smiles), "") for smiles in read.get("molecules", ()))
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise WrongOrder(f"{path.name} is no profile: its head gives `name` and `molecules`.") from error
    return Profile(name, molecules=molecules, described=text.strip())
