"""What every sandbox does: bubblewrap, and the scripted one."""

import asyncio

import pytest

from agents.ports import Sandbox
from agents.programs.values import Ended, Job, Limits
from tests.support import services
from tests.support.scripted_sandbox import ScriptedSandbox

COPY = Job(("sh", "-c", "cat in/a/b.txt > out/c.txt; echo said; echo cried >&2"), {"a/b.txt": b"data"})
FAIL = Job(("sh", "-c", "exit 3"))
SLEEP = Job(("sleep", "60"), limits=Limits(seconds=0.5))
FLOOD = Job(("sh", "-c", "yes | head -c 300000"), limits=Limits(output=1_000_000))
OVERFLOW = Job(("sh", "-c", "yes | head -c 3000000"), limits=Limits(output=1_000_000))
ODD = Job(("sh", "-c", "touch out/ok 'out/ odd' out/..odd"))
LOUD = Job(("printenv", "LOUD"), environment={"LOUD": "yes"})


async def shell(job: Job) -> Ended:
    """What a shell does with the programs of this test."""
    script = job.argv[-1]
    if script == COPY.argv[-1]:
        return Ended(0, "said\n", "cried\n", {"c.txt": job.files["a/b.txt"]})
    if "head -c" in script:
        return Ended(0, "y\n" * (int(script.split()[-1]) // 2))
    return Ended(0, files={"ok": b"", " odd": b"", "..odd": b""}) if "odd" in script else Ended(3)


async def sleep(job: Job) -> Ended:
    await asyncio.sleep(float(job.argv[1]))
    return Ended(0)


async def printenv(job: Job) -> Ended:
    return Ended(0, job.environment[job.argv[1]] + "\n")


@pytest.fixture(params=["scripted", "bubblewrap"])
async def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "bubblewrap":
        return await services.sandbox()
    return ScriptedSandbox({"sh": shell, "sleep": sleep, "printenv": printenv})


async def test_program_gets_files_and_leaves_files(sandbox: Sandbox) -> None:
    ended = await sandbox.run(COPY)
    assert ended.well
    assert (ended.out, ended.err, ended.files) == ("said\n", "cried\n", {"c.txt": b"data"})
    assert ended.used.seconds > 0


async def test_its_status_is_told(sandbox: Sandbox) -> None:
    ended = await sandbox.run(FAIL)
    assert (ended.code, ended.reason, ended.well) == (3, "", False)


async def test_unknown_program_is_127_as_in_a_shell(sandbox: Sandbox) -> None:
    ended = await sandbox.run(Job(("no-such-program",)))
    assert ended.code == 127
    assert "no-such-program" in ended.err


async def test_it_sees_the_environment_that_it_is_given(sandbox: Sandbox) -> None:
    assert (await sandbox.run(LOUD)).out == "yes\n"


async def test_it_is_ended_at_its_time_and_the_reason_is_told(sandbox: Sandbox) -> None:
    ended = await sandbox.run(SLEEP)
    assert (ended.code, ended.reason) == (-1, "ran longer than 0.5 s")
    assert 0.4 < ended.used.seconds < 10


async def test_long_output_is_cut_with_a_note(sandbox: Sandbox) -> None:
    ended = await sandbox.run(FLOOD)
    assert ended.well
    assert len(ended.out) < 101_000
    assert "\n… 200000 bytes are left out here …\n" in ended.out


async def test_endless_output_ends_it(sandbox: Sandbox) -> None:
    ended = await sandbox.run(OVERFLOW)
    assert ended.reason == "wrote more than 1 MB to its standard output"
    assert ended.out.startswith("y\ny\n")


async def test_files_with_odd_names_are_not_taken(sandbox: Sandbox) -> None:
    assert set((await sandbox.run(ODD)).files) == {"ok"}


@pytest.mark.parametrize("name", ["../a", "/etc/passwd", "a/../../b", "", "a//b", "a\nb", ".hidden", "a/./b"])
def test_input_cannot_be_laid_elsewhere(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of an input file"):
        Job(("true",), {name: b""})


@pytest.mark.parametrize(("argv", "environment"), [((), {}), (("a\0b",), {}), (("a",), {"X Y": ""})])
def test_text_that_no_program_can_be_given_is_refused(
    argv: tuple[str, ...], environment: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"program|variable"):
        Job(argv, environment=environment)


def test_nobody_gets_more_than_the_house_allows() -> None:
    wide, house = Limits(seconds=9e9, memory=10), Limits(seconds=5, memory=20, disk=30)
    assert wide.within(house) == Limits(seconds=5, memory=10, disk=30)
