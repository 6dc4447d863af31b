"""Child processes: their limits, and that nothing of them is left."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from agents.errors import ChildFailed
from agents.runs.child import ChildLimits, run_child

SPAWNS = """
import subprocess, sys, time
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(str(inner.pid))
if sys.argv[2] == "stay":
    time.sleep(600)
print("parent done")
"""


def python(program: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


def content(path: Path) -> str:
    return path.read_text() if path.exists() else ""


async def pid_in(path: Path) -> int:
    while not content(path):  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(0.01)
    return int(content(path))


def runs(pid: int) -> bool:
    """Whether a process is alive; one that has ended and that nobody has waited for yet is not."""
    state = content(Path(f"/proc/{pid}/stat"))
    return bool(state) and state.rsplit(") ")[-1][0] != "Z"


async def is_gone(pid: int) -> bool:
    """Whether a process ends within two seconds."""
    for _ in range(100):
        if not runs(pid):
            return True
        await asyncio.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    return False


async def test_input_outputs_and_code_go_through() -> None:
    program = "import sys; print(sys.stdin.read()[::-1]); print('oh', file=sys.stderr); sys.exit(3)"
    result = await run_child(python(program), input=b"abc")
    assert (result.code, result.out, result.err) == (3, b"cba\n", b"oh\n")


async def test_much_goes_in_and_out_at_once() -> None:
    data = os.urandom(3_000_000)
    result = await run_child(
        python("import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"), input=data
    )
    assert result.out == data


async def test_child_need_not_read_its_input() -> None:
    result = await run_child(python("print(1)"), input=b"x" * 3_000_000)
    assert (result.code, result.out) == (0, b"1\n")


async def test_child_sees_no_secret_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PESTLE_MODEL_API_KEY", "a-key-of-ours")
    program = "import os; print(dict(os.environ), os.getcwd())"
    result = await run_child(python(program), folder=tmp_path, environment={"GIVEN": "value"})
    assert b"a-key-of-ours" not in result.out
    assert b"'GIVEN': 'value'" in result.out
    assert str(tmp_path).encode() in result.out


async def test_arguments_reach_no_shell() -> None:
    result = await run_child(python("import sys; print(sys.argv[1])", "$(echo no); `ls`"))
    assert result.out == b"$(echo no); `ls`\n"


async def test_time_limit_ends_the_child_and_all_that_it_started(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ChildFailed, match="ran longer than 1 s"):
        await run_child(python(SPAWNS, str(tmp_path / "pid"), "stay"), limits=ChildLimits(seconds=1))
    assert time.monotonic() - began < 15
    assert await is_gone(await pid_in(tmp_path / "pid"))


async def test_output_limit_ends_the_child() -> None:
    program = "while True: print('x' * 1000)"
    with pytest.raises(ChildFailed, match="wrote more than 5000 bytes"):
        await run_child(python(program), limits=ChildLimits(output_bytes=5000))


async def test_cancellation_ends_the_child_and_all_that_it_started(tmp_path: Path) -> None:
    task = asyncio.create_task(run_child(python(SPAWNS, str(tmp_path / "pid"), "stay")))
    inner = await pid_in(tmp_path / "pid")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await is_gone(inner)


async def test_grandchild_that_holds_the_output_open_does_not_hold_us(tmp_path: Path) -> None:
    began = time.monotonic()
    result = await run_child(python(SPAWNS, str(tmp_path / "pid"), "leave"), limits=ChildLimits(seconds=30))
    assert result.out == b"parent done\n"
    assert time.monotonic() - began < 20
    assert await is_gone(await pid_in(tmp_path / "pid"))


async def test_program_that_is_not_there_is_named() -> None:
    with pytest.raises(ChildFailed, match="no-such-program cannot be started"):
        await run_child(["no-such-program"])
