"""What a machine lacks is told, with the Debian packages that bring it."""

import pytest

from adapters.sandbox.refusing import RefusingSandbox
from agents.ports import Sandbox
from agents.programs.values import Ended, Job
from agents.protocol.lab.machine import DEBIAN, NEEDED, debian_packages, look
from tests.support.scripted_sandbox import ScriptedSandbox


def sandbox(*packages: str) -> ScriptedSandbox:
    """A sandbox with an R that has these packages."""

    async def listed(job: Job) -> Ended:
        return Ended(0, "\n".join(packages))

    return ScriptedSandbox({"Rscript": listed})


@pytest.mark.parametrize(
    ("opened", "packages", "told"),
    [
        (sandbox(*NEEDED, "stats"), (), ""),
        (sandbox("jsonlite", "stats"), DEBIAN[2:], ""),
        (ScriptedSandbox({}), DEBIAN, "R is not installed here"),
        (RefusingSandbox(["bwrap"]), ("bubblewrap", *DEBIAN), "bwrap is not installed"),
        (RefusingSandbox(()), (), "switched off"),
    ],
)
async def test_what_is_missing_is_named(opened: Sandbox, packages: tuple[str, ...], told: str) -> None:
    machine = await look(opened)
    assert debian_packages(machine) == packages
    assert told in machine.why
    assert bool(told) == bool(machine.why)


async def test_further_packages_are_asked_for_alone() -> None:
    machine = await look(sandbox(*NEEDED))
    assert debian_packages(machine, ("ggplot2", "limma")) == ("r-cran-ggplot2",)
    assert machine.allowed == tuple(NEEDED)
    assert machine.lacks(("GSVA",)).endswith("installs it (Debian: r-bioc-gsva).")
