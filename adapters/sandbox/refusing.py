"""The sandbox where there is none."""

from collections.abc import Collection

from agents.errors import SandboxUnavailable
from agents.programs.values import Ended, Job

PACKAGES = {"bwrap": "bubblewrap", "prlimit": "util-linux", "tar": "tar"}


class RefusingSandbox:
    """Implements `agents.ports.Sandbox`: runs nothing. `missing` are programs that are not installed; none
    means that the settings say so.
    """

    name = "none"

    def __init__(self, missing: Collection[str]) -> None:
        self._missing = missing

    async def unavailable(self) -> str:
        """See the port."""
        if not self._missing:
            return "Programs are switched off here (PESTLE_SANDBOX_USED=false)."
        packages = " ".join(PACKAGES[name] for name in self._missing)
        return (
            f"No program can run here: {', '.join(self._missing)} is not installed. Install it "
            f"(Debian: apt-get install {packages}); it needs Linux. docs/guide/programs.md says more."
        )

    async def run(self, job: Job) -> Ended:
        """Raises `SandboxUnavailable`."""
        raise SandboxUnavailable(await self.unavailable())
