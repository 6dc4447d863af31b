"""Check the objects of KEDA in a folder against its own definitions: `python -m tests.docker.keda FOLDER`.

Runs in the environment of `make images`: the package with the definitions is for nothing else.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from cloudcoil.models.keda import v1alpha1
from pydantic import BaseModel

GROUP = "keda.sh/v1alpha1"


def faults(told: dict[str, Any], form: type[BaseModel]) -> Iterator[str]:
    """What an object has that its definition does not know, or in another form."""
    try:
        read = form.model_validate(told)
    except ValueError as error:
        yield str(error)
        return
    yield from unknown(told, read.model_dump(by_alias=True, exclude_unset=True), form.__name__)


def unknown(told: Any, known: Any, where: str) -> Iterator[str]:
    """Places of which the definition took nothing."""
    if isinstance(told, dict) and isinstance(known, dict):
        for name, value in told.items():
            if name not in known:
                yield f"{where}.{name} is not known"
            else:
                yield from unknown(value, known[name], f"{where}.{name}")
    elif isinstance(told, list) and isinstance(known, list):
        for number, (one, other) in enumerate(zip(told, known, strict=True)):
            yield from unknown(one, other, f"{where}[{number}]")


def main(folder: Path) -> int:
    objects = [one for file in sorted(folder.glob("*.yaml")) for one in yaml.safe_load_all(file.read_text())]
    ours = [one for one in objects if one.get("apiVersion") == GROUP]
    assert ours, f"{folder} has no object of {GROUP}"
    found = [fault for one in ours for fault in faults(one, getattr(v1alpha1, one["kind"]))]
    print("\n".join(found), end="\n" if found else "")
    return len(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
