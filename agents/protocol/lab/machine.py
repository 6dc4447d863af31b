"""What this machine can run: whether there are a sandbox and R, and which of the allowed packages."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.ports import Sandbox
from agents.programs.values import Job

PACKAGES = tomllib.loads(Path(__file__).with_name("packages.toml").read_text(encoding="utf-8"))
NEEDED: Mapping[str, str] = PACKAGES["needed"]
"""R packages that the tested programs need, and the Debian packages that bring them."""
FURTHER: Mapping[str, str] = PACKAGES["further"]
"""Those that a model may use besides, where they are installed."""
KNOWN = {**NEEDED, **FURTHER}
OWN = frozenset(PACKAGES["r"]["own"].split())
"""Packages that R itself brings."""
DEBIAN = ("r-base-core", *NEEDED.values())
INSTALL = f"apt-get install --no-install-recommends {' '.join(DEBIAN)}"
NO_R = (
    "R is not installed here, so no R program can run. `pestle protocol setup` installs it (Debian: "
    f"{INSTALL})."
)
LIST = Job(("Rscript", "--vanilla", "-e", 'cat(rownames(installed.packages()), sep = "\\n")'))
NOT_FOUND = 127


@dataclass(frozen=True, slots=True)
class Machine:
    """What can run here. `why` tells why nothing can; `packages` are the R packages that are installed."""

    why: str
    packages: tuple[str, ...] = ()

    @property
    def allowed(self) -> tuple[str, ...]:
        """The packages that a program may use."""
        return tuple(one for one in KNOWN if one in self.packages)

    def lacks(self, packages: tuple[str, ...]) -> str:
        """Why programs that need these packages cannot run; "" if they can."""
        if missing := [one for one in ("jsonlite", *packages) if one not in self.packages]:
            debian = " ".join(KNOWN.get(one, one) for one in missing)
            return f"R lacks {', '.join(missing)}. `pestle protocol setup` installs it (Debian: {debian})."
        return ""


def debian_packages(machine: Machine, further: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The Debian packages that bring what is missing; `further` are R packages that are wished for."""
    if machine.why and machine.why != NO_R:
        return ("bubblewrap", *DEBIAN) if "is not installed" in machine.why else ()
    missing = [one for one in (*NEEDED, *further) if one not in machine.packages]
    packages = tuple(KNOWN[one] for one in missing)
    return ("r-base-core", *packages) if machine.why else packages


async def look(sandbox: Sandbox) -> Machine:
    """What there is in the sandbox of this machine."""
    if why := await sandbox.unavailable():
        return Machine(why)
    ended = await sandbox.run(LIST)
    if ended.code == NOT_FOUND:
        return Machine(NO_R)
    if not ended.well:
        return Machine(f"R does not start in the sandbox: {ended.reason or ended.err.strip()[-300:]}")
    return Machine("", tuple(ended.out.split()))
