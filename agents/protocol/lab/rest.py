"""What the result of a task rests on: the task, the files that it reads, and the tasks before it."""

from collections.abc import Mapping

from agents.protocol.values import DryTask
from agents.runs.hashing import digest


def rests_on(task: DryTask, files: Mapping[str, str], earlier: Mapping[str, str]) -> str:
    """The hash of all that a result rests on; `earlier` are those of the tasks before it."""
    read = sorted((name, sha256) for name, sha256 in files.items() if name in names_of(task))
    return digest((task, read, [earlier.get(one, "") for one in task.depends_on]))


def names_of(task: DryTask) -> tuple[str, ...]:
    """Names of the files that a task may read."""
    of_dataset = task.dataset.files if task.dataset else ()
    return tuple(dict.fromkeys((*(one.name for one in task.inputs), *(one.name for one in of_dataset))))
