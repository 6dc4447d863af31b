"""A small real sample of public databases, from which an installation answers before anything is loaded.

`data/README.md` tells what is in it, of which release and on which terms. `tests/support/sample.py` makes it.
"""

from pathlib import Path

FOLDER = Path(__file__).parent / "data"
