"""R programs that mean harm, as a model might write them: all are contained, and the reason is told."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from agents.ports import Sandbox
from agents.programs.values import MB, Ended, Job, Limits
from tests.adapters.sandbox.test_hostile import running
from tests.support import services

LIMITS = Limits(seconds=20.0, processor=10.0, memory=300 * MB, processes=30, disk=20 * MB, output=1 * MB)

ROOMY = replace(LIMITS, memory=4_000 * MB)


@pytest.fixture
async def sandbox() -> Sandbox:
    return await services.sandbox()


async def r(sandbox: Sandbox, code: str, limits: Limits = LIMITS) -> Ended:
    """An R program in the sandbox, as a file; this process lives on, and runs the next one."""
    services.r()
    ended = await sandbox.run(Job(("Rscript", "--vanilla", "in/a.R"), {"a.R": code.encode()}, limits=limits))
    assert (await sandbox.run(Job(("echo", "alive")))).out == "alive\n"
    return ended


async def test_network_is_not_there(sandbox: Sandbox) -> None:
    ended = await r(sandbox, 'socketConnection("93.184.216.34", 80, timeout = 3)\n')
    assert ended.code == 1
    assert "cannot open the connection" in ended.err
    ended = await r(sandbox, 'download.file("http://93.184.216.34/", "out/x", quiet = TRUE)')
    assert ended.code == 1
    assert not ended.files


@pytest.mark.parametrize(
    ("code", "limits", "reason"),
    [
        ("repeat parallel::mcparallel(Sys.sleep(60))", ROOMY, "started more than 30 processes"),
        (
            'system("b() { b | b & }; b; sleep 20"); quit(status = 1)',
            replace(LIMITS, seconds=5.0),
            "started more than 30 processes",
        ),
        ("x <- list(); repeat x[[length(x) + 1]] <- runif(1e6)", LIMITS, "used more than 300 MB of memory"),
        ("repeat {}", Limits(seconds=2.0), "ran longer than 2 s"),
        ("repeat sqrt(2)", Limits(processor=1.0), "used more than 1 s of processor time"),
        (
            'f <- file("out/big", "wb"); repeat writeBin(raw(1e6), f)',
            LIMITS,
            "wrote more than 20 MB of files",
        ),
        (
            'system("head -c 10000000000 /dev/zero > out/big"); quit(status = 1)',
            LIMITS,
            "wrote more than 20 MB",
        ),
        ("repeat cat(strrep('x', 1e5))", LIMITS, "wrote more than 1 MB to its standard output"),
    ],
    ids=["fork", "fork by a shell", "memory", "endless", "processor", "disk", "disk by a shell", "output"],
)
async def test_what_it_may_use_is_bounded(sandbox: Sandbox, code: str, limits: Limits, reason: str) -> None:
    ended = await r(sandbox, code, limits)
    refused = re.search("(?:Cannot|unable to) fork", ended.err)  # by the kernel, before anybody looked
    assert reason in (ended.reason or ended.err) or (refused and "processes" in reason)
    assert not ended.well


async def test_files_outside_secrets_and_the_environment_are_not_seen(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_MODEL_KEY", "hunter2")
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    code = f"""
    tried <- function(e) tryCatch(print(e), error = function(x) cat("no:", conditionMessage(x), "\\n"),
                                  warning = function(x) cat("no:", conditionMessage(x), "\\n"))
    tried(readLines("{secret}"))
    tried(readLines("/etc/shadow"))
    tried(readLines("/proc/{os.getpid()}/environ"))
    tried(list.files("/root", all.files = TRUE))
    tried(writeLines("x", "{tmp_path}/new"))
    tried(writeLines("x", "/usr/lib/R/x"))
    tried(writeLines("x", "in/a.R"))
    print(Sys.getenv())
    system("env; cat /proc/*/environ; cat {secret}; touch {tmp_path}/escaped")
    """
    ended = await r(sandbox, code)
    assert "hunter2" not in ended.out + ended.err
    assert "PESTLE" not in ended.out
    assert "the secret" not in ended.out
    assert ended.out.count("no: cannot open") == 6
    assert os.listdir(tmp_path) == ["secret"]  # noqa: PTH208


async def test_links_out_of_the_sandbox_are_left_out(sandbox: Sandbox) -> None:
    code = (
        'file.symlink("/etc/passwd", "out/link"); file.symlink("/work/in", "out/folder"); '
        'writeLines("1", "out/real")'
    )
    ended = await r(sandbox, code)
    assert set(ended.files) == {"real"}
    assert "'link' was left out: it is a symbolic link." in ended.notes


async def test_its_shell_and_its_libraries_are_in_the_same_sandbox(sandbox: Sandbox) -> None:
    code = """
    print(system("unshare -Ur id", intern = FALSE))
    print(system2("mount", c("-t", "tmpfs", "x", "/work/out")))
    print(tryCatch(install.packages("x", repos = "http://93.184.216.34"), warning = function(w) "no package"))
    system("setsid sleep 981 > /dev/null 2>&1 &")
    """
    ended = await r(sandbox, code)
    assert "unshare failed" in ended.err
    assert "no package" in ended.out
    assert not running("981")
