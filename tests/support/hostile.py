"""A hostile folder: what stands in company archives besides documents, and what somebody may put there."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egpj"
"""A name's part that clears a screen, renames a window, colours a line, and turns the text around."""
LEFT_OUT = ("dangling.md", "loop.md", "pipe.md", "round", "to-sub")
"""Names in the folder that are no documents."""


def hostile_folder(folder: Path) -> Path:
    """A folder with two documents, `a.md` and `sub/b.md`, among things that are none."""
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# QRX-875 in man\n\nPatients took QRX-875 5 mg.")
    (folder / "sub" / "b.md").write_text("# QX-1001 in the rat\n\nRats received QX-1001 10 mg/kg.")
    (folder / "dangling.md").symlink_to(folder / "nowhere.md")
    (folder / "loop.md").symlink_to(folder / "loop.md")
    (folder / "round").symlink_to(folder)
    (folder / "to-sub").symlink_to(folder / "sub")
    os.mkfifo(folder / "pipe.md")
    return folder


def as_a_common_user() -> None:
    """Lets permissions hold for a process of root's, too: run in a child before its program starts."""
    drop_from_bounding_set, everything, search = 24, 1, 2  # PR_CAPBSET_DROP, CAP_DAC_…
    if os.geteuid() == 0:
        for capability in (everything, search):
            ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 kB. Skips where none can be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    mounted = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=256k", "none", str(place)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)
