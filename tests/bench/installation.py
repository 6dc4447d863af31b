"""`make demo` on a bare machine: seconds, processor time and size, in a fresh clone.

    python -m tests.bench.installation

Packages are fetched anew with `UV_NO_CACHE=1`; else what an earlier installation left is used.
"""

import os
import subprocess
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]


def make(tree: Path, target: str) -> str:
    """What a target took: by the clock, and the user and system time of all its processes."""
    began, before = time.monotonic(), getrusage(RUSAGE_CHILDREN)
    environment = {**os.environ, "PESTLE_WEB_PORT": "0"}
    subprocess.run(
        ["make", "--silent", target],
        cwd=tree,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    after = getrusage(RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    folder = subprocess.check_output(["du", "-sm", ".venv"], cwd=tree, text=True).split()[0]
    return f"{target}: {time.monotonic() - began:.0f} s, {used:.0f} s of processor; .venv has {folder} MB"


def main() -> None:
    with TemporaryDirectory() as name:
        tree = Path(name) / "pestle"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tree)], check=True)
        for target in (".venv/base.stamp", "demo"):
            print(make(tree, target), flush=True)


if __name__ == "__main__":
    main()
