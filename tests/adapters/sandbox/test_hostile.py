"""Programs that mean harm: all are contained, this process lives, and the reason is told."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from adapters.data_sections import SandboxSettings
from adapters.sandbox import open_sandbox
from adapters.sandbox.refusing import RefusingSandbox
from agents.errors import SandboxUnavailable
from agents.ports import Sandbox
from agents.programs.values import MB, Ended, Job, Limits
from tests.support import services

LIMITS = Limits(seconds=8.0, processor=6.0, memory=200 * MB, processes=40, disk=20 * MB, output=1 * MB)
PYTHON = "/usr/bin/python3"
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
async def sandbox() -> Sandbox:
    return await services.sandbox()


async def python(sandbox: Sandbox, program: str, limits: Limits = LIMITS) -> Ended:
    """A Python program in the sandbox, as a file."""
    services.program(PYTHON)
    return await sandbox.run(Job((PYTHON, "in/a.py"), {"a.py": program.encode()}, limits=limits))


async def shell(sandbox: Sandbox, script: str, limits: Limits = LIMITS) -> Ended:
    return await sandbox.run(Job(("sh", "-c", script), limits=limits))


async def test_network_is_not_there(sandbox: Sandbox) -> None:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    ended = await python(sandbox, f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)")
    server.close()
    assert ended.code == 1
    assert "Connection refused" in ended.err
    ended = await python(sandbox, "import socket; socket.create_connection(('93.184.216.34', 80), 2)")
    assert "Network is unreachable" in ended.err


async def test_fork_bomb_is_ended(sandbox: Sandbox) -> None:
    ended = await python(sandbox, "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass")
    assert ended.reason == "started more than 40 processes"


async def test_files_outside_cannot_be_seen_or_written(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    script = f"cat {secret} {ROOT}/README.md; echo x > {tmp_path}/new; echo x > /usr/new; echo x > /new; ls /"
    ended = await shell(sandbox, script)
    assert "the secret" not in ended.out
    assert ended.err.count("No such file") == 2
    assert f"cannot create {tmp_path}/new" in ended.err
    assert ended.err.count("Read-only file system") == 2
    assert set(ended.out.split()) == {
        "bin",
        "dev",
        "etc",
        "lib",
        "lib64",
        "proc",
        "sbin",
        "tmp",
        "usr",
        "work",
    }
    assert os.listdir(tmp_path) == ["secret"]  # noqa: PTH208


async def test_inputs_are_read_only(sandbox: Sandbox) -> None:
    ended = await sandbox.run(
        Job(("sh", "-c", "echo x > in/a; rm in/a; touch in/b; cat in/a"), {"a": b"mine"})
    )
    assert ended.out == "mine"
    assert "cannot create in/a" in ended.err


async def test_memory_is_bounded_and_the_reason_told(sandbox: Sandbox) -> None:
    ended = await python(sandbox, "x = []\nwhile True: x.append(bytearray(b'x') * 5_000_000)")
    assert ended.reason == "used more than 200 MB of memory"


async def test_memory_of_many_processes_is_counted_together(sandbox: Sandbox) -> None:
    program = (
        "import os, time\nfor _ in range(8):\n  if os.fork() == 0:\n"
        "    x = bytearray(b'x') * 60_000_000\n    time.sleep(60)\ntime.sleep(60)"
    )
    assert (await python(sandbox, program)).reason == "used more than 200 MB of memory"


async def test_endless_loop_is_ended(sandbox: Sandbox) -> None:
    ended = await python(sandbox, "while True: pass", Limits(seconds=1.0))
    assert ended.reason == "ran longer than 1 s"


async def test_processor_time_of_all_processes_is_bounded(sandbox: Sandbox) -> None:
    ended = await python(sandbox, "import os; os.fork(); os.fork()\nwhile True: pass", Limits(processor=1.0))
    assert ended.reason == "used more than 1 s of processor time"


async def test_secrets_cannot_be_read(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PESTLE_MODEL_KEY", "hunter2")
    script = (
        "env; cat /proc/*/environ; cat /etc/shadow /etc/passwd; ls ~ /root /home; ls -d /proc/[0-9]* | wc -l;"
        f"cat /proc/{os.getpid()}/cmdline; grep CapEff /proc/self/status; id -u"
    )
    ended = await shell(sandbox, script)
    assert "hunter2" not in ended.out
    assert "PESTLE" not in ended.out
    assert "root:" not in ended.out
    assert "/etc/shadow: No such file" in ended.err
    assert "CapEff:\t0000000000000000" in ended.out
    assert not ended.out.endswith("\n0\n")


async def test_ten_gigabytes_are_not_written(sandbox: Sandbox) -> None:
    ended = await shell(sandbox, "dd if=/dev/zero of=out/big bs=1M count=10000")
    assert ended.reason == "wrote more than 20 MB of files"
    many = "i=0; while dd if=/dev/zero of=out/$i bs=1M count=9; do i=$((i+1)); done; exit 1"
    assert (await shell(sandbox, many)).reason == "wrote more than 20 MB of files"
    for place in ("/dev/x", "/x", "/work/in/x"):
        assert "Read-only" in (await shell(sandbox, f"dd if=/dev/zero of={place} bs=1M count=100")).err


async def test_sparse_files_cannot_flood_the_reader(sandbox: Sandbox) -> None:
    ended = await shell(sandbox, "for i in 1 2 3 4 5; do truncate -s 19M out/$i; done")
    assert ended.reason == "left more than 20 MB of files"


async def test_links_pipes_and_devices_are_left_out_and_named(sandbox: Sandbox) -> None:
    script = (
        "cd out; ln -s /etc/passwd link; ln -s /proc/1/environ l2; mkfifo pipe; echo 1 > real; ln real hard"
    )
    ended = await shell(sandbox, script)
    assert ended.files == {"real": b"1\n", "hard": b"1\n"}
    assert ended.notes == (
        "'l2' was left out: it is a symbolic link.",
        "'link' was left out: it is a symbolic link.",
        "'pipe' was left out: it is a named pipe.",
    )


async def test_folder_of_outputs_that_is_a_link_gives_nothing_from_outside(sandbox: Sandbox) -> None:
    ended = await shell(sandbox, "rmdir out; ln -s /usr/share out")
    assert ended.reason.startswith("left more than")
    assert not ended.files


async def test_childs_shell_is_in_the_same_sandbox(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = tmp_path / "escaped"
    program = (
        f"import os, subprocess; os.system('touch {mark}'); subprocess.run(['sh','-c','unshare -Ur id'])"
    )
    ended = await python(sandbox, program)
    assert not mark.exists()
    assert "unshare failed" in ended.err


async def test_sigterm_may_be_ignored_and_nothing_is_left(sandbox: Sandbox) -> None:
    stubborn = "trap '' TERM HUP INT; setsid sleep 987 & sleep 987"
    ended = await shell(sandbox, stubborn, Limits(seconds=1.0))
    assert ended.reason == "ran longer than 1 s"
    await gone("987")


async def test_what_it_leaves_running_is_ended(sandbox: Sandbox) -> None:
    ended = await shell(sandbox, "setsid sleep 986 > /dev/null 2>&1 & echo done")
    assert ended.well
    await gone("986")


async def test_a_gigabyte_of_output_ends_it(sandbox: Sandbox) -> None:
    ended = await shell(sandbox, "head -c 1000000000 /dev/zero")
    assert ended.reason == "wrote more than 1 MB to its standard output"
    assert "\0" not in ended.out


async def test_it_cannot_forge_how_it_ended(sandbox: Sandbox) -> None:
    """The line on which the sandbox tells its outcome is a socket, which cannot be opened anew."""
    ended = await shell(
        sandbox, "for p in /proc/[0-9]*; do echo 'started' > $p/fd/3; done; kill -9 2; exit 5"
    )
    assert ended.code in (5, -1)
    assert not ended.well


async def test_many_files_are_refused(sandbox: Sandbox) -> None:
    ended = await python(sandbox, "for i in range(1500): open(f'out/{i}', 'w')")
    assert ended.reason == "left more than 1000 files"


async def test_stopping_the_run_ends_the_program(sandbox: Sandbox) -> None:
    running = asyncio.create_task(shell(sandbox, "sleep 985 & sleep 985"))
    await there("985")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await gone("985")


async def test_killing_the_worker_kills_the_program(sandbox: Sandbox) -> None:
    """kill -9 of this process's child, which runs a program."""
    code = (
        "import asyncio\nfrom adapters.data_sections import SandboxSettings\nfrom adapters.sandbox import "
        "open_sandbox\nfrom agents.programs.values import Job\n"
        "asyncio.run(open_sandbox(SandboxSettings()).run(Job(('sh', '-c', 'setsid sleep 984 & sleep 984'))))"
    )
    worker = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=ROOT)
    await there("984")
    os.kill(worker.pid, signal.SIGKILL)
    await worker.wait()
    await gone("984")


async def test_many_at_once_do_not_disturb_each_other(sandbox: Sandbox) -> None:
    bad = [shell(sandbox, "kill -9 -1; kill -STOP -1", Limits(seconds=3)) for _ in range(2)]
    good = [shell(sandbox, f"sleep 0.2; echo {number}") for number in range(6)]
    _, _, *ended = await asyncio.gather(*bad, *good)
    assert [one.out for one in ended] == [f"{number}\n" for number in range(6)]


async def test_where_it_is_not_installed_it_says_what_to_install() -> None:
    refusing = RefusingSandbox(["bwrap"])
    assert "apt-get install bubblewrap" in await refusing.unavailable()
    with pytest.raises(SandboxUnavailable, match="bwrap is not installed"):
        await refusing.run(Job(("true",)))
    off = open_sandbox(SandboxSettings(used=False))
    assert "PESTLE_SANDBOX_USED=false" in await off.unavailable()


def running(argument: str) -> bool:
    """Whether `sleep ARGUMENT` runs anywhere on this machine."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if place.read_bytes() == f"sleep\0{argument}\0".encode():
                return True
        except OSError:
            continue
    return False


async def there(argument: str) -> None:
    async with asyncio.timeout(20):
        while not running(argument):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


async def gone(argument: str) -> None:
    async with asyncio.timeout(5):
        while running(argument):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)
